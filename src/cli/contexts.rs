//! Which clusters a command reads, where it can read several.

use std::path::PathBuf;

use clap::{Args, ValueHint, builder::NonEmptyStringValueParser};

/// Which clusters a command reads, where it can read several.
#[derive(Args, Clone, Debug, Default)]
pub struct ContextsArgs {
    /// Read the clusters of these kubeconfig contexts, all at the same time; --request-timeout is then 30s by default. May be repeated.
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

/// Set on each flag: a heading for the whole would also hold for the flags after it.
const HEADING: &str = "Several clusters";

impl ContextsArgs {
    /// The flags, for those that do not go with them.
    pub const IDS: [&str; 3] = ["contexts", "all_contexts", "contexts_from"];

    /// Whether several clusters are meant, be there only one.
    pub fn is_given(&self) -> bool {
        self.all_contexts || self.contexts_from.is_some() || !self.contexts.is_empty()
    }
}
