//! The recorded incidents of `examples`, played through a session and the reducer.

use std::path::Path;

use hpa_engine::model::HpaKey;
use hpa_objects::recording::{RecordingReader, Snapshot};
use hpa_watch::{Event, State, reduce};

use super::lines::line;
use crate::{Pushed, Session};

#[test]
fn held_by_window() {
    insta::assert_snapshot!(play("held-by-window"), @r"
11:29:30 web appeared: STAYS AT 9 by within-tolerance
11:30:49 web STAYS AT 9 by stabilization-window [verdict]
");
}

#[test]
fn more_than_max() {
    insta::assert_snapshot!(play("more-than-max"), @"
    11:29:30 api appeared: STAYS AT 8 by within-tolerance
    11:30:19 api SCALES 8 → 16 by no-behavior-limit [verdict]
    11:30:35 api SCALES 16 → 20 (maxReplicas) by max-replicas [rescaled 8 → 16, verdict, ready 8 → 16]
    11:30:35 api ALARM unmet-demand: at max 20, cpu asks for 32 (119 / 60 × 16 pods = 31.7): 12 pods short
    11:30:50 api STAYS AT 20 (maxReplicas) by max-replicas [rescaled 16 → 20, verdict, ready 16 → 18]
    11:31:19 api ALARM pods-not-running: 2 of 20 pods not scheduled: 0/1 nodes are available: 1 Insufficient cpu (api-546f758bf6-bvbmb and api-546f758bf6-kl29c)
    ");
}

#[test]
fn not_ready_pods() {
    insta::assert_snapshot!(play("not-ready-pods"), @"
    11:29:29 web appeared: STAYS AT 8 by within-tolerance
    11:30:19 web STAYS AT 8 by second-pass [verdict, ready 8 → 6]
    11:31:29 web ALARM unready-pods: 2 of 8 pods not ready, 25% (CrashLoopBackOff): web-7f5fbdc4d6-2brwl and web-7f5fbdc4d6-2jf99
    ");
}

#[test]
fn broken_metric() {
    insta::assert_snapshot!(play("broken-metric"), @"
    11:29:30 worker appeared: STAYS AT 6 by within-tolerance
    11:30:20 worker ALARM invalid-metric: cpu cannot be computed: nothing is scaled down (missing request for cpu in container proxy of Pod worker-debug)
    11:30:50 worker CANNOT SCALE DOWN, stays at 6 by invalid-metric-blocks-scale-down [verdict]
    ");
}

/// So it is in a recording of the past: series have neither the time of the last rescale nor who wrote the replicas.
#[test]
fn rescale_of_the_controller_is_known_by_the_replicas_of_its_status_alone() {
    let played = play_without("more-than-max", |snapshot| {
        snapshot.hpa.status.last_scale_time = None;
        snapshot.target = None;
        snapshot.kubernetes_events.clear();
    });
    let rescaled: Vec<&str> = played
        .lines()
        .filter(|line| line.contains("rescaled") || line.contains("set"))
        .collect();
    insta::assert_snapshot!(rescaled.join("\n"), @"
    11:30:35 api SCALES 16 → 20 (maxReplicas) by max-replicas [rescaled 8 → 16, verdict, ready 8 → 16]
    11:30:50 api STAYS AT 20 (maxReplicas) by max-replicas [rescaled 16 → 20, verdict, ready 16 → 18]
    ");
}

fn play(example: &str) -> String {
    play_without(example, |_| {})
}

fn play_without(example: &str, remove: impl Fn(&mut Snapshot)) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{example}.jsonl"));
    let mut session = Session::of_cluster();
    let mut state = State::default();
    let mut lines = Vec::new();
    for read in RecordingReader::open(&path).unwrap() {
        let mut snapshot = read.unwrap().snapshot;
        remove(&mut snapshot);
        let now = snapshot.time;
        let Pushed {
            reconcile,
            compared,
        } = session.push(snapshot).unwrap();
        let seen = reconcile.seen();
        let compared = compared.into_iter().filter(|one| one.is_final);
        let events = compared
            .map(|one| Event::Compared {
                hpa: HpaKey::clone(&seen.hpa),
                at: one.time,
                agreement: one.agreement(),
            })
            .collect::<Vec<_>>();
        for event in events
            .into_iter()
            .chain([Event::Reconciled(Box::new(seen))])
        {
            for update in reduce(&mut state, event, now) {
                lines.extend(line(&state, &update, now));
            }
        }
    }
    lines.join("\n")
}
