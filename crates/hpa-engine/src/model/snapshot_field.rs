//! The fields of a snapshot that can be missing because they were not read.

use std::fmt;

/// A field of a snapshot, by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize),
    serde(from = "String", into = "String")
)]
pub enum SnapshotField {
    /// `apiServices`.
    ApiServices,
    /// `autoscalers`: objects of other autoscalers.
    Autoscalers,
    /// `controller`: the flags of the controller.
    Controller,
    /// `controller.version`.
    ControllerVersion,
    /// `customMetrics` of the metric with this index in `spec.metrics`; none: of any metric.
    CustomMetrics(Option<usize>),
    /// `podDisruptionBudgets`.
    DisruptionBudgets,
    /// `kubernetesEvents`.
    Events,
    /// `externalMetrics` of the metric with this index in `spec.metrics`; none: of any metric.
    ExternalMetrics(Option<usize>),
    /// `target.intermediateOwners`: the ReplicaSets of the target.
    IntermediateOwners,
    /// `leaderSince`.
    LeaderSince,
    /// `nodes`.
    Nodes,
    /// `otherHpas`.
    OtherHpas,
    /// `podMetrics`.
    PodMetrics,
    /// `pods`.
    Pods,
    /// `resourceQuotas`.
    ResourceQuotas,
    /// `scale`.
    Scale,
    /// `serverVersion`.
    ServerVersion,
    /// `target`.
    Target,
    /// `time`: when the objects were read.
    Time,
    /// Any other field.
    Other(String),
}

impl SnapshotField {
    /// Whether the controller needs it to decide.
    pub fn decides(&self) -> bool {
        matches!(
            self,
            Self::Scale
                | Self::Pods
                | Self::PodMetrics
                | Self::CustomMetrics(_)
                | Self::ExternalMetrics(_)
        )
    }

    /// The field for all metrics together.
    #[must_use]
    pub fn without_index(&self) -> Self {
        match self {
            Self::CustomMetrics(_) => Self::CustomMetrics(None),
            Self::ExternalMetrics(_) => Self::ExternalMetrics(None),
            other => other.clone(),
        }
    }

    fn path(&self) -> &str {
        match self {
            Self::ApiServices => "apiServices",
            Self::Autoscalers => "autoscalers",
            Self::Controller => "controller",
            Self::ControllerVersion => "controller.version",
            Self::CustomMetrics(_) => "customMetrics",
            Self::DisruptionBudgets => "podDisruptionBudgets",
            Self::Events => "kubernetesEvents",
            Self::ExternalMetrics(_) => "externalMetrics",
            Self::IntermediateOwners => "target.intermediateOwners",
            Self::LeaderSince => "leaderSince",
            Self::Nodes => "nodes",
            Self::OtherHpas => "otherHpas",
            Self::PodMetrics => "podMetrics",
            Self::Pods => "pods",
            Self::ResourceQuotas => "resourceQuotas",
            Self::Scale => "scale",
            Self::ServerVersion => "serverVersion",
            Self::Target => "target",
            Self::Time => "time",
            Self::Other(path) => path,
        }
    }
}

impl fmt::Display for SnapshotField {
    /// The path: `customMetrics[1]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.path())?;
        match self {
            Self::CustomMetrics(Some(index)) | Self::ExternalMetrics(Some(index)) => {
                write!(formatter, "[{index}]")
            }
            _ => Ok(()),
        }
    }
}

impl From<String> for SnapshotField {
    fn from(path: String) -> Self {
        const PLAIN: [SnapshotField; 17] = [
            SnapshotField::ApiServices,
            SnapshotField::Autoscalers,
            SnapshotField::Controller,
            SnapshotField::ControllerVersion,
            SnapshotField::DisruptionBudgets,
            SnapshotField::Events,
            SnapshotField::IntermediateOwners,
            SnapshotField::LeaderSince,
            SnapshotField::Nodes,
            SnapshotField::OtherHpas,
            SnapshotField::PodMetrics,
            SnapshotField::Pods,
            SnapshotField::ResourceQuotas,
            SnapshotField::Scale,
            SnapshotField::ServerVersion,
            SnapshotField::Target,
            SnapshotField::Time,
        ];
        let (name, index) = match path.strip_suffix(']').and_then(|path| path.split_once('[')) {
            Some((name, index)) => (name, index.parse().ok()),
            None => (path.as_str(), None),
        };
        match (name, index) {
            ("customMetrics", index) => Self::CustomMetrics(index),
            ("externalMetrics", index) => Self::ExternalMetrics(index),
            _ => {
                let plain = PLAIN.into_iter().find(|field| field.path() == path);
                plain.unwrap_or(Self::Other(path))
            }
        }
    }
}

impl From<SnapshotField> for String {
    fn from(field: SnapshotField) -> Self {
        field.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::SnapshotField;

    #[test]
    fn a_path_is_read_as_it_is_written() {
        for (path, field) in [
            ("controller.version", SnapshotField::ControllerVersion),
            ("customMetrics", SnapshotField::CustomMetrics(None)),
            (
                "externalMetrics[1]",
                SnapshotField::ExternalMetrics(Some(1)),
            ),
            ("rollouts", SnapshotField::Other("rollouts".to_owned())),
            ("pods[x]", SnapshotField::Other("pods[x]".to_owned())),
        ] {
            assert_eq!(SnapshotField::from(path.to_owned()), field);
            assert_eq!(field.to_string(), path);
        }
    }
}
