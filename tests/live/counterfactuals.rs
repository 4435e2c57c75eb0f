//! What `explain` says would be decided if one thing were different: the test changes that thing, and the controller
//! decides.

use serde_json::{Value, json};

use crate::{
    manifest::{average, deployment, hpa, stray_pod},
    namespace::{Namespace, namespace},
    releases::{is_too_old_for, version},
};

impl Namespace {
    /// Lets the controller make the pending decision, which changes nothing, and returns what would change it.
    #[track_caller]
    fn what_ifs_of_a_decision_that_holds(&self) -> WhatIfs {
        let decision = self.decision("web");
        let verdict = &decision.page["verdict"];
        assert_eq!(verdict["from"], verdict["to"], "{}", decision.text);
        self.what_ifs()
    }

    /// Returns what would change the pending decision.
    fn what_ifs(&self) -> WhatIfs {
        WhatIfs {
            page: self.page("web"),
            text: self.explain("web", ["--what-if"]),
        }
    }

    /// Edits the HPA; a decision in progress stays valid.
    fn edit(&self, hpa: Value) {
        self.apply([hpa]);
        self.pass_begun_before_the_edit();
    }

    /// Sets the total usage of the pods.
    fn use_cpu(&self, total_milli: i64) {
        let pods = self.list("pods");
        let number = i64::try_from(pods.len()).unwrap();
        let (share, rest) = (total_milli / number, total_milli % number);
        self.annotate_pods("web", "cpu", &format!("{share}m"));
        if 0 < rest {
            self.annotate_pod(&pods[0], "cpu", &format!("{}m", share + rest));
        }
    }

    /// Sets the length of the queue.
    fn queue(&self, milli: i64) {
        self.metrics(
            &json!({"external": [{"metric": "queue_depth", "value": format!("{milli}m")}]}),
        );
    }

    /// Lets the controller decide, and checks the desired replicas.
    #[track_caller]
    fn desires(&self, replicas: i64) {
        let decision = self.decision("web");
        assert_eq!(
            decision.status("/desiredReplicas"),
            replicas,
            "{}",
            decision.text
        );
    }

    /// Lets the controller decide in the changed world: the result must be as predicted.
    #[track_caller]
    fn decides_as(&self, foretold: &Value) {
        assert_eq!(foretold["differs"], true, "{foretold:#}");
        self.desires(foretold["replicas"].as_i64().unwrap());
    }
}

/// The output of `explain` at one time.
struct WhatIfs {
    page: Value,
    text: String,
}

impl WhatIfs {
    /// The only counterfactual of that kind with this text.
    #[track_caller]
    fn one(&self, kind: &str, says: &str) -> Value {
        let all = self.page["whatIf"].as_array().unwrap();
        let is_selected =
            |one: &&Value| one["kind"] == kind && one["change"].as_str().unwrap().contains(says);
        let found: Vec<&Value> = all.iter().filter(is_selected).collect();
        assert_eq!(found.len(), 1, "{kind} {says}: {all:#?}");
        found[0].clone()
    }

    /// The usage at which the metric asks for this many replicas.
    #[track_caller]
    fn usage(&self, replicas: i64) -> (i64, Value) {
        let all = self.page["whatIf"].as_array().unwrap();
        let is_selected = |one: &&Value| one["usage"][0]["replicas"] == replicas;
        let one = all.iter().find(is_selected).unwrap();
        (one["usage"][0]["totalMilli"].as_i64().unwrap(), one.clone())
    }

    /// Checks that a line of the page says it.
    #[track_caller]
    fn says(&self, line: &str) {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words(&self.text).contains(&words(line)),
            "no {line:?} in\n{}",
            self.text
        );
    }
}

#[test]
fn usage_at_the_edge_scales_and_one_thousandth_beside_it_does_not() {
    let namespace = namespace("what-if-usage");
    namespace.apply([
        deployment("web", 4).pods("cpu", "50m").object(),
        hpa("web").cpu(50).down_at_once().object(),
    ]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    // Up to 1.32 a ratio of 1.1 is outside the tolerance, by the rounding of 1 − 1.1.
    let edge = if version().minor < 33 { 55 } else { 56 };
    what_ifs.says(&format!("if cpu is at {edge}% or more"));
    let (up, foretold) = what_ifs.usage(5);
    let (down, foretold_down) = what_ifs.usage(3);
    namespace.use_cpu(up - 1);
    namespace.desires(4);
    namespace.use_cpu(down + 1);
    namespace.desires(4);
    namespace.use_cpu(up);
    namespace.decides_as(&foretold);
    namespace.scale("web", 4);
    namespace.use_cpu(down);
    namespace.decides_as(&foretold_down);
}

#[test]
fn queue_at_the_edge_leads_to_the_bounds() {
    let namespace = namespace("what-if-bounds");
    let hpa = |min| {
        hpa("web")
            .bounds(min, 8)
            .external("queue_depth", average("10"))
            .down_at_once()
            .object()
    };
    namespace.queue(40_000);
    namespace.apply([deployment("web", 4).object(), hpa(2)]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    let (min, to_min) = what_ifs.usage(2);
    let (max, to_max) = what_ifs.usage(8);
    namespace.queue(max);
    namespace.decides_as(&to_max);
    namespace.scale("web", 4);
    namespace.queue(min);
    namespace.decides_as(&to_min);

    namespace.queue(5_000);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    let foretold = what_ifs.one("min-replicas", "1");
    namespace.edit(hpa(1));
    namespace.decides_as(&foretold);
}

#[test]
fn pods_of_others_and_pods_that_are_not_counted_make_a_difference() {
    let namespace = namespace("what-if-pods");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        stray_pod("job-1", "web", &[("cpu", "1m")]),
        stray_pod("job-2", "web", &[("cpu", "1m")]),
        hpa("web").cpu(60).object(),
    ]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("scales to 6 without the 2 pods of others (job-1 and job-2)");
    let foretold = what_ifs.one("without-foreign-pods", "job-1");
    namespace.run(["delete", "pod", "job-1", "job-2", "--now"]);
    namespace.decides_as(&foretold);

    // A pod that has finished has no sample, and counts as idle on the way up.
    namespace.annotate_pods("web", "cpu", "70m");
    namespace.apply([
        stray_pod("done-1", "web", &[("phase", "Succeeded")]),
        stray_pod("done-2", "web", &[("phase", "Succeeded")]),
    ]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    let foretold = what_ifs.one("without-absent-pods", "the 2 pods that are not counted");
    namespace.run(["delete", "pod", "done-1", "done-2", "--now"]);
    namespace.decides_as(&foretold);
}

#[test]
fn pods_that_get_ready_let_it_go_up() {
    let namespace = namespace("what-if-ready");
    namespace.apply([
        deployment("web", 4).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
    ]);
    let pods = namespace.list("pods");
    for pod in &pods[..2] {
        namespace.annotate_pod(pod, "no-metrics", "true");
    }
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("to 6 once all pods count and are just as busy");
    let foretold = what_ifs.one("pods-ready", "the 2 pods that are not counted ready");
    for pod in &pods[..2] {
        namespace.annotate_pod(pod, "no-metrics", "false");
    }
    namespace.decides_as(&foretold);
}

#[test]
fn metrics_that_fail_or_win_make_a_difference() {
    let namespace = namespace("what-if-metrics");
    namespace.queue(30_000);
    let without_broken = || {
        hpa("web")
            .cpu(60)
            .external("queue_depth", average("10"))
            .down_at_once()
    };
    namespace.apply([
        deployment("web", 4).pods("cpu", "20m").object(),
        without_broken().external("broken", average("1")).object(),
    ]);
    namespace.pass();
    let what_ifs = namespace.what_ifs();
    what_ifs.says("without broken, which fails: scales to 3");
    let foretold = what_ifs.one("without-failing-metrics", "broken");
    namespace.edit(without_broken().object());
    namespace.decides_as(&foretold);

    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("without queue_depth, which asks for 3: scales to 1");
    let foretold = what_ifs.one("without-winning-metrics", "queue_depth");
    namespace.edit(hpa("web").cpu(60).down_at_once().object());
    namespace.decides_as(&foretold);
}

#[test]
fn windows_of_zero_let_it_go_at_once() {
    let namespace = namespace("what-if-windows");
    let up = json!({"stabilizationWindowSeconds": 600, "policies": [{"type": "Pods", "value": 2, "periodSeconds": 600}]});
    namespace.apply([
        deployment("web", 4).pods("cpu", "50m").object(),
        hpa("web")
            .cpu(50)
            .behavior(json!({"scaleUp": up, "scaleDown": {"stabilizationWindowSeconds": 600}}))
            .object(),
    ]);
    namespace.desires(4);
    namespace.annotate_pods("web", "cpu", "100m");
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("with scaleUp.stabilizationWindowSeconds 0 instead of 600: scales to 6");
    let foretold = what_ifs.one("without-window", "scaleUp");
    let up = json!({"stabilizationWindowSeconds": 0, "policies": [{"type": "Pods", "value": 2, "periodSeconds": 600}]});
    let behavior = json!({"scaleUp": up, "scaleDown": {"stabilizationWindowSeconds": 600}});
    namespace.edit(hpa("web").cpu(50).behavior(behavior).object());
    namespace.decides_as(&foretold);

    namespace.annotate_pods("web", "cpu", "10m");
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    let foretold = what_ifs.one("without-window", "scaleDown");
    let behavior = json!({"scaleUp": up, "scaleDown": {"stabilizationWindowSeconds": 0}});
    namespace.edit(hpa("web").cpu(50).behavior(behavior).object());
    namespace.decides_as(&foretold);
}

#[test]
fn policies_and_disabled_directions_make_a_difference() {
    let namespace = namespace("what-if-policies");
    let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 600});
    let pods = json!({"type": "Pods", "value": 2, "periodSeconds": 600});
    let with_up = |up: Value| {
        let down = json!({"stabilizationWindowSeconds": 0, "selectPolicy": "Disabled"});
        hpa("web")
            .cpu(50)
            .behavior(json!({"scaleUp": up, "scaleDown": down}))
            .object()
    };
    namespace.apply([
        deployment("web", 4).pods("cpu", "100m").object(),
        with_up(json!({"selectPolicy": "Min", "policies": [pods, percent]})),
    ]);
    namespace.desires(6);
    let what_ifs = namespace.what_ifs();
    what_ifs.says("without scaleUp.policies[0] (2 pods per 600 s): scales to 8");
    let foretold = what_ifs.one("without-policy", "scaleUp.policies[0]");
    let up = json!({"selectPolicy": "Min", "policies": [percent]});
    namespace.edit(with_up(up.clone()));
    namespace.decides_as(&foretold);

    namespace.annotate_pods("web", "cpu", "20m");
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("without scaleDown.selectPolicy Disabled: scales to");
    let foretold = what_ifs.one("select-policy-enabled", "scaleDown");
    let down = json!({"stabilizationWindowSeconds": 0});
    let behavior = json!({"scaleUp": up, "scaleDown": down});
    namespace.edit(hpa("web").cpu(50).behavior(behavior).object());
    namespace.decides_as(&foretold);
}

#[test]
fn tolerance_of_zero_shows_the_replicas_that_it_hides() {
    if is_too_old_for("counterfactuals::tolerance_of_zero_shows_the_replicas_that_it_hides") {
        return;
    }
    let namespace = namespace("what-if-tolerance");
    let with = |up: &str, down: &str| {
        let behavior = json!({
            "scaleUp": {"tolerance": up},
            "scaleDown": {"tolerance": down, "stabilizationWindowSeconds": 0},
        });
        hpa("web").bounds(1, 20).cpu(50).behavior(behavior).object()
    };
    namespace.apply([
        deployment("web", 10).pods("cpu", "54m").object(),
        with("0.1", "0.1"),
    ]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("with scaleUp.tolerance 0: scales to 11");
    let foretold = what_ifs.one("without-tolerance", "scaleUp");
    namespace.edit(with("0", "0.1"));
    namespace.decides_as(&foretold);

    namespace.annotate_pods("web", "cpu", "45m");
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("with scaleDown.tolerance 0: scales to 10");
    let foretold = what_ifs.one("without-tolerance", "scaleDown");
    namespace.edit(with("0", "0"));
    namespace.decides_as(&foretold);
}

#[test]
fn max_replicas_that_allow_the_recommendation_let_it_go() {
    let namespace = namespace("what-if-max");
    let within = |max| hpa("web").bounds(1, max).cpu(30).object();
    namespace.apply([deployment("web", 6).pods("cpu", "90m").object(), within(6)]);
    let what_ifs = namespace.what_ifs_of_a_decision_that_holds();
    what_ifs.says("with maxReplicas 18: scales to 12 (in one step, eventually 18)");
    let foretold = what_ifs.one("max-replicas", "18");
    namespace.edit(within(18));
    namespace.decides_as(&foretold);
}
