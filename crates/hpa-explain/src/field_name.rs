//! The names of snapshot fields on a page.

use hpa_engine::model::SnapshotField;

/// The name of a snapshot field on the page.
pub fn name_of(field: &SnapshotField) -> String {
    let numbered = |name: &str, index: Option<usize>| match index {
        Some(index) => format!("{name} {}", index + 1),
        None => name.to_owned(),
    };
    match field {
        SnapshotField::ApiServices => "API services".to_owned(),
        SnapshotField::CustomMetrics(index) => numbered("custom metric", *index),
        SnapshotField::ExternalMetrics(index) => numbered("external metric", *index),
        SnapshotField::Events => "events".to_owned(),
        SnapshotField::LeaderSince => "leader of the controllers".to_owned(),
        SnapshotField::Controller => "flags of the controller".to_owned(),
        SnapshotField::OtherHpas => "other HPAs".to_owned(),
        SnapshotField::DisruptionBudgets => "disruption budgets".to_owned(),
        SnapshotField::PodMetrics => "pod metrics".to_owned(),
        SnapshotField::ResourceQuotas => "quotas".to_owned(),
        SnapshotField::IntermediateOwners => "ReplicaSets".to_owned(),
        SnapshotField::Time => "time of the objects".to_owned(),
        SnapshotField::ServerVersion | SnapshotField::ControllerVersion => "version".to_owned(),
        other => other.to_string(),
    }
}
