//! Who an object belongs to.

use std::collections::BTreeMap;

use crate::model::Owner;

/// What an object says about who manages it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Those of its labels and annotations that tell.
    pub marks: BTreeMap<String, String>,
    /// The controlling owner, if any.
    pub owner: Option<Owner>,
}

impl Origin {
    /// A label or annotation, if it has one that is not empty.
    pub fn mark(&self, name: &str) -> Option<&str> {
        self.marks
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}
