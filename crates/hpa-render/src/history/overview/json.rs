//! What `history -A -o json` prints: the contract for programs (docs/schema/history-overview.json).

use std::collections::BTreeMap;

use hpa_history::{
    IntervalKind, KINDS, OverviewContext, OverviewReport, interval_key, overview_answer,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::SCHEMA_VERSION;

/// What `kubectl hpa history -A -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOverviewOutput {
    /// Version of this contract.
    pub schema_version: u32,
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The server that the data was read from; null: the HPAs are in several clusters.
    pub server: Option<String>,
    /// The clusters of several contexts, in the order of the flags; missing: there is one cluster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<OverviewContext>,
    /// The first line of the text output, for people.
    pub answer: String,
    /// The HPAs, the most urgent first.
    pub hpas: Vec<OverviewItem>,
    /// Warnings of the server, and what is missing.
    pub warnings: Vec<String>,
}

/// The past of one HPA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverviewItem {
    /// Context of its cluster in the kubeconfig; missing: there is only one cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub name: String,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// `maxReplicas` today.
    pub max_replicas: i32,
    /// The fewest replicas; null: there are no samples.
    pub least: Option<i32>,
    /// The most replicas; null: there are no samples.
    pub most: Option<i32>,
    /// Changes of the replicas; null: there are no samples.
    pub changes: Option<usize>,
    /// Pod hours in the time with samples; null: there are no two samples in a row.
    pub pod_hours: Option<f64>,
    /// How long each of these held: `metricsFailed`, `notAbleToScale`, `atMax`, `flapping`, `noData`; null: no samples
    /// show whether it did.
    pub seconds: BTreeMap<String, Option<f64>>,
}

/// The overview as JSON.
pub fn overview_json(report: &OverviewReport) -> HistoryOverviewOutput {
    HistoryOverviewOutput {
        schema_version: SCHEMA_VERSION,
        from: report.from,
        to: report.to,
        server: report.server.clone(),
        contexts: report.contexts.clone(),
        answer: overview_answer(report),
        hpas: report
            .rows
            .iter()
            .map(|row| OverviewItem {
                context: row.context.clone(),
                namespace: row.key.namespace.clone(),
                name: row.key.name.clone(),
                target: row.target.clone(),
                max_replicas: row.max,
                least: row.replicas().map(|(least, _)| least),
                most: row.replicas().map(|(_, most)| most),
                changes: row.changes(),
                pod_hours: row.pod_hours(),
                seconds: KINDS
                    .map(|kind| (kind, row.time_of(kind)))
                    .into_iter()
                    .chain([(IntervalKind::NoData, Some(row.no_data(report)))])
                    .map(|(kind, time)| {
                        let seconds = time.map(|time| time as f64 / 1000.0);
                        (interval_key(kind).to_owned(), seconds)
                    })
                    .collect(),
            })
            .collect(),
        warnings: report.warnings.clone(),
    }
}
