//! What the page says about the pods that the selector matches: requests, owners, start, percentages, and why the
//! replicas stay.

use serde_json::{Value, json};

use crate::{
    decision::Decision,
    manifest::{deployment, hpa, stray_pod},
    namespace::namespace,
};

/// The notes of a page about `title`, joined.
fn notes(decision: &Decision, title: &str) -> String {
    let notes = decision.page["around"].as_array().unwrap();
    let texts = notes
        .iter()
        .filter(|note| note["title"] == title)
        .map(|note| note["text"].as_str().unwrap());
    texts.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(decision: &Decision, title: &str, text: &str) {
    let notes = notes(decision, title);
    assert!(
        notes.contains(text),
        "no {text:?} in {title}: {notes}\n{}",
        decision.text
    );
}

/// The pod of the page whose name begins so.
fn pod<'a>(decision: &'a Decision, name: &str) -> &'a Value {
    let pods = decision.page["pods"].as_array().unwrap();
    pods.iter()
        .find(|pod| pod["name"].as_str().unwrap().starts_with(name))
        .unwrap()
}

/// A pod of a Job.
fn owned_by_job(mut pod: Value, job: &Value) -> Value {
    pod["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "batch/v1", "kind": "Job", "name": job["metadata"]["name"],
        "uid": job["metadata"]["uid"], "controller": true,
    }]);
    pod
}

/// A sidecar that something put into the pods, and a pod of a Job that has finished: neither has a request.
#[test]
fn containers_without_a_request_are_named_with_the_shortest_repair() {
    let namespace = namespace("pod-requests");
    namespace.apply([
        deployment("web", 1).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    // The pod has the container, the template has it no longer: as if a webhook had added it.
    let mut with_sidecar = deployment("web", 1)
        .container("proxy", json!({}))
        .pods("cpu", "90m")
        .object();
    namespace.apply([with_sidecar.clone()]);
    with_sidecar["spec"]["paused"] = json!(true);
    with_sidecar["spec"]["template"]["spec"]["containers"]
        .as_array_mut()
        .unwrap()
        .pop();
    namespace.apply([with_sidecar]);
    let decision = namespace.decides("1 → 1: SucceededGetScale !FailedGetResourceMetric");
    decision.page_says([
        "! container proxy of web-",
        "has no cpu request; injected: not in the template.",
        "fix a cpu request for proxy where it is injected; or a ContainerResource metric on main; or an \
         AverageValue target, which needs no requests.",
    ]);
    let first = &pod(&decision, "web-")["containers"][0];
    assert_eq!(
        (&first["name"], &first["lacksRequest"], &first["injected"]),
        (&json!("proxy"), &json!(true), &json!(true))
    );
    let verbose = namespace.explain("web", ["--verbose"]);
    let row = verbose
        .lines()
        .filter(|line| line.contains("proxy") && line.contains("no request"));
    assert_eq!(row.count(), 1, "{verbose}");
}

/// 90% asks for 6; the Job's pods are counted as well, and one that has finished fails the whole metric.
#[test]
fn pods_of_others_are_named_by_owner_with_the_decision_without_them() {
    let namespace = namespace("pod-others");
    let job = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "clean-29012345"},
        "spec": {"suspend": true, "template": {"spec": {
            "restartPolicy": "Never",
            "containers": [{"name": "main", "image": "example.com/image"}],
        }}},
    });
    let mut test = stray_pod("web-test", "web", &[("cpu", "1m")]);
    test["metadata"]["annotations"]["helm.sh/hook"] = json!("test");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
        job,
        test,
    ]);
    let job = namespace.get("job", "clean-29012345");
    namespace.apply([owned_by_job(
        stray_pod("clean-1", "web", &[("cpu", "1m")]),
        &job,
    )]);
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "2 of 6 pods do not belong to Deployment/web, and the HPA counts them. Without them: CPU at 90% asks for 6 \
         (90 / 60 × 4 pods = 6), so it would scale 4 → 6.",
        "! 2 of the 6 pods that match app=web are not of Deployment/web",
        "clean-1 (Job/clean-29012345, of a CronJob by its name)",
        "web-test (no owner, helm test)",
        "The HPA looks at all pods that match.",
        "Without them: CPU at 90% asks for 6, so it would scale 4 → 6.",
    ]);
    says(&decision, "owners", "4 of Deployment/web (ReplicaSet/web-");
    says(
        &decision,
        "other pods",
        "selectionStrategy of KEP-5325 is only proposed",
    );
    assert_eq!(pod(&decision, "clean-1")["ofTarget"], false);
    assert_eq!(
        pod(&decision, "clean-1")["ownerChain"],
        json!(["Job/clean-29012345"])
    );
    // The pod of the Job without a request: once it has finished, it still fails the metric.
    namespace.run(["delete", "pod", "web-test", "clean-1", "--now"]);
    let mut over = owned_by_job(stray_pod("clean-2", "web", &[("phase", "Succeeded")]), &job);
    over["spec"]["containers"][0]["resources"] = json!({});
    namespace.apply([over]);
    let decision =
        namespace.decides("4 → 4: SucceededGetScale !FailedGetResourceMetric !DesiredWithinRange");
    decision.page_says([
        "! container main of clean-2 (Job/clean-29012345, of a CronJob by its name, Succeeded) has no cpu request.",
        "Fix: change its labels, or delete it.",
        "fix pods that are over need requests too, until they are deleted.",
        "! 1 of the 5 pods that match app=web is not of Deployment/web",
        "Without it: CPU at 90% asks for 6, so it would scale 4 → 6.",
    ]);
    // And without it that is what the controller does.
    namespace.run(["delete", "pod", "clean-2", "--now"]);
    namespace.decides("4 → 6: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

/// 20% alone asks for 1; the finished pod counts as 100%.
#[test]
fn finished_pods_are_named_and_without_them_it_goes_down() {
    let namespace = namespace("pod-finished");
    namespace.apply([
        deployment("web", 2).pods("cpu", "20m").object(),
        stray_pod("done", "web", &[("phase", "Succeeded")]),
        hpa("web").cpu(60).down_at_once().object(),
    ]);
    let decision = namespace.decision("web");
    decision.page_says([
        "! done has finished (Succeeded) but still matches the selector: up to Kubernetes 1.37, the HPA counts it as 0",
        "Without it: CPU at 20% asks for 1, so it would scale 2 → 1.",
    ]);
    says(
        &decision,
        "stays up",
        "6 missing pods holds it: 1 pod without a sample, counted as 100% of the request",
    );
    namespace.run(["delete", "pod", "done", "--now"]);
    namespace.decides("2 → 1: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

/// The old pods saturate, the new ones of a rollout never get ready.
#[test]
fn rollout_that_hangs_is_reported_as_the_cause() {
    let namespace = namespace("pod-rollout");
    let stuck = |template: crate::manifest::Workload| {
        let mut object = template.object();
        object["spec"]["strategy"] = json!({"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 2}});
        object
    };
    let old = deployment("web", 8)
        .pods("cpu", "85m")
        .pods("start-age", "1m");
    namespace.apply([stuck(old), hpa("web").bounds(2, 20).cpu(60).object()]);
    let new = deployment("web", 8)
        .pods("cpu", "85m")
        .pods("start-age", "1m")
        .pods("ready", "false")
        .pods("reason", "CrashLoopBackOff");
    namespace.apply([stuck(new)]);
    let decision =
        namespace.decides("8 → 8: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "without the 2 pods that are not ready (25%): CPU at 85% asks for 9, so it would scale 8 → 9.",
        "Fix the rollout (ReplicaSet/web-",
        "), and the HPA follows.",
        "or to 12 once all pods count and are just as busy",
    ]);
    let unready: Vec<&str> = decision.page["pods"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|pod| pod["startup"]["counted"] == false)
        .map(|pod| pod["startup"]["because"].as_str().unwrap())
        .collect();
    assert_eq!(
        unready,
        ["not counted because it is not ready and started less than 5 min ago"; 2]
    );
    assert!(
        decision.page["pods"][7]["startup"]["because"]
            .as_str()
            .unwrap()
            .contains("after it got ready at"),
        "{}",
        decision.page["pods"][7]
    );
    // With them ready and as busy it is as foretold. The rollout waits, so that no further pods are made.
    namespace.run(["rollout", "pause", "deployment/web"]);
    namespace.annotate_pods("web", "reason", "");
    namespace.annotate_pods("web", "ready-since", "30s");
    namespace.annotate_pods("web", "ready", "true");
    namespace.decides("8 → 12: SucceededRescale ValidMetricFound !DesiredWithinRange");
}

/// Young pods: memory has no grace, and neither has cpu where nothing says when a pod is ready.
#[test]
fn young_pods_that_count_in_full_are_reported() {
    let namespace = namespace("pod-young");
    let half = json!({"type": "Utilization", "averageUtilization": 50});
    namespace.apply([
        deployment("web", 2)
            .pods("memory", "180Mi")
            .pods("start-age", "1m")
            .object(),
        deployment("api", 2)
            .pods("cpu", "400m")
            .pods("start-age", "1m")
            .object(),
        hpa("web").resource("memory", half).object(),
        hpa("api").cpu(60).object(),
    ]);
    let (web, api) = (namespace.page("web"), namespace.page("api"));
    let text = |page: &Value, title: &str| {
        let notes = page["around"].as_array().unwrap();
        let note = notes
            .iter()
            .find(|note| note["title"] == title && note["weight"] != "detail");
        note.map_or(String::new(), |note| {
            note["text"].as_str().unwrap().to_owned()
        })
    };
    assert_eq!(
        text(&web, "new pods"),
        "2 of 2 counted pods started less than 5 min ago and count in full: the startup grace period applies to CPU \
         only, not to memory."
    );
    assert_eq!(
        text(&api, "new pods"),
        "2 of 2 counted pods started less than 5 min ago without a readiness probe: such pods are ready as soon as they \
         run, so the CPU of their startup counts."
    );
    assert_eq!(
        text(&api, "per pod"),
        "cpu: 60% of requests is 60m of 100m per pod; now 400m (400%), no limit."
    );
    assert_eq!(web["verdict"]["to"], 4);
    assert_eq!(api["verdict"]["to"], 4);
    namespace.pass();
    for app in ["web", "api"] {
        assert_eq!(namespace.get("deployment", app)["spec"]["replicas"], 4);
    }
}

/// What keeps the replicas up: memory that does not fall, a second metric, the tolerance, the rounding.
#[test]
fn causes_of_staying_up_come_with_their_numbers() {
    let namespace = namespace("pod-stays");
    let half = json!({"type": "Utilization", "averageUtilization": 50});
    let mut limited = deployment("web", 4)
        .pods("cpu", "10m")
        .pods("memory", "90Mi")
        .object();
    limited["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] =
        json!({"cpu": "200m"});
    namespace.apply([
        limited,
        hpa("web")
            .cpu(60)
            .resource("memory", half)
            .down_at_once()
            .object(),
    ]);
    // Memory: 45% / 50% is 0.90, just within the tolerance.
    let decision =
        namespace.decides("4 → 4: ReadyForNewScale ValidMetricFound !DesiredWithinRange");
    decision.page_says([
        "memory hardly falls with the load: the leanest pod uses 90 MiB, and if all fell to that, memory would ask \
         for no fewer than 4.",
    ]);
    says(
        &decision,
        "stays up",
        "2 tolerance holds it: nothing happens from 45% to 55% of requests (90 MiB to 110 MiB a pod); the ratio is 0.90.",
    );
    says(
        &decision,
        "stays up",
        "3 other metric holds it: cpu asks for 1, memory asks for 4; the largest number counts.",
    );
    says(&decision, "stays up", "4 failed metric, cleared");
    says(
        &decision,
        "stays up",
        "5 window, cleared: the HPA has no window.",
    );
    says(
        &decision,
        "stays up",
        "7 limits, cleared: minReplicas is 1.",
    );
    says(
        &decision,
        "per pod",
        "cpu: 60% of requests is 60m of 100m per pod; now 10m (10%), 5% of the limit 200m. A pod can reach 200% of \
         its requests (limit ÷ request).",
    );
    // One MiB less is outside the tolerance, but rounds up to 4 again.
    namespace.annotate_pods("web", "memory", "85Mi");
    let decision = namespace.decision("web");
    assert_eq!(decision.page["verdict"]["rule"], "rounding");
    says(
        &decision,
        "stays up",
        "1 rounding holds it: the number is rounded up, so 4 becomes 3 only at 37% or less (3/4 of the target 50%",
    );
    // At 37% it scales down.
    namespace.annotate_pods("web", "memory", "74Mi");
    namespace.decides("4 → 3: SucceededRescale ValidMetricFound !DesiredWithinRange");
}
