//! A parsed selector: matching and the canonical string.

use std::{collections::BTreeMap, fmt};

use super::{
    ParseSelectorError, Wording, go_sort::go_sort, parse::parse_requirements,
    requirement::Requirement,
};

/// A parsed label selector. Upstream: `labels.Selector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// Sorted by key.
    requirements: Vec<Requirement>,
}

impl Selector {
    /// Parses the string form. Upstream: `labels.Parse`.
    pub fn parse(text: &str, wording: Wording) -> Result<Self, ParseSelectorError> {
        let requirements = parse_requirements(text, wording).map_err(ParseSelectorError)?;
        Ok(Self::new(requirements))
    }

    /// Sorts by key. Requirements on the same key keep Go's order, because the controller's messages show it.
    pub(super) fn new(mut requirements: Vec<Requirement>) -> Self {
        go_sort(&mut requirements, |left, right| left.key < right.key);
        Self { requirements }
    }

    /// Whether `labels` meet all requirements.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        let mut requirements = self.requirements.iter();
        requirements.all(|requirement| requirement.matches(labels))
    }

    /// All labels (key and value) that every match must have.
    pub fn required_labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.requirements
            .iter()
            .filter_map(Requirement::required_value)
    }

    /// Whether it has no requirements and so matches everything.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }
}

impl fmt::Display for Selector {
    /// The canonical string: requirements sorted by key, values sorted, no extra spaces.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.requirements.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(formatter, "{separator}{requirement}")?;
        }
        Ok(())
    }
}
