//! Pods that the last sync counted and that are gone at the look, seconds later: they leave nothing to read, so the
//! page claims no disagreement and no setting.

use hpa_analysis::ComparisonOutcome;
use hpa_engine::model::{FieldManager, Pod, Reading};
use hpa_testing::{World, at};
use jiff::SignedDuration;

use crate::world::{AsPage, web};

/// How the pods that go away were counted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    /// They crash.
    Crashing,
    /// They wait for a node.
    Pending,
    /// They are ready, and have no sample.
    Unsampled,
    /// They are ready and use as much as the others.
    Ready,
}

const CLASSES: [Class; 4] = [
    Class::Crashing,
    Class::Pending,
    Class::Unsampled,
    Class::Ready,
];

/// Pods of the target, and of another workload with the same label.
fn with_others(own: i32, usage: i32, class: Class, others: usize) -> World {
    let usage = format!("{usage}m");
    let number = usize::try_from(own).unwrap();
    let mut world = web(own)
        .bounds(1, 40)
        .utilization("cpu", 60)
        .ready_pods(number, "100m", &usage);
    for index in 0..others {
        let name = format!("canary-{index}");
        world = match class {
            Class::Crashing => {
                world.never_ready(&name, "100m", "10:30:00", "back-off: CrashLoopBackOff")
            }
            Class::Pending => world.pending(&name, "100m", "no node has room"),
            Class::Unsampled => world.without_sample(&name, "100m"),
            Class::Ready => world.ready_pods(1, "100m", &usage),
        };
    }
    world
}

/// The status after a sync of these pods; `None` if it scales.
fn synced(world: &World) -> Option<World> {
    let mut synced = world.clone();
    for _ in 0..2 {
        let analysis = synced.analysis();
        let outcome = analysis.trace.outcome?;
        if outcome.status.current_replicas != outcome.status.desired_replicas {
            return None;
        }
        synced.observation.hpa.status = outcome.status;
    }
    Some(synced)
}

fn keep_pods(world: &mut World, own: i32) {
    let own = usize::try_from(own).unwrap();
    let mut kept = Vec::new();
    if let Reading::Read(pods) = &mut world.observation.pods {
        pods.truncate(own);
        kept.extend(pods.iter().map(|pod: &Pod| pod.name.clone()));
    }
    if let Reading::Read(samples) = &mut world.observation.pod_metrics {
        samples.retain(|sample| kept.contains(&sample.name));
    }
    world.now += SignedDuration::from_secs(6);
}

#[test]
fn pods_that_are_gone_since_the_sync_are_no_other_setting() {
    let (mut compared, mut other) = (0, 0);
    for own in [1, 2, 3, 4, 6, 9] {
        for usage in [20, 45, 52, 63, 68, 75, 90, 110] {
            for class in CLASSES {
                for others in [1, 2, 3, 5] {
                    let case = format!("{own} {usage} {class:?} {others}");
                    let Some(mut world) = synced(&with_others(own, usage, class, others)) else {
                        continue;
                    };
                    keep_pods(&mut world, own);
                    compared += 1;
                    let analysis = world.analysis();
                    let check = &analysis.cross_check;
                    assert_ne!(check.agreement, ComparisonOutcome::Differs, "{case}");
                    let page = world.page();
                    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
                    for claim in ["(recomputed:", "No single", "setting is wrong", "mismatch"] {
                        assert!(!words.contains(claim), "{case}\n{page}");
                    }
                    if check.differing_replicas().is_some() {
                        other += 1;
                        // What the controller does next is within what the page says.
                        let next = analysis.trace.decision.replicas().unwrap();
                        assert!(words.contains("BETWEEN"), "{case} {next}\n{page}");
                    }
                }
            }
        }
    }
    assert!(100 < compared && 50 < other, "{other} of {compared}");
}

#[test]
fn page_says_that_pods_may_be_gone_and_which_setting_would_explain_it_otherwise() {
    let mut world = synced(&with_others(4, 90, Class::Crashing, 3)).unwrap();
    keep_pods(&mut world, 4);
    let answer = world.answer();
    let words = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "BETWEEN 4 AND 6",
        "The last sync kept 4. Pods that it counted may be gone since, so run this again in 15 s.",
    ] {
        assert!(words.contains(part), "{answer}");
    }
    assert_eq!(world.json().cross_check.agreement, "inputs-may-have-moved");
}

#[test]
fn decision_that_no_further_pods_explain_differs() {
    // An external metric does not count pods.
    let mut world =
        web(4)
            .queue("lag", "60", "10")
            .status(4, 4, 0, "ReadyForNewScale", "DesiredWithinRange");
    world.observation.hpa.status.current_metrics = world
        .analysis()
        .trace
        .outcome
        .unwrap()
        .status
        .current_metrics;
    // Nothing shows when the HPA was edited, and an edit since the sync would explain it, too.
    let json = world.json();
    assert_eq!(json.cross_check.agreement, "differs");
    assert_eq!(json.verdict.headline, "BETWEEN 4 AND 6");
    world.context.hpa_edited_by = Some(FieldManager {
        manager: "kubectl-edit".to_owned(),
        time: Some(at("08:00:00")),
        ..FieldManager::default()
    });
    world.context.hpa_status_written = Some(at("10:41:20"));
    assert_eq!(world.json().cross_check.agreement, "differs");
    assert!(world.page().contains("STAYS AT 4 (recomputed: 6)"));
}
