//! What many snapshots share is converted once.

use std::{collections::HashMap, sync::Arc};

use super::{InvalidField, wire};
use crate::model::{Autoscaler, OtherHpa, Pod, PodMetrics, Shared};

/// What several snapshots share, as it was converted for the first of them.
#[derive(Debug, Default)]
pub struct Converted {
    pub(super) pods: Once<wire::Pod, Pod>,
    pub(super) usages: Once<wire::PodMetrics, PodMetrics>,
    pub(super) other_hpas: OnceEach<wire::OtherHpa, OtherHpa>,
    pub(super) autoscalers: OnceEach<wire::Autoscaler, Autoscaler>,
}

impl Converted {
    /// Drops what no snapshot has any more, unless that is not worth a walk through all of it yet.
    pub fn forget_unused(&mut self) {
        self.pods.forget_unused();
        self.usages.forget_unused();
        self.other_hpas.forget_unused();
        self.autoscalers.forget_unused();
    }
}

/// Each list that is shared, and what it came to.
#[derive(Debug)]
pub(super) struct Once<T, U> {
    /// By the place of the list, which nothing else takes as long as the list is kept.
    lists: HashMap<usize, (Shared<T>, Shared<U>)>,
    /// How many of them were in use at the last walk through them.
    used: usize,
}

impl<T, U> Default for Once<T, U> {
    fn default() -> Self {
        Self {
            lists: HashMap::new(),
            used: 0,
        }
    }
}

impl<T, U> Once<T, U> {
    pub(super) fn of(
        &mut self,
        list: &Shared<T>,
        convert: impl FnOnce(&[T]) -> Result<Vec<U>, InvalidField>,
    ) -> Result<Shared<U>, InvalidField> {
        if let Some((_, converted)) = self.lists.get(&place(list)) {
            return Ok(converted.clone());
        }
        let converted = Shared::from(convert(list)?);
        if list.is_shared() {
            let known = (list.clone(), converted.clone());
            self.lists.insert(place(list), known);
        }
        Ok(converted)
    }

    fn forget_unused(&mut self) {
        if self.lists.len() <= self.used + self.used / 4 {
            return;
        }
        self.lists.retain(|_, (list, _)| list.is_shared());
        self.used = self.lists.len();
    }
}

/// Each part of lists that snapshots share, and what it came to.
#[derive(Debug)]
pub(super) struct OnceEach<T, U> {
    /// By the place of the part.
    parts: HashMap<usize, (Arc<T>, Arc<U>)>,
    /// How many of them were in use at the last walk through them.
    used: usize,
}

impl<T, U> Default for OnceEach<T, U> {
    fn default() -> Self {
        Self {
            parts: HashMap::new(),
            used: 0,
        }
    }
}

impl<T, U> OnceEach<T, U>
where
    for<'a> U: From<&'a T>,
{
    pub(super) fn each(&mut self, list: &[Arc<T>]) -> Vec<Arc<U>> {
        list.iter().map(|part| self.of(part)).collect()
    }

    fn of(&mut self, part: &Arc<T>) -> Arc<U> {
        if Arc::strong_count(part) == 1 {
            return Arc::new(part.as_ref().into());
        }
        let known = self.parts.entry(Arc::as_ptr(part).addr());
        let convert = || (Arc::clone(part), Arc::new(part.as_ref().into()));
        Arc::clone(&known.or_insert_with(convert).1)
    }

    fn forget_unused(&mut self) {
        if self.parts.len() <= self.used + self.used / 4 {
            return;
        }
        self.parts
            .retain(|_, (part, _)| 1 < Arc::strong_count(part));
        self.used = self.parts.len();
    }
}

/// Where a list is: no two that exist are at the same place.
fn place<T>(list: &Shared<T>) -> usize {
    std::ptr::from_ref::<Vec<T>>(list).addr()
}
