//! The change requested by `--set` and `--with`.

use std::path::Path;

use anyhow::bail;
use hpa_change::{ChangedSpec, SpecChange};
use hpa_objects::{manifest, recording::Snapshot};

use crate::cli::ExplainArgs;

/// The change that the arguments request, if any. Reads the file of `--with`.
pub(super) fn requested(args: &ExplainArgs) -> anyhow::Result<Option<SpecChange>> {
    let is_stdin = |path: &Option<std::path::PathBuf>| path.as_deref() == Some(Path::new("-"));
    if is_stdin(&args.file) && is_stdin(&args.change.with) {
        bail!("standard input cannot be both -f and --with");
    }
    let with = args.change.with.as_deref();
    let change = SpecChange {
        with: with.map(manifest::read_specs).transpose()?,
        assignments: args.change.assignments.clone(),
    };
    Ok(change.is_requested().then_some(change))
}

/// The spec of a snapshot's HPA after the change.
pub(super) fn changed(change: &SpecChange, today: &Snapshot) -> anyhow::Result<ChangedSpec> {
    let config = today.controller.to_model()?;
    Ok(change.of(&today.hpa, &config)?)
}
