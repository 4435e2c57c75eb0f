//! The krew manifests follow the rules of krew and of its central index.

use std::{collections::BTreeMap, env, fs, path::Path};

use regex::Regex;
use serde::Deserialize;

use super::{root, targets, text_of};

#[test]
fn manifests_are_as_krew_wants_them() {
    for (name, path) in MANIFESTS {
        assert_eq!(Path::new(path).file_stem().unwrap(), name);
        let plugin = plugin(&text_of(path));
        assert_accepted(&plugin, name);
        let platforms: Vec<_> = plugin.spec.platforms.iter().map(Platform::name).collect();
        let built: Vec<_> = targets()
            .into_iter()
            .map(|(os, arch, _)| format!("{os}/{arch}"))
            .collect();
        assert_eq!(platforms, built, "{path} and release/targets.tsv");
    }
}

#[test]
fn both_names_are_one_plugin() {
    let [hpa, explain_hpa] = MANIFESTS.map(|(_, path)| plugin(&text_of(path)).spec);
    assert_eq!(hpa.platforms, explain_hpa.platforms);
    assert_eq!(hpa.description, explain_hpa.description);
    assert_eq!(hpa.short_description, explain_hpa.short_description);
    let caveats = explain_hpa.caveats.unwrap();
    assert!(caveats.contains("kubectl explain-hpa NAME"));
    assert!(caveats.contains("kubectl-explain_hpa"), "the name on disk");
    assert!(hpa.caveats.unwrap().contains("kubectl hpa NAME"));
}

/// `UPDATE_GENERATED=1` writes it.
#[test]
fn template_for_the_release_bot_is_the_manifest_of_the_central_index() {
    let archive = Regex::new(r#"    uri: (\S+)\n    sha256: "0+"\n"#).unwrap();
    let manifest = text_of("krew/explain-hpa.yaml");
    let manifest = manifest.split_once("apiVersion").unwrap().1;
    let manifest = archive.replace_all(manifest, "    {{addURIAndSha \"$1\" .TagName }}\n");
    let tag = concat!("v", env!("CARGO_PKG_VERSION"));
    let manifest = manifest.replace(tag, "{{ .TagName }}");
    let written = text_of(".krew.yaml");
    let (head, _) = written.split_once("apiVersion").unwrap();
    let expected = format!("{head}apiVersion{manifest}");
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(root().join(".krew.yaml"), expected).unwrap();
    } else {
        assert_eq!(written, expected);
    }
}

/// Checks one manifest with the rules of krew's validator and of its central index's bot.
#[track_caller]
pub(crate) fn assert_accepted(plugin: &Plugin, name: &str) {
    assert_eq!(
        plugin.api_version,
        "krew.googlecontainertools.github.com/v1alpha2"
    );
    assert_eq!(plugin.kind, "Plugin");
    assert_eq!(
        plugin.metadata.name, name,
        "the name of the file without .yaml"
    );
    assert_matches(r"^[\w-]+$", &plugin.metadata.name);
    let devices = Regex::new("(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])$").unwrap();
    assert!(!devices.is_match(name), "a device of Windows");
    let spec = &plugin.spec;
    assert_eq!(spec.version, concat!("v", env!("CARGO_PKG_VERSION")));
    assert_eq!(spec.homepage, env!("CARGO_PKG_HOMEPAGE"));
    let short = &spec.short_description;
    assert!(short.chars().count() <= 50, "{short}");
    assert_matches(r"^\w[^\n]*[^.\n]$", short);
    for line in spec
        .description
        .lines()
        .chain(spec.caveats.iter().flat_map(|text| text.lines()))
    {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(
        !spec.description.contains("kubectl hpa"),
        "examples of use belong elsewhere"
    );
    let mut seen = Vec::new();
    for platform in &spec.platforms {
        assert_platform(platform, &spec.version);
        assert!(
            !seen.contains(&platform.name()),
            "{} twice",
            platform.name()
        );
        seen.push(platform.name());
    }
    assert!(!seen.is_empty());
}

#[track_caller]
fn assert_platform(platform: &Platform, version: &str) {
    let labels = &platform.selector.match_labels;
    let keys: Vec<_> = labels.keys().map(String::as_str).collect();
    assert_eq!(keys, ["arch", "os"]);
    assert!(SUPPORTED.contains(&platform.name().as_str()));
    let (os, arch) = (&labels["os"], &labels["arch"]);
    let archive = format!("/kubectl-hpa-{version}-{os}-{arch}.tar.gz");
    assert_matches("^https://", &platform.uri);
    assert!(platform.uri.ends_with(&archive), "{}", platform.uri);
    assert_matches("^[0-9a-f]{64}$", &platform.sha256);
    let binary = if os == "windows" {
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

#[track_caller]
fn assert_matches(pattern: &str, text: &str) {
    let pattern = Regex::new(pattern).unwrap();
    assert!(pattern.is_match(text), "{text:?} is not {pattern}");
}

/// Reads a manifest. Fields that krew does not know are errors.
#[track_caller]
pub(crate) fn plugin(manifest: &str) -> Plugin {
    serde_saphyr::from_str(manifest).expect("the manifest has krew's fields")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Plugin {
    api_version: String,
    kind: String,
    metadata: Metadata,
    pub(crate) spec: Spec,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Spec {
    version: String,
    homepage: String,
    short_description: String,
    description: String,
    caveats: Option<String>,
    pub(crate) platforms: Vec<Platform>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Platform {
    pub(crate) uri: String,
    pub(crate) sha256: String,
    bin: String,
    selector: Selector,
    pub(crate) files: Vec<FileOperation>,
}

impl Platform {
    /// `linux/amd64`, for example.
    pub(crate) fn name(&self) -> String {
        let labels = &self.selector.match_labels;
        format!("{}/{}", labels["os"], labels["arch"])
    }
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Selector {
    #[serde(rename = "matchLabels")]
    match_labels: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileOperation {
    pub(crate) from: String,
    to: String,
}

/// Name and file of each manifest.
pub(crate) const MANIFESTS: [(&str, &str); 2] = [
    ("hpa", "krew/hpa.yaml"),
    ("explain-hpa", "krew/explain-hpa.yaml"),
];

const SUPPORTED: [&str; 10] = [
    "darwin/amd64",
    "darwin/arm64",
    "linux/386",
    "linux/amd64",
    "linux/arm",
    "linux/arm64",
    "linux/ppc64le",
    "windows/386",
    "windows/amd64",
    "windows/arm64",
];
