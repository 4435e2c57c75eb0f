//! The output of `list -o json`: the contract for programs (docs/schema/list.json).

use std::collections::{BTreeMap, BTreeSet};

use hpa_explain::{Overview, OverviewMetric, OverviewState, Urgency};
use hpa_lint::HpaDrift;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{ErrorFinding, ListContext, ListRow, ListView, NotReadOf};
use crate::json::{ObjectName, ScaleTarget, Verdict};

/// Version of the contract. Fields may be added without a new version; none is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What `kubectl hpa list -o json` prints.
// `Items` is a list, or what is serialized as one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ListOutput")]
pub struct ListOutput<Items = Vec<ListedHpa>> {
    /// Version of this contract.
    pub schema_version: u32,
    /// The server's version string; null: it could not be read, or there are several clusters.
    pub server_version: Option<String>,
    /// The clusters of several contexts, in the order of the flags; missing: the list covers one cluster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<ListedContext>,
    /// The number of HPAs by state.
    pub summary: ListSummary,
    /// One for each HPA.
    pub items: Items,
    /// HPAs of one name that differ between contexts; missing: the list covers one cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Vec<HpaDrift>>,
    /// What could not be read, and for which HPAs; what decides comes first.
    pub not_read: Vec<ListNotRead>,
    /// Kinds of objects that `lint` rules need and that could not be read.
    pub kinds_not_read: Vec<String>,
    /// Codes of the `lint` rules that could not run on at least one HPA.
    pub not_checked: Vec<String>,
}

/// The cluster of one of several contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedContext {
    /// Name of the context.
    pub name: String,
    /// How many of the HPAs are in its cluster.
    pub hpas: usize,
    /// The server's version string; null: it could not be read.
    pub server_version: Option<String>,
    /// Why the cluster could not be read; null: it was read.
    pub error: Option<String>,
}

/// The number of HPAs by state. Each HPA is one of scaling, held, failed, off and unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListSummary {
    /// All HPAs.
    pub hpas: usize,
    /// Their replicas change.
    pub scaling: usize,
    /// Their replicas stay, by a decision.
    pub held: usize,
    /// The controller cannot decide, cannot write, does not scale the target, or does not sync the HPA.
    pub failed: usize,
    /// Scaling is off at zero replicas.
    pub off: usize,
    /// Something that decides could not be read by this program.
    pub unknown: usize,
    /// HPAs whose metrics ask for more than `maxReplicas`.
    pub limited_at_max: usize,
    /// HPAs for which the controller computed other desired replicas.
    pub differing: usize,
    /// Something around the decision is wrong, and nothing more urgent: their urgency is `problem`.
    pub problems: usize,
    /// Findings of `lint` of severity error.
    pub errors: usize,
    /// HPAs with such a finding.
    pub hpas_with_errors: usize,
}

/// One HPA.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedHpa {
    /// Context of its cluster in the kubeconfig; missing: the list covers one cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The HPA.
    #[serde(flatten)]
    pub hpa: ObjectName,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its scale target.
    pub scale_target: ScaleTarget,
    /// The ScaledObject of KEDA that made it; missing: none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled_object: Option<String>,
    /// The selector of the target's pods; null: it was not read.
    pub selector: Option<String>,
    /// The instant that this describes, by the clock of the API server.
    pub at: Timestamp,
    /// What happens, and by which rule.
    pub verdict: Verdict,
    /// The verdict in a few words, as in the table, without a time of day.
    pub words: String,
    /// The state under which the summary counts it.
    pub standing: OverviewState,
    /// How urgently it needs attention.
    pub urgency: Urgency,
    /// Replicas now; null: the scale could not be read.
    pub current: Option<i32>,
    /// Replicas afterwards; null: not known.
    pub desired: Option<i32>,
    /// What the metrics ask for, before windows, policies and bounds; null: they were not read, or all of them failed.
    pub recommendation: Option<i32>,
    /// Pods of the target that are ready; null: not known.
    pub ready: Option<i32>,
    /// Demand that is not met.
    pub unmet: ListUnmet,
    /// The metric that wins, or whose failure decides; null: no metric was evaluated.
    pub metric: Option<OverviewMetric>,
    /// When the controller changed the replicas last; null: never.
    pub last_scale_time: Option<Timestamp>,
    /// Whether the recomputation agrees with what the controller wrote, as in `explain`.
    pub agreement: String,
    /// The desired replicas that the controller wrote, if the recomputation differs.
    pub written: Option<i32>,
    /// `lint` findings of severity error, by code.
    pub errors: Vec<ErrorFinding>,
}

/// Demand that is not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListUnmet {
    /// Replicas that the metrics ask for beyond the maximum; null: not known, because a metric fails or the metrics are not asked.
    pub above_max: Option<i32>,
    /// Replicas that the target shall have now and that are not ready; null: not known.
    pub not_ready: Option<i32>,
    /// The sum of both; if `complete` is false, the least that it can be, as filters of JSONPath cannot compare null.
    pub total: i32,
    /// Whether both are known.
    pub complete: bool,
}

/// Something that could not be read, and for which HPAs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListNotRead {
    /// Context of the cluster in the kubeconfig; missing: the list covers one cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What could not be read.
    pub what: String,
    /// The reason.
    pub why: String,
    /// What the user can do about it.
    pub remedy: Option<String>,
    /// Whether it decides.
    pub decides: bool,
    /// `namespace/name` of the HPAs.
    pub hpas: Vec<String>,
}

/// The items of some rows, which are made one after another: those of many thousands take too much memory.
#[derive(Clone, Copy, Debug)]
pub struct ItemsOfRows<'a>(&'a [ListRow]);

impl Serialize for ItemsOfRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ListedHpa::from))
    }
}

impl<'a> ListOutput<ItemsOfRows<'a>> {
    /// The view as JSON.
    pub fn new(view: &'a ListView) -> Self {
        Self {
            items: ItemsOfRows(&view.rows),
            ..Self::without_items(view)
        }
    }

    /// The view as JSON, with an empty list of items.
    pub fn without_items(view: &'a ListView) -> Self {
        let of_context = |one: &ListContext| ListedContext {
            name: one.name.clone(),
            hpas: one.hpas,
            server_version: one.view.server_version.clone(),
            error: one.error.clone(),
        };
        let clusters = view.clusters();
        let kinds: BTreeSet<&String> = clusters
            .iter()
            .flat_map(|(_, cluster)| cluster.kinds_not_read.keys())
            .collect();
        let codes: BTreeSet<&str> = clusters
            .iter()
            .flat_map(|(_, cluster)| cluster.not_checked.iter().copied())
            .collect();
        let not_read = clusters.iter().flat_map(|(context, cluster)| {
            let causes = cluster.not_read.iter();
            causes.map(move |cause| ListNotRead {
                context: context.map(|context| context.name.clone()),
                ..cause.into()
            })
        });
        Self {
            schema_version: SCHEMA_VERSION,
            server_version: view.server_version.clone(),
            contexts: view.contexts.iter().map(of_context).collect(),
            summary: view.counts(),
            items: ItemsOfRows(&[]),
            drift: (!view.contexts.is_empty()).then(|| view.drift.clone()),
            not_read: not_read.collect(),
            kinds_not_read: kinds.into_iter().cloned().collect(),
            not_checked: codes.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl From<&ListRow> for ListedHpa {
    fn from(row: &ListRow) -> Self {
        let Overview {
            namespace,
            name,
            scale_target,
            ..
        } = &row.overview;
        let overview = &row.overview;
        let answer = overview.full_answer.clone().unwrap_or_default();
        Self {
            context: row.context.clone(),
            hpa: ObjectName {
                namespace: namespace.clone(),
                name: name.clone(),
            },
            labels: row.labels.clone(),
            scale_target: ScaleTarget {
                kind: scale_target.kind.clone(),
                name: scale_target.name.clone(),
                min_replicas: overview.min,
                max_replicas: overview.max,
            },
            scaled_object: overview.scaled_object.clone(),
            selector: overview.selector.clone(),
            at: overview.at,
            verdict: Verdict::new(&overview.verdict, &answer),
            words: overview.answer.words().to_owned(),
            standing: overview.state,
            urgency: overview.urgency,
            current: overview.verdict.from,
            desired: overview.verdict.to,
            recommendation: overview.proposal,
            ready: overview.ready,
            unmet: ListUnmet {
                above_max: overview.unmet.above_max,
                not_ready: overview.unmet.not_ready,
                total: overview.unmet.known(),
                complete: overview.unmet.is_complete(),
            },
            metric: overview.metric.clone(),
            last_scale_time: overview.last_scale_time,
            agreement: overview.agreement.as_str().to_owned(),
            written: overview.written,
            errors: row.errors.clone(),
        }
    }
}

impl From<&NotReadOf> for ListNotRead {
    fn from(not_read: &NotReadOf) -> Self {
        Self {
            context: None,
            what: not_read.cause.what.to_string(),
            why: not_read.cause.why.clone(),
            remedy: not_read.cause.remedy.clone(),
            decides: not_read.decides,
            hpas: not_read.hpas.clone(),
        }
    }
}
