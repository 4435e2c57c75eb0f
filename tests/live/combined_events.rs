//! Many steps in a short time: the controller's recorder combines their Events.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    cluster::eventually,
    lint_live::findings,
    manifest::{deployment, hpa},
    namespace::namespace,
    watch::{objects, stop, watch},
};

#[test]
fn combined_event_proves_only_the_size_of_its_last_time() {
    let namespace = namespace("combined-events");
    let web = |seconds| {
        let policies = json!([{"type": "Pods", "value": 1, "periodSeconds": seconds}]);
        let behavior = json!({"scaleUp": {"policies": policies}});
        hpa("web").bounds(1, 40).cpu(50).behavior(behavior).object()
    };
    namespace.apply([deployment("web", 2).pods("cpu", "100m").object(), web(1)]);
    namespace.open();
    eventually("more than ten steps", || {
        let replicas = namespace.get("deployment", "web")["spec"]["replicas"].as_i64();
        (Some(15) <= replicas).then_some(())
    });
    // The period of the policy that comes now passes without a step.
    namespace.annotate_pods("web", "cpu", "50m");
    namespace.apply([web(40)]);
    namespace.passes_for(Duration::from_secs(41));
    let combined = || {
        let events = namespace.list("events");
        let is_combined = |message: &str| message.starts_with("(combined from similar events): ");
        let combined = events
            .iter()
            .find(|event| event["message"].as_str().is_some_and(is_combined));
        combined.and_then(|event| event["count"].as_i64())
    };
    let count = combined().unwrap();
    assert!(2 <= count, "{count}");
    namespace.annotate_pods("web", "cpu", "100m");
    let decision = namespace.decision("web");
    let made = decision.made();
    assert!(
        made.ends_with(": SucceededRescale ValidMetricFound ScaleUpLimit"),
        "{made}"
    );
    eventually("the Event of that step", || {
        (combined() > Some(count)).then_some(())
    });
    namespace.pass();
    let decision = namespace.decision("web");
    let made = decision.made();
    assert!(
        made.ends_with(": ReadyForNewScale ValidMetricFound ScaleUpLimit"),
        "{made}"
    );
    for printed in ["in between", "flapping", "differs"] {
        assert!(!decision.text.contains(printed), "{}", decision.text);
    }
    let report = namespace.lint([]);
    let reported = findings(&report, |finding| {
        ["HPA409", "HPA901"].contains(&finding["code"].as_str().unwrap())
    });
    assert!(reported.is_empty(), "{report:#}");

    // A watch that starts now predicts the next step no earlier than it comes.
    namespace.open();
    let watching = watch(&namespace, "jsonl", "combined-events.jsonl");
    eventually("the next step is seen as recomputed", || {
        let objects = objects("combined-events.jsonl");
        let is_step = |one: &&Value| {
            let replicas = &one["replicas"];
            one["type"] == "reconcile"
                && replicas["current"].as_i64() < replicas["desired"].as_i64()
        };
        let agrees = |step: &Value| {
            let mut compared = objects.iter().filter(|one| one["type"] == "compared");
            compared.any(|one| one["time"] == step["time"] && one["agrees"] == true)
        };
        objects.iter().filter(is_step).any(agrees).then_some(())
    });
    stop(watching);
    for one in objects("combined-events.jsonl") {
        assert_ne!(one["agrees"], false, "{one}");
    }
}
