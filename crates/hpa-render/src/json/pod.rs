//! Pods in `explain -o json`.

use hpa_analysis::Belonging;
use hpa_explain::{ContainerView, StartupView};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One pod that the selector matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pod {
    /// Its name.
    pub name: String,
    /// `ready`, `unready`, `missing` or `ignored`; null if no metric uses classes.
    pub class: Option<String>,
    /// Why it is in that class.
    pub why: String,
    /// Its sample.
    pub usage: Option<String>,
    /// Its request.
    pub request: Option<String>,
    /// Its controlling owner, `kind/name`.
    pub owner: Option<String>,
    /// That owner and those above it, each `kind/name`, as far as they were read.
    pub owner_chain: Vec<String>,
    /// Whether it belongs to the scale target; null if a link of the chain was not read.
    pub of_target: Option<bool>,
    /// Its startup compared with its sample.
    pub startup: Startup,
    /// Its containers that count for the metric, those without a request first.
    pub containers: Vec<ContainerView>,
}

/// When a pod started, got ready and was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Startup {
    /// Seconds since its creation.
    pub age_seconds: Option<f64>,
    /// Seconds from creation to its current condition Ready; null if it is not ready.
    pub seconds_to_ready: Option<f64>,
    /// Since when it is ready.
    pub ready_since: Option<Timestamp>,
    /// When the interval of its sample began.
    pub sample_from: Option<Timestamp>,
    /// When the interval of its sample ended.
    pub sample_to: Option<Timestamp>,
    /// Whether the sample counts.
    pub counted: bool,
    /// `counted because …` or `not counted because …`.
    pub because: String,
}

impl From<&hpa_explain::PodView> for Pod {
    fn from(pod: &hpa_explain::PodView) -> Self {
        Self {
            name: pod.name.clone(),
            class: Some(pod.class.as_str().to_owned()),
            why: pod.why.clone(),
            usage: pod.usage.clone(),
            request: pod.request.clone(),
            owner: pod.owner.clone(),
            owner_chain: pod.owner_chain.clone(),
            of_target: match pod.belonging {
                Belonging::Target => Some(true),
                Belonging::Other => Some(false),
                Belonging::Unknown => None,
            },
            startup: (&pod.startup).into(),
            containers: pod.containers.clone(),
        }
    }
}

impl From<&StartupView> for Startup {
    fn from(startup: &StartupView) -> Self {
        Self {
            age_seconds: startup.age.map(|age| age.as_secs_f64()),
            seconds_to_ready: startup.time_to_ready.map(|time| time.as_secs_f64()),
            ready_since: startup.ready_since,
            sample_from: startup.sample_from,
            sample_to: startup.sample_to,
            counted: startup.is_counted,
            because: startup.because.clone(),
        }
    }
}
