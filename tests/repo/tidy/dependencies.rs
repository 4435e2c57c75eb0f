//! Every dependency has its reason in docs/dev/dependencies.md.

use std::collections::BTreeSet;

use regex::Regex;

use super::{text_of, texts};

#[test]
fn every_dependency_has_a_reason_and_every_reason_a_dependency() {
    let packages = texts("crates/", "/Cargo.toml").into_iter();
    let manifests = packages
        .map(|(_, text)| text)
        .chain([text_of("Cargo.toml")]);
    let manifests: Vec<String> = manifests.collect();
    let mut used = BTreeSet::new();
    let mut in_dependencies = false;
    for line in manifests.iter().flat_map(|text| text.lines()) {
        if line.starts_with('[') {
            in_dependencies = line.ends_with("dependencies]");
        } else if in_dependencies
            && line.starts_with(|first: char| first.is_ascii_lowercase())
            && let Some((name, proposal)) = line.split_once(" = ")
            // Our own packages need none.
            && !proposal.contains("path = ")
        {
            used.insert(name.to_owned());
        }
    }
    let page = text_of("docs/dev/dependencies.md");
    let heading = Regex::new(r"(?m)^- ((?:`[\w-]+`(?:, | and )?)+):").expect("a valid pattern");
    let name = Regex::new(r"`([\w-]+)`").expect("a valid pattern");
    let reasoned: BTreeSet<_> = heading
        .captures_iter(&page)
        .flat_map(|names| name.captures_iter(names.get(1).expect("the group").as_str()))
        .map(|name| name[1].to_owned())
        .collect();
    assert_eq!(
        used, reasoned,
        "Cargo.toml (left) and docs/dev/dependencies.md (right) disagree"
    );
}
