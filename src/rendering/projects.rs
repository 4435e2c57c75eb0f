//! Which folders are rendered, and which files are then skipped.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use hpa_lint::KUSTOMIZATIONS;
use hpa_words::sanitize::file_name;
use kubectl_hpa_yaml::{YamlNode, YamlValue, parse_without_comments};

use crate::linting::{files, walk::real};

/// A folder that a program renders.
#[derive(Debug)]
pub(super) enum Project {
    /// It has a `Chart.yaml`.
    Chart(PathBuf),
    /// It has a kustomization.
    Kustomization(PathBuf),
}

/// The projects to render.
#[derive(Debug, Default)]
pub(super) struct Projects {
    /// The folders to render: no base or component of another one, and no chart inside a chart.
    pub(super) roots: Vec<Project>,
    /// Folders of charts, by their real paths.
    charts: BTreeSet<PathBuf>,
    /// Kustomizations and the files that they name, by their real paths.
    files: BTreeSet<PathBuf>,
}

impl Projects {
    /// The projects in the given paths: folders, nested ones if recursive, and files that make a folder a project.
    pub(super) fn of(given: &[PathBuf], is_recursive: bool) -> anyhow::Result<Self> {
        let mut search = Search::default();
        for path in given {
            if path.is_dir() {
                search.folder(path, is_recursive)?;
            } else if let Some(folder) = path.parent()
                && path
                    .file_name()
                    .is_some_and(|name| name == CHART || is_kustomization(name))
            {
                search.project(if folder.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    folder
                })?;
            }
        }
        let Search {
            mut projects,
            kustomizations,
            used,
            ..
        } = search;
        let roots = kustomizations
            .into_iter()
            .filter(|folder| !used.contains(&real(folder)));
        projects.roots.extend(roots.map(Project::Kustomization));
        Ok(projects)
    }

    /// Whether a file is part of a project.
    pub(super) fn cover(&self, path: &Path) -> bool {
        let path = real(path);
        self.files.contains(&path) || self.charts.iter().any(|chart| path.starts_with(chart))
    }
}

/// The file that makes a folder a chart.
const CHART: &str = "Chart.yaml";

fn is_kustomization(name: &std::ffi::OsStr) -> bool {
    KUSTOMIZATIONS.iter().any(|one| name == *one)
}

/// The kustomization of a folder.
pub(super) fn kustomization_in(folder: &Path) -> Option<PathBuf> {
    let mut paths = KUSTOMIZATIONS.iter().map(|name| folder.join(name));
    paths.find(|path| path.is_file())
}

/// The first document of a file. Empty if it is broken: what is wrong is the error of the program that builds it.
pub(super) fn document(path: &Path) -> anyhow::Result<YamlNode> {
    let text = files::text(path, false).with_context(|| file_name(path))?;
    let document = parse_without_comments(&text).into_iter().next();
    let root = document.and_then(Result::ok).map(|document| document.root);
    Ok(root.unwrap_or_default())
}

#[derive(Default)]
struct Search {
    projects: Projects,
    /// Folders with a kustomization that is not a component.
    kustomizations: Vec<PathBuf>,
    /// Folders that a kustomization builds from.
    used: BTreeSet<PathBuf>,
    seen: BTreeSet<PathBuf>,
}

impl Search {
    fn folder(&mut self, folder: &Path, is_recursive: bool) -> anyhow::Result<()> {
        if !self.seen.insert(real(folder)) {
            return Ok(());
        }
        if self.project(folder)? || !is_recursive {
            return Ok(());
        }
        let name = || file_name(folder);
        let entries = fs::read_dir(folder).with_context(name)?;
        let mut folders: Vec<PathBuf> = Vec::new();
        for entry in entries {
            let entry = entry.with_context(name)?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_hidden && entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
        folders.sort();
        folders
            .iter()
            .try_for_each(|folder| self.folder(folder, true))
    }

    /// Adds a folder if it can be rendered. Returns whether it is a chart, which includes its subfolders.
    fn project(&mut self, folder: &Path) -> anyhow::Result<bool> {
        if folder.join(CHART).is_file() {
            if self.projects.charts.insert(real(folder)) {
                self.projects.roots.push(Project::Chart(folder.to_owned()));
            }
            return Ok(true);
        }
        if let Some(path) = kustomization_in(folder)
            && self.projects.files.insert(real(&path))
        {
            self.kustomization(folder, &path)?;
        }
        Ok(false)
    }

    fn kustomization(&mut self, folder: &Path, path: &Path) -> anyhow::Result<()> {
        let root = document(path)?;
        for key in ["resources", "bases", "components"] {
            let items = root.get(key).map(YamlNode::items).unwrap_or_default();
            let paths = items.iter().filter_map(YamlNode::as_str);
            let folders = paths
                .map(|path| folder.join(path))
                .filter(|path| path.is_dir());
            self.used.extend(folders.map(|folder| real(&folder)));
        }
        self.named(folder, &root);
        if root.get("kind").and_then(YamlNode::as_str) != Some("Component") {
            self.kustomizations.push(folder.to_owned());
        }
        Ok(())
    }

    /// Records the files that a kustomization names, at any field.
    fn named(&mut self, folder: &Path, node: &YamlNode) {
        match &node.value {
            YamlValue::Text(text) if !text.contains('\n') => {
                let path = folder.join(&**text);
                if path.is_file() {
                    self.projects.files.insert(real(&path));
                }
            }
            _ => {
                node.entries()
                    .iter()
                    .for_each(|entry| self.named(folder, &entry.node));
                node.items()
                    .iter()
                    .for_each(|item| self.named(folder, item));
            }
        }
    }
}
