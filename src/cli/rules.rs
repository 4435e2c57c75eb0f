//! Arguments of `kubectl hpa rules`.

use clap::{Args, ValueEnum};

/// Arguments of `kubectl hpa rules`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kubectl hpa rules                               all rules
  kubectl hpa rules HPA102                        the page of one, by code or name
  kubectl hpa rules HPA3                          those of a family
  kubectl hpa rules --severity error --needs manifest
  kubectl hpa rules --search tolerance -o name")]
pub struct RulesArgs {
    /// Code or name of a rule, for its page; or the beginning of codes, such as HPA3.
    #[arg(value_name = "RULE")]
    pub rule: Option<String>,
    /// Only rules of a family.
    #[arg(long, value_name = "FAMILY")]
    pub family: Option<RuleFamily>,
    /// Only rules of this severity.
    #[arg(long, value_name = "SEVERITY")]
    pub severity: Option<RuleSeverity>,
    /// Only rules that need this.
    #[arg(long, value_name = "WHAT")]
    pub needs: Option<RuleNeeds>,
    /// Only rules whose findings --fix can correct.
    #[arg(long)]
    pub fixable: bool,
    /// Only rules that run when they are selected.
    #[arg(long)]
    pub opt_in: bool,
    /// Only rules with this text in their code, name or page, in any case.
    #[arg(long, value_name = "TEXT")]
    pub search: Option<String>,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: RulesFormat,
}

/// Families of rules, in the order of their codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleFamily {
    /// API version, schema, decoding.
    Schema,
    /// Bounds.
    Bounds,
    /// Metrics and targets.
    Metrics,
    /// Behavior and tolerance.
    Behavior,
    /// Target, writers, disruption.
    Target,
    /// Pods of the target.
    Pods,
    /// Other autoscalers.
    Autoscalers,
    /// Cluster.
    Cluster,
    /// Live status.
    Status,
    /// History.
    History,
}

/// Severities of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleSeverity {
    /// Rejected, provably without effect, or two writers that fight.
    Error,
    /// Likely not what was meant.
    Warning,
    /// Worth knowing.
    Info,
    /// What could not be checked, or had to be assumed.
    Note,
}

/// What rules need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleNeeds {
    /// The HPA's manifest alone.
    Manifest,
    /// Other manifests, or a cluster.
    Related,
    /// The manifest, and the HPA as the cluster has it.
    Comparison,
    /// A cluster.
    Cluster,
    /// A recording.
    Recording,
}

/// Output formats of `kubectl hpa rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// For people.
    Text,
    /// For people, with what each rule needs and how it runs.
    Wide,
    /// The pages as Markdown.
    Markdown,
    /// For programs; the schema is docs/schema/rules.json.
    Json,
    /// Codes and names alone.
    Name,
}
