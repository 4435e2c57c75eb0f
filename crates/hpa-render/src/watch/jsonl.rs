//! `watch -o jsonl`: one object for each sync, and for other events that a program may react to.

use hpa_engine::model::{HpaKey, Source};
use hpa_watch::{FieldDifference, HistoryEntry, MetricPoint, PodCounts, State, Update};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

/// One line of `kubectl hpa watch -o jsonl`; `type` is its kind.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum WatchLine {
    /// The controller has synced an HPA.
    Reconcile(Box<WatchedEntry>),
    /// Something changed between two syncs.
    Change(Box<WatchedEntry>),
    /// Whether the controller did what was recomputed for a sync.
    Compared {
        /// Time of the sync, as in its line.
        time: Timestamp,
        /// The HPA.
        hpa: HpaKey,
        /// Whether it did; null: it saw other pods or samples than those read here, or its history is unknown.
        agrees: Option<bool>,
        /// The fields that differ.
        differs: Vec<String>,
        /// Whether it agrees only with another possible recommendation history, or with a slightly later sync. The
        /// line of the sync then has that one.
        other_history: bool,
    },
    /// An HPA was deleted, or is no longer selected.
    Deleted {
        /// Its time.
        time: Timestamp,
        /// The HPA.
        hpa: HpaKey,
    },
    /// An alarm was raised, or its text changed.
    Alarm {
        /// Its time.
        time: Timestamp,
        /// The HPA; null: the alarm concerns several of them, or all.
        hpa: Option<HpaKey>,
        /// The HPAs that it affects; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm.
        #[serde(flatten)]
        alarm: hpa_watch::Alarm,
    },
    /// An alarm ended.
    AlarmEnd {
        /// Its time.
        time: Timestamp,
        /// The HPA; null: the alarm concerned several of them, or all.
        hpa: Option<HpaKey>,
        /// The HPAs that it affected; empty: all of them.
        hpas: Vec<HpaKey>,
        /// The alarm.
        #[serde(flatten)]
        alarm: hpa_watch::Alarm,
        /// How long the alarm was on.
        seconds: f64,
    },
    /// A source cannot be read.
    ReadFailure {
        /// Its time.
        time: Timestamp,
        /// The source.
        #[serde(flatten)]
        source: WatchedSource,
        /// Until when the data of the source was fresh.
        since: Timestamp,
        /// The reason.
        why: String,
    },
    /// A source can be read again.
    ReadFailureEnd {
        /// Its time.
        time: Timestamp,
        /// The source.
        #[serde(flatten)]
        source: WatchedSource,
        /// How long it could not be read.
        seconds: f64,
    },
    /// The user set a mark.
    Mark {
        /// Its time.
        time: Timestamp,
        /// The user's text; may be empty.
        note: String,
    },
}

/// An HPA at one instant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WatchedMoment")]
pub struct WatchedEntry {
    /// The controller's clock.
    pub time: Timestamp,
    /// The HPA.
    pub hpa: HpaKey,
    /// What happens: `disabled`, `failed`, `hold`, `scaleDown`, `scaleUp`, `unknown`.
    pub action: String,
    /// The rule that decides, in kebab case.
    pub rule: String,
    /// The verdict in a few words.
    pub headline: String,
    /// The replicas.
    pub replicas: WatchedReplicas,
    /// The pods.
    pub pods: PodCounts,
    /// The metrics, in the order of the spec.
    pub metrics: Vec<MetricPoint>,
    /// The changes since the previous entry that matter to a reader.
    pub changes: Vec<hpa_watch::Change>,
    /// The active alarms, in kebab case.
    pub alarms: Vec<String>,
}

/// The replicas at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedReplicas {
    /// `spec.replicas` of the scale; null: not known.
    pub current: Option<i32>,
    /// After the decision; null: not known.
    pub desired: Option<i32>,
    /// What the metrics ask for, before window, policies and bounds.
    pub recommendation: Option<i32>,
    /// What the stabilization window turns that into.
    pub stabilized: Option<i32>,
    /// The fewest replicas that policies and bounds allow.
    pub at_least: Option<i32>,
    /// The most replicas that policies and bounds allow.
    pub at_most: Option<i32>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
}

/// A source that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedSource {
    /// Resource of a watch, or a metrics API; `server`: the API server does not answer; `answers`: all answers of the
    /// API server are late.
    pub source: String,
    /// The namespace, for a metrics API.
    pub namespace: Option<String>,
}

/// Writes an update as a line; a new HPA has none, because the line of its entry follows.
pub fn line(update: &Update, state: &State, at: Timestamp) -> Option<WatchLine> {
    Some(match update {
        Update::Appeared { .. } => return None,
        Update::Deleted { hpa } => WatchLine::Deleted {
            time: at,
            hpa: hpa.clone(),
        },
        Update::Reconciled {
            hpa,
            entry,
            changes,
        } => WatchLine::Reconcile(Box::new(watched(hpa, of(state, hpa, *entry)?, changes))),
        Update::Changed {
            hpa,
            entry,
            changes,
        } => WatchLine::Change(Box::new(watched(hpa, of(state, hpa, *entry)?, changes))),
        Update::Compared { hpa, at, agreement } => {
            let texts =
                |fields: &[FieldDifference]| fields.iter().map(ToString::to_string).collect();
            let (agrees, differs) = match agreement {
                hpa_watch::Agreement::Open => return None,
                hpa_watch::Agreement::Agrees | hpa_watch::Agreement::AgreesOtherwise => {
                    (Some(true), Vec::new())
                }
                hpa_watch::Agreement::Differs(fields) => (Some(false), texts(fields)),
                hpa_watch::Agreement::Unclear(fields) => (None, texts(fields)),
            };
            WatchLine::Compared {
                time: *at,
                hpa: hpa.clone(),
                agrees,
                differs,
                other_history: *agreement == hpa_watch::Agreement::AgreesOtherwise,
            }
        }
        Update::AlarmOn { hpas, alarm } => WatchLine::Alarm {
            time: at,
            hpa: only(hpas),
            hpas: hpas.clone(),
            alarm: alarm.clone(),
        },
        Update::AlarmOff {
            hpas,
            alarm,
            lasted,
        } => WatchLine::AlarmEnd {
            time: at,
            hpa: only(hpas),
            hpas: hpas.clone(),
            alarm: alarm.clone(),
            seconds: lasted.as_secs_f64(),
        },
        Update::Failing { source, why } => WatchLine::ReadFailure {
            time: at,
            source: source.into(),
            since: state.failures.get(source).map_or(at, |known| known.since),
            why: why.clone(),
        },
        Update::Recovered { source, lasted } => WatchLine::ReadFailureEnd {
            time: at,
            source: source.into(),
            seconds: lasted.as_secs_f64(),
        },
        Update::Marked(mark) => WatchLine::Mark {
            time: mark.at,
            note: mark.note.clone(),
        },
    })
}

/// The HPA, if there is exactly one.
fn only(hpas: &[HpaKey]) -> Option<HpaKey> {
    match hpas {
        [hpa] => Some(hpa.clone()),
        _ => None,
    }
}

fn of<'a>(state: &'a State, hpa: &HpaKey, entry: hpa_watch::EntryId) -> Option<&'a HistoryEntry> {
    state.hpas.get(hpa)?.history.get(entry)
}

fn watched(hpa: &HpaKey, entry: &HistoryEntry, changes: &[hpa_watch::Change]) -> WatchedEntry {
    WatchedEntry {
        time: entry.at,
        hpa: hpa.clone(),
        action: entry.action.as_str().to_owned(),
        rule: entry.rule.as_str().to_owned(),
        headline: entry.headline.clone(),
        replicas: WatchedReplicas {
            current: entry.current,
            desired: entry.desired,
            recommendation: entry.proposal,
            stabilized: entry.stabilized,
            at_least: entry.limits.map(|(least, _)| least),
            at_most: entry.limits.map(|(_, most)| most),
            min: entry.min,
            max: entry.max,
        },
        pods: entry.pods,
        metrics: entry.metrics.clone(),
        changes: changes.to_vec(),
        alarms: entry
            .alarm_kinds()
            .map(|alarm| alarm.as_str().to_owned())
            .collect(),
    }
}

impl From<&Source> for WatchedSource {
    fn from(source: &Source) -> Self {
        match source.clone() {
            Source::Server => Self {
                source: "server".to_owned(),
                namespace: None,
            },
            Source::Watch { resource } => Self {
                source: resource,
                namespace: None,
            },
            Source::Metrics { api, namespace } => Self {
                source: api,
                namespace: Some(namespace),
            },
            Source::Answers => Self {
                source: "answers".to_owned(),
                namespace: None,
            },
        }
    }
}
