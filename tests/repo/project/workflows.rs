//! Release workflows run only pinned tools: each action by its commit, each tool by its version.

use std::fs;

use regex::Regex;

use super::root;

#[test]
fn actions_are_pinned_by_commit_and_no_checkout_keeps_credentials() {
    let pinned = Regex::new(r"^[\w./-]+@[0-9a-f]{40} # v[0-9.]+$").unwrap();
    let (mut wrong, mut actions) = (Vec::new(), 0);
    for entry in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let Some((before, action)) = line.split_once("uses: ") else {
                continue;
            };
            actions += 1;
            let place = format!("{}:{number}: {action}", path.display());
            if !pinned.is_match(action) {
                wrong.push(format!(
                    "{place} is not pinned by a commit, with its version behind it"
                ));
            }
            let step = text.lines().skip(number);
            let step = step.take_while(|line| {
                !line.trim_start().starts_with("- ") && before.len() - 2 <= indentation(line)
            });
            if action.starts_with("actions/checkout@")
                && !step
                    .into_iter()
                    .any(|line| line.trim() == "persist-credentials: false")
            {
                wrong.push(format!("{place} keeps its credentials"));
            }
        }
    }
    assert!(10 < actions, "only {actions} actions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tools_are_installed_in_a_version_that_is_written_down() {
    let version =
        Regex::new(r"@v?[0-9]+\.[0-9]+|--version |--require-hashes|@[0-9a-f]{40}").unwrap();
    let install =
        Regex::new(r"(cargo|pip3?|go)(/bin/pip)?.? install |go run \w+\.|npm install").unwrap();
    let mut wrong = Vec::new();
    for folder in [".github/workflows", ".ci", "release", "fuzz"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            for (number, line) in (1..).zip(text.lines()) {
                let is_comment = line.trim_start().starts_with('#');
                if install.is_match(line) && !is_comment && !version.is_match(line) {
                    wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "no version:\n{}", wrong.join("\n"));
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
