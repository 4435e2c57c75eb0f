//! What other programs that install it are told agrees with the archives of a release.

use std::process::Command;

use regex::Regex;
use serde_json::Value;

use crate::{
    krew::{MANIFESTS, plugin},
    targets, text_of,
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
    let binstall = &metadata["packages"][0]["metadata"]["binstall"];
    assert_eq!(binstall["pkg-fmt"], "tgz");
    assert_eq!(binstall["bin-dir"], "{ bin }{ binary-ext }");
    let (_, manifest) = MANIFESTS[0];
    let platforms = plugin(&text_of(manifest)).spec.platforms;
    for (os, arch, target) in targets() {
        let platform = platforms
            .iter()
            .find(|platform| platform.name() == format!("{os}/{arch}"))
            .unwrap();
        // A static binary and one for MinGW run wherever those of the other ABI do.
        for target in [
            target.replace("-musl", "-gnu"),
            target.replace("-gnu", "-msvc"),
            target,
        ] {
            let address = binstall["overrides"][&target]["pkg-url"].as_str().unwrap();
            let address = address.replace("{ version }", env!("CARGO_PKG_VERSION"));
            assert_eq!(address, platform.uri, "{target}");
        }
    }
}

#[test]
fn image_runs_the_binary_as_a_user_without_rights() {
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
