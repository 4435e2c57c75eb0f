//! The rules: one file each, in the folder of its family. The first digit of a code is the family.
//!
//! A file contains the declaration (codes, severity, documentation with an example that fires and one that does not),
//! the
//! check, and tests of what the examples do not show. Codes and names are never reused.
// All checks have the same type, including those that never lack an input.
#![allow(clippy::unnecessary_wraps)]

mod autoscalers;
mod behavior;
mod bounds;
mod cluster;
mod environment;
mod higher_maximum;
mod history;
mod metrics;
mod page;
mod pods;
mod scale_target;
mod schema;
mod status;

pub use page::{families, family, index, needs, page, page_name, section, value};

use hpa_engine::model::ControllerConfig;

use crate::Rule;

/// The families, in the order of their digits: `HPA0xx` first.
static FAMILIES: [&[&Rule]; 10] = [
    schema::RULES,
    bounds::RULES,
    metrics::RULES,
    behavior::RULES,
    scale_target::RULES,
    pods::RULES,
    autoscalers::RULES,
    cluster::RULES,
    status::RULES,
    history::RULES,
];

/// All rules, sorted by code.
pub fn catalogue() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten().copied()
}

/// The rule with this code (in any case) or name.
pub fn find(text: &str) -> Option<&'static Rule> {
    catalogue().find(|rule| rule.is_called(text))
}

/// The rule that reports documents that cannot be parsed.
pub fn undecodable() -> &'static Rule {
    &schema::undecodable::RULE
}

/// The text of HPA707 for a controller: which of its flags are assumed.
pub fn assumed_flags(config: &ControllerConfig) -> Option<String> {
    cluster::flags_assumed::note(config)
}

/// The rule that reports assumed flags of the controller.
pub fn flags_assumed() -> &'static Rule {
    &cluster::flags_assumed::RULE
}
