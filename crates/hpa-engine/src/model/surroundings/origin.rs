//! Who manages an object.

use std::collections::BTreeMap;

use crate::model::Owner;

/// What an object's metadata says about its manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The labels and annotations that name a manager.
    pub marks: BTreeMap<String, String>,
    /// The controlling owner, if any.
    pub owner: Option<Owner>,
}

impl Origin {
    /// A label or annotation, unless absent or empty.
    pub fn mark(&self, name: &str) -> Option<&str> {
        self.marks
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}
