//! PodDisruptionBudgets.

use std::collections::BTreeMap;

use hpa_engine::model::{PodShare, Selector};

use super::read;
use crate::{Object, ObjectRef};

/// A PodDisruptionBudget.
// Unlike a snapshot's, it keeps its other fields if one share is invalid.
#[derive(Clone, Debug)]
pub struct BudgetObject {
    /// Its identity.
    pub object: ObjectRef,
    /// `spec.minAvailable`.
    pub min_available: Option<PodShare>,
    /// `spec.maxUnavailable`.
    pub max_unavailable: Option<PodShare>,
    /// `spec.selector`. None: it selects no pod, or the API server would reject it.
    pub selector: Option<Selector>,
    /// `spec.selector.matchLabels`.
    pub match_labels: BTreeMap<String, String>,
}

impl BudgetObject {
    /// Reads a PodDisruptionBudget.
    pub fn of(object: &Object) -> Self {
        let selector = object.node.at("spec.selector").map(read::label_selector);
        Self {
            object: object.reference(),
            min_available: read::share(object.node.at("spec.minAvailable")),
            max_unavailable: read::share(object.node.at("spec.maxUnavailable")),
            selector: selector.as_ref().and_then(read::selector),
            match_labels: selector.unwrap_or_default().match_labels,
        }
    }

    /// Whether it selects pods with these labels.
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        self.selector
            .as_ref()
            .is_some_and(|selector| selector.matches(labels))
    }
}
