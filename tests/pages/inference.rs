//! Inferences from outside compared with the truth: each reconcile of the recordings is treated as if it were the only
//! one.

use hpa_testing::{World, at, down, up};
use std::path::Path;

use hpa_analysis::{Analysis, memory_from_outside, thresholds};
use hpa_engine::{
    engine,
    model::{
        Context, FieldManager, KubeEvent, Memory, MetricIdentifier, MetricStatus,
        MetricValueStatus, Quantity, Target,
    },
    trace::{Decision, MetricOutcome},
};
use hpa_explain::Rule;
use hpa_objects::recording::{RecordingReader, Snapshot};
use jiff::SignedDuration;

use crate::world::{AsPage, web};

/// The recordings of one family of the newest release.
pub(crate) fn recordings(family: &str) -> impl Iterator<Item = Snapshot> {
    let path = format!("tests/conformance/1.36/{family}.jsonl.gz");
    RecordingReader::open(Path::new(&path))
        .unwrap()
        .map(|line| line.unwrap().snapshot)
}

/// Adds what the API server would have: the Events of earlier reconciles.
pub(crate) fn add_events(context: &mut Context, snapshot: &Snapshot) {
    for event in &snapshot.outcome.as_ref().unwrap().events {
        context.events.push(KubeEvent {
            event_type: event.event_type.clone(),
            reason: event.reason.clone(),
            message: event.message.clone(),
            count: 1,
            first: Some(snapshot.time),
            last: Some(snapshot.time),
        });
    }
}

/// A lag of `lag` at `current` replicas, after a sync at 30 whose status shows 13334m: ⌈400 ÷ 30⌉ in thousandths, and so
/// for all between 399.991 and 400.02, which ask for 40 or for 41 at 10 each.
fn after_a_rounded_lag(lag: &str) -> World {
    let mut world = web(30).bounds(2, 30).queue("lag", lag, "10").status(
        30,
        30,
        0,
        "ReadyForNewScale",
        "TooManyReplicas",
    );
    world.observation.hpa.status.current_metrics = vec![MetricStatus::External {
        metric: MetricIdentifier {
            name: "lag".to_owned(),
            selector: None,
        },
        current: MetricValueStatus {
            average_value: Some(Quantity::parse("13334m").unwrap()),
            ..MetricValueStatus::default()
        },
    }];
    world
}

#[test]
fn rounded_average_of_the_status_is_no_recommendation() {
    let page = after_a_rounded_lag("400").page();
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for printed in [
        "At maxReplicas 30: External metric lag is at 13.334 per replica (target 10) and asks for 40 replicas (400 in total / \
         10 = 40).",
        "window 40 nothing higher in the last 5 min",
        "with maxReplicas 40: scales to 40",
    ] {
        assert!(text.contains(printed), "{page}");
    }
    for unsaid in ["makes that 41", "maxReplicas 41", "holds 31", "holds 41"] {
        assert!(!text.contains(unsaid), "{page}");
    }
}

#[test]
fn least_that_the_status_allows_is_called_the_least() {
    let page = after_a_rounded_lag("250").page();
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for printed in [
        "the 5 min scale-down window holds at least 40 until at most 10:46:46 (inferred),",
        "window 40 highest in the last 5 min: at least 40",
    ] {
        assert!(text.contains(printed), "{page}");
    }
    for unsaid in ["holds 40", "maxReplicas 40"] {
        assert!(!text.contains(unsaid), "{page}");
    }
}

#[test]
fn one_look_from_outside_decides_as_the_controller_did() {
    let (mut all, mut same, mut in_range, mut ranges, mut wrong) = (0, 0, 0, 0, Vec::new());
    for family in [
        "cpu",
        "edge",
        "memory",
        "container",
        "pods",
        "object",
        "external",
        "multi",
    ] {
        let mut name = String::new();
        let mut context = Context::default();
        let mut memory = Memory::default();
        for snapshot in recordings(family) {
            if snapshot.metadata.name != name {
                name.clone_from(&snapshot.metadata.name);
                context = Context::default();
            }
            if snapshot.controller_started {
                memory = Memory::default();
                context.leader_since = Some(snapshot.time - SignedDuration::from_secs(1));
            }
            let observation = snapshot.observation().unwrap();
            let outside = memory_from_outside(&observation, &context, snapshot.time);
            let decide = |memory: &Memory| {
                engine::decide(&observation, &mut memory.clone(), snapshot.time).decision
            };
            let truth = engine::decide(&observation, &mut memory, snapshot.time).decision;
            let replicas = |decision: &Decision| match *decision {
                Decision::Hold { current } => Some(current),
                Decision::Rescale { to, .. } => Some(to),
                _ => None,
            };
            add_events(&mut context, &snapshot);
            let Some(real) = replicas(&truth) else {
                continue;
            };
            all += 1;
            let likely = replicas(&decide(&outside.likely)).unwrap();
            let least = replicas(&decide(&outside.least)).unwrap();
            let most = replicas(&decide(&outside.most)).unwrap();
            let (low, high) = (likely.min(least).min(most), likely.max(least).max(most));
            same += usize::from(likely == real);
            ranges += usize::from(low != high);
            if (low..=high).contains(&real) {
                in_range += 1;
            } else {
                wrong.push(format!(
                    "{name} {} real {real} said {likely} ({low}…{high})",
                    snapshot.time
                ));
            }
        }
    }
    // Windows and periods that end right now can't be seen from outside, nor can edits between two reads.
    let report = format!("{same} of {all} the same, {in_range} in range, {ranges} ranges");
    assert!(
        1000 < all && 975 * all <= 1000 * same,
        "{report}\n{}",
        wrong.join("\n")
    );
    assert!(
        985 * all <= 1000 * in_range && 20 * ranges <= all,
        "{report}\n{}",
        wrong.join("\n")
    );
}

#[test]
fn thresholds_lead_where_they_say() {
    let (mut ups, mut downs) = (0, 0);
    for family in ["cpu", "memory", "container", "pods", "object", "external"] {
        for snapshot in recordings(family).step_by(7) {
            let observation = snapshot.observation().unwrap();
            let trace = engine::decide(&observation, &mut Memory::default(), snapshot.time);
            let (Some(current), Some(metric)) = (trace.current(), trace.metrics().next()) else {
                continue;
            };
            let Some(found) = thresholds(&observation, &trace, metric.index, current) else {
                continue;
            };
            for (threshold, is_up) in [(&found.up, true), (&found.down, false)] {
                let Some(threshold) = threshold else { continue };
                assert!(if is_up {
                    current < threshold.replicas
                } else {
                    threshold.replicas < current
                });
                let MetricOutcome::Proposal { replicas, .. } = threshold.evaluation.outcome else {
                    panic!("a threshold without a proposal");
                };
                assert_eq!(replicas, threshold.replicas);
                ups += i32::from(is_up);
                downs += i32::from(!is_up);
            }
        }
    }
    assert!(100 < ups && 50 < downs, "{ups} {downs}");
}

fn decision(world: &World) -> (Option<i32>, Option<(i32, i32)>, Analysis) {
    let analysis = world.analysis();
    let to = match analysis.trace.decision {
        Decision::Hold { current } => Some(current),
        Decision::Rescale { to, .. } => Some(to),
        _ => None,
    };
    (to, analysis.range, analysis)
}

#[test]
fn status_that_was_content_proves_that_the_window_holds() {
    let world = web(9)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "24m")
        .status(9, 9, 60, "ReadyForNewScale", "DesiredWithinRange");
    let (to, range, analysis) = decision(&world);
    assert_eq!((to, range), (Some(9), None));
    // It can't scale down before the recommendation of the last reconcile is five minutes old.
    assert_eq!(analysis.timeline[0].to, 4);
    assert!(at("10:46:30") <= analysis.timeline[0].at);
    assert_eq!(
        world.json().verdict.rule,
        Rule::StabilizationWindow.as_str()
    );
}

#[test]
fn window_that_held_and_whose_cause_has_expired_leaves_a_range() {
    let world = web(9)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "24m")
        .rescaled(
            "10:36:25",
            9,
            "cpu resource utilization (percentage of request) above target",
        )
        .status(9, 9, 24, "ScaleDownStabilized", "DesiredWithinRange");
    let (to, range, _) = decision(&world);
    assert_eq!((to, range), (Some(4), Some((4, 9))));
    insta::assert_snapshot!(world.answer());
}

#[test]
fn policy_counts_what_the_events_tell() {
    let world = web(7)
        .utilization("cpu", 60)
        .ready_pods(7, "100m", "10m")
        .behavior(down().pods(1, 60))
        .rescaled("10:40:00", 8, "All metrics below target")
        .rescaled("10:41:00", 7, "All metrics below target")
        .status(7, 7, 10, "ReadyForNewScale", "ScaleDownLimit");
    let (to, range, _) = decision(&world);
    assert_eq!((to, range), (Some(7), None));
    insta::assert_snapshot!(world.answer());
}

#[test]
fn combined_event_is_a_step_at_its_last_time_and_no_other_writer_is_blamed() {
    const ABOVE: &str = "cpu resource utilization (percentage of request) above target";
    let mut world = web(18)
        .utilization("cpu", 60)
        .ready_pods(18, "100m", "90m")
        .behavior(up().pods(1, 60))
        .rescaled("10:38:00", 15, ABOVE)
        .rescaled("10:41:00", 18, ABOVE)
        .status(18, 18, 90, "ReadyForNewScale", "ScaleUpLimit");
    let combined = world.context.events.last_mut().unwrap();
    combined.message = format!("(combined from similar events): {}", combined.message);
    combined.count = 3;
    combined.first = Some(at("10:39:00"));
    world.observation.hpa.spec.max_replicas = 40;
    world.observation.hpa.status.last_scale_time = Some(at("10:41:00"));
    let (to, range, _) = decision(&world);
    assert_eq!((to, range), (Some(18), None));
    let page = world.page();
    assert!(!page.contains("in between"), "{page}");
    // Its Event was dropped, but the status shows the step.
    world.context.events.pop();
    let (to, range, _) = decision(&world);
    assert_eq!(to, Some(18), "{range:?}");
}

#[test]
fn controller_that_leads_only_since_then_has_forgotten_what_was_before() {
    let mut world = web(7)
        .utilization("cpu", 60)
        .ready_pods(7, "100m", "10m")
        .behavior(down().pods(1, 60))
        .behavior(up().pods(1, 60))
        .rescaled("10:41:00", 7, "All metrics below target")
        .status(7, 7, 10, "ReadyForNewScale", "ScaleDownLimit");
    world.context.leader_since = Some(at("10:41:20"));
    let (to, range, analysis) = decision(&world);
    // The controller first remembers the 7 replicas, for five minutes.
    assert_eq!((to, range), (Some(7), None));
    assert_eq!(analysis.memory, Memory::default());
    insta::assert_snapshot!(world.answer());
}

#[test]
fn missing_samples_and_averages_are_reported_in_the_users_unit() {
    let answer = web(4)
        .average("cpu", "60m")
        .ready_pods(3, "100m", "90m")
        .without_sample("web-03", "100m")
        .remembering(&[(4, "10:41:15")])
        .answer();
    insta::assert_snapshot!(answer);
}

/// The target was lowered so that 6 replicas become 8; the status is from the sync before.
fn edited(time: &str, status_written: &str) -> World {
    let mut world = web(6)
        .utilization("cpu", 45)
        .ready_pods(6, "100m", "60m")
        .status(6, 6, 60, "ReadyForNewScale", "DesiredWithinRange");
    world.context.hpa_edited_by = Some(FieldManager {
        manager: "kubectl-edit".to_owned(),
        time: Some(at(time)),
        ..FieldManager::default()
    });
    world.context.hpa_status_written = Some(at(status_written));
    world
}

#[test]
fn edit_after_the_last_sync_is_no_disagreement() {
    let world = edited("10:41:22", "10:41:20");
    insta::assert_snapshot!(world.page());
    let check = world.json().cross_check;
    assert_eq!(
        (check.agreement.as_str(), check.agrees),
        ("spec-edited", None)
    );
    assert!(check.hypotheses[0].text.contains("kubectl-edit"));
}

#[test]
fn a_status_of_an_older_generation_is_older_than_the_spec_and_no_disagreement() {
    let mut world = edited("10:41:28", "10:41:28");
    world.observation.hpa.generation = Some(4);
    world.observation.hpa.status.observed_generation = Some(3);
    let answer = world.answer();
    let printed = "The controller has not synced the edit at 10:41:28 (kubectl-edit) yet.";
    assert!(answer.replace('\n', " ").contains(printed), "{answer}");
    assert!(
        world
            .page()
            .contains("older than the spec: observedGeneration 3, generation 4")
    );
    let check = world.json().cross_check;
    assert_eq!(
        (check.agreement.as_str(), check.agrees),
        ("spec-edited", None)
    );
    // Without a record of who edited it when, it is equally certain.
    world.context.hpa_edited_by = None;
    assert_eq!(world.json().cross_check.agreement, "spec-edited");
    let mut late = edited("10:41:10", "10:41:08");
    late.observation.hpa.generation = Some(4);
    late.observation.hpa.status.observed_generation = Some(3);
    let answer = late.answer().replace('\n', " ");
    assert!(
        answer.contains("check that kube-controller-manager runs."),
        "{answer}"
    );
}

#[test]
fn edit_that_the_controller_had_time_to_take_in_is_only_supposed() {
    let world = edited("10:40:22", "10:40:20");
    insta::assert_snapshot!(world.answer());
    assert_eq!(world.json().cross_check.agreement, "inputs-may-have-moved");
}

#[test]
fn edit_before_the_last_status_explains_nothing() {
    let mut seen = edited("10:41:22", "10:41:20");
    seen.observation.hpa.generation = Some(2);
    seen.observation.hpa.status.observed_generation = Some(2);
    for world in [edited("10:41:20", "10:41:22"), seen] {
        assert_eq!(world.json().cross_check.agreement, "inputs-may-have-moved");
        let page = world.page();
        assert!(!page.contains("was edited"), "{page}");
    }
}

/// Four replicas at the `maxReplicas` of the last sync, 4; the HPA has had 20 since. CPU asks for 6.
fn raised_max(able: &str) -> World {
    web(4)
        .bounds(2, 20)
        .utilization("cpu", 60)
        .ready_pods(4, "100m", "90m")
        .status(4, 4, 90, able, "TooManyReplicas")
}

/// <https://github.com/caas-team/GoKubeDownscaler/issues/435>
#[test]
fn bound_of_an_older_spec_is_no_recommendation_above_the_new_one() {
    let mut world = raised_max("ReadyForNewScale");
    let (to, range, _) = decision(&world);
    assert_eq!((to, range), (Some(6), None));
    let text = |world: &World| {
        world
            .answer()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let answer = text(&world);
    let printed = "The HPA was edited since its last sync: maxReplicas was 4 and is 20 now.";
    assert!(answer.contains(printed), "{answer}");
    assert_eq!(world.json().cross_check.agreement, "spec-edited");

    world.context.hpa_edited_by = Some(FieldManager {
        manager: "kube-downscaler".to_owned(),
        time: Some(at("10:41:24")),
        ..FieldManager::default()
    });
    world.context.hpa_status_written = Some(at("10:41:20"));
    let answer = text(&world);
    let printed = "The HPA was edited at 10:41:24 (kube-downscaler), after its last sync: maxReplicas was 4 and is 20 \
                   now.";
    assert!(answer.contains(printed), "{answer}");
    // Long after the edit, the status is still that of the old one.
    world.context.hpa_edited_by.as_mut().unwrap().time = Some(at("10:35:00"));
    world.context.hpa_status_written = Some(at("10:34:50"));
    assert_eq!(decision(&world).0, Some(6));
    let answer = text(&world);
    assert!(
        answer.contains("check that kube-controller-manager runs"),
        "{answer}"
    );
}

#[test]
fn recommendation_of_unknown_height_above_an_older_max_leaves_a_range() {
    let mut world = raised_max("ScaleDownStabilized");
    assert_eq!(decision(&world).1, Some((6, 8)));
    assert!(
        world.answer().contains("BETWEEN 6 AND 8"),
        "{}",
        world.answer()
    );
    // The same status belongs to the spec if that still has the maximum.
    world.observation.hpa.spec.max_replicas = 4;
    assert_eq!((decision(&world).0, decision(&world).1), (Some(4), None));
}

#[test]
fn lowered_min_leaves_what_the_last_sync_recommended() {
    // 30% of 60% is 3 replicas of 6; the metrics now ask for 2.
    let world = web(6)
        .bounds(1, 20)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "20m")
        .status(6, 6, 30, "ReadyForNewScale", "TooFewReplicas");
    let (to, range, _) = decision(&world);
    assert_eq!(to, Some(3), "{range:?}");
    let answer = world.answer();
    assert!(answer.contains("minReplicas was 6 and is 1"), "{answer}");
}

#[test]
fn hpa_that_never_decided_wrote_no_number() {
    let mut world = web(4)
        .bounds(0, 10)
        .utilization("cpu", 60)
        .ready_pods(4, "100m", "60m")
        .failing_since("10:41:15");
    world.observation.hpa.status.current_replicas = 4;
    world.context.target = Some(Target {
        replicas_written_by: vec![FieldManager {
            manager: "kubectl".to_owned(),
            ..FieldManager::default()
        }],
        ..Target::default()
    });
    let page = world.page();
    assert!(!page.contains("after the HPA"), "{page}");
    // A controller that scaled to zero did write it.
    world.observation.hpa.status.last_scale_time = Some(at("10:30:00"));
    let page = world
        .page()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let claim = "kubectl (field manager) set spec.replicas to 4 after the HPA had decided on 0";
    assert!(page.contains(claim), "{page}");
}
