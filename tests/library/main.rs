//! The library for others: its public surface is a list, and changes only with the list.

mod declared;
mod surface;

use std::{env, fs, path::Path};

/// Path of the list.
const LIST: &str = "tests/library/surface.txt";

#[test]
fn public_surface_is_the_one_that_is_listed() {
    let found = surface::of(&["engine", "model", "trace"]).join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&path, &found).expect("the list can be written");
        return;
    }
    let listed = fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    let only = |left: &str, right: &str, sign: &str| -> String {
        let lines: Vec<String> = left
            .lines()
            .filter(|line| !right.lines().any(|other| other == *line))
            .map(|line| format!("  {sign} {line}"))
            .collect();
        lines.join("\n")
    };
    assert!(
        listed == found,
        "the public surface of the library has changed:\n{}\n{}\nif that is meant, UPDATE_GENERATED=1 cargo test --test \
         library, and a line in CHANGELOG.md",
        only(&listed, &found, "-"),
        only(&found, &listed, "+"),
    );
}

#[test]
fn only_the_three_modules_are_documented() {
    assert_eq!(
        surface::modules_of_the_crate(),
        ["engine", "model", "trace"]
    );
}

/// The list is short enough for a person to read.
#[test]
fn surface_has_what_its_users_begin_with_and_no_inner_parts() {
    let surface = surface::of(&["engine", "model", "trace"]);
    let has = |line: &str| surface.iter().any(|found| found.starts_with(line));
    for expected in [
        "pub fn engine::decide(",
        "pub struct model::Observation",
        "pub fn model::Observation::new(",
        "pub model::Observation::scale: Reading<Scale>",
        "pub fn model::quantity::Quantity::parse(",
        "pub enum trace::Step",
        "impl FromStr for model::KubeVersion",
    ] {
        assert!(has(expected), "{expected} is not found");
    }
    for inner in ["AfterMetrics", "Surroundings", "SelectorIndex", "go_quoted"] {
        assert!(
            !surface
                .iter()
                .any(|line| line.contains(&format!("::{inner}"))),
            "{inner} is for the program only"
        );
    }
}
