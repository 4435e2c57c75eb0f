//! Which HPAs a command covers.

use clap::Args;
use hpa_cluster::{Selection, is_kind_alone};

/// Which HPAs a command is about, as in `kubectl get`.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectionArgs {
    /// An HPA: its name, a pattern such as 'web-*', NAMESPACE/NAME, KIND/NAME of what it scales, such as deploy/web, or so/NAME of the ScaledObject that made it.
    #[arg(value_name = "NAME", value_parser = name)]
    pub names: Vec<String>,
    /// The HPAs of all namespaces.
    #[arg(short = 'A', long, help_heading = HEADING)]
    pub all_namespaces: bool,
    /// The HPAs whose labels match, such as app=web,tier!=test.
    #[arg(short = 'l', long, value_name = "SELECTOR", help_heading = HEADING)]
    pub selector: Option<String>,
    /// Whether no other namespace may be read or named: not a flag, but a rule of `mcp`.
    #[arg(skip)]
    pub is_confined: bool,
}

/// Set on each flag: a heading on the struct would also apply to the flags after it.
const HEADING: &str = "Which HPAs";

impl SelectionArgs {
    /// The names, with a kind before them joined to each: `hpa web` is `hpa/web`, as in kubectl.
    pub fn named(&self) -> Vec<String> {
        match &self.names[..] {
            [kind, names @ ..] if !names.is_empty() && is_kind_alone(kind) => names
                .iter()
                .map(|name| {
                    if name.contains('/') {
                        name.clone()
                    } else {
                        format!("{kind}/{name}")
                    }
                })
                .collect(),
            names => names.to_vec(),
        }
    }

    /// Whether anything is selected at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.all_namespaces && self.selector.is_none()
    }
}

/// A name on the command line. kubectl splits no names at commas, and no name has one.
fn name(text: &str) -> Result<String, &'static str> {
    if text.contains(',') {
        return Err("separate names by blanks, not by commas");
    }
    Ok(text.to_owned())
}

impl From<&SelectionArgs> for Selection {
    fn from(args: &SelectionArgs) -> Self {
        Self {
            names: args.named(),
            all_namespaces: args.all_namespaces,
            selector: args.selector.clone(),
            ignores_missing: false,
            is_confined: args.is_confined,
        }
    }
}
