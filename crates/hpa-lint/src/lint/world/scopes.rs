//! Objects by the way in which they are applied, and by namespace.
//!
//! Thousands of folders can have a copy each of one object. A question about one of them looks only at those that may
//! be applied together with the object that asks.

use std::collections::BTreeMap;

use super::{
    Workload, World, near::Near, selector_index::LabelIndex, template_index::TemplateIndex,
};
use crate::lint::{Kustomize, ObjectRef, kustomize::TreeClass};

/// Something for each class of files and each namespace in it.
#[derive(Clone, Debug)]
pub(super) struct Scopes<T> {
    by_class: BTreeMap<TreeClass, BTreeMap<String, T>>,
}

impl<T> Default for Scopes<T> {
    fn default() -> Self {
        Self {
            by_class: BTreeMap::new(),
        }
    }
}

impl<T: Default> Scopes<T> {
    /// The scope of an object.
    pub(super) fn of(&mut self, kustomize: &Kustomize, object: &ObjectRef) -> &mut T {
        let by_namespace = self.by_class.entry(kustomize.class(object)).or_default();
        by_namespace.entry(object.namespace.clone()).or_default()
    }

    /// All scopes.
    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        self.by_class.values().flat_map(BTreeMap::values)
    }

    /// The scopes of all objects that may belong together with one, and of some that do not.
    pub(super) fn beside<'a>(
        &'a self,
        kustomize: &'a Kustomize,
        own: &'a ObjectRef,
    ) -> impl Iterator<Item = &'a T> {
        let classes = kustomize.classes_beside(own);
        // The shorter list of the two is walked.
        let classes = classes.filter(|classes| classes.len() < self.by_class.len());
        let some = classes.unwrap_or_default().iter();
        let some = some.filter_map(|class| self.by_class.get(class));
        let all = self.by_class.values().filter(move |_| classes.is_none());
        let is_anywhere = own.namespace.is_empty() || kustomize.may_unite_namespaces(own);
        all.chain(some).flat_map(move |by_namespace| {
            let all = by_namespace.values().filter(move |_| is_anywhere);
            let own = (!is_anywhere).then(|| by_namespace.get(&own.namespace));
            let without = (!is_anywhere).then(|| by_namespace.get(""));
            all.chain(own.flatten()).chain(without.flatten())
        })
    }
}

/// What is found by name or label, in scopes; computed on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct ScopedIndices {
    pub(super) services: Scopes<LabelIndex>,
    pub(super) budgets: Scopes<LabelIndex>,
    /// Workloads by the labels of their selectors.
    pub(super) selectors: Scopes<LabelIndex>,
    /// Workloads by the labels of their pods.
    pub(super) templates: Scopes<TemplateIndex>,
    /// Workloads by name.
    pub(super) workloads: BTreeMap<String, Scopes<Called>>,
    copies: BTreeMap<Identity, Copies>,
}

/// Group, kind and name.
type Identity = (String, String, String);

/// Workloads of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Called {
    /// All.
    pub(super) all: Vec<usize>,
    /// By group, kind, and whether they have a selector.
    near: BTreeMap<(String, String, bool), Near>,
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
struct Copies {
    all: Near,
    by_class: BTreeMap<TreeClass, Near>,
}

impl ScopedIndices {
    pub(super) fn of(world: &World) -> Self {
        let kustomize = &world.kustomize;
        let mut scoped = Self::default();
        for (index, service) in world.services.iter().enumerate() {
            let services = scoped.services.of(kustomize, &service.object);
            services.add(index, &service.selector);
        }
        for (index, budget) in world.budgets.iter().enumerate() {
            let budgets = scoped.budgets.of(kustomize, &budget.object);
            budgets.add(index, &budget.match_labels);
        }
        for (index, workload) in world.workloads.iter().enumerate() {
            let object = &workload.object;
            let selectors = scoped.selectors.of(kustomize, object);
            selectors.add(index, &workload.match_labels);
            if let Ok(template) = workload.pod_template() {
                let templates = scoped.templates.of(kustomize, object);
                templates.add(index, &template.labels);
            }
            let by_name = scoped.workloads.entry(object.name.clone()).or_default();
            let called = by_name.of(kustomize, object);
            called.all.push(index);
            let (group, kind) = (workload.group.clone(), object.kind.clone());
            let near = called
                .near
                .entry((group, kind, workload.selector.is_some()));
            near.or_default().add(kustomize, index, object);
            if workload.selector.is_some() {
                let copies = scoped.copies.entry(identity(workload)).or_default();
                copies.all.add(kustomize, index, object);
                let of_class = copies.by_class.entry(kustomize.class(object)).or_default();
                of_class.add(kustomize, index, object);
            }
        }
        scoped
    }

    /// The distance of the nearest workload with the identity of another one and a selector that is not apart from an
    /// object, if no patch deletes anything.
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

fn identity(workload: &Workload) -> Identity {
    let object = &workload.object;
    (
        workload.group.clone(),
        object.kind.clone(),
        object.name.clone(),
    )
}

#[cfg(test)]
mod tests;
