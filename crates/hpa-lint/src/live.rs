//! Helpers for rules that use the assessment of an HPA in a cluster.

use hpa_analysis::Assessment;
use hpa_engine::model::{ApiService, NotRead, SnapshotField};
use hpa_words::{program::typed, shell_word};

use super::{Cx, HpaSubject, Missing};

/// The command that shows how the controller decides for this HPA.
pub fn explain_command(cx: &Cx<'_, HpaSubject>) -> String {
    format!(
        "{} {}{}",
        typed("explain"),
        shell_word(cx.subject.hpa.name()),
        namespace_flag(cx)
    )
}

/// How an HPA that is off at 0 replicas is turned on again.
pub fn leave_zero(cx: &Cx<'_, HpaSubject>) -> String {
    format!(
        "run kubectl scale {} --replicas=1{}; if this is a pause, suppress the finding with a reason",
        shell_word(&cx.subject.spec.scale_target.to_string().to_lowercase()),
        namespace_flag(cx)
    )
}

/// kubectl's namespace flag for the HPA and its target, such as ` -n shop`. Empty if the input names no namespace.
pub fn namespace_flag(cx: &Cx<'_, HpaSubject>) -> String {
    match cx.subject.hpa.namespace() {
        "" => String::new(),
        namespace => format!(" -n {}", shell_word(namespace)),
    }
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
