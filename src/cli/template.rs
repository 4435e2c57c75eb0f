//! The flags that go with `-o jsonpath`, as in kubectl.

use clap::{ArgAction, Args};

/// The flags that go with `-o jsonpath`, as in kubectl.
#[derive(Args, Clone, Debug, Default)]
pub struct TemplateArgs {
    /// The template of -o jsonpath, or the file of -o jsonpath-file.
    #[arg(long, value_name = "TEMPLATE")]
    pub template: Option<String>,
    /// Print nothing for missing fields instead of failing.
    #[arg(
        long,
        value_name = "BOOL",
        default_value = "true",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true,
        action = ArgAction::Set
    )]
    pub allow_missing_template_keys: bool,
}
