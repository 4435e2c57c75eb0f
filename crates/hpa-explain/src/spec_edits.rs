//! What an edit of an HPA changed, in a few words.

use hpa_engine::model::{Direction, HpaSpec, MetricSpec, ScalingRules};

use super::{metric_names::metric_full_name, overview::target_text};

/// What differs between two specs of an HPA, the bounds first: `max 6 → 16`, `CPU target 60% → 70%`. Empty if nothing
/// differs.
pub fn spec_edits(before: &HpaSpec, after: &HpaSpec) -> Vec<String> {
    let mut edits = Vec::new();
    let mut bound = |name: &str, from: i32, to: i32| {
        if from != to {
            edits.push(format!("{name} {from} → {to}"));
        }
    };
    bound("min", before.min_replicas(), after.min_replicas());
    bound("max", before.max_replicas, after.max_replicas);
    if before.scale_target != after.scale_target {
        let (from, to) = (&before.scale_target, &after.scale_target);
        edits.push(format!("target {from} → {to}"));
    }
    edits.extend(metric_edits(&before.metrics, &after.metrics));
    for direction in Direction::BOTH {
        let rules = |spec: &HpaSpec| spec.rules(direction).cloned().unwrap_or_default();
        edits.extend(rule_edits(direction, &rules(before), &rules(after)));
    }
    if edits.is_empty() && before != after {
        edits.push("its settings".to_owned());
    }
    edits
}

/// Metrics are compared with those of the same name, wherever they are in the list.
fn metric_edits(before: &[MetricSpec], after: &[MetricSpec]) -> Vec<String> {
    let named = |metrics: &[MetricSpec]| -> Vec<(String, MetricSpec)> {
        let numbered = metrics.iter().enumerate();
        numbered
            .map(|(index, metric)| (metric_full_name(metrics, index), metric.clone()))
            .collect()
    };
    let (mut old, new) = (named(before), named(after));
    let mut edits = Vec::new();
    for (name, metric) in new {
        let Some(place) = old.iter().position(|(known, _)| *known == name) else {
            edits.push(format!("metric {name} added"));
            continue;
        };
        let (_, known) = old.remove(place);
        if known == metric {
            continue;
        }
        let texts = target_text(&known).zip(target_text(&metric));
        edits.push(match texts.filter(|(from, to)| from != to) {
            Some((from, to)) => format!("{name} target {from} → {to}"),
            None => format!("metric {name}"),
        });
    }
    edits.extend(old.iter().map(|(name, _)| format!("metric {name} removed")));
    edits
}

fn rule_edits(direction: Direction, before: &ScalingRules, after: &ScalingRules) -> Vec<String> {
    let name = direction.as_str();
    let mut edits = Vec::new();
    let seconds = |rules: &ScalingRules| match rules.stabilization_window_seconds {
        Some(seconds) => format!("{seconds} s"),
        None => "the default".to_owned(),
    };
    if before.stabilization_window_seconds != after.stabilization_window_seconds {
        let (from, to) = (seconds(before), seconds(after));
        edits.push(format!("{name} window {from} → {to}"));
    }
    if before.is_disabled() != after.is_disabled() {
        let state = if after.is_disabled() { "off" } else { "on" };
        edits.push(format!("{name} {state}"));
    } else if before.select_policy != after.select_policy {
        edits.push(format!("{name} selectPolicy"));
    }
    if before.policies != after.policies {
        edits.push(format!("{name} policies"));
    }
    if before.tolerance != after.tolerance {
        let tolerance = |rules: &ScalingRules| match &rules.tolerance {
            Some(tolerance) => tolerance.to_string(),
            None => "the default".to_owned(),
        };
        let (from, to) = (tolerance(before), tolerance(after));
        edits.push(format!("{name} tolerance {from} → {to}"));
    }
    edits
}

/// `the HPA was edited: max 6 → 16`.
pub fn edited(edits: &[String]) -> String {
    format!("the HPA was edited: {}", edits.join(", "))
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{Behavior, Quantity, ScaleTargetRef};

    use super::*;

    fn spec(max: i32, percent: i32) -> HpaSpec {
        let metrics = vec![MetricSpec::utilization("cpu", percent)];
        HpaSpec::new(ScaleTargetRef::deployment("web"), max, metrics)
    }

    #[test]
    fn an_edit_is_named_by_what_it_changes() {
        let before = spec(6, 60);
        assert!(spec_edits(&before, &before).is_empty());
        let mut after = spec(16, 70);
        after.min_replicas = Some(2);
        after.behavior = Some(Behavior {
            scale_down: Some(ScalingRules {
                stabilization_window_seconds: Some(60),
                tolerance: Some(Quantity::parse("20m").unwrap()),
                ..ScalingRules::default()
            }),
            ..Behavior::default()
        });
        let edits = [
            "min 1 → 2",
            "max 6 → 16",
            "cpu target 60% → 70%",
            "scaleDown window the default → 60 s",
            "scaleDown tolerance the default → 20m",
        ];
        assert_eq!(spec_edits(&before, &after), edits);
        let queue = MetricSpec::external("queue", Quantity::parse("5").unwrap());
        let mut after = spec(6, 60);
        after.metrics.insert(0, queue);
        assert_eq!(spec_edits(&before, &after), ["metric queue added"]);
        assert_eq!(spec_edits(&after, &before), ["metric queue removed"]);
    }
}
