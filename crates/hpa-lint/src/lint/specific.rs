//! Removes findings that a more specific one makes redundant.

use std::collections::BTreeMap;

use super::{ObjectRef, Reported};

/// Removes a finding if a more specific rule reports the same field of the same object, or one around or within it.
/// Only reported findings count: one that is accepted, or that itself yields, removes nothing.
pub(super) fn keep_most_specific(findings: &mut Vec<Reported>) {
    let mut by_object: BTreeMap<&ObjectRef, Vec<&Reported>> = BTreeMap::new();
    for one in findings.iter() {
        by_object.entry(&one.object).or_default().push(one);
    }
    let keeps: Vec<bool> = findings
        .iter()
        .map(|one| is_reported(one, &by_object[&one.object]))
        .collect();
    let mut keeps = keeps.into_iter();
    findings.retain(|_| keeps.next() == Some(true));
}

fn is_reported(one: &Reported, of_object: &[&Reported]) -> bool {
    let (rule, path) = (one.rule, &*one.finding.path);
    rule.yields_to.is_empty()
        || !of_object.iter().any(|other| {
            let other_path = &*other.finding.path;
            rule.yields_to.contains(&other.rule.code)
                && (is_within(path, other_path) || is_within(other_path, path))
                && is_reported(other, of_object)
        })
}

/// Whether a field equals another one or is within it. Every field is within the whole object.
pub fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer)
        .is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

#[cfg(test)]
mod tests {
    use crate::rules;

    /// The length of the longest chain of rules that yield to each other.
    fn depth(code: &str, above: usize) -> usize {
        assert!(above < 10, "{code} gives way to itself");
        let rule = rules::find(code).expect("a rule that others give way to exists");
        let depths = rule.yields_to.iter().map(|code| depth(code, above + 1));
        depths.max().unwrap_or(above)
    }

    #[test]
    fn no_rule_gives_way_to_itself() {
        let deepest = rules::catalogue().map(|rule| depth(rule.code, 0)).max();
        assert!(deepest > Some(1));
    }
}
