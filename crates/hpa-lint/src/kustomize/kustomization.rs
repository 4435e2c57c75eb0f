//! A `kustomization.yaml`: what it builds from, and its patches.

use kubectl_hpa_yaml::{Document, YamlNode, parse_without_comments};

use super::{
    patch::{Patch, PatchTarget},
    path::join,
};
use crate::{FileId, ObjectOrigin, ObjectRef, world::text_at};

/// A `kustomization.yaml`.
#[derive(Clone, Debug)]
pub struct Kustomization {
    /// Its folder.
    pub folder: String,
    /// Whether it is a component: it changes the builds that include it, and not only its own.
    pub(super) is_component: bool,
    /// Files and folders that it builds from.
    pub(super) resources: Vec<String>,
    /// Folders of components.
    pub(super) components: Vec<String>,
    /// Its patches.
    pub(super) patches: Vec<PatchListEntry>,
    /// Whether it sets its own namespace in everything that it builds.
    pub(super) sets_namespace: bool,
    /// What it puts before each name.
    pub(super) name_prefix: String,
    /// What it puts after each name.
    pub(super) name_suffix: String,
    /// Whether it generates or changes objects in ways that are not analyzed.
    pub(super) has_more: bool,
}

/// An entry of a list of patches.
#[derive(Clone, Debug)]
pub(super) struct PatchListEntry {
    /// Its target, if the entry has one.
    pub(super) target: Option<PatchTarget>,
    pub(super) source: PatchSource,
}

#[derive(Clone, Debug)]
pub(super) enum PatchSource {
    /// Patches of a file.
    File(String),
    /// Inline patches.
    Here(Vec<Patch>),
}

impl Kustomization {
    /// Reads the `kustomization.yaml` of a folder.
    pub(super) fn of(folder: String, file: FileId, document: &Document) -> Self {
        let node = &document.root;
        let here = KustomizationPlace {
            folder: &folder,
            node,
            place: ObjectRef {
                kind: "Kustomization".to_owned(),
                name: folder.clone(),
                origin: Some(ObjectOrigin {
                    file,
                    document: document.number,
                    start: node.span.start,
                }),
                ..ObjectRef::default()
            },
        };
        let mut resources = here.paths("resources");
        resources.extend(here.paths("bases"));
        let patches = here.patches();
        let has_more = [
            "helmCharts",
            "helmChartInflationGenerator",
            "generators",
            "transformers",
            "replacements",
            "vars",
        ]
        .iter()
        .any(|key| node.get(key).is_some());
        Self {
            is_component: text_at(node, "kind") == "Component",
            resources,
            components: here.paths("components"),
            patches,
            sets_namespace: !text_at(node, "namespace").is_empty(),
            name_prefix: text_at(node, "namePrefix"),
            name_suffix: text_at(node, "nameSuffix"),
            has_more,
            folder,
        }
    }
}

/// Whether a file is a kustomization, by its name.
pub fn is_kustomization(name: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    KUSTOMIZATIONS.contains(&name)
}

/// Valid names of kustomization files.
pub const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

struct KustomizationPlace<'a> {
    folder: &'a str,
    node: &'a YamlNode,
    place: ObjectRef,
}

impl KustomizationPlace<'_> {
    fn items(&self, key: &str) -> &[YamlNode] {
        self.node.get(key).map(YamlNode::items).unwrap_or_default()
    }

    fn paths(&self, key: &str) -> Vec<String> {
        let texts = self.items(key).iter().filter_map(YamlNode::as_str);
        texts.map(|path| join(self.folder, path)).collect()
    }

    fn patches(&self) -> Vec<PatchListEntry> {
        let mut patches = Vec::new();
        for key in ["patches", "patchesJson6902"] {
            for (index, entry) in self.items(key).iter().enumerate() {
                let text = |key: &str| entry.get(key).and_then(YamlNode::as_str);
                let source = match (text("path"), text("patch")) {
                    (Some(path), _) => PatchSource::File(join(self.folder, path)),
                    (None, Some(patch)) => {
                        self.written_here(patch, &format!("{key}[{index}].patch"))
                    }
                    (None, None) => continue,
                };
                let target = entry.get("target").map(PatchTarget::of);
                patches.push(PatchListEntry { target, source });
            }
        }
        for (index, entry) in self.items("patchesStrategicMerge").iter().enumerate() {
            let Some(text) = entry.as_str() else { continue };
            let source = if text.contains('\n') {
                self.written_here(text, &format!("patchesStrategicMerge[{index}]"))
            } else {
                PatchSource::File(join(self.folder, text))
            };
            patches.push(PatchListEntry {
                target: None,
                source,
            });
        }
        for (index, entry) in self.items("replicas").iter().enumerate() {
            let count = entry.get("count").and_then(YamlNode::as_i32);
            let path = format!("replicas[{index}].count");
            let patch = Patch::of_replicas(text_at(entry, "name"), count, self.place.clone(), path);
            patches.push(PatchListEntry {
                target: None,
                source: PatchSource::Here(vec![patch]),
            });
        }
        patches
    }

    fn written_here(&self, text: &str, path: &str) -> PatchSource {
        let documents = parse_without_comments(text).into_iter().flatten();
        let patches = documents.map(|document| Patch::of(&document.root, self.place.clone(), path));
        PatchSource::Here(patches.collect())
    }
}
