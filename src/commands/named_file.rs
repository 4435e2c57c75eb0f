//! File names given in place of HPA names.

use std::path::Path;

use anyhow::bail;

/// Rejects names that are those of a manifest, a recording or a folder here: the user probably forgot `-f`.
pub(super) fn refuse(names: &[String]) -> anyhow::Result<()> {
    const ENDS: [&str; 6] = [".gz", ".json", ".jsonl", ".yaml", ".yml", ".zst"];
    let is_selected = |name: &&String| {
        let path = Path::new(name);
        name.ends_with('/') && path.is_dir()
            || ENDS.iter().any(|end| name.ends_with(end)) && path.is_file()
    };
    match names.iter().find(is_selected) {
        Some(name) if name.ends_with('/') => {
            bail!("{name} is a directory, not an HPA name: use -f {name}")
        }
        Some(name) => bail!("{name} is a file, not an HPA name: use -f {name}"),
        None => Ok(()),
    }
}
