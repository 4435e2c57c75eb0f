//! `hpa_simulate`.

use anyhow::bail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    cli::SimulateArgs,
    commands::{
        answer::Answer,
        mcp::{
            input::{Flags, parse, schema},
            reach::Reach,
            tools::HpaTool,
        },
        simulate,
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_simulate",
    title: "Simulate an HPA",
    description: "Simulate what an HPA would do from now on: under another load, with another spec, or when pods fail. It answers when the load is met, how much is not served, and every change of the replicas with its reason. Use set or compare to compare specs before you propose one. The answer is the verdict in sentences, which names the fields that can be asked for as JSON: such as fields [\"variants.summary\"] or [\"variants.0.rescales\"], or detail full.",
    is_long: true,
    rows: "items",
    order: "",
    short: &[],
    schema: schema::<SimulateInput>,
    run,
};

/// The input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SimulateInput {
    /// The HPA: its name, or KIND/NAME of what it scales, such as deploy/web, or so/NAME of the ScaledObject that made it.
    name: String,
    /// Namespace (default: the only namespace that this server reads, or the one of the kubeconfig context).
    namespace: Option<String>,
    /// The load over time, of the first metric or of a named metric (cpu=LOAD,queue=LOAD): x4 is four times the load now,
    /// 2cores a constant, x1..x4/2m a rise within 2 min, spike:1..6/2m@5m a peak, history:24h the load of the last 24 h
    /// (default: the load now).
    load: Option<String>,
    /// How long to simulate, such as 30m: at most 24h (default: 1h).
    #[serde(rename = "for")]
    length: Option<String>,
    /// One variant with these values in the spec: PATH=VALUE, such as maxReplicas=30.
    #[serde(default)]
    set: Vec<String>,
    /// More variants, each with its assignments separated by commas.
    #[serde(default)]
    compare: Vec<String>,
    /// What happens meanwhile, such as '2m: kill 3', '5m: rollout' or '1m: metric-fails 3m'.
    #[serde(default)]
    events: Vec<String>,
    /// What must hold, such as 'ready >= 18 within 4m in 95%'. The answer says whether it does.
    #[serde(default)]
    expect: Vec<String>,
    /// The most CPU that a pod can use, such as 500m (default: its limit).
    capacity: Option<String>,
    /// What one ready pod takes from a queue each second, where an Object or External metric is its length: queue=5.
    #[serde(default)]
    service_rate: Vec<String>,
    /// How many runs, each with other chances: at most 32 (default: 8).
    #[schemars(range(min = 1, max = 32))]
    seeds: Option<u32>,
}

fn run(input: Map<String, Value>, reach: &Reach) -> anyhow::Result<Answer> {
    let input: SimulateInput = parse(input)?;
    let seeds = input.seeds.unwrap_or(8);
    if !(1..=MOST_SEEDS).contains(&seeds) {
        bail!("seeds is {seeds}: use 1 to {MOST_SEEDS}");
    }
    let mut args: SimulateArgs = Flags::default()
        .add("load", &input.load)
        .add("for", &input.length)
        .add("set", &input.set)
        .add("compare", &input.compare)
        .add("event", &input.events)
        .add("expect", &input.expect)
        .add("capacity", &input.capacity)
        .add("service-rate", &input.service_rate)
        .add("seeds", [&seeds.to_string()])
        .arguments()?;
    if LONGEST < args.length() {
        bail!("for is longer than 24h: use at most 24h");
    }
    if let Some(load) = args.loads.iter().find(|load| simulate::reads_file(load)) {
        bail!("load {load:?} is a file: this server reads no files. Use a form such as x1..x4/2m");
    }
    let namespace = input.namespace.as_deref();
    (args.selection, args.connection) = reach.select_one(namespace, &input.name)?;
    if simulate::reads_past(&args)? {
        args.prometheus = reach.prometheus()?;
    }
    args.controller = reach.args().controller.clone();
    simulate::answer(&args)
}

/// The most runs: more than a model needs would only load the machine.
const MOST_SEEDS: u32 = 32;
/// The longest simulation: 24 h, in milliseconds.
const LONGEST: i64 = 86_400_000;
