//! The fuzz targets: one function per file, which takes any bytes and panics if something is wrong.
//!
//! `fuzz/` passes them libFuzzer's inputs, `tests/fuzzed` passes seeds, some thousand mutations, and all past
//! findings.

mod answers;
mod engine;
mod jsonpath;
mod kubeconfig;
mod lint;
mod mcp;
mod page;
mod quantity;
mod recording;
mod selector;
mod terminal;
mod yaml;

/// Takes any bytes and panics if something is wrong.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 12] = [
    ("answers", answers::answers),
    ("engine", engine::engine),
    ("jsonpath", jsonpath::jsonpath),
    ("kubeconfig", kubeconfig::kubeconfig),
    ("lint", lint::lint),
    ("mcp", mcp::mcp),
    ("page", page::page),
    ("quantity", quantity::quantity),
    ("recording", recording::recording),
    ("selector", selector::selector),
    ("terminal", terminal::terminal),
    ("yaml", yaml::yaml),
];

/// The target of that name.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.expect("it is one of the targets").1
}
