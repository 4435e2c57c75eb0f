//! The table of permissions in `docs/permissions.md`, row by row.

use std::collections::BTreeSet;

use serde_json::Value;

/// One row: the permission to read one resource.
pub(crate) struct Row {
    /// API group; empty: the core group.
    pub(crate) group: String,
    /// Resource, with its subresource.
    pub(crate) resource: String,
    /// Verbs.
    pub(crate) verbs: BTreeSet<String>,
    /// What is missing without it.
    pub(crate) without: String,
    /// Commands that name the rule if it is missing.
    pub(crate) named_by: BTreeSet<String>,
    /// Whether it applies to the namespace `kube-system`.
    pub(crate) is_of_control_plane: bool,
}

/// Reads the rows of the page.
pub(crate) fn rows() -> Vec<Row> {
    let page = include_str!("../../../docs/permissions.md");
    let mut rows = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", resource, group, verbs, _, without, named_by, ""] = cells[..] else {
            continue;
        };
        if !resource.starts_with('`') {
            continue; // the head
        }
        let is_of_control_plane = resource.ends_with("in `kube-system`");
        rows.push(Row {
            group: code(group).first().cloned().unwrap_or_default(),
            resource: code(resource)[0].clone(),
            verbs: verbs.split(", ").map(str::to_owned).collect(),
            without: without.to_owned(),
            named_by: code(named_by).into_iter().collect(),
            is_of_control_plane,
        });
    }
    assert!(40 < rows.len(), "the table has another form");
    rows
}

/// The documents of a manifest in `deploy`.
pub(crate) fn roles(manifest: &str) -> Vec<Value> {
    manifest
        .split("\n---\n")
        .map(|document| serde_saphyr::from_str(document).expect("the manifest is YAML"))
        .collect()
}

/// The parts between backticks.
fn code(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}
