//! `hpa_explain`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    cli::ExplainArgs,
    commands::{
        answer::Answer,
        explain,
        mcp::{
            input::{Flags, parse, schema},
            reach::Reach,
            tools::HpaTool,
        },
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_explain",
    title: "Explain an HPA",
    description: "Explain why an HPA scales now, or why it does not: the verdict, the rule that decides, every step of the controller with its numbers, the pods that count, what would change the decision, and what could not be read. Use set to ask what another spec would decide. The answer is the verdict in sentences, which names the fields that can be asked for as JSON: such as fields [\"verdict\"] or [\"pods\"], or detail full.",
    is_long: false,
    rows: "items",
    order: "",
    short: &[],
    schema: schema::<ExplainInput>,
    run,
};

/// The input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExplainInput {
    /// The HPA: its name, or KIND/NAME of what it scales, such as deploy/web, or so/NAME of the ScaledObject that made it.
    name: String,
    /// Namespace (default: the only namespace that this server reads, or the one of the kubeconfig context).
    namespace: Option<String>,
    /// Explain as if fields of the spec had these values: PATH=VALUE, such as maxReplicas=30 or
    /// metrics[name=cpu].resource.target.averageUtilization=70. PATH- removes a field. Nothing is written.
    #[serde(default)]
    set: Vec<String>,
}

fn run(input: Map<String, Value>, reach: &Reach) -> anyhow::Result<Answer> {
    let input: ExplainInput = parse(input)?;
    let flags = Flags::default().add("set", &input.set);
    let mut args: ExplainArgs = flags.arguments()?;
    let namespace = input.namespace.as_deref();
    (args.selection, args.connection) = reach.select_one(namespace, &input.name)?;
    args.controller = reach.args().controller.clone();
    explain::answer(&args)
}
