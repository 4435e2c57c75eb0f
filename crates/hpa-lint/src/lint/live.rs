//! What rules ask of the assessment of an HPA in a cluster.

use super::{Cx, HpaSubject, Missing};
use crate::{
    inference::Assessment,
    model::{ApiService, NotRead, SnapshotField},
};

/// The command that shows how the controller decides for this HPA.
pub fn explain_command(cx: &Cx<'_, HpaSubject>) -> String {
    let context = cx.subject.manifest.object.context.as_ref();
    let context = context.map_or_else(String::new, |context| format!(" --context {context}"));
    format!(
        "kubectl hpa explain {} -n {}{context}",
        cx.subject.name(),
        cx.subject.namespace()
    )
}

/// The API services of the metrics APIs.
pub fn api_services(live: &Assessment) -> Result<&[ApiService], Missing> {
    live.require(&SnapshotField::ApiServices)?;
    let services = live.context.surroundings.api_services.as_deref();
    services.ok_or_else(|| Missing::unknown("which metrics APIs the cluster has"))
}

impl From<&NotRead> for Missing {
    fn from(reason: &NotRead) -> Self {
        Self::NotRead {
            what: reason.what.to_string(),
            why: match &reason.remedy {
                Some(remedy) => format!("{}; {remedy}", reason.why),
                None => reason.why.clone(),
            },
        }
    }
}

impl From<&[NotRead]> for Missing {
    fn from(reasons: &[NotRead]) -> Self {
        let first = reasons.first().map(Self::from);
        first.unwrap_or_else(|| Self::unknown("what decides"))
    }
}
