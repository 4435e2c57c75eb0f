//! Finds the nearest of many objects without measuring the distance of each.

use std::collections::BTreeMap;

use crate::{FileId, Kustomize, ObjectRef};

/// Objects of one kind and name by their folders.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The first of all.
    first: Option<usize>,
    /// The first of those that are in no file.
    without_file: Option<usize>,
    /// The first of each file.
    of_files: BTreeMap<FileId, usize>,
    /// Of each folder: the depth and the index of the one that is the fewest steps below it.
    below: BTreeMap<String, (usize, usize)>,
}

impl Near {
    /// Adds an object. Indices rise.
    pub(super) fn add(&mut self, kustomize: &Kustomize, index: usize, object: &ObjectRef) {
        self.first.get_or_insert(index);
        let Some(origin) = object.origin else {
            self.without_file.get_or_insert(index);
            return;
        };
        if self.of_files.contains_key(&origin.file) {
            return;
        }
        self.of_files.insert(origin.file, index);
        let folders = kustomize.folders_above(origin.file);
        let depth = folders.len();
        for folder in folders {
            let nearest = self.below.entry(folder).or_insert((depth, index));
            *nearest = (*nearest).min((depth, index));
        }
    }

    /// The nearest to an object, the first of several: [`Kustomize::distance`] and the index.
    pub(super) fn nearest(&self, kustomize: &Kustomize, own: &ObjectRef) -> Option<(usize, usize)> {
        let Some(origin) = own.origin else {
            return Some((0, self.first?));
        };
        let of_file = self.of_files.get(&origin.file).copied();
        let at_once = of_file.into_iter().chain(self.without_file).min();
        if let Some(index) = at_once {
            return Some((0, index));
        }
        let folders = kustomize.folders_above(origin.file);
        let own_depth = folders.len();
        // One that is below a deeper folder too is nearer than it seems from here, and is found there.
        let by_folder = folders.iter().zip(1..).filter_map(|(folder, shared)| {
            let (depth, index) = self.below.get(folder)?;
            Some((1 + own_depth + depth - 2 * shared, *index))
        });
        by_folder.min()
    }
}
