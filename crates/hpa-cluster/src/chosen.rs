//! Which HPAs of a file are meant.

use std::collections::BTreeSet;

use hpa_objects::recording::wire::Hpa;
use hpa_words::amount::names;

use super::named::{is_selected, no_hpa};

/// The HPAs of a file that names and namespace select.
pub struct ChosenHpas<'a> {
    namespace: Option<&'a str>,
    /// Each name, and whether it was found.
    names: Vec<(String, bool)>,
    /// Namespaces and names of all HPAs in the file.
    all: BTreeSet<(String, String)>,
}

impl<'a> ChosenHpas<'a> {
    /// Those of a namespace with these names; no names: all.
    pub fn new(namespace: Option<&'a str>, names: Vec<String>) -> Self {
        Self {
            namespace,
            names: names.into_iter().map(|name| (name, false)).collect(),
            all: BTreeSet::new(),
        }
    }

    /// The number of HPAs that were seen.
    pub fn seen(&self) -> usize {
        self.all.len()
    }

    /// Whether this HPA is selected.
    pub fn takes(&mut self, hpa: &Hpa) -> bool {
        let namespace = hpa.metadata.namespace.clone().unwrap_or_default();
        let is_in_namespace = self
            .namespace
            .is_none_or(|requested| requested == namespace);
        let place = (namespace, hpa.metadata.name.clone());
        self.all.insert(place);
        let mut is_named = self.names.is_empty();
        for (name, is_found) in &mut self.names {
            if is_in_namespace && is_selected(hpa, name) {
                *is_found = true;
                is_named = true;
            }
        }
        is_in_namespace && is_named
    }

    /// Checks that the namespace and every name were found.
    pub fn all_found(&self) -> Result<(), String> {
        let missing = self.names.iter().find(|(_, is_found)| !is_found);
        let is_there = |namespace| self.all.iter().any(|(there, _)| there == namespace);
        let what = match (missing, self.namespace) {
            (Some((name, _)), _) => no_hpa(name),
            (None, Some(namespace)) if self.names.is_empty() && !is_there(namespace) => {
                "no HPAs".to_owned()
            }
            _ => return Ok(()),
        };
        let place = self.namespace.map_or_else(
            || "in it".to_owned(),
            |namespace| format!("in namespace {namespace} of it"),
        );
        let all: Vec<String> = self
            .all
            .iter()
            .map(|(namespace, name)| format!("{namespace}/{name}"))
            .collect();
        Err(format!("{what} {place}. It has {}", names(&all, 5)))
    }
}
