//! What `history -o json` prints: the contract for programs (docs/schema/history.json).

use hpa_history::{
    Exporter, HistoryReport, WhatIfRow, answer, censored, certainty, doubt_key, interval_key,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    json::{ProvenanceItem, SCHEMA_VERSION},
    simulate::{BandItem, SummaryItem, rounded},
};

/// What `kubectl hpa history -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOutput {
    /// Version of this contract.
    pub schema_version: u32,
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub name: String,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// Version of the controller.
    pub version: String,
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The server that the data was read from.
    pub server: String,
    /// What was wrong, why, and what to do, for people.
    pub answer: String,
    /// How well the past is recomputed.
    pub trust: TrustItem,
    /// Changes of the replicas.
    pub rescales: Vec<RescaleItem>,
    /// Periods in which something held.
    pub intervals: Vec<IntervalItem>,
    /// How well the model of the what-ifs reproduces the past; null: none was requested.
    pub control_run: Option<ControlRunItem>,
    /// The past as it was, with today's spec in the model, and with other specs. Only as it was, if the control run is
    /// not trusted; empty if none was requested.
    pub what_if: Vec<WhatIfItem>,
    /// Why the load may have been higher than the pods show, for people.
    pub censored: Vec<String>,
    /// The series that were queried.
    pub series: Vec<SeriesItem>,
    /// The source of each input.
    pub provenance: Vec<ProvenanceItem>,
    /// How to make the past better known, the most helpful first. `export` names the missing series.
    pub advice: Vec<AdviceItem>,
    /// Warnings of the server, another scale target, and values that are not used.
    pub warnings: Vec<String>,
}

/// How well the past is recomputed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrustItem {
    /// Changes of the replicas by the controller.
    pub rescales: u32,
    /// Recomputed to the same number.
    pub exact: u32,
    /// Recomputed to another number in the same direction.
    pub direction: u32,
    /// Recomputed to no change, or to one in the other direction, or not at all.
    pub missed: u32,
    /// Recomputed changes that the controller made in the next sync.
    pub early: u32,
    /// Other recomputed changes that did not happen.
    pub invented: u32,
    /// The share of the errors of "the replicas stay as they are" that recomputing avoids; below 0: it makes more
    /// errors; null: the replicas never changed.
    pub skill: Option<f64>,
    /// Syncs that were observed and recomputed.
    pub syncs: u32,
    /// Syncs recomputed to what the controller decided.
    pub agreeing: u32,
    /// Syncs whose decision is certain.
    pub certain: u32,
    /// Certain syncs recomputed to what the controller decided.
    pub certain_and_right: u32,
}

/// A change of the replicas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RescaleItem {
    /// When it was observed.
    pub time: Timestamp,
    /// Replicas before.
    pub from: i32,
    /// Replicas after.
    pub to: i32,
    /// `certain`, `likely` or `unknown`.
    pub certainty: String,
    /// The recomputed replicas; null: they cannot be recomputed.
    pub recomputed: Option<i32>,
    /// The fewest replicas that the recomputation allows.
    pub least: Option<i32>,
    /// The most replicas that the recomputation allows.
    pub most: Option<i32>,
    /// What the metrics asked for, before any limit.
    pub recommendation: Option<i32>,
    /// Why it is not certain: `unseen`, `otherSyncs`, `pods`, `noPods`, `otherPods`, `noValues`, `begin`, `edited`.
    pub doubts: Vec<String>,
    /// The rule that decides, as in `explain`; null: it cannot be recomputed.
    pub rule: Option<String>,
    /// Why, for people.
    pub sentence: Option<String>,
}

/// A period in which something held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntervalItem {
    /// `atMax`, `metricsFailed`, `notAbleToScale`, `disabled`, `flapping` or `noData`.
    pub kind: String,
    /// When it was first observed.
    pub from: Timestamp,
    /// When it was last observed.
    pub to: Timestamp,
    /// Replicas at its end.
    pub replicas: i32,
    /// The fewest replicas that the metrics asked for in that period.
    pub least_recommendation: Option<i32>,
    /// The most replicas that the metrics asked for in that period.
    pub most_recommendation: Option<i32>,
}

/// The past under other specs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ControlRunItem {
    /// The share of the actual replicas that the model reproduces with today's spec, 0 to 1.
    pub reproduced: f64,
    /// Whether that is enough to compare other specs.
    pub trusted: bool,
    /// Hours in which the pods could not show the whole load. There, other specs count no fewer pods than there were,
    /// as far as their `maxReplicas` allows.
    pub hidden_load_hours: f64,
    /// How long new pods take in the model from their creation until they are ready: of the pods of that past, or the
    /// shortest, the middle and the longest time that is assumed.
    pub startup_seconds: BandItem,
    /// The number of pods of that past that this was measured on; 0: it is assumed.
    pub startup_pods: usize,
    /// The CPU that `cost` counts for each pod; null: no price of CPU was given.
    pub pod_cpu: Option<PodCpuItem>,
}

/// The CPU that a pod requests on average.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PodCpuItem {
    /// Cores.
    pub cores: f64,
    /// `past`: the mean of the pods in that time range that request CPU; `today`: of today's pods, as the requests in that
    /// time range are not known.
    pub pods: String,
}

/// The past under one spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhatIfItem {
    /// `as it was`, `today's spec, in the model`, or the assignments.
    pub name: String,
    /// Pod hours in total.
    pub pod_hours: BandItem,
    /// Their price; null: no price was given.
    pub cost: Option<f64>,
    /// Hours at `maxReplicas` while the metrics asked for more.
    pub hours_at_max: BandItem,
    /// Hours of pods that were needed and did not exist.
    pub unmet_pod_hours: BandItem,
    /// Changes of the replicas.
    pub rescales: BandItem,
    /// The summary of `simulate`, with the pod hours from above. Null: as it was, or another spec where
    /// `hiddenLoadHours` is not 0: how well it meets a load that is hidden in part is not known.
    pub summary: Option<SummaryItem>,
}

/// One series name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesItem {
    /// The name.
    pub name: String,
    /// `kube-state-metrics`, `cadvisor` or `keda-operator`.
    pub exporter: String,
    /// The number of series found; 0: it is missing.
    pub found: usize,
    /// The time between samples.
    pub interval_seconds: Option<f64>,
}

/// How to make the past better known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdviceItem {
    /// `scrapeStateMoreOften`, `export`, `honorTimestamps`, `scrapeUsageMoreOften`, `giveQueries` or
    /// `readDeeper`.
    pub key: String,
    /// The advice, for people.
    pub sentence: String,
}

/// The report as JSON.
pub fn json(report: &HistoryReport) -> HistoryOutput {
    let trust = report.trust;
    let instant = |millis: i64| Timestamp::from_millisecond(millis).unwrap_or_default();
    HistoryOutput {
        schema_version: SCHEMA_VERSION,
        namespace: report.hpa.namespace.clone(),
        name: report.hpa.name.clone(),
        target: report.target.clone(),
        version: report.version.clone(),
        from: report.from,
        to: report.to,
        server: report.server.clone(),
        answer: answer(report).join(" "),
        trust: TrustItem {
            rescales: trust.rescales,
            exact: trust.exact,
            direction: trust.direction,
            missed: trust.missed,
            early: trust.early,
            invented: trust.invented,
            skill: trust.skill().map(rounded),
            syncs: trust.syncs,
            agreeing: trust.agreeing,
            certain: trust.certain,
            certain_and_right: trust.certain_and_right,
        },
        rescales: report
            .course
            .rescales
            .iter()
            .zip(&report.reasons)
            .map(|(one, reason)| RescaleItem {
                time: instant(one.time),
                from: one.from,
                to: one.to,
                certainty: certainty(one.certainty).to_owned(),
                recomputed: one.recomputed.map(|(_, likely, _)| likely),
                least: one.recomputed.map(|(least, ..)| least),
                most: one.recomputed.map(|(.., most)| most),
                recommendation: one.recommendation,
                doubts: one
                    .doubts
                    .iter()
                    .map(|one| doubt_key(*one).to_owned())
                    .collect(),
                rule: reason.as_ref().map(|one| one.rule.to_owned()),
                sentence: reason.as_ref().map(|one| one.sentences.join(" ")),
            })
            .collect(),
        intervals: report
            .course
            .intervals
            .iter()
            .map(|one| IntervalItem {
                kind: interval_key(one.kind).to_owned(),
                from: instant(one.from),
                to: instant(one.to),
                replicas: one.replicas,
                least_recommendation: one.recommendation.map(|(least, _)| least),
                most_recommendation: one.recommendation.map(|(_, most)| most),
            })
            .collect(),
        control_run: report.what_if.as_ref().map(|what_if| ControlRunItem {
            reproduced: rounded(what_if.control),
            trusted: what_if.is_trusted,
            hidden_load_hours: rounded(what_if.hidden as f64 / 3_600_000.0),
            startup_seconds: BandItem::from(&what_if.startup.seconds),
            startup_pods: what_if.startup.pods,
            pod_cpu: what_if.pod_cpu.map(|one| PodCpuItem {
                cores: rounded(one.cores),
                pods: if one.is_of_today { "today" } else { "past" }.to_owned(),
            }),
        }),
        what_if: report
            .what_if
            .iter()
            .flat_map(|what_if| {
                let rows = [&what_if.actual].into_iter().chain(&what_if.variants);
                rows.map(|row| what_if_item(row, what_if.price))
            })
            .collect(),
        censored: report.censored.iter().map(|one| censored(*one)).collect(),
        series: report
            .series
            .iter()
            .map(|one| SeriesItem {
                name: one.name.name.to_owned(),
                exporter: match one.name.exporter {
                    Exporter::KubeStateMetrics => "kube-state-metrics",
                    Exporter::Cadvisor => "cadvisor",
                    Exporter::Keda => "keda-operator",
                }
                .to_owned(),
                found: one.found,
                interval_seconds: one.interval.map(|interval| interval as f64 / 1000.0),
            })
            .collect(),
        provenance: report.sources.iter().map(Into::into).collect(),
        advice: report
            .advice
            .iter()
            .map(|one| AdviceItem {
                key: one.key().to_owned(),
                sentence: one.sentence(),
            })
            .collect(),
        warnings: report.warnings.clone(),
    }
}

fn what_if_item(row: &WhatIfRow, price: Option<f64>) -> WhatIfItem {
    WhatIfItem {
        name: row.name.clone(),
        pod_hours: (&row.pod_hours).into(),
        cost: price.map(|price| rounded(price * row.pod_hours.median)),
        hours_at_max: (&row.hours_at_max).into(),
        unmet_pod_hours: (&row.unmet_pod_hours).into(),
        rescales: (&row.rescales).into(),
        summary: row
            .summary
            .as_ref()
            .map(|(summary, above)| SummaryItem::new(summary, *above)),
    }
}
