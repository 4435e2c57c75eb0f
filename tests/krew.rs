//! The krew manifest obeys the rules by which krew accepts one.
#![cfg(feature = "cli")]

use std::{collections::BTreeMap, fs};

use regex::Regex;
use serde::Deserialize;

#[test]
fn manifest_names_the_plugin_as_krew_wants_it() {
    let plugin = plugin();
    assert_eq!(
        plugin.api_version,
        "krew.googlecontainertools.github.com/v1alpha2"
    );
    assert_eq!(plugin.kind, "Plugin");
    assert_eq!(
        plugin.metadata.name, "hpa",
        "the name of the file without .yaml"
    );
    assert_matches(r"^[\w-]+$", &plugin.metadata.name);
    assert_eq!(plugin.spec.version, concat!("v", env!("CARGO_PKG_VERSION")));
    assert_matches(r"^https://", &plugin.spec.homepage);
}

#[test]
fn descriptions_fit_krews_lists() {
    let spec = plugin().spec;
    assert!(
        spec.short_description.chars().count() <= 50,
        "{}",
        spec.short_description
    );
    assert_matches(r"^\w[^\n]*[^.\n]$", &spec.short_description);
    for line in spec.description.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert!(!line.contains("kubectl hpa"), "no examples of use: {line}");
    }
}

#[test]
fn every_platform_is_known_and_listed_once() {
    let supported = [
        "darwin/amd64",
        "darwin/arm64",
        "linux/amd64",
        "linux/arm64",
        "windows/amd64",
    ];
    let mut seen = Vec::new();
    for platform in plugin().spec.platforms {
        let keys: Vec<_> = platform
            .selector
            .match_labels
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(keys, ["arch", "os"]);
        let labels = platform.selector.match_labels;
        seen.push(format!("{}/{}", labels["os"], labels["arch"]));
    }
    seen.sort();
    assert_eq!(seen, supported);
}

#[test]
fn every_archive_has_address_checksum_binary_and_license() {
    let spec = plugin().spec;
    for platform in spec.platforms {
        let labels = &platform.selector.match_labels;
        let archive = format!(
            "kubectl-hpa-{}-{}-{}.tar.gz",
            spec.version, labels["os"], labels["arch"]
        );
        assert!(platform.uri.starts_with("https://"), "{}", platform.uri);
        assert!(
            platform.uri.ends_with(&format!("/{archive}")),
            "{}",
            platform.uri
        );
        assert_matches("^[0-9a-f]{64}$", &platform.sha256);
        let binary = if labels["os"] == "windows" {
            "kubectl-hpa.exe"
        } else {
            "kubectl-hpa"
        };
        assert_eq!(platform.bin, binary);
        let files: Vec<_> = platform
            .files
            .iter()
            .map(|file| (file.from.as_str(), file.to.as_str()))
            .collect();
        assert_eq!(files, [(binary, "."), ("LICENSE", ".")]);
    }
}

#[track_caller]
fn assert_matches(pattern: &str, text: &str) {
    let pattern = Regex::new(pattern).expect("a valid pattern");
    assert!(pattern.is_match(text), "{text:?} is not {pattern}");
}

/// The manifest. Fields that krew doesn't know are errors.
fn plugin() -> Plugin {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/krew/hpa.yaml");
    let text = fs::read_to_string(path).expect("the manifest can be read");
    serde_saphyr::from_str(&text).expect("the manifest has krew's fields")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Plugin {
    api_version: String,
    kind: String,
    metadata: Metadata,
    spec: Spec,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Spec {
    version: String,
    homepage: String,
    short_description: String,
    description: String,
    platforms: Vec<Platform>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Platform {
    uri: String,
    sha256: String,
    bin: String,
    selector: Selector,
    files: Vec<FileOperation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Selector {
    match_labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileOperation {
    from: String,
    to: String,
}
