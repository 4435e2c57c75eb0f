//! The files of the input, as kustomizations name them.

use std::sync::{Arc, OnceLock};

use super::path::{folder_in, normal};
use crate::FileId;

/// The name of each file. Tens of thousands of small ones take no more than their names, which their texts share.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// By number.
    known: Vec<Option<KnownFile>>,
    /// The files that kustomizations can name, sorted by name; computed on demand.
    by_name: OnceLock<Box<[FileId]>>,
}

#[derive(Clone, Debug)]
struct KnownFile {
    /// As a normal path.
    name: Arc<str>,
    /// Whether it is a program's output, which no kustomization names.
    is_rendered: bool,
}

impl Files {
    /// Adds a file.
    pub(super) fn insert(&mut self, file: FileId, name: &Arc<str>, is_rendered: bool) {
        self.by_name.take();
        let place = file.0 as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, None);
        }
        let normal = normal(name);
        let name = if *normal == **name {
            Arc::clone(name)
        } else {
            normal.into()
        };
        self.known[place] = Some(KnownFile { name, is_rendered });
    }

    /// The folder of a file.
    pub(super) fn folder(&self, file: FileId) -> Option<&str> {
        Some(folder_in(&self.get(file)?.name))
    }

    /// All files with their folders, in the order of their numbers.
    pub(super) fn folders(&self) -> impl Iterator<Item = (FileId, &str)> {
        let numbered = (0..).map(FileId).zip(&self.known);
        numbered.filter_map(|(file, known)| Some((file, folder_in(&known.as_ref()?.name))))
    }

    /// The file that a kustomization names; the last if there are several.
    pub(super) fn named(&self, name: &str) -> Option<FileId> {
        let by_name = self.by_name();
        let behind = by_name.partition_point(|file| self.name(*file) <= name);
        let last = *by_name.get(behind.checked_sub(1)?)?;
        (self.name(last) == name).then_some(last)
    }

    fn by_name(&self) -> &[FileId] {
        self.by_name.get_or_init(|| {
            let numbered = (0..).map(FileId).zip(&self.known);
            let is_named = |known: &KnownFile| !known.is_rendered;
            let named = numbered.filter(|(_, known)| known.as_ref().is_some_and(is_named));
            let mut files: Box<[FileId]> = named.map(|(file, _)| file).collect();
            files.sort_by_key(|file| (self.name(*file), *file));
            files
        })
    }

    fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("", |known| &known.name)
    }

    fn get(&self, file: FileId) -> Option<&KnownFile> {
        self.known.get(file.0 as usize)?.as_ref()
    }
}
