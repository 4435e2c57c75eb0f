//! Compares two specs field by field.

use hpa_explain::FieldChange;
use hpa_objects::manifest::spec_value::{display, is_same, subject};
use serde_json::{Map, Value};

/// The differences between two specs with all defaults. `written` is the later one before defaulting.
pub(super) fn differences(before: &Value, after: &Value, written: &Value) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare("spec", Some(before), Some(after), Some(written), &mut found);
    found
}

fn compare(
    path: &str,
    before: Option<&Value>,
    after: Option<&Value>,
    written: Option<&Value>,
    found: &mut Vec<FieldChange>,
) {
    if is_same(before, after) {
        return;
    }
    let empty = Map::new();
    let fields = |value: Option<&Value>| value.and_then(Value::as_object).cloned();
    let lists = (
        before.and_then(Value::as_array),
        after.and_then(Value::as_array),
    );
    match (fields(before), fields(after), lists) {
        (Some(before), Some(after), _) => {
            compare_fields(path, &before, &after, written, found);
        }
        // A new side of the behavior is listed field by field: most of the fields are defaults.
        (None, Some(after), _) if path.starts_with("spec.behavior") => {
            compare_fields(path, &empty, &after, written, found);
        }
        (_, _, (Some(before), Some(after))) => compare_lists(path, before, after, written, found),
        _ => found.push(FieldChange {
            path: path.to_owned(),
            before: before.map(display),
            after: after.map(display),
            by_default: after.is_some() && written.is_none(),
        }),
    }
}

fn compare_fields(
    path: &str,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    written: Option<&Value>,
    found: &mut Vec<FieldChange>,
) {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        compare(
            &format!("{path}.{name}"),
            before.get(name),
            after.get(name),
            written.and_then(|written| written.get(name)),
            found,
        );
    }
}

/// Entries are compared with those about the same thing, whatever their index.
fn compare_lists(
    path: &str,
    before: &[Value],
    after: &[Value],
    written: Option<&Value>,
    found: &mut Vec<FieldChange>,
) {
    let mut partners: Vec<Option<usize>> = Vec::new();
    for (index, entry) in after.iter().enumerate() {
        let is_free = |candidate: &usize| !partners.contains(&Some(*candidate));
        let is_alike = |candidate: &usize| subject(&before[*candidate]) == subject(entry);
        let same_place = Some(index).filter(|index| *index < before.len());
        let partner = same_place
            .filter(is_alike)
            .filter(is_free)
            .or_else(|| (0..before.len()).find(|one| is_alike(one) && is_free(one)));
        partners.push(partner);
    }
    for (index, entry) in before.iter().enumerate() {
        if !partners.contains(&Some(index)) {
            compare(&format!("{path}[{index}]"), Some(entry), None, None, found);
        }
    }
    for (index, entry) in after.iter().enumerate() {
        let written = written.map(|written| written.get(index).unwrap_or(&Value::Null));
        let before = partners[index].map(|partner| &before[partner]);
        compare(
            &format!("{path}[{index}]"),
            before,
            Some(entry),
            written,
            found,
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reported(before: &Value, after: &Value) -> Vec<String> {
        differences(before, after, after)
            .into_iter()
            .map(|one| {
                let side = |side: Option<String>| side.unwrap_or_else(|| "none".to_owned());
                format!("{}: {} → {}", one.path, side(one.before), side(one.after))
            })
            .collect()
    }

    fn cpu(percent: i32) -> Value {
        json!({"type": "Resource", "resource": {"name": "cpu", "target": {"averageUtilization": percent}}})
    }

    fn queue(average: &str) -> Value {
        json!({"type": "External", "external": {"metric": {"name": "queue"}, "target": {"averageValue": average}}})
    }

    #[test]
    fn metrics_are_compared_with_those_of_the_same_name_wherever_they_stand() {
        let before = json!({"maxReplicas": 10, "metrics": [cpu(60), queue("10")]});
        let after = json!({"maxReplicas": 20, "metrics": [queue("20"), cpu(60)]});
        assert_eq!(
            reported(&before, &after),
            [
                "spec.maxReplicas: 10 → 20",
                "spec.metrics[0].external.target.averageValue: 10 → 20"
            ]
        );
    }

    #[test]
    fn what_came_and_what_went_is_reported_whole() {
        let before = json!({"metrics": [cpu(60)]});
        let after = json!({"metrics": [queue("10")]});
        assert_eq!(
            reported(&before, &after),
            [
                "spec.metrics[0]: {type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}} → none",
                "spec.metrics[0]: none → {type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}",
            ]
        );
    }

    #[test]
    fn quantities_are_compared_by_value() {
        let spec = |average: &str| json!({"metrics": [queue(average)]});
        assert!(reported(&spec("0.1"), &spec("100m")).is_empty());
    }
}
