//! The picture of the architecture: every arrow is a dependency in the code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use syn::{Attribute, Item, UseTree};

/// Modules: name, what it is in two lines, column, row.
const MODULES: [(&str, &str, &str, u8, u8); 20] = [
    ("cluster", "get, list, watch:", "what a client sees", 0, 0),
    ("prometheus", "the past, as", "Prometheus has it", 0, 1),
    ("manifest", "objects in YAML", "and JSON files", 0, 2),
    ("recording", "snapshots: read,", "written, redacted", 1, 1),
    ("model", "what is read, kept", "and set", 2, 1),
    ("engine", "the algorithm of", "the controller", 3, 1),
    ("trace", "every step with", "its numbers", 4, 1),
    ("analysis", "what one look", "cannot show", 5, 1),
    ("diagnosis", "what is wrong,", "judged once", 5, 2),
    ("explain", "steps in words", "and formulas", 6, 1),
    ("render", "text, JSON, HTML,", "SARIF …", 7, 1),
    ("playback", "snapshot after", "snapshot", 3, 0),
    ("watch", "what happened,", "what alarms", 6, 0),
    ("screen", "the full screen", "", 7, 0),
    ("yaml", "trees with byte", "ranges", 2, 2),
    ("rules", "one file for", "each rule", 3, 2),
    ("lint", "subjects, world,", "findings, fixes", 4, 2),
    ("simulation", "a load on pods,", "second by second", 4, 3),
    ("history", "the past, from", "series of samples", 5, 3),
    ("words", "numbers, names,", "times", 0, 3),
];

/// The data flow between modules.
const ARROWS: [(&str, &str); 26] = [
    ("cluster", "recording"),
    ("manifest", "recording"),
    ("recording", "model"),
    ("model", "engine"),
    ("engine", "trace"),
    ("trace", "analysis"),
    ("analysis", "explain"),
    ("trace", "diagnosis"),
    ("diagnosis", "explain"),
    ("explain", "render"),
    ("recording", "playback"),
    ("engine", "playback"),
    ("playback", "watch"),
    ("explain", "watch"),
    ("watch", "screen"),
    ("watch", "render"),
    ("yaml", "rules"),
    ("engine", "rules"),
    ("rules", "lint"),
    ("lint", "render"),
    ("engine", "simulation"),
    ("simulation", "render"),
    ("simulation", "history"),
    ("cluster", "prometheus"),
    ("analysis", "history"),
    ("history", "render"),
];

/// No I/O, no clock, no environment; `tests/repo/tidy` checks that.
const PURE: [&str; 10] = [
    "model",
    "engine",
    "trace",
    "analysis",
    "diagnosis",
    "words",
    "explain",
    "watch",
    "simulation",
    "history",
];

/// The folder of each module. Where one is within another, the inner one counts.
const FOLDERS: [(&str, &str); 22] = [
    ("cluster", "crates/hpa-cluster/src"),
    ("prometheus", "crates/hpa-prometheus/src"),
    ("manifest", "crates/hpa-objects/src/manifest"),
    ("recording", "crates/hpa-objects/src"),
    ("model", "crates/hpa-engine/src/model"),
    ("engine", "crates/hpa-engine/src"),
    ("trace", "crates/hpa-engine/src/trace"),
    ("analysis", "crates/hpa-analysis/src"),
    ("diagnosis", "crates/hpa-diagnosis/src"),
    ("words", "crates/hpa-words/src"),
    ("explain", "crates/hpa-explain/src"),
    ("render", "crates/hpa-render/src"),
    ("playback", "crates/hpa-playback/src"),
    ("change", "crates/hpa-change/src"),
    ("watch", "crates/hpa-watch/src"),
    ("screen", "src/screen"),
    ("yaml", "crates/kubectl-hpa-yaml/src"),
    ("jsonpath", "crates/kubectl-jsonpath/src"),
    ("rules", "crates/hpa-lint/src/rules"),
    ("lint", "crates/hpa-lint/src"),
    ("simulation", "crates/hpa-simulation/src"),
    ("history", "crates/hpa-history/src"),
];

/// What is not in the picture: what uses all the others, in the bar below it, what knows nothing of HPAs, and
/// what only tests use.
const AROUND: [&str; 12] = [
    "change",
    "crates/hpa-testing",
    "jsonpath",
    "src/cli",
    "src/commands",
    "src/completion",
    "src/linting",
    "src/live",
    "src/lsp",
    "src/process",
    "src/rendering",
    "src/server",
];

#[test]
fn every_arrow_is_a_use_in_the_code_and_every_module_is_drawn() {
    let uses = uses();
    for (from, to) in ARROWS {
        assert!(
            uses[to].contains(from) || uses[from].contains(to),
            "neither of {from} and {to} names the other"
        );
    }
    let drawn: BTreeSet<&str> = MODULES.iter().map(|module| module.0).collect();
    let is_missing =
        |name: &&String| !drawn.contains(name.as_str()) && !AROUND.contains(&name.as_str());
    let missing: Vec<_> = uses.keys().filter(is_missing).collect();
    assert!(missing.is_empty(), "not in the picture: {missing:?}");
}

#[test]
fn picture_of_the_architecture_is_up_to_date() {
    super::check("architecture", &draw());
}

const COLUMN: u32 = 124;
const ROW: u32 = 96;
const ROWS: u32 = 4;
const BOX: (u32, u32) = (104, 62);
const MARGIN: u32 = 16;

fn draw() -> String {
    let (width, height) = (8 * COLUMN + MARGIN - 4, ROWS * ROW + 96);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"system-ui,'Segoe UI',Helvetica,Arial,sans-serif\" font-size=\"11\">\n\
         <title>How data flows through the modules</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#57606a\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#ffffff\"/>\n"
    );
    for (from, to) in ARROWS {
        out.push_str(&arrow(place(from), place(to)));
    }
    for (name, first, second, column, row) in MODULES {
        let (x, y) = corner(column, row);
        let center = x + BOX.0 / 2;
        let (fill, line) = if PURE.contains(&name) {
            ("#dafbe1", "#2da44e")
        } else {
            ("#f6f8fa", "#8c959f")
        };
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{fill}\" stroke=\"{line}\"/>\n\
             <text x=\"{center}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\" font-size=\"13\" fill=\"#1f2328\">\
             {name}</text>\n\
             <text text-anchor=\"middle\" fill=\"#57606a\"><tspan x=\"{center}\" y=\"{}\">{first}</tspan>\
             <tspan x=\"{center}\" y=\"{}\">{second}</tspan></text>",
            BOX.0,
            BOX.1,
            y + 20,
            y + 37,
            y + 51,
        );
    }
    let y = ROWS * ROW + 24;
    let _ = writeln!(
        out,
        "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"{}\" height=\"30\" rx=\"6\" fill=\"#ddf4ff\" stroke=\"#54aeff\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1f2328\"><tspan font-weight=\"bold\">cli → commands</tspan> \
         gather, decide and write with the modules above, and are known to none of them</text>\n\
         <rect x=\"{MARGIN}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"3\" fill=\"#dafbe1\" stroke=\"#2da44e\"/>\n\
         <text x=\"{}\" y=\"{}\" fill=\"#57606a\">pure: no I/O, no clock, no environment, and free of kube, tokio, clap and \
         serde</text>\n</svg>",
        width - 2 * MARGIN,
        width / 2,
        y + 19,
        y + 42,
        MARGIN + 20,
        y + 52,
    );
    out
}

/// Column and row of a module.
fn place(name: &str) -> (u8, u8) {
    let module = MODULES.iter().find(|module| module.0 == name);
    let (.., column, row) = module.expect("arrows are between modules");
    (*column, *row)
}

fn corner(column: u8, row: u8) -> (u32, u32) {
    (
        MARGIN + u32::from(column) * COLUMN,
        MARGIN + u32::from(row) * ROW,
    )
}

/// A line from edge to edge: straight within a row, a column or to the neighbor, else along the rows with one corner.
fn arrow(from: (u8, u8), to: (u8, u8)) -> String {
    let (start, end) = (corner(from.0, from.1), corner(to.0, to.1));
    let center = |x: u32| x + BOX.0 / 2;
    let middle = |y: u32| y + BOX.1 / 2;
    let path = if from.0 == to.0 && from.1 < to.1 {
        format!("M{} {}V{}", center(start.0), start.1 + BOX.1, end.1)
    } else if from.0 == to.0 {
        format!("M{} {}V{}", center(start.0), start.1, end.1 + BOX.1)
    } else if from.1 == to.1 {
        format!("M{} {}H{}", start.0 + BOX.0, middle(start.1), end.0)
    } else if from.1 == 0 && from.0 + 1 == to.0 && 1 < to.0 {
        format!(
            "M{} {}L{} {}",
            start.0 + BOX.0,
            start.1 + BOX.1 - 8,
            end.0,
            end.1 + 8
        )
    } else if to.1 == 3 {
        // Down between two columns.
        let right = start.0 + BOX.0;
        format!(
            "M{right} {}h10V{}H{}",
            start.1 + BOX.1 - 8,
            middle(end.1),
            end.0
        )
    } else if from.1 == 3 {
        let (right, x) = (start.0 + BOX.0, center(end.0) + 20);
        format!("M{right} {}H{x}V{}", middle(start.1), end.1 + BOX.1)
    } else if from.1 == 1 {
        let x = center(start.0) + 20;
        format!("M{x} {}V{}H{}", start.1, middle(end.1), end.0)
    } else {
        let x = center(end.0) - 20;
        let edge = if from.1 < to.1 { end.1 } else { end.1 + BOX.1 };
        format!("M{} {}H{x}V{edge}", start.0 + BOX.0, middle(start.1))
    };
    format!(
        "<path d=\"{path}\" stroke=\"#57606a\" stroke-width=\"1.5\" fill=\"none\" marker-end=\"url(#tip)\"/>\n"
    )
}

/// The modules that each module names in its `use` lines, without tests. A folder without a name is its own module.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("crates"), root.join("src")];
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let within = path.strip_prefix(root).unwrap().to_str().unwrap();
            if path.is_dir() {
                let is_source = within.starts_with("src")
                    || within.split('/').nth(2).is_none_or(|name| name == "src");
                folders.extend(is_source.then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && let Some(module) = module_of(within)
            {
                let named = uses.entry(module).or_default();
                let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
                for item in &file.items {
                    if let Item::Use(item) = item
                        && !is_of_tests(&item.attrs)
                    {
                        named.extend(modules_in(&item.tree, within));
                    }
                }
            }
        }
    }
    uses
}

/// The module of a file. None: a file that only holds a package together.
fn module_of(path: &str) -> Option<String> {
    let folders = FOLDERS.iter().filter(|(_, folder)| {
        let rest = path.strip_prefix(folder);
        rest.is_some_and(|rest| rest.starts_with('/'))
    });
    let innermost = folders.max_by_key(|(_, folder)| folder.len());
    if let Some((name, _)) = innermost {
        return Some((*name).to_owned());
    }
    let mut parts = path.split('/');
    let (first, second) = (parts.next()?, parts.next()?);
    let name = second.trim_end_matches(".rs");
    (!["lib", "main", "exit_code"].contains(&name)).then(|| format!("{first}/{name}"))
}

/// The modules that a `use` in a file names.
fn modules_in(tree: &UseTree, file: &str) -> Vec<String> {
    let UseTree::Path(path) = tree else {
        return Vec::new();
    };
    let package = path.ident.to_string();
    let source = match package.as_str() {
        "crate" => format!("{}src", file.split("src/").next().unwrap_or_default()),
        package => format!("crates/{}/src", package.replace('_', "-")),
    };
    let items = match &*path.tree {
        UseTree::Group(group) => group.items.iter().collect(),
        tree => vec![tree],
    };
    let first = |tree: &&UseTree| match tree {
        UseTree::Path(first) => Some(first.ident.to_string()),
        UseTree::Name(first) => Some(first.ident.to_string()),
        _ => None,
    };
    let first = items.iter().filter_map(first);
    first
        .filter_map(|name| module_of(&format!("{source}/{name}/x")))
        .collect()
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| quote::quote!(#attribute).to_string().contains("test"))
}
