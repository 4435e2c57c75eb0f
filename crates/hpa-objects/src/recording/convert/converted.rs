//! Converts data only once if many snapshots share it.

use std::{collections::HashMap, sync::Arc};

use hpa_engine::model::{Pod, PodMetrics, Shared};

use super::{InvalidField, wire};

/// Converted data that several snapshots share.
#[derive(Debug, Default)]
pub struct Converted {
    pub(super) pods: Once<Arc<wire::Pod>, Pod>,
    pub(super) usages: Once<Arc<wire::PodMetrics>, PodMetrics>,
}

impl Converted {
    /// Drops data that no snapshot uses any more. Does nothing while a scan is not worth it.
    pub fn forget_unused(&mut self) {
        self.pods.forget_unused();
        self.usages.forget_unused();
    }
}

/// Each shared list and its conversion.
#[derive(Debug)]
pub(super) struct Once<T, U> {
    /// By address of the list. It stays unique while the list is kept.
    lists: HashMap<usize, (Shared<T>, Shared<U>)>,
    /// How many of them were in use at the last scan.
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

/// The address of a list. No two existing lists have the same.
fn place<T>(list: &Shared<T>) -> usize {
    std::ptr::from_ref::<Vec<T>>(list).addr()
}
