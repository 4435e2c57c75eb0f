//! Users who may not read everything.

use serde_json::json;

use crate::{
    manifest::{deployment, hpa},
    namespace::namespace,
};

#[test]
fn user_who_may_read_what_decides_gets_the_decision() {
    let namespace = namespace("reader");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get", "list"]},
        {"apiGroups": ["apps"], "resources": ["deployments/scale"], "verbs": ["get"]},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]},
        {"apiGroups": ["metrics.k8s.io"], "resources": ["pods"], "verbs": ["list"]},
    ]));
    // It may not see the controller's flags, so the defaults are assumed, and say so.
    let decision = namespace.decision("web");
    assert_eq!(
        decision.made(),
        "4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange"
    );
    decision.page_says(["assumed"]);
}

#[test]
fn user_who_may_not_read_the_scale_learns_which_right_is_missing() {
    let namespace = namespace("no-scale");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get"]},
    ]));
    assert_eq!(namespace.page("web")["verdict"]["action"], "unknown");
    let text = namespace.explain("web", []);
    for needed in ["UNKNOWN", "deployments/scale", "desired 6, cpu 90 %"] {
        assert!(text.contains(needed), "no {needed:?} in\n{text}");
    }
}

#[test]
fn user_who_may_not_read_pods_and_metrics_learns_which_rights_are_missing() {
    let namespace = namespace("no-pods");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get", "list"]},
        {"apiGroups": ["apps"], "resources": ["deployments/scale"], "verbs": ["get"]},
    ]));
    assert_eq!(namespace.page("web")["verdict"]["action"], "unknown");
    let text: String = namespace.explain("web", []).split_whitespace().collect();
    for rule in [
        r#"{apiGroups: [""], resources: ["pods"], verbs: ["list"]}"#,
        r#"{apiGroups: ["metrics.k8s.io"], resources: ["pods"], verbs: ["list"]}"#,
    ] {
        assert!(
            text.contains(&rule.replace(' ', "")),
            "no {rule} in\n{text}"
        );
    }
}
