//! `hpa_lint`.

use anyhow::bail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    cli::LintArgs,
    commands::{
        answer::Answer,
        lint,
        mcp::{
            input::{Flags, parse, schema},
            reach::{CallSelection, Reach},
            tools::HpaTool,
        },
    },
};

/// The tool.
pub(super) const TOOL: HpaTool = HpaTool {
    name: "hpa_lint",
    title: "Lint HPAs",
    description: "Find mistakes in HPAs and KEDA ScaledObjects: in the text of manifests, or in the cluster if text is left out. Each finding has a code, a place, its consequence and what to write instead. Use it before you propose a manifest. The answer has the counts, then 50 findings, errors first, and a nextCursor if there are more. Fields such as fix or related, or detail full, give others.",
    is_long: false,
    rows: "findings",
    order: ", errors first",
    short: &[
        "code",
        "severity",
        "object.namespace",
        "object.kind",
        "object.name",
        "file",
        "line",
        "path",
        "message",
        "help",
    ],
    schema: schema::<LintToolInput>,
    run,
};

/// The input.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LintToolInput {
    /// The YAML or JSON text of manifests. With it no cluster is read, and name, namespace and selector must be left out.
    text: Option<String>,
    /// Whether the text is the complete desired state: what is not in it does not exist.
    #[serde(default)]
    complete: bool,
    /// An HPA of the cluster (default: all HPAs of the namespace).
    name: Option<String>,
    /// Namespace (default: the only namespace that this server reads, or all namespaces if it reads all).
    namespace: Option<String>,
    /// Label selector of HPAs of the cluster, such as app=web.
    selector: Option<String>,
    /// Versions of Kubernetes that the manifests must work with: 1.36, or a range such as 1.30-1.36.
    kube_version: Option<String>,
    /// Run only these rules: codes, names, or families such as HPA3.
    #[serde(default)]
    select: Vec<String>,
    /// Do not run these rules.
    #[serde(default)]
    ignore: Vec<String>,
}

fn run(input: Map<String, Value>, reach: &Reach) -> anyhow::Result<Answer> {
    let input: LintToolInput = parse(input)?;
    let known = reach.args().controller.kube_version;
    let version = input.kube_version.clone();
    let version = version.or_else(|| known.map(|version| version.to_string()));
    let mut args: LintArgs = Flags::default()
        .add("kube-version", &version)
        .add("select", &input.select)
        .add("ignore", &input.ignore)
        .arguments()?;
    args.controller = reach.args().controller.flags.clone();
    if let Some(text) = input.text {
        if input.name.is_some() || input.namespace.is_some() || input.selector.is_some() {
            bail!(
                "text cannot be combined with name, namespace or selector: they are about a cluster"
            );
        }
        args.files.complete = input.complete;
        return lint::answer(&args, Some(text));
    }
    (args.selection, args.connection) = reach.select(&CallSelection {
        namespace: input.namespace.as_deref(),
        name: input.name.as_deref(),
        selector: input.selector.as_deref(),
    })?;
    lint::answer(&args, None)
}
