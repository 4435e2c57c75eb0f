//! Which clusters a command reads, if it can read several.

use std::path::PathBuf;

use clap::{Args, ValueHint, builder::NonEmptyStringValueParser};

/// Which clusters a command reads, where it can read several.
#[derive(Args, Clone, Debug, Default)]
pub struct ContextsArgs {
    /// Read the clusters of these kubeconfig contexts or patterns of them, such as 'prod-*', all at the same time; --request-timeout is then 30s by default. May be repeated.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new(),
        help_heading = HEADING,
        conflicts_with_all = ["context", "cluster", "server"]
    )]
    pub contexts: Vec<String>,
    /// Read the clusters of all contexts of the kubeconfig.
    #[arg(
        long,
        help_heading = HEADING,
        conflicts_with_all = ["contexts", "context", "cluster", "server"]
    )]
    pub all_contexts: bool,
    /// Read the clusters of all contexts of each kubeconfig file in this folder.
    #[arg(
        long,
        value_name = "DIR",
        value_hint = ValueHint::DirPath,
        help_heading = HEADING,
        conflicts_with_all = ["contexts", "all_contexts", "kubeconfig", "context", "cluster", "server"]
    )]
    pub contexts_from: Option<PathBuf>,
}

/// Set on each flag: a heading on the struct would also apply to the flags after it.
const HEADING: &str = "Several clusters";

impl ContextsArgs {
    /// The ids of the flags, for flags that conflict with them.
    pub const IDS: [&str; 3] = ["contexts", "all_contexts", "contexts_from"];

    /// Whether a flag was given, even if it names only one cluster.
    pub fn is_given(&self) -> bool {
        self.all_contexts || self.contexts_from.is_some() || !self.contexts.is_empty()
    }
}
