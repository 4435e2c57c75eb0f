//! Objects by the way in which they are applied, and by namespace.
//!
//! Thousands of folders can have a copy each of one object. A question about one of them looks only at those that may
//! be applied together with the object that asks.

use std::collections::BTreeMap;

use super::{Workload, near::Near, selector_index::LabelIndex, template_index::TemplateIndex};
use crate::{Kustomize, ObjectRef, kustomize::TreeClass};

/// Something for each class of files and each namespace in it. Most have one of each, and there are thousands of these, so
/// they are sorted lists and no trees.
#[derive(Clone, Debug)]
pub(crate) struct Scopes<T> {
    by_class: Vec<(TreeClass, Vec<(String, T)>)>,
}

impl<T> Default for Scopes<T> {
    fn default() -> Self {
        Self {
            by_class: Vec::new(),
        }
    }
}

impl<T: Default> Scopes<T> {
    /// The scope of an object.
    pub(crate) fn of(&mut self, kustomize: &Kustomize, object: &ObjectRef) -> &mut T {
        let class = kustomize.class(object);
        let place = self
            .by_class
            .binary_search_by(|(known, _)| known.cmp(&class));
        let by_namespace = added(&mut self.by_class, place, || class);
        let namespace = object.namespace.as_str();
        let place = place_of(by_namespace, namespace);
        added(by_namespace, place, || namespace.to_owned())
    }

    /// All scopes.
    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        self.by_class.iter().flat_map(|(_, scopes)| values(scopes))
    }

    /// The scopes of all objects that may belong together with one, and of some that do not.
    pub(crate) fn beside<'a>(
        &'a self,
        kustomize: &'a Kustomize,
        own: &'a ObjectRef,
    ) -> impl Iterator<Item = &'a T> {
        let classes = kustomize.classes_beside(own);
        // Of many classes that go together, all are fewer.
        let classes = classes.filter(|classes| classes.len() < self.by_class.len());
        let all = classes.is_none().then_some(&self.by_class);
        let some = classes.unwrap_or_default().iter();
        let some = some.filter_map(|class| {
            let place = self
                .by_class
                .binary_search_by(|(known, _)| known.cmp(class));
            self.by_class.get(place.ok()?)
        });
        let is_anywhere = own.namespace.is_empty() || kustomize.may_unite_namespaces(own);
        all.into_iter()
            .flatten()
            .chain(some)
            .flat_map(move |(_, by_namespace)| {
                let all = is_anywhere.then(|| values(by_namespace));
                let some = [own.namespace.as_str(), ""].into_iter();
                let some = some.filter(move |_| !is_anywhere);
                let some = some.filter_map(|namespace| {
                    let place = place_of(by_namespace, namespace).ok()?;
                    by_namespace.get(place).map(|(_, scope)| scope)
                });
                all.into_iter().flatten().chain(some)
            })
    }
}

fn values<K, T>(sorted: &[(K, T)]) -> impl Iterator<Item = &T> {
    sorted.iter().map(|(_, value)| value)
}

fn place_of<T>(sorted: &[(String, T)], key: &str) -> Result<usize, usize> {
    sorted.binary_search_by(|(known, _)| known.as_str().cmp(key))
}

/// The value at the place of a key, which is added if it is not there.
pub(super) fn added<K, T: Default>(
    sorted: &mut Vec<(K, T)>,
    place: Result<usize, usize>,
    key: impl FnOnce() -> K,
) -> &mut T {
    let index = place.unwrap_or_else(|index| {
        // Otherwise the first would take the room of four.
        if sorted.is_empty() {
            sorted.reserve_exact(1);
        }
        sorted.insert(index, (key(), T::default()));
        index
    });
    &mut sorted[index].1
}

/// Up to so many objects of one name are compared each time. More are collected once; for each of many thousands of names
/// that would take more memory than the manifests.
pub(super) const FEW: usize = 8;

/// What is found by name or label, in scopes; computed on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct ScopedIndices {
    pub(super) services: Scopes<LabelIndex>,
    pub(super) budgets: Scopes<LabelIndex>,
    /// Workloads by the labels of their selectors.
    pub(super) selectors: Scopes<LabelIndex>,
    /// Workloads by the labels of their pods.
    pub(super) templates: Scopes<TemplateIndex>,
    /// Workloads by name, if they are more than a [`FEW`].
    pub(super) workloads: BTreeMap<String, Scopes<Called>>,
    /// HPAs by name, if they are more than a [`FEW`].
    pub(super) hpas: BTreeMap<String, Scopes<Vec<usize>>>,
    /// PersistentVolumeClaims by name.
    pub(super) claims: BTreeMap<String, Scopes<Vec<usize>>>,
    pub(super) quotas: Scopes<Vec<usize>>,
    pub(super) limit_ranges: Scopes<Vec<usize>>,
    /// Workloads of one identity, if those of their name are more than a [`FEW`].
    pub(super) copies: BTreeMap<Identity, Copies>,
    /// The places of all workloads, sorted by what they are.
    pub(super) by_object: Box<[usize]>,
}

/// Group, kind and name.
type Identity = (String, String, String);

/// Workloads of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Called {
    /// All.
    pub(super) all: Vec<usize>,
    /// By group, kind, and whether they have a selector.
    pub(super) near: BTreeMap<(String, String, bool), Near>,
}

impl Called {
    /// One workload with a selector and one without, each the nearest to an object and the first of several.
    pub(super) fn nearest(
        &self,
        kustomize: &Kustomize,
        own: &ObjectRef,
        (group, kind): (&str, &str),
    ) -> impl Iterator<Item = usize> {
        [true, false].into_iter().filter_map(move |has_selector| {
            let kind = (group.to_owned(), kind.to_owned(), has_selector);
            let (_, index) = self.near.get(&kind)?.nearest(kustomize, own)?;
            Some(index)
        })
    }
}

/// Workloads of one group, kind and name, with a selector.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    pub(super) all: Near,
    pub(super) by_class: BTreeMap<TreeClass, Near>,
}

impl ScopedIndices {
    /// The distance of the nearest workload with the identity of another one and a selector that is not apart from an
    /// object, if no patch deletes anything and there are more than a [`FEW`] of its name.
    pub(super) fn least_distance(
        &self,
        kustomize: &Kustomize,
        workload: &Workload,
        object: &ObjectRef,
    ) -> Option<usize> {
        let copies = self.copies.get(&identity(workload))?;
        let Some(classes) = kustomize.classes_beside(object) else {
            return Some(copies.all.nearest(kustomize, object)?.0);
        };
        let classes = classes
            .iter()
            .filter_map(|class| copies.by_class.get(class));
        let nearest = classes.filter_map(|near| near.nearest(kustomize, object));
        nearest.map(|(distance, _)| distance).min()
    }
}

pub(super) fn identity(workload: &Workload) -> Identity {
    let object = &workload.object;
    (
        workload.group.clone(),
        object.kind.clone(),
        object.name.clone(),
    )
}
