//! What would be decided if one thing were different: lines of the short page, and the list of `--what-if`.

use hpa_engine::model::{Owner, Reading, SelectPolicy};
use hpa_render::json::WhatIf;
use hpa_testing::{World, down, up};
use jiff::SignedDuration;

use crate::world::{AsPage, web};

/// Gives the pods from index `first` to a Job.
fn of_a_job(mut world: World, first: usize) -> World {
    if let Reading::Read(pods) = &mut world.observation.pods {
        for (number, pod) in pods.iter_mut().enumerate().skip(first) {
            pod.name = format!("report-{number}");
            pod.owner = Some(Owner {
                kind: "Job".to_owned(),
                name: "report".to_owned(),
            });
        }
    }
    if let Reading::Read(samples) = &mut world.observation.pod_metrics {
        for (number, sample) in samples.iter_mut().enumerate().skip(first) {
            sample.name = format!("report-{number}");
        }
    }
    world
}

fn of_kind<'a>(all: &'a [WhatIf], kind: &str) -> Vec<&'a WhatIf> {
    all.iter().filter(|one| one.kind == kind).collect()
}

/// Policies in both directions, a window in each, and a metric within its tolerance.
fn with_every_rule() -> World {
    web(10)
        .utilization("cpu", 60)
        .ready_pods(10, "100m", "65m")
        .queue("queue_depth", "58", "10")
        .behavior(up().window(60).pods(4, 60).percent(50, 60))
        .behavior(down().window(120).percent(10, 60))
        .remembering(&[(10, "10:41:15")])
}

#[test]
fn list_shows_every_usage_and_every_rule_that_is_set() {
    insta::assert_snapshot!(with_every_rule().what_if());
}

#[test]
fn list_of_pods_that_are_not_ready() {
    let world = web(8)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "85m")
        .never_ready("web-8d21", "100m", "10:27:00", "readiness probe fails")
        .never_ready("web-7f9c", "100m", "10:27:00", "readiness probe fails")
        .remembering(&[(8, "10:41:15")]);
    insta::assert_snapshot!(world.what_if());
}

#[test]
fn pods_of_others_are_named_with_the_decision_without_them() {
    let world = web(4)
        .utilization("cpu", 60)
        .ready_pods(4, "100m", "90m")
        .ready_pods(2, "100m", "1m");
    let world = of_a_job(world, 4)
        .replica_set("web-7f9c", None, None)
        .remembering(&[(4, "10:41:15")]);
    let without_others = |world: &World| -> Vec<(String, Option<i32>)> {
        of_kind(&world.json().what_if, "without-foreign-pods")
            .into_iter()
            .map(|one| (one.change.clone(), one.replicas))
            .collect()
    };
    let reported = without_others(&world);
    let change = "without the 2 pods of others (report-4 and report-5)";
    assert_eq!(reported, [(change.to_owned(), Some(6))]);
    // The short page has a note about them.
    assert_eq!(world.lines(), Vec::<String>::new());
    // The owner of the others' ReplicaSet is unknown now, but the Job's pods are certainly not the Deployment's.
    let mut without_right = world.clone();
    without_right.context.target = None;
    assert_eq!(without_others(&without_right), reported);
    // A recording without owners does not say whose pods they are.
    let mut without_owners = world;
    if let Reading::Read(pods) = &mut without_owners.observation.pods {
        for pod in pods {
            pod.owner = None;
        }
    }
    assert_eq!(without_others(&without_owners), []);
}

#[test]
fn metric_that_wins_is_reported_with_the_decision_without_it() {
    let world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "20m")
        .queue("queue_depth", "58", "10")
        .remembering(&[(2, "10:41:15")]);
    assert_eq!(
        world.lines(),
        ["without queue_depth, which asks for 6: scales to 2"]
    );
}

#[test]
fn tolerance_is_reported_where_it_hides_a_replica() {
    let world = web(20)
        .bounds(2, 40)
        .utilization("cpu", 60)
        .ready_pods(20, "100m", "65m")
        .remembering(&[(20, "10:41:15")]);
    assert_eq!(world.lines(), ["with scaleUp.tolerance 0: scales to 22"]);
    // Before 1.33, an HPA has no tolerance of its own.
    let mut old = world;
    old.observation.controller = hpa_engine::model::ControllerConfig::defaults(
        hpa_engine::model::Input::inferred("1.30".parse().unwrap()),
    );
    assert_eq!(
        old.lines(),
        ["with --horizontal-pod-autoscaler-tolerance=0 in the controller: scales to 22"]
    );
}

#[test]
fn policy_that_holds_is_reported_with_the_step_without_it() {
    let down = down().window(0).select(SelectPolicy::Min);
    let world = web(10)
        .utilization("cpu", 60)
        .ready_pods(10, "100m", "10m")
        .behavior(down.percent(10, 60).pods(4, 60))
        .remembering(&[(2, "10:41:15")]);
    assert_eq!(
        world.lines(),
        [
            "without scaleDown.policies[0] (10% per 60 s): scales to 6 (held by 4 pods per 60 s, eventually 2)"
        ]
    );
    let all = world.json().what_if;
    let edits: Vec<&str> = of_kind(&all, "without-policy")
        .iter()
        .map(|one| one.edits[0].path.as_str())
        .collect();
    assert_eq!(
        edits,
        [
            "spec.behavior.scaleDown.policies[0]",
            "spec.behavior.scaleDown.policies[1]"
        ]
    );
}

#[test]
fn usage_that_leads_to_the_bounds_is_given_to_the_thousandth() {
    let world = web(5)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "58m")
        .status(5, 5, 58, "ReadyForNewScale", "DesiredWithinRange");
    let all = world.json().what_if;
    let usage: Vec<(i64, i32, Option<i32>, &str)> = of_kind(&all, "usage")
        .iter()
        .map(|one| {
            let usage = &one.usage[0];
            (
                usage.total_milli,
                usage.replicas,
                one.replicas,
                one.rule.as_str(),
            )
        })
        .collect();
    assert_eq!(
        usage,
        [
            // 67% of 500m asks for 6, and 229% for 20, of which one step allows 10.
            (335, 6, Some(6), "metric"),
            (1145, 20, Some(10), "no-behavior-limit"),
            // 48%, with everything that is reduced to it, asks for 4, and 24% for 2; the window holds both.
            (244, 4, Some(5), "stabilization-window"),
            (124, 2, Some(5), "stabilization-window"),
        ]
    );
    let ends: Vec<Option<i32>> = of_kind(&all, "usage")
        .iter()
        .map(|one| one.changes.last().map(|change| change.to))
        .collect();
    assert_eq!(ends, [None, Some(20), Some(4), Some(2)]);
    assert!(SignedDuration::from_mins(4) < all[2].changes[0].at.duration_since(world.now));
}

#[test]
fn page_that_contradicts_the_controller_builds_nothing_on_its_numbers() {
    let world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "68m")
        .status(6, 6, 68, "ReadyForNewScale", "DesiredWithinRange");
    assert_eq!(world.lines(), Vec::<String>::new());
}

/// What follows from a value that the metric has now is today's decision, and not what its edge alone would lead to.
#[test]
fn value_that_the_metric_is_already_beyond_is_no_counterfactual() {
    let rising = web(4).utilization("cpu", 60).ready_pods(4, "100m", "90m");
    let falling = web(9)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "24m")
        .remembering(&[(9, "10:41:15")]);
    let levels = |world: &World| -> Vec<String> {
        let all = world.json().what_if;
        let usage = of_kind(&all, "usage").into_iter();
        usage.map(|one| one.change.clone()).collect()
    };
    assert_eq!(
        levels(&rising),
        [
            "cpu is at 286% or more",
            "cpu is at 45% or less",
            "cpu is at 30% or less"
        ]
    );
    assert_eq!(
        levels(&falling),
        [
            "cpu is at 67% or more",
            "cpu is at 127% or more",
            "cpu is at 13% or less"
        ]
    );
}

#[test]
fn value_that_the_limits_make_impossible_is_called_so() {
    let world = web(3)
        .utilization("cpu", 120)
        .ready_pods(3, "100m", "98m")
        .limits("100m");
    let all = world.json().what_if;
    let first = &of_kind(&all, "usage")[0].change;
    assert_eq!(
        first,
        "cpu is at 133% or more, which cannot be reached: CPU limits cap usage at 100%"
    );
}

/// Without the policy that holds the replicas, another one holds them: "no change" alone would contradict the answer.
#[test]
fn policy_that_holds_instead_is_named() {
    let world = web(10)
        .utilization("cpu", 60)
        .ready_pods(10, "100m", "95m")
        .behavior(up().percent(30, 60).pods(4, 60));
    let text = world.what_if();
    for (policy, other) in [
        ("[0] (30% per 60 s)", "4 pods per 60 s"),
        ("[1] (4 pods per 60 s)", "30% per 60 s"),
    ] {
        let line = format!("without scaleUp.policies{policy} (held by {other}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(&line), "{line}: {text}");
    }
}

#[test]
fn edit_that_brings_the_defaults_of_behavior_says_so() {
    let world = web(2).utilization("cpu", 20).ready_pods(2, "20m", "515m");
    let all = world.json().what_if;
    let tolerance = of_kind(&all, "without-tolerance")[0];
    assert_eq!(
        (tolerance.change.as_str(), tolerance.replicas),
        (
            "with scaleUp.tolerance 0, so the defaults of behavior apply",
            Some(6)
        )
    );
}

/// The numbers of a page that the controller contradicts lead to nothing.
#[test]
fn list_is_empty_where_the_controller_decided_otherwise() {
    let world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "68m")
        .status(6, 6, 68, "ReadyForNewScale", "DesiredWithinRange");
    assert_eq!(world.json().what_if, []);
    let text = world.what_if();
    let line = "what if     not known while the recomputation differs from what the controller\n";
    assert!(text.contains(line), "{text}");
}
