//! Which HPAs a command is about.

use clap::Args;

/// Which HPAs a command is about, as in `kubectl get`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// Name of an HPA, or KIND/NAME of the workload that it scales, such as deploy/web.
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// The HPAs of all namespaces.
    #[arg(short = 'A', long, help_heading = HEADING)]
    pub all_namespaces: bool,
    /// The HPAs whose labels match, such as app=web,tier!=test.
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = HEADING)]
    pub selector: Option<String>,
}

/// Set on each flag: a heading for the whole would hold for the flags after it, too.
const HEADING: &str = "Which HPAs";

impl SelectionArgs {
    /// Whether anything is selected at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.all_namespaces && self.selector.is_none()
    }
}
