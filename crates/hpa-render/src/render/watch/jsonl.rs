//! `watch -o jsonl`: one object for each reconcile, and for what else a program may want to react to.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    model::{HpaKey, Source},
    watch::{self, FieldDifference, HistoryEntry, MetricPoint, PodCounts, State, Update},
};

/// One line of `kubectl hpa watch -o jsonl`; `type` says of what.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum WatchLine {
    /// The controller has reconciled an HPA.
    Reconcile(Box<WatchedEntry>),
    /// Something changed between two reconciles.
    Change(Box<WatchedEntry>),
    /// Whether the controller did what was recomputed for a reconcile.
    Compared {
        /// Time of the reconcile, as its line has it.
        time: Timestamp,
        /// The HPA.
        hpa: HpaKey,
        /// Whether it did; null: it saw other pods or samples than those read here, or its history is unknown.
        agrees: Option<bool>,
        /// The fields that differ.
        differs: Vec<String>,
        /// Whether it agrees only with another recommendation history that the controller may have, or with a sync a
        /// little later. The line of the reconcile then has that one.
        other_history: bool,
    },
    /// An HPA was deleted, or is no longer selected.
    Deleted {
        /// When.
        time: Timestamp,
        /// The HPA.
        hpa: HpaKey,
    },
    /// An alarm went on, or changed its words.
    Alarm {
        /// When.
        time: Timestamp,
        /// The HPA; null: it concerns several of them, or all.
        hpa: Option<HpaKey>,
        /// The HPAs that it stops; empty: it concerns all of them.
        hpas: Vec<HpaKey>,
        /// What it is about.
        #[serde(flatten)]
        alarm: watch::Alarm,
    },
    /// An alarm went off.
    AlarmEnd {
        /// When.
        time: Timestamp,
        /// The HPA; null: it concerned several of them, or all.
        hpa: Option<HpaKey>,
        /// The HPAs that it stopped; empty: it concerned all of them.
        hpas: Vec<HpaKey>,
        /// What it was about.
        #[serde(flatten)]
        alarm: watch::Alarm,
        /// How long it was on.
        seconds: f64,
    },
    /// Something cannot be read.
    ReadFailure {
        /// When.
        time: Timestamp,
        /// What.
        #[serde(flatten)]
        source: WatchedSource,
        /// Until when what is known of it was fresh.
        since: Timestamp,
        /// Why.
        why: String,
    },
    /// It can be read again.
    ReadFailureEnd {
        /// When.
        time: Timestamp,
        /// What.
        #[serde(flatten)]
        source: WatchedSource,
        /// How long it could not be read.
        seconds: f64,
    },
    /// The user marked a moment.
    Mark {
        /// When.
        time: Timestamp,
        /// The user's words; may be empty.
        note: String,
    },
}

/// An HPA at one moment.
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
    /// What is different from the moment before, and matters to a reader.
    pub changes: Vec<watch::Change>,
    /// The alarms that are on, in kebab case.
    pub alarms: Vec<String>,
}

/// The replicas of a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedReplicas {
    /// `spec.replicas` of the scale; null: not known.
    pub current: Option<i32>,
    /// After the decision; null: not known.
    pub desired: Option<i32>,
    /// What the metrics ask for, before window, policies and bounds.
    pub recommendation: Option<i32>,
    /// What the stabilization window makes of that.
    pub stabilized: Option<i32>,
    /// The least that policies and bounds allow.
    pub at_least: Option<i32>,
    /// The most that policies and bounds allow.
    pub at_most: Option<i32>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
}

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WatchedSource {
    /// Resource of a watch, or a metrics API; `server`: nothing is heard of the API server; `answers`: all answers of the API server come late.
    pub source: String,
    /// The namespace, if it is a metrics API.
    pub namespace: Option<String>,
}

/// Writes an update as a line; an HPA that appears has none, because the line of its moment follows.
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
                watch::Agreement::Open => return None,
                watch::Agreement::Agrees | watch::Agreement::AgreesOtherwise => {
                    (Some(true), Vec::new())
                }
                watch::Agreement::Differs(fields) => (Some(false), texts(fields)),
                watch::Agreement::Unclear(fields) => (None, texts(fields)),
            };
            WatchLine::Compared {
                time: *at,
                hpa: hpa.clone(),
                agrees,
                differs,
                other_history: *agreement == watch::Agreement::AgreesOtherwise,
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

/// The HPA, if it is one.
fn only(hpas: &[HpaKey]) -> Option<HpaKey> {
    match hpas {
        [hpa] => Some(hpa.clone()),
        _ => None,
    }
}

fn of<'a>(state: &'a State, hpa: &HpaKey, entry: watch::EntryId) -> Option<&'a HistoryEntry> {
    state.hpas.get(hpa)?.history.get(entry)
}

fn watched(hpa: &HpaKey, entry: &HistoryEntry, changes: &[watch::Change]) -> WatchedEntry {
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
