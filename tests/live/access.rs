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
fn user_who_may_only_read_the_hpa_learns_which_rights_are_missing() {
    let namespace = namespace("no-access");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    namespace.pass();
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["get"]},
    ]));
    let page = namespace.page("web");
    assert_eq!(page["verdict"]["action"], "unknown");
    let text = namespace.explain("web", []);
    for missing in ["deployments/scale", "pods", "metrics.k8s.io"] {
        assert!(text.contains(missing), "no {missing:?} in\n{text}");
    }
}
