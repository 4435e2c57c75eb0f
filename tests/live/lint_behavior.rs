//! Lint findings about `behavior`, compared with the controller.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    cluster::succeed,
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
    releases::is_too_old_for,
};

#[test]
fn what_lint_says_never_scales_or_limits_nothing_does_so() {
    if is_too_old_for("lint_behavior::what_lint_says_never_scales_or_limits_nothing_does_so") {
        return;
    }
    let namespace = namespace("lint-behavior");
    let disabled = json!({"selectPolicy": "Disabled"});
    let at_once = json!({"stabilizationWindowSeconds": 0, "tolerance": "1"});
    let by_half_again = json!({
        "stabilizationWindowSeconds": 0,
        "policies": [{"type": "Percent", "value": 150, "periodSeconds": 60}],
    });
    let behaviors = [
        ("tolerant", json!({"scaleDown": at_once})),
        (
            "frozen",
            json!({"scaleUp": disabled, "scaleDown": disabled}),
        ),
        ("capped", json!({"scaleUp": disabled})),
        ("ratchet", json!({"scaleDown": disabled})),
        (
            "fixed",
            json!({"scaleDown": {"stabilizationWindowSeconds": 0}}),
        ),
        ("unlimited", json!({"scaleDown": by_half_again})),
    ];
    for (name, behavior) in &behaviors {
        let busy = matches!(*name, "frozen" | "capped");
        let usage = if busy { "100m" } else { "0" };
        let (min, max) = if *name == "fixed" { (6, 6) } else { (2, 12) };
        namespace.apply([
            deployment(name, 6).pods("cpu", usage).object(),
            hpa(name)
                .bounds(min, max)
                .cpu(50)
                .behavior(behavior.clone())
                .object(),
        ]);
    }
    assert_eq!(
        printed(&namespace),
        [
            ("HPA102", "info", "fixed"),
            ("HPA306", "warning", "capped"),
            ("HPA307", "info", "ratchet"),
            ("HPA308", "warning", "frozen"),
            ("HPA319", "warning", "unlimited"),
            ("HPA321", "error", "tolerant"),
        ]
        .map(|(code, severity, name)| format!("{severity} {code} {name}"))
        .into()
    );

    // Twice the target is used by the pods of the second and the third, and nothing by the others.
    namespace.pass();
    let replicas = || {
        behaviors
            .each_ref()
            .map(|(name, _)| replicas(&namespace, name))
    };
    assert_eq!(replicas(), [6, 6, 6, 6, 6, 2]);

    // Disabled in both directions, it does not go down either.
    namespace.annotate_pods("frozen", "cpu", "0");
    namespace.pass();
    assert_eq!(replicas(), [6, 6, 6, 6, 6, 2]);
}

/// `severity code name` of each finding that lint has in the namespace.
fn printed(namespace: &Namespace) -> BTreeSet<String> {
    let text = succeed(&mut namespace.kubectl([
        "hpa",
        "lint",
        "--select=HPA102,HPA306,HPA307,HPA308,HPA319,HPA321",
        "--output=json",
        "--exit-zero",
    ]));
    let report: Value = serde_json::from_str(&text).unwrap();
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| {
            let part = |pointer| finding.pointer(pointer).and_then(Value::as_str).unwrap();
            format!(
                "{} {} {}",
                part("/severity"),
                part("/code"),
                part("/object/name")
            )
        })
        .collect()
}

fn replicas(namespace: &Namespace, deployment: &str) -> i64 {
    namespace.get("deployment", deployment)["spec"]["replicas"]
        .as_i64()
        .unwrap()
}
