//! Removes findings that another one makes redundant: a more specific one, or the same about a copy of the object.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Needs, ObjectRef, Reported, is_within,
    world::{Scopes, World},
};

/// Removes a finding if a more specific rule reports the same field of the same object, or one around or within it.
/// Only reported findings count: one that is accepted, or that itself yields, removes nothing.
pub(super) fn keep_most_specific(findings: &mut Vec<Reported>) {
    let mut by_object: BTreeMap<&ObjectRef, Vec<&Reported>> = BTreeMap::new();
    for one in findings.iter() {
        by_object.entry(&one.object).or_default().push(one);
    }
    let keeps: Vec<bool> = findings
        .iter()
        .map(|one| is_reported(one, &by_object[&*one.object]))
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

/// Keeps the first finding about several objects where files contain a copy of one of them: together they are one
/// mistake. Findings about the text of one object are kept, because each text needs the fix.
pub(super) fn keep_one_of_copies(findings: &mut Vec<Reported>, world: &World) {
    let mut known: BTreeMap<String, Scopes<Vec<Arc<ObjectRef>>>> = BTreeMap::new();
    findings.retain(|one| {
        let finding = &one.finding;
        if one.rule.needs != Needs::Related || finding.related.is_empty() || one.location.is_none()
        {
            return true;
        }
        let related = || finding.related.iter().map(|related| &related.object);
        if related().any(|other| is_copy(other, &one.object)) {
            // The copy itself is the mistake.
            return true;
        }
        let objects = related().chain([&one.object]);
        let names = objects.flat_map(|object| [&object.kind, &object.namespace, &object.name]);
        let mut key = [one.rule.code, &finding.path, &finding.message].join("\0");
        names.for_each(|name| key.extend(["\0", name]));
        let reported = known.entry(key).or_default();
        let is_again = {
            let beside = reported.beside(&world.kustomize, &one.object);
            beside.flatten().any(|object| {
                object.origin != one.object.origin && world.belong_together(object, &one.object)
            })
        };
        let scope = reported.of(&world.kustomize, &one.object);
        scope.push(Arc::clone(&one.object));
        !is_again
    });
}

fn is_copy(one: &ObjectRef, other: &ObjectRef) -> bool {
    one.kind == other.kind && one.namespace == other.namespace && one.name == other.name
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
