//! Compares a predicted outcome with a recorded one.
//!
//! Absent and empty fields are equal. Texts are also equal if they differ only in the order of a Go map: which of
//! several offending pods or containers an error names, and the order of HPAs.

use hpa_engine::trace::may_be;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Outcome;

/// A field that differs between a prediction and a recording.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Where: `status.conditions[0].reason`.
    pub path: String,
    /// The predicted value; null if absent.
    pub predicted: Value,
    /// The recorded value; null if absent.
    pub recorded: Value,
}

/// Lists the fields in which `predicted` and `recorded` differ.
pub fn differences(predicted: &Outcome, recorded: &Outcome) -> Vec<Difference> {
    if predicted == recorded {
        return Vec::new();
    }
    let mut found = Vec::new();
    compare(
        &fields(predicted),
        &fields(recorded),
        &mut String::new(),
        &mut found,
    );
    found
}

fn fields(outcome: &Outcome) -> Value {
    serde_json::to_value(outcome).expect("every key of an outcome is text")
}

fn compare(predicted: &Value, recorded: &Value, path: &mut String, found: &mut Vec<Difference>) {
    match (predicted, recorded) {
        (Value::Object(left), Value::Object(right)) => compare_objects(left, right, path, found),
        (Value::Array(left), Value::Array(right)) => {
            for index in 0..left.len().max(right.len()) {
                let entry = |list: &[Value]| list.get(index).cloned().unwrap_or_default();
                descend(path, &format!("[{index}]"), |path| {
                    // An empty entry still counts: the status of a failed metric is one.
                    if left.len() > index && right.len() > index {
                        compare(&left[index], &right[index], path, found);
                    } else {
                        found.push(Difference {
                            path: path.clone(),
                            predicted: entry(left),
                            recorded: entry(right),
                        });
                    }
                });
            }
        }
        (Value::String(left), Value::String(right)) if may_be(left, right) => {}
        _ if predicted == recorded || (is_empty(predicted) && is_empty(recorded)) => {}
        _ => found.push(Difference {
            path: path.clone(),
            predicted: predicted.clone(),
            recorded: recorded.clone(),
        }),
    }
}

fn compare_objects(
    left: &Map<String, Value>,
    right: &Map<String, Value>,
    path: &mut String,
    found: &mut Vec<Difference>,
) {
    let only_right = right.keys().filter(|key| !left.contains_key(*key));
    for key in left.keys().chain(only_right) {
        let separator = if path.is_empty() { "" } else { "." };
        descend(path, &format!("{separator}{key}"), |path| {
            let field = |object: &Map<String, Value>| object.get(key).cloned().unwrap_or_default();
            compare(&field(left), &field(right), path, found);
        });
    }
}

fn descend(path: &mut String, segment: &str, visit: impl FnOnce(&mut String)) {
    let length = path.len();
    path.push_str(segment);
    visit(path);
    path.truncate(length);
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::wire::{Condition, Event, MetricStatus};

    #[track_caller]
    fn check(predicted: &Outcome, recorded: &Outcome, paths: &[&str]) {
        let found = differences(predicted, recorded);
        let found: Vec<&str> = found.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(found, paths);
    }

    fn outcome(messages: &[&str]) -> Outcome {
        let mut outcome = Outcome::default();
        for message in messages {
            outcome.status.conditions.push(Condition {
                condition_type: "ScalingActive".to_owned(),
                message: (*message).to_owned(),
                ..Condition::default()
            });
        }
        outcome
    }

    #[test]
    fn pod_that_a_go_map_picked_may_differ() {
        check(
            &outcome(&[
                "missing request for cpu in container a of Pod x",
                "container g not found in Pod x",
            ]),
            &outcome(&[
                "missing request for cpu in container b of Pod y",
                "container g not found in Pod y",
            ]),
            &[],
        );
        check(
            &outcome(&["container a not found in Pod x"]),
            &outcome(&["container b not found in Pod x"]),
            &["status.conditions[0].message"],
        );
    }

    #[test]
    fn names_of_hpas_may_come_in_any_order() {
        let text =
            |names| format!("pods by selector a=b are controlled by multiple HPAs: [{names}]");
        check(
            &outcome(&[&text("s/a s/b")]),
            &outcome(&[&text("s/b s/a")]),
            &[],
        );
        check(
            &outcome(&[&text("s/a s/b")]),
            &outcome(&[&text("s/a s/c")]),
            &["status.conditions[0].message"],
        );
    }

    #[test]
    fn differing_fields_are_named_with_their_path() {
        let mut recorded = outcome(&["x"]);
        recorded.scale_to = Some(0);
        recorded.status.desired_replicas = 3;
        recorded.events.push(Event::default());
        recorded
            .status
            .current_metrics
            .push(MetricStatus::default());
        check(
            &outcome(&["x", "y"]),
            &recorded,
            &[
                "status.conditions[1]",
                "status.currentMetrics",
                "status.desiredReplicas",
                "events",
                "scaleTo",
            ],
        );
    }
}
