//! `hpa_list`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    cli::{ExplainFormat, ListArgs},
    commands::{
        answer::Answer,
        list,
        mcp::{
            input::{Flags, parse, schema},
            reach::{CallSelection, Reach},
            tools::HpaTool,
        },
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_list",
    title: "List HPAs",
    description: "List the HPAs of a namespace with the verdict for each: current and desired replicas, the metric that decides, unmet demand, lint errors. Use it first, to find the HPAs that need attention. The answer has the counts, then 50 HPAs, the most urgent first, and a nextCursor if there are more. A row has name, words, urgency, current, desired and recommendation; fields such as verdict.sentence or unmet give others.",
    is_long: false,
    rows: "items",
    order: ", the most urgent first",
    short: &[
        "context",
        "namespace",
        "name",
        "words",
        "urgency",
        "current",
        "desired",
        "recommendation",
        "metric.name",
        "errors.code",
    ],
    schema: schema::<ListInput>,
    run,
};

/// The input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListInput {
    /// Namespace (default: the only namespace that this server reads, or all namespaces if it reads all).
    namespace: Option<String>,
    /// Label selector, such as app=web,tier!=test.
    selector: Option<String>,
}

fn run(input: Map<String, Value>, reach: &Reach) -> anyhow::Result<Answer> {
    let input: ListInput = parse(input)?;
    let mut args: ListArgs = Flags::default().arguments()?;
    // With the full sentences.
    args.output = ExplainFormat::Json;
    (args.selection, args.connection) = reach.select(&CallSelection {
        namespace: input.namespace.as_deref(),
        selector: input.selector.as_deref(),
        ..CallSelection::default()
    })?;
    args.controller = reach.args().controller.clone();
    list::answer(&args)
}
