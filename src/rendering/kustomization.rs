//! A kustomization, built by `kustomize` or `kubectl kustomize`.

use std::{ffi::OsStr, path::Path};

use anyhow::{Context as _, bail};
use hpa_lint::File;
use hpa_words::sanitize::file_name;

use super::{
    program::{self, rendered},
    projects::kustomization_in,
};

/// Builds a folder as one file named after its kustomization, because the output does not name the source files.
pub(super) fn render(folder: &Path) -> anyhow::Result<Vec<File>> {
    let of = || format!("--render of {}", file_name(folder));
    let local = program::local(folder);
    for (program, command) in [("kustomize", "build"), ("kubectl", "kustomize")] {
        let arguments = [OsStr::new(command), local.as_os_str()];
        if let Some(text) = program::output(program, arguments).with_context(of)? {
            let path = kustomization_in(folder).unwrap_or_else(|| folder.to_owned());
            return Ok(vec![rendered(path.display().to_string(), text)]);
        }
    }
    bail!(
        "{}: neither kustomize nor kubectl is in the PATH: install one of them, or leave out --render",
        of()
    )
}
