//! One finding for one mistake in a base that several overlays build from.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hpa_lint::{FileId, LintInput, ObjectRef, Reported, is_kustomization};
use kubectl_hpa_yaml::{YamlNode, parse_without_comments};

use crate::{
    linting::{files, walk::real},
    rendering::projects::{document, kustomization_in},
};

/// Merges the findings of several renderings that are about the same line of the same source file, and names the
/// renderings. The worst of them is kept, and the first of those that are equally bad.
pub(super) fn merge(findings: &mut Vec<Reported>, input: &LintInput) {
    let mut bases = BTreeMap::new();
    let mut groups: BTreeMap<Mistake, Vec<usize>> = BTreeMap::new();
    for (index, one) in findings.iter().enumerate() {
        let Some(folder) = folder_of(one, input) else {
            continue;
        };
        let bases = bases
            .entry(folder)
            .or_insert_with(|| Bases::of(Path::new(folder)));
        if let Some(mistake) = bases.mistake(one) {
            groups.entry(mistake).or_default().push(index);
        }
    }
    let mut is_kept = vec![true; findings.len()];
    for group in groups.into_values() {
        let mut folders: Vec<&str> = group
            .iter()
            .filter_map(|index| folder_of(&findings[*index], input))
            .collect();
        folders.dedup();
        // Several findings of one rendering are several mistakes.
        if folders.len() < 2 || folders.len() != group.len() {
            continue;
        }
        let names = format!(" (in {} renderings: {})", folders.len(), folders.join(", "));
        let severity = |index: &usize| findings[*index].finding.severity;
        let worst = group.iter().map(severity).max();
        let Some(kept) = group
            .iter()
            .copied()
            .find(|one| Some(severity(one)) == worst)
        else {
            continue;
        };
        for index in group {
            is_kept[index] = index == kept;
        }
        findings[kept].finding.message.to_mut().push_str(&names);
    }
    let mut is_kept = is_kept.into_iter();
    findings.retain(|_| is_kept.next() == Some(true));
}

/// The folder of the kustomization that renders the finding's object.
fn folder_of<'a>(reported: &Reported, input: &'a LintInput) -> Option<&'a str> {
    let file: FileId = reported.location?.file;
    let source = input.sources.get(file);
    let name = source.name.as_ref();
    let is_one = source.is_rendered && is_kustomization(name);
    let folder = Path::new(name).parent().filter(|_| is_one)?;
    folder
        .to_str()
        .map(|one| if one.is_empty() { "." } else { one })
}

/// A mistake in a source file. Two findings with the same are one mistake.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Mistake {
    code: &'static str,
    file: PathBuf,
    object: (String, String),
    path: String,
    message: String,
    help: String,
}

/// The objects that a kustomization builds from.
struct Bases {
    objects: Vec<(PathBuf, ObjectRef)>,
}

impl Bases {
    /// The objects of a folder's kustomization. What cannot be read has none: then nothing is merged.
    fn of(folder: &Path) -> Self {
        let mut bases = Self {
            objects: Vec::new(),
        };
        bases.folder(folder, &mut Vec::new());
        bases
    }

    fn folder(&mut self, folder: &Path, seen: &mut Vec<PathBuf>) {
        let name = real(folder);
        if seen.contains(&name) {
            return;
        }
        seen.push(name);
        let root = kustomization_in(folder).and_then(|path| document(&path).ok());
        let root = root.unwrap_or_default();
        for key in ["resources", "bases", "components"] {
            let items = root.get(key).map(YamlNode::items).unwrap_or_default();
            for path in items.iter().filter_map(YamlNode::as_str) {
                let path = folder.join(path);
                if path.is_dir() {
                    self.folder(&path, seen);
                } else if path.is_file() {
                    self.file(&path);
                }
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let text = files::text(path, false).unwrap_or_default();
        let file = real(path);
        for document in parse_without_comments(&text).into_iter().flatten() {
            let text = |path: &str| {
                let text = document.root.at(path).and_then(YamlNode::as_str);
                text.unwrap_or_default().to_owned()
            };
            let object = ObjectRef {
                kind: text("kind"),
                name: text("metadata.name"),
                ..ObjectRef::default()
            };
            self.objects.push((file.clone(), object));
        }
    }

    /// The mistake in the source that a finding is about. None: the source is not known.
    fn mistake(&self, reported: &Reported) -> Option<Mistake> {
        let object = &reported.object;
        let alike = self.objects.iter().filter_map(|(file, base)| {
            let added = (base.kind == object.kind).then(|| added(&base.name, &object.name))??;
            Some((base.name.len(), file, base, added))
        });
        let mut alike: Vec<_> = alike.collect();
        alike.sort_by_key(|(length, ..)| std::cmp::Reverse(*length));
        let (length, file, base, (prefix, suffix)) = *alike.first()?;
        if alike.get(1).is_some_and(|other| other.0 == length) {
            return None;
        }
        // The other objects of an overlay have the same prefix and suffix.
        let as_in_base = |text: &str| {
            let text = if prefix.is_empty() {
                text.to_owned()
            } else {
                text.replace(prefix, "")
            };
            if suffix.is_empty() {
                text
            } else {
                text.replace(suffix, "")
            }
        };
        Some(Mistake {
            code: reported.rule.code,
            file: file.clone(),
            object: (base.kind.clone(), base.name.clone()),
            path: reported.finding.path.to_string(),
            message: as_in_base(&reported.finding.message),
            help: as_in_base(&reported.finding.help),
        })
    }
}

/// What an overlay adds before and after the name of an object.
fn added<'a>(base: &str, name: &'a str) -> Option<(&'a str, &'a str)> {
    if base.is_empty() {
        return None;
    }
    let start = name.find(base)?;
    Some((&name[..start], &name[start + base.len()..]))
}
