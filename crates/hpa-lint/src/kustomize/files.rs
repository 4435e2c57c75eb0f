//! The files of the input, as kustomizations name them.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use super::path::{folder_in, normal};
use crate::FileId;

/// The name of each file. Tens of thousands of small ones take no more than their names, which their texts share.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// By number, as normal paths.
    known: Vec<Option<Arc<str>>>,
    /// Those that are a program's output, which no kustomization names.
    rendered: BTreeSet<FileId>,
    /// The files that kustomizations can name, sorted by name; computed on demand.
    by_name: OnceLock<Box<[FileId]>>,
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
        self.known[place] = Some(name);
        if is_rendered {
            self.rendered.insert(file);
        }
    }

    /// The folder of a file.
    pub(super) fn folder(&self, file: FileId) -> Option<&str> {
        Some(folder_in(self.get(file)?))
    }

    /// All files with their folders, in the order of their numbers.
    pub(super) fn folders(&self) -> impl Iterator<Item = (FileId, &str)> {
        let numbered = (0..).map(FileId).zip(&self.known);
        numbered.filter_map(|(file, known)| Some((file, folder_in(known.as_ref()?))))
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
            let known = numbered.filter(|(_, known)| known.is_some());
            let known = known.map(|(file, _)| file);
            let named = known.filter(|file| !self.rendered.contains(file));
            let mut files: Box<[FileId]> = named.collect();
            files.sort_by_key(|file| (self.name(*file), *file));
            files
        })
    }

    fn name(&self, file: FileId) -> &str {
        self.get(file).unwrap_or_default()
    }

    fn get(&self, file: FileId) -> Option<&str> {
        self.known.get(file.0 as usize)?.as_deref()
    }
}
