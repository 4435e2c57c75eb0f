//! The input of a run of the rules from flags and files: for `lint`, its language server and its renderings.

pub(crate) mod baseline_file;
pub(crate) mod config_file;
pub(crate) mod files;
pub(crate) mod lint_run;
pub(crate) mod recordings;
pub(crate) mod settings;
pub(crate) mod walk;
