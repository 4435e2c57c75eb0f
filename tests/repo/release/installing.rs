//! The data for other installers agrees with the archives of a release.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use regex::Regex;
use serde_json::Value;

use super::{
    krew::{MANIFESTS, plugin},
    root, targets, text_of,
};

#[test]
fn cargo_binstall_takes_the_archives_that_krew_takes() {
    let metadata = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let program = packages
        .iter()
        .find(|package| package["name"] == env!("CARGO_PKG_NAME"));
    let binstall = &program.unwrap()["metadata"]["binstall"];
    assert_eq!(binstall["pkg-fmt"], "tgz");
    assert_eq!(binstall["bin-dir"], "{ bin }{ binary-ext }");
    let (_, manifest) = MANIFESTS[0];
    let platforms = plugin(&text_of(manifest)).spec.platforms;
    for (os, arch, target) in targets() {
        let platform = platforms
            .iter()
            .find(|platform| platform.name() == format!("{os}/{arch}"))
            .unwrap();
        // A static binary and one for MinGW run wherever binaries with the other ABI do.
        for target in [
            target.replace("-musl", "-gnu"),
            target.replace("-gnu", "-msvc"),
            target,
        ] {
            let address = binstall["overrides"][&target]["pkg-url"].as_str().unwrap();
            let address = address
                .replace("{ repo }", env!("CARGO_PKG_REPOSITORY"))
                .replace("{ version }", env!("CARGO_PKG_VERSION"));
            assert_eq!(address, platform.uri, "{target}");
        }
    }
}

#[test]
fn chart_of_the_exporter_has_the_version_and_address_of_the_program() {
    let chart: Value = serde_saphyr::from_str(&text_of("deploy/chart/Chart.yaml")).unwrap();
    assert_eq!(chart["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["appVersion"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["home"], env!("CARGO_PKG_HOMEPAGE"));
    assert_eq!(chart["sources"][0], env!("CARGO_PKG_REPOSITORY"));
}

/// To move the project, following the page about releasing is enough.
#[test]
fn address_of_the_project_is_only_where_the_page_about_releasing_says() {
    let page = text_of("docs/dev/releasing.md");
    let command = page.lines().find(|line| line.starts_with("sed -i"));
    let mut listed = BTreeSet::new();
    for pattern in command.unwrap().split(' ').skip(3) {
        let paths = glob::glob(root().join(pattern).to_str().unwrap()).unwrap();
        let naming = paths.map(Result::unwrap).filter(|path| names_address(path));
        let before = listed.len();
        listed.extend(naming);
        assert!(before < listed.len(), "{pattern} does not name the address");
    }
    let mut found = BTreeSet::new();
    let mut left = vec![root()];
    while let Some(path) = left.pop() {
        if path.is_file() {
            found.extend(names_address(&path).then_some(path));
        } else if !["target", ".git", "bin"]
            .iter()
            .any(|name| path.ends_with(name))
        {
            let entries = fs::read_dir(path).unwrap();
            left.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    assert_eq!(
        found, listed,
        "found (left), in docs/dev/releasing.md (right)"
    );
}

/// Whether a file contains the project's address.
fn names_address(path: &Path) -> bool {
    let text = fs::read(path).unwrap_or_default();
    text.windows(ADDRESS.len()).any(|part| part == ADDRESS)
}

const ADDRESS: &[u8] = env!("CARGO_PKG_REPOSITORY").as_bytes();

#[test]
fn image_runs_the_binary_as_a_user_without_privileges() {
    let recipe = text_of("release/Containerfile");
    let user = Regex::new(r"(?m)^USER (\d+):(\d+)$").unwrap();
    let user = user.captures(&recipe).unwrap();
    assert_ne!(&user[1], "0");
    assert_ne!(&user[2], "0");
    let entry = Regex::new(r#"(?m)^ENTRYPOINT \["(.*)"\]$"#).unwrap();
    let entry = &entry.captures(&recipe).unwrap()[1];
    let copied = format!("kubectl-hpa {entry}\n");
    assert!(recipe.contains(&copied), "{copied}");
}

#[test]
fn workflow_builds_every_target_with_the_script() {
    let workflow = text_of(".github/workflows/release.yml");
    for (.., target) in targets() {
        assert!(workflow.contains(&target), "{target}");
    }
    for script in [
        "release/tools.sh",
        "release/compile.sh",
        "release/package.sh",
    ] {
        assert!(workflow.contains(script), "{script}");
    }
}
