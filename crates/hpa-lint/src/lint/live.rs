//! What rules ask of the assessment of an HPA in a cluster.

use super::Missing;
use crate::{
    explain::clock::rough,
    inference::Assessment,
    model::{ApiService, Condition, NotRead, SnapshotField},
};

/// `for at least 14 min`, by the condition's last transition.
pub fn held_for(live: &Assessment, condition: &Condition) -> String {
    match condition.last_transition_time {
        Some(at) => format!("for {}, by lastTransitionTime", rough(live.since(at))),
        None => "nobody knows since when".to_owned(),
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
