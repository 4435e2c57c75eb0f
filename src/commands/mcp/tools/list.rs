//! `hpa_list`.

use anyhow::bail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::HpaTool;
use crate::{
    cli::Command,
    commands::{
        answer::Answer,
        list,
        mcp::{
            input::{Flags, parse, schema},
            reach::{CallSelection, Reach},
        },
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_list",
    title: "List HPAs",
    description: "List the HPAs of a namespace with the verdict for each: current and desired replicas, the metric that decides, unmet demand, lint errors. Use it first, to find the HPAs that need attention.",
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
    let (selection, connection) = reach.select(&CallSelection {
        namespace: input.namespace.as_deref(),
        selector: input.selector.as_deref(),
        ..CallSelection::default()
    })?;
    let Command::List(mut args) = Flags::default().of("list")? else {
        bail!("list is another command");
    };
    args.selection = selection;
    args.connection = connection;
    args.controller = reach.args().controller.clone();
    list::answer(&args)
}
