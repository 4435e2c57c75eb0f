//! What the project says about itself is true: its invariants are checked, its examples are quoted.
#![expect(clippy::unwrap_used, reason = "test code")]

mod pages;
mod workflows;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use pages::{Reference, code_blocks, references};
use regex::Regex;

#[test]
fn every_check_of_an_invariant_exists() {
    let page = text_of("docs/dev/ARCHITECTURE.md");
    let page = part(&page, "## Invariants");
    let mut invariants = 0;
    let mut wrong = Vec::new();
    for paragraph in page.split("\n\n").filter(|text| text.starts_with("**")) {
        invariants += 1;
        let Some((_, check)) = paragraph.split_once("*Check:*") else {
            wrong.push(format!("no check: {paragraph}"));
            continue;
        };
        let found = references(check);
        if found.is_empty() {
            wrong.push(format!("nothing is named: {paragraph}"));
        }
        wrong.extend(found.into_iter().filter_map(problem));
    }
    assert!(10 < invariants, "only {invariants} invariants");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_promise_of_reliability_names_a_test_that_exists() {
    let page = text_of("docs/dev/reliability.md");
    let is_test = |reference: &Reference| matches!(reference, Reference::Test { .. });
    let tests = references(&page).into_iter().filter(is_test);
    let mut wrong: Vec<_> = tests.filter_map(problem).collect();
    for heading in [
        "## Faults",
        "## Clusters",
        "## Read-only",
        "## Safety",
        "## Supply chain",
    ] {
        for promise in part(&page, heading)
            .lines()
            .filter(|line| line.starts_with("- **"))
        {
            if !references(promise).iter().any(is_test) {
                wrong.push(format!("no test: {promise}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The compiler then refuses it, and no file can allow it again.
#[test]
fn unsafe_code_is_forbidden() {
    let manifest = text_of("Cargo.toml");
    let lints = part(&manifest, "[workspace.lints.rust]");
    let lints = lints.split("\n[").next().unwrap_or_default();
    assert!(lints.contains("unsafe_code = \"forbid\""), "{lints}");
    let packages = packages()
        .into_iter()
        .map(|name| text_of(&format!("crates/{name}/Cargo.toml")));
    for manifest in [manifest].into_iter().chain(packages) {
        assert!(
            manifest.contains("\n[lints]\nworkspace = true\n"),
            "{manifest}"
        );
    }
}

#[test]
fn all_packages_have_one_version_and_one_license() {
    let number = env!("CARGO_PKG_VERSION");
    let manifests: String = packages()
        .iter()
        .map(|name| text_of(&format!("crates/{name}/Cargo.toml")))
        .chain([text_of("Cargo.toml")])
        .collect();
    for name in packages() {
        let folder = format!("crates/{name}");
        assert_eq!(text_of("LICENSE"), text_of(&format!("{folder}/LICENSE")));
        let version = format!("\nversion = \"{number}\"\n");
        let manifest = text_of(&format!("{folder}/Cargo.toml"));
        assert!(manifest.contains(&version), "{version}");
        let required = format!("\n{name} = {{ version = \"{number}\",");
        assert!(manifests.contains(&required), "{required}");
    }
}

/// The names of the packages other than the program.
fn packages() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(5 < names.len(), "the packages are somewhere else");
    names
}

#[test]
fn code_map_names_what_is_there() {
    let page = text_of("docs/dev/ARCHITECTURE.md");
    let rows: Vec<&str> = part(&page, "## Code map")
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert!(50 < rows.len(), "{} rows", rows.len());
    let mut missing = Vec::new();
    for row in rows {
        let cell = row.split(" | ").next().unwrap_or_default();
        let mut folder = String::new();
        for path in cell.split('`').skip(1).step_by(2) {
            // The further names of a row are in the folder of the first one.
            let path = path.trim_end_matches('*');
            let candidates = [path.to_owned(), format!("{folder}/{path}")];
            match candidates.iter().find(|path| root().join(path).exists()) {
                Some(found) => {
                    folder = found
                        .rsplit_once('/')
                        .map_or("", |parts| parts.0)
                        .to_owned();
                }
                None if path.ends_with('_') => {}
                None => missing.push(path.to_owned()),
            }
        }
    }
    assert!(missing.is_empty(), "not there: {missing:?}");
}

#[test]
fn what_contributors_must_do_names_what_is_there() {
    let page = text_of("docs/dev/extending.md");
    for heading in [
        "## How to add a rule",
        "## How to change a sentence",
        "## How to add a version of Kubernetes",
        "## How to add an output format",
        "## How to add a metric type",
        "## How to add a flag",
        "## How to add an alarm",
    ] {
        let part = part(&page, heading);
        assert!(
            2 < code_blocks(part).len(),
            "{heading}: shown on no example"
        );
    }
    let pages = page + &text_of("CONTRIBUTING.md");
    let wrong: Vec<_> = references(&pages).into_iter().filter_map(problem).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A code block belongs to the last file that is named as "In `FILE`" before it.
#[test]
fn code_that_contributors_are_shown_is_in_the_file_that_is_named() {
    let blocks = code_blocks(&text_of("docs/dev/extending.md"));
    assert!(10 < blocks.len(), "{blocks:?}");
    for (file, code) in blocks {
        let found = text_of(&file).replace("\r\n", "\n");
        assert!(found.contains(&code), "{file} has no\n{code}");
    }
}

#[test]
fn words_of_the_glossary_name_what_is_in_the_code() {
    let place = Regex::new(r"`(\w+)` in `([\w./-]+)`").unwrap();
    let page = text_of("docs/dev/glossary.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(15 < rows.len(), "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows[2..] {
        let named: Vec<_> = place.captures_iter(row).collect();
        if named.is_empty() {
            wrong.push(format!("no place: {row}"));
        }
        for place in named {
            let (name, path) = (&place[1], &place[2]);
            let declared = Regex::new(&format!(r"\b(struct|enum|fn) {name}\b")).unwrap();
            if !declared.is_match(&text_of(path)) {
                wrong.push(format!("{path} has no {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The verbs get, list and watch are all GET. The only allowed POST is a review of the user's own permissions.
#[test]
fn nothing_is_ever_written_to_a_cluster() {
    let writes = Regex::new(
        r"Method::(POST|PUT|PATCH|DELETE)|Request::(post|put|patch|delete)\b|\.method\([^)]|\b(Post|Patch|Delete)Params\b",
    )
    .unwrap();
    let mut found = Vec::new();
    let sources = ["src", "crates"].map(|folder| files(folder, "rs"));
    for path in sources.iter().flatten() {
        let text = fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text
            .split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let code = lines.join("\n");
        let asks_for_rights = code.contains("selfsubjectaccessreviews");
        found.extend(
            writes
                .find_iter(&code)
                .filter(|_| !asks_for_rights)
                .map(|write| format!("{}: {}", path.display(), write.as_str())),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// `just` is a convenience: the commands of its recipes exist, and CI's commands are among them.
#[test]
fn recipes_call_what_is_there() {
    let text = text_of("justfile");
    let mut described = true;
    let mut wrong = Vec::new();
    let mut previous = "";
    let recipe = Regex::new(r"^([a-z][a-z-]*)( [^:=]*)?:( .*)?$").unwrap();
    let tests = Regex::new(r"--test (\w+)").unwrap();
    let script =
        Regex::new(r"^\s+(?:\w+=\S+ )*((?:\.ci|tests|benches|docs|release|krew)/\S+)").unwrap();
    for line in text.lines() {
        if recipe.is_match(line) && !line.starts_with("default") {
            described &= previous.starts_with('#');
        }
        for test in tests.captures_iter(line) {
            let name = &test[1];
            let file = root().join(format!("tests/{name}.rs"));
            let folder = root().join(format!("tests/{name}/main.rs"));
            if !file.exists() && !folder.exists() {
                wrong.push(format!("no test {name}"));
            }
        }
        if let Some(called) = script.captures(line)
            && !root().join(&called[1]).exists()
        {
            wrong.push(format!("no script {}", &called[1]));
        }
        previous = line;
    }
    assert!(described, "every recipe says in a comment what it does");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The problem with a named thing, if any.
fn problem(reference: Reference) -> Option<String> {
    match reference {
        Reference::Test { file, name } => {
            let path = ["", "/main", "/mod"]
                .map(|end| format!("tests/{file}{end}.rs"))
                .into_iter()
                .find(|path| root().join(path).exists());
            let Some(path) = path else {
                return Some(format!("no tests in {file}"));
            };
            let is_there = text_of(&path).contains(&format!("fn {name}("));
            (!is_there).then(|| format!("{path} has no test {name}"))
        }
        Reference::File(path) => {
            (!root().join(&path).exists()).then(|| format!("{path} does not exist"))
        }
        Reference::CargoTest(name) => {
            let exists = root().join(format!("tests/{name}.rs")).exists()
                || root().join(format!("tests/{name}/main.rs")).exists();
            (!exists).then(|| format!("there is no test {name}"))
        }
        Reference::Command(command) => {
            (!text_of(".ci/run").contains(&command)).then(|| format!("CI does not run {command}"))
        }
        Reference::Lint(name) => {
            let denied = format!("clippy::{name}");
            (!text_of("crates/hpa-engine/src/engine/mod.rs").contains(&denied))
                .then(|| format!("the engine does not deny {denied}"))
        }
        Reference::Type(name) => {
            let declared = Regex::new(&format!(r"\b(struct|enum|type) {name}\b")).unwrap();
            let is_there = ["src", "crates"]
                .iter()
                .flat_map(|folder| files(folder, "rs"))
                .any(|path| declared.is_match(&fs::read_to_string(path).unwrap()));
            (!is_there).then(|| format!("there is no type {name}"))
        }
    }
}

/// The text from a heading to the next one of its level.
fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(heading).unwrap_or_else(|| panic!("no {heading}"));
    let rest = &page[start + heading.len()..];
    rest.find("\n## ").map_or(rest, |end| &rest[..end])
}

/// The files below a folder with this ending, sorted.
fn files(folder: &str, extension: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.insert(path);
            }
        }
    }
    found
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
