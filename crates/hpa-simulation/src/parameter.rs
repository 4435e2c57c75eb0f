//! The parameters of a simulation, and what it leaves out, in words.

use hpa_engine::model::Provenance;
use hpa_words::{
    amount::{count, number},
    clock::span,
};

use crate::{Burst, Millis, Nodes, StartTimes, Startup, unit::LoadUnit};

/// A parameter of a simulation and its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// The parameter.
    pub parameter: Parameter,
    /// Its source.
    pub provenance: Provenance,
}

/// A parameter of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// The load of a metric over time.
    Load {
        /// The metric.
        metric: String,
        /// The load as written; none: it stays as it was.
        written: Option<String>,
    },
    /// The load before the start.
    LoadBefore {
        /// The metric.
        metric: String,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: LoadUnit,
    },
    /// Replicas at the start.
    Replicas(i32),
    /// The owner of the pods, where nothing shows one.
    Owner(String),
    /// The usage of a pod without load.
    Base {
        /// The resource.
        resource: &'static str,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: LoadUnit,
    },
    /// The most CPU that a pod can use.
    Capacity(f64),
    /// The time from creation to ready, and the number of pods it was read from.
    Startup(Startup),
    /// The CPU burst at the start of a pod.
    Burst(Option<Burst>),
    /// How unevenly pods share a load: the standard deviation of the logarithm.
    Spread(f64),
    /// Free capacity of the nodes.
    Nodes(Option<Nodes>),
    /// The time from the deletion of a pod to its end.
    Termination(Millis),
    /// The range of intervals between two readings by the kubelet.
    Housekeeping(Millis, Millis),
    /// The interval between two scrapes.
    Resolution(Millis),
    /// A rolling update's `maxSurge` and `maxUnavailable`, in percent.
    RollingUpdate(u32, u32),
    /// The items that a pod takes from a queue per second.
    ServiceRate {
        /// The metric.
        metric: String,
        /// Its value.
        rate: f64,
    },
    /// The recommendation history at the start.
    Memory,
    /// Version of the controller.
    Version(String),
    /// The sync period.
    SyncPeriod(Millis),
    /// How long a sync takes, from the shortest to the longest.
    SyncLength(Millis, Millis),
    /// The tolerance of the controller.
    Tolerance(f64),
    /// The downscale stabilization of the controller.
    DownscaleStabilization(Millis),
    /// The CPU initialization period of the controller.
    CpuInitialization(Millis),
    /// The initial readiness delay of the controller.
    ReadinessDelay(Millis),
}

impl Parameter {
    /// A stable key, for JSON.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Load { .. } => "load",
            Self::LoadBefore { .. } => "loadBefore",
            Self::Replicas(_) => "replicas",
            Self::Owner(_) => "owner",
            Self::Base { .. } => "base",
            Self::Capacity(_) => "capacity",
            Self::Startup(_) => "start",
            Self::Burst(_) => "startCpu",
            Self::Spread(_) => "uneven",
            Self::Nodes(_) => "nodes",
            Self::Termination(_) => "termination",
            Self::Housekeeping(..) => "kubeletInterval",
            Self::Resolution(_) => "metricsResolution",
            Self::RollingUpdate(..) => "rollingUpdate",
            Self::ServiceRate { .. } => "serviceRate",
            Self::Memory => "recommendationHistory",
            Self::Version(_) => "version",
            Self::SyncPeriod(_) => "syncPeriod",
            Self::SyncLength(..) => "syncLength",
            Self::Tolerance(_) => "tolerance",
            Self::DownscaleStabilization(_) => "downscaleStabilization",
            Self::CpuInitialization(_) => "cpuInitializationPeriod",
            Self::ReadinessDelay(_) => "initialReadinessDelay",
        }
    }

    /// Its name and its value, for people.
    pub fn words(&self, provenance: Provenance) -> (String, String) {
        let seconds = |millis: &Millis| span(*millis as f64 / 1000.0);
        let (name, value) = match self {
            Self::Load {
                metric,
                written: Some(written),
            } => (format!("load of {metric}"), written.clone()),
            Self::Load {
                metric,
                written: None,
            } => (format!("load of {metric}"), "stays as it is now".to_owned()),
            Self::LoadBefore {
                metric,
                value,
                unit,
            } => (format!("load of {metric} before"), unit.amount(*value)),
            Self::Replicas(replicas) => ("replicas at the start".to_owned(), replicas.to_string()),
            Self::Owner(owner) => ("owner of the pods".to_owned(), owner.clone()),
            Self::Base {
                resource,
                value,
                unit,
            } => (
                format!("{resource} of a pod without load"),
                unit.amount(*value),
            ),
            Self::Capacity(cores) => {
                let of = if provenance == Provenance::Observed {
                    ", its limit"
                } else {
                    ""
                };
                (
                    "most CPU of a pod".to_owned(),
                    format!("{}{of}", LoadUnit::Cores.amount(*cores)),
                )
            }
            Self::Startup(startup) => ("creation to ready".to_owned(), startup_words(startup)),
            Self::Burst(Some(burst)) => (
                "CPU at the start".to_owned(),
                format!(
                    "{} for {}",
                    LoadUnit::Cores.amount(burst.cores),
                    seconds(&burst.length)
                ),
            ),
            Self::Burst(None) => (
                "CPU at the start".to_owned(),
                "none besides the load".to_owned(),
            ),
            Self::Spread(sigma) => (
                "share of each pod".to_owned(),
                if *sigma < 0.005 {
                    "even".to_owned()
                } else {
                    format!("uneven by {}", number(*sigma))
                },
            ),
            Self::Nodes(None) => ("nodes".to_owned(), "room for every pod".to_owned()),
            Self::Nodes(Some(nodes)) => (
                "nodes".to_owned(),
                match nodes.wait {
                    Some(wait) => format!(
                        "room for {} pods, then {} for a node",
                        nodes.room,
                        seconds(&wait)
                    ),
                    None => format!("room for {} pods", nodes.room),
                },
            ),
            Self::Termination(length) => (
                "deletion of a pod".to_owned(),
                format!("takes {}", seconds(length)),
            ),
            Self::Housekeeping(low, high) => (
                "kubelet reads a container".to_owned(),
                if low == high {
                    format!("every {}", seconds(high))
                } else {
                    format!(
                        "every {} to {}",
                        number(*low as f64 / 1000.0),
                        seconds(high)
                    )
                },
            ),
            Self::Resolution(length) => (
                "metrics are scraped".to_owned(),
                format!("every {}", seconds(length)),
            ),
            Self::RollingUpdate(surge, unavailable) => (
                "rollout".to_owned(),
                format!("maxSurge {surge}%, maxUnavailable {unavailable}%"),
            ),
            Self::ServiceRate { metric, rate } => (
                format!("a ready pod takes from {metric}"),
                format!("{} each second", number(*rate)),
            ),
            Self::Memory => (
                "recommendation history".to_owned(),
                match provenance {
                    Provenance::Assumed => "empty: the HPA is new",
                    Provenance::Inferred | Provenance::AtLeast => "from status and events",
                    Provenance::Given | Provenance::Observed => "from the recording",
                }
                .to_owned(),
            ),
            Self::Version(version) => ("Kubernetes".to_owned(), version.clone()),
            Self::SyncPeriod(length) => ("sync period".to_owned(), seconds(length)),
            Self::SyncLength(low, high) => {
                ("length of a sync".to_owned(), format!("{low} to {high} ms"))
            }
            Self::Tolerance(tolerance) => (
                "tolerance".to_owned(),
                format!("{}%", number(tolerance * 100.0)),
            ),
            Self::DownscaleStabilization(length) => {
                ("downscale stabilization".to_owned(), seconds(length))
            }
            Self::CpuInitialization(length) => {
                ("CPU initialization period".to_owned(), seconds(length))
            }
            Self::ReadinessDelay(length) => ("initial readiness delay".to_owned(), seconds(length)),
        };
        (name, value)
    }
}

fn startup_words(startup: &Startup) -> String {
    let seconds = |millis: Millis| span(millis as f64 / 1000.0);
    match startup {
        Startup::Between(low, high) if low == high => seconds(*low),
        Startup::Between(low, high) => format!("{} to {}", seconds(*low), seconds(*high)),
        Startup::Observed(pods) => {
            let totals = pods.iter().map(StartTimes::total);
            let (low, high) = (totals.clone().min().unwrap_or(0), totals.max().unwrap_or(0));
            let noun = if pods.len() == 1 { "pod" } else { "pods" };
            let range = if low == high {
                seconds(low)
            } else {
                format!("{} to {}", seconds(low), seconds(high))
            };
            format!("{range}, as {} {noun} of it", pods.len())
        }
    }
}

/// Something that may happen in a cluster but is not simulated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotModeled {
    /// Pods have no CPU limit, so no load is lost.
    NoCapacity,
    /// Pods use memory above their limit and are not killed.
    OutOfMemory,
    /// Memory that a pod gives back when its load falls.
    FreedMemory,
    /// Another autoscaler works on the target.
    OtherAutoscaler(String),
    /// Pods of the target have no node now, and no new node comes for them.
    WaitingPods(usize),
    /// Pods of others are selected; they stay as they are.
    StrangerPods(usize),
    /// A quota may reject pods.
    Quota,
    /// No more pods than now are created, because something refuses them.
    RefusedPods {
        /// How many exist.
        existing: usize,
        /// The API server's message.
        refusal: String,
    },
    /// Failed requests are not retried, and users do not leave.
    Retries,
    /// Nodes are not removed, and pods of other owners take no room.
    Nodes,
    /// An adapter answers with the value at its last scrape, without an average over time.
    AdapterWindow,
    /// The kind of the target is treated as a Deployment.
    TargetKind(String),
}

impl NotModeled {
    /// A stable key, for JSON.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NoCapacity => "capacity",
            Self::OutOfMemory => "outOfMemory",
            Self::FreedMemory => "freedMemory",
            Self::OtherAutoscaler(_) => "otherAutoscalers",
            Self::WaitingPods(_) => "pendingPods",
            Self::StrangerPods(_) => "foreignPods",
            Self::Quota => "quotas",
            Self::RefusedPods { .. } => "refusedPods",
            Self::Retries => "retries",
            Self::Nodes => "nodes",
            Self::AdapterWindow => "adapterWindow",
            Self::TargetKind(_) => "targetKind",
        }
    }

    /// It in one sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::NoCapacity => {
                "The pods have no CPU limit, so they serve every load: --capacity says what one can do.".to_owned()
            }
            Self::OutOfMemory => "A pod above its memory limit is not killed.".to_owned(),
            Self::FreedMemory => {
                "A pod never gives memory back, whatever share of the load moves to new pods."
                    .to_owned()
            }
            Self::OtherAutoscaler(which) => format!("{which} does nothing here."),
            Self::WaitingPods(count) => {
                let pods = match count {
                    1 => "1 pod has".to_owned(),
                    count => format!("{count} pods have"),
                };
                format!(
                    "{pods} no node now, and here no new node comes: --nodes says how many pods have room."
                )
            }
            Self::StrangerPods(1) => {
                "The selector matches 1 pod of another owner: it stays, with the usage that it has now.".to_owned()
            }
            Self::StrangerPods(pods) => {
                format!("The selector matches {pods} pods of other owners: they stay, with the usage that they have now.")
            }
            Self::Quota => "A ResourceQuota refuses no pod.".to_owned(),
            Self::RefusedPods { existing, refusal } => {
                let pods = count(*existing, "pod");
                format!("More than {pods} are refused now, and here that does not end ({refusal}): --nodes says how many pods have room.")
            }
            Self::Retries => "Work that is not done is lost: clients do not try again and do not give up.".to_owned(),
            Self::Nodes => "No node is removed, and no other pods need room.".to_owned(),
            Self::AdapterWindow => "Adapters give the value of their last scrape, not an average over time.".to_owned(),
            Self::TargetKind(kind) => format!("A {kind} makes and replaces pods as a Deployment does."),
        }
    }
}
