//! The picture of the architecture: every arrow is a dependency in the code.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

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

/// What is not in the picture: what knows nothing of HPAs, what changes a spec, and what only tests use.
const NOT_DRAWN: [&str; 3] = ["hpa-change", "hpa-testing", "kubectl-jsonpath"];

#[test]
fn every_arrow_is_a_use_in_the_code_and_every_package_is_drawn() {
    for (from, to) in ARROWS {
        let (from, to) = (package(from), package(to));
        assert!(
            from == to || is_used(&from, &to) || is_used(&to, &from),
            "neither of {from} and {to} uses the other"
        );
    }
    let drawn: BTreeSet<String> = MODULES.iter().map(|module| package(module.0)).collect();
    let packages = fs::read_dir(root().join("crates")).unwrap();
    let is_missing = |name: &String| !drawn.contains(name) && !NOT_DRAWN.contains(&name.as_str());
    let missing: Vec<_> = packages
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(is_missing)
        .collect();
    assert!(missing.is_empty(), "not in the picture: {missing:?}");
}

/// The package of a module.
fn package(module: &str) -> String {
    match module {
        "manifest" | "recording" => "hpa-objects".to_owned(),
        "model" | "engine" | "trace" => "hpa-engine".to_owned(),
        "rules" | "lint" => "hpa-lint".to_owned(),
        "screen" => "kubectl-hpa".to_owned(),
        "yaml" => "kubectl-hpa-yaml".to_owned(),
        module => format!("hpa-{module}"),
    }
}

/// Whether `user` depends on `package`.
fn is_used(package: &str, user: &str) -> bool {
    let folder = match user {
        "kubectl-hpa" => root().to_owned(),
        user => root().join("crates").join(user),
    };
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let manifest = manifest.split("\n[dev-dependencies]").next().unwrap();
    manifest.contains(&format!("\n{package} = {{"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
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
