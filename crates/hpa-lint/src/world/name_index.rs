//! Which of many objects have a name.

use std::sync::OnceLock;

/// The places of objects, sorted by their names; computed on demand. Most names are of one object, and a map with a list
/// for each would take more than many manifests.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex(OnceLock<Vec<usize>>);

impl NameIndex {
    /// Forgets what was computed, because there is another object.
    pub(super) fn forget(&mut self) {
        self.0.take();
    }

    /// The places of the objects of a name, in the order of addition.
    pub(super) fn called<T>(
        &self,
        objects: &[T],
        name_of: impl Fn(&T) -> &str,
        name: &str,
    ) -> &[usize] {
        let places = self.places(objects, &name_of);
        let start = places.partition_point(|place| name_of(&objects[*place]) < name);
        let rest = &places[start..];
        let end = rest.partition_point(|place| name_of(&objects[*place]) == name);
        &rest[..end]
    }

    /// The places of each name, sorted by names.
    pub(super) fn by_name<'a, T>(
        &'a self,
        objects: &'a [T],
        name_of: impl Fn(&T) -> &str + Copy + 'a,
    ) -> impl Iterator<Item = &'a [usize]> {
        let places = self.places(objects, name_of);
        places.chunk_by(move |one, other| name_of(&objects[*one]) == name_of(&objects[*other]))
    }

    fn places<T>(&self, objects: &[T], name_of: impl Fn(&T) -> &str) -> &[usize] {
        self.0.get_or_init(|| {
            let mut places: Vec<usize> = (0..objects.len()).collect();
            places.sort_by(|one, other| name_of(&objects[*one]).cmp(name_of(&objects[*other])));
            places
        })
    }
}
