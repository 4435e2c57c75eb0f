//! `hpa_history`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    cli::HistoryArgs,
    commands::{
        answer::Answer,
        history,
        mcp::{
            input::{Flags, parse, schema},
            reach::{CallSelection, Reach},
            tools::HpaTool,
        },
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_history",
    title: "History of HPAs",
    description: "Show what happened to an HPA and why, from what Prometheus kept: every change of the replicas with its reason, times at maxReplicas, failed metrics, flapping. With at it explains one past sync as hpa_explain does; without name it compares all HPAs of the namespace, 50 rows at a time, the most urgent first, with a nextCursor if there are more. For one HPA the answer is the verdict in sentences, which names the fields that can be asked for as JSON: such as fields [\"rescales\"] or [\"intervals\"], or detail full.",
    is_long: true,
    rows: "hpas",
    order: ", the most urgent first",
    short: &[],
    schema: schema::<HistoryInput>,
    run,
};

/// The input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HistoryInput {
    /// The HPA: its name, or KIND/NAME of what it scales (default: all HPAs of the namespace, in an overview).
    name: Option<String>,
    /// Namespace (default: the only namespace that this server reads, or all namespaces if it reads all).
    namespace: Option<String>,
    /// How far back, until now, such as 6h or 7d (default: 24h).
    since: Option<String>,
    /// Start of the time, RFC 3339 such as 2026-11-20T22:00:00Z.
    from: Option<String>,
    /// End of the time, RFC 3339 (default: now).
    to: Option<String>,
    /// Explain one sync instead: the last one up to this time, RFC 3339; of a whole minute, the rescale in it. Needs name.
    at: Option<String>,
    /// What if the spec had other values then: PATH=VALUE, such as maxReplicas=30. Needs name.
    #[serde(default)]
    set: Vec<String>,
    /// More variants, each with its assignments separated by commas.
    #[serde(default)]
    compare: Vec<String>,
}

fn run(input: Map<String, Value>, reach: &Reach) -> anyhow::Result<Answer> {
    let input: HistoryInput = parse(input)?;
    let mut args: HistoryArgs = Flags::default()
        .add("since", &input.since)
        .add("from", &input.from)
        .add("to", &input.to)
        .add("at", &input.at)
        .add("set", &input.set)
        .add("compare", &input.compare)
        .add("time-zone", [&"UTC".to_owned()])
        .arguments()?;
    (args.selection, args.connection) = reach.select(&CallSelection {
        namespace: input.namespace.as_deref(),
        name: input.name.as_deref(),
        ..CallSelection::default()
    })?;
    args.prometheus = reach.prometheus()?;
    args.controller = reach.args().controller.clone();
    history::answer(&args)
}
