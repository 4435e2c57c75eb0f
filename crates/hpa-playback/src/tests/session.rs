//! What a session keeps and for how long, and what leaves no trace in it.

use std::sync::Arc;

use hpa_analysis::MemoryBasis;
use hpa_engine::model::HpaKey;
use hpa_watch::{Event, HpaHistory, State, Update, reduce};
use jiff::SignedDuration;

use super::cluster::{Cluster, SYNC};
use crate::{ComparisonVerdict, Reconcile};

/// The next decision.
fn preview(cluster: &Cluster) -> Reconcile {
    cluster.session.preview(&cluster.snapshot()).unwrap()
}

#[test]
fn preview_leaves_no_trace() {
    let (mut uncounted, mut left_alone) = (Cluster::with(4), Cluster::with(4));
    for cluster in [&mut uncounted, &mut left_alone] {
        cluster.syncs(2, |_| {});
        cluster.load(90);
    }
    for _ in 0..6 {
        for milli in [20, 300] {
            let mut other = uncounted.snapshot();
            other.time += SignedDuration::from_secs(3);
            for sample in &mut other.pod_metrics.as_mut().unwrap().items {
                let usage = format!("{milli}m");
                Arc::make_mut(sample).containers[0].usage =
                    serde_json::from_value(serde_json::json!({"cpu": usage})).unwrap();
            }
            assert!(uncounted.session.preview(&other).is_ok());
        }
        uncounted.syncs(1, |_| {});
        left_alone.syncs(1, |_| {});
    }
    assert_eq!(uncounted.reported(), left_alone.reported());
    assert_eq!(preview(&uncounted).memories, preview(&left_alone).memories);
}

#[test]
fn samples_that_go_on_before_the_sync_do_not_break_the_memory() {
    let mut cluster = Cluster::with(6);
    cluster.syncs(1, |_| {});
    // The controller never sees the samples that the watcher saw.
    cluster.meanwhile = |cluster| {
        let usage = cluster.pods[0].usage.unwrap();
        cluster.load(if usage == 61 { 58 } else { 61 });
    };
    cluster.syncs(24, |_| {});
    assert!(preview(&cluster).seen().is_memory_observed);
    cluster.meanwhile = |_| {};
    cluster.load(25);
    // The window holds the replicas as long as the controller's history has the earlier recommendation.
    let mut held = 0;
    while cluster.replicas == 6 {
        cluster.syncs(1, |_| {});
        held += 1;
        assert!(held < 30);
    }
    cluster.syncs(1, |_| {});
    let reported = cluster.reported();
    assert!(!reported.contains("differs"), "{reported}");
    assert!(reported.contains("[rescaled 6 → 3"), "{reported}");
}

#[test]
fn pod_whose_sample_comes_before_the_sync_makes_no_disagreement() {
    let mut cluster = Cluster::with(5);
    cluster.syncs(1, |_| {});
    cluster.load(96);
    // The average is the same with and without the fifth pod, but without a sample the pod counts as 0.
    cluster.pods[4].usage = None;
    cluster.meanwhile = |cluster| cluster.pods[4].usage = Some(96);
    cluster.reported();
    cluster.syncs(2, |_| {});
    let reported = cluster.reported();
    let unclear = r"unclear: status.desiredReplicas: recomputed 7, recorded 8";
    assert!(reported.contains(unclear), "{reported}");
    assert!(!reported.contains("differs"), "{reported}");
}

#[test]
fn pod_that_is_gone_before_the_sync_makes_no_disagreement() {
    let mut cluster = Cluster::with(5);
    cluster.syncs(1, |_| {});
    // A pod of a rollout that is being rolled back: the others alone ask for one more, with it nothing changes.
    let mut stuck = cluster.pods[0].clone();
    stuck.name = "web-77c4-001".to_owned();
    stuck.ready = None;
    cluster.pods.push(stuck);
    cluster.load(72);
    cluster.meanwhile = |cluster| cluster.pods.retain(|pod| pod.ready.is_some());
    cluster.reported();
    cluster.syncs(2, |_| {});
    let reported = cluster.reported();
    let unclear = r#"unclear: status.conditions[0].reason: recomputed "ReadyForNewScale""#;
    assert!(reported.contains(unclear), "{reported}");
    assert!(!reported.contains("differs"), "{reported}");
}

#[test]
fn memory_is_observed_after_one_window_and_again_after_restarts_and_gaps() {
    let mut cluster = Cluster::with(4);
    let basis = |cluster: &Cluster| preview(cluster).seen().assessment.analysis.memory_basis;
    assert_eq!(basis(&cluster), MemoryBasis::Inferred);
    let began = cluster.now;
    cluster.syncs(3, |_| {});
    assert_eq!(basis(&cluster), MemoryBasis::WatchedSince(began));
    cluster.syncs(16, |_| {});
    assert!(!preview(&cluster).seen().is_memory_observed);
    cluster.syncs(2, |_| {});
    assert_eq!(basis(&cluster), MemoryBasis::Watched);

    cluster.restart();
    assert!(preview(&cluster).has_restarted);
    cluster.syncs(1, |_| {});
    assert!(!preview(&cluster).has_restarted);
    assert!(matches!(basis(&cluster), MemoryBasis::WatchedSince(_)));
    cluster.syncs(21, |_| {});
    assert_eq!(basis(&cluster), MemoryBasis::Watched);

    cluster.pass(SYNC * 3);
    cluster.syncs(1, |_| {});
    assert!(matches!(basis(&cluster), MemoryBasis::WatchedWithGaps(_)));
    cluster.syncs(21, |_| {});
    assert_eq!(basis(&cluster), MemoryBasis::Watched);
}

#[test]
fn window_that_ends_after_syncs_that_were_not_seen_makes_no_disagreement() {
    let seconds = SignedDuration::from_secs;
    let mut cluster = Cluster::with(6);
    cluster.syncs(1, |_| {});
    cluster.pass(seconds(1));
    // The status does not change, and the syncs come later than the watcher expects.
    for _ in 0..24 {
        cluster.reconcile();
        cluster.pass(seconds(11));
        cluster.guessed_sync();
        cluster.pass(SignedDuration::from_millis(1_050));
    }
    assert!(preview(&cluster).seen().is_memory_observed);
    cluster.reconcile();
    cluster.pass(seconds(11));
    // This read asks for six, and the sync right after it does not.
    cluster.guessed_sync();
    cluster.load(25);
    while cluster.replicas == 6 {
        cluster.syncs(1, |cluster| {
            cluster.pass(SignedDuration::from_millis(50));
        });
    }
    cluster.syncs(1, |_| {});
    let reported = cluster.reported();
    assert!(!reported.contains("differs"), "{reported}");
    assert!(!reported.contains("disagreement"), "{reported}");
    assert!(reported.contains("[rescaled 6 → 3"), "{reported}");
}

#[test]
fn sync_that_may_not_have_been_is_unclear() {
    let mut cluster = Cluster::with(6);
    cluster.syncs(24, |_| {});
    cluster.load(25);
    cluster.syncs(19, |_| {});
    assert_eq!(cluster.replicas, 6);
    // The window ends, and the controller has not synced since.
    cluster.is_running = false;
    cluster.syncs(6, |_| {});
    let reported = cluster.reported();
    assert!(reported.contains("unclear: "), "{reported}");
    assert!(!reported.contains("differs"), "{reported}");
    assert!(!reported.contains("disagreement"), "{reported}");
}

#[test]
fn reconcile_is_judged_as_soon_as_its_status_is_seen_and_never_before() {
    let mut cluster = Cluster::with(4);
    cluster.syncs(1, |_| {});
    cluster.load(120);
    let pushed = cluster.session.push(cluster.snapshot()).unwrap();
    // Nothing was written yet, but a write is due.
    assert!(
        cluster
            .session
            .compare(&cluster.snapshot())
            .unwrap()
            .is_empty()
    );
    cluster.now += SignedDuration::from_secs(1);
    cluster.reconcile();
    let compared = cluster.session.compare(&cluster.snapshot()).unwrap();
    assert_eq!(compared.len(), 1);
    assert_eq!(compared[0].time, pushed.reconcile.time);
    assert_eq!(compared[0].verdict, ComparisonVerdict::Agrees);
    assert!(compared[0].is_final);
    assert!(
        cluster
            .session
            .compare(&cluster.snapshot())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn what_is_kept_is_bounded_and_goes_with_its_hpa() {
    let mut cluster = Cluster::with(3);
    cluster.syncs(200, |_| {});
    let reconcile = preview(&cluster);
    let window = usize::try_from(SignedDuration::from_mins(5).as_secs() / SYNC.as_secs()).unwrap();
    for memory in &reconcile.memories {
        assert!(memory.recommendations.as_ref().unwrap().len() <= window + 2);
    }
    assert!(reconcile.memories.len() <= 4);
    let hpa = HpaKey {
        namespace: "shop".to_owned(),
        name: "web".to_owned(),
    };
    cluster.session.forget(&hpa);
    assert_eq!(
        preview(&cluster).seen().assessment.analysis.memory_basis,
        MemoryBasis::Inferred
    );

    let mut state = State::default();
    let mut seen = reconcile.seen();
    let most = HpaHistory::MOST + 500;
    for _ in 0..most {
        seen.assessment.analysis.trace.at += SYNC;
        let (at, seen) = (seen.assessment.analysis.trace.at, Box::new(seen.clone()));
        reduce(&mut state, Event::Reconciled(seen), at);
    }
    let history = &state.hpas[&hpa].history;
    assert_eq!(history.entries().len(), HpaHistory::MOST);
    let bytes: usize = history.entries().map(bytes_of).sum();
    assert!(bytes / HpaHistory::MOST < 1024, "{bytes}");
    let first = history.entries().next().unwrap().id;
    assert!(history.get(first).is_some() && history.get(first - 1).is_none());

    let now = seen.assessment.analysis.trace.at;
    let deleted = Event::Deleted { hpa: hpa.clone() };
    assert_eq!(
        reduce(&mut state, deleted, now),
        [Update::Deleted { hpa: hpa.clone() }]
    );
    reduce(&mut state, Event::Tick, now + State::DELETED_IS_KEPT);
    assert!(state.hpas.is_empty());
}

/// The approximate size of an entry.
fn bytes_of(entry: &hpa_watch::HistoryEntry) -> usize {
    let texts = entry.metrics.iter().map(|metric| {
        let optional = [&metric.value, &metric.target, &metric.failure];
        let lengths = optional.into_iter().flatten().map(String::len);
        size_of_val(metric) + metric.name.len() + lengths.sum::<usize>()
    });
    size_of_val(entry) + entry.headline.len() + texts.sum::<usize>()
}
