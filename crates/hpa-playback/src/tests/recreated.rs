//! An HPA or a target that was deleted and created again is another one.

use jiff::SignedDuration;

use super::cluster::{Cluster, SYNC};
use crate::Session;

/// The verdicts of a recording, and whether one says that the controller did something else.
fn differs(cluster: &Cluster) -> Vec<String> {
    let mut session = Session::of_recordings();
    let mut found = Vec::new();
    for snapshot in &cluster.recorded {
        let compared = if snapshot.hpa_deleted.is_some() {
            session.end(snapshot)
        } else {
            session.push(snapshot.clone()).unwrap().compared
        };
        let other = compared
            .into_iter()
            .filter(|one| one.verdict.agrees() == Some(false));
        found.extend(other.map(|one| format!("{}: {:?}", one.time, one.verdict)));
    }
    found
}

/// The replicas before the deletion come from a load, those afterwards from another one, so that a history of the first
/// HPA would hold or limit the second one.
#[test]
fn new_hpa_of_the_same_name_is_never_compared_by_the_history_of_the_old_one() {
    let seconds = SignedDuration::from_secs;
    for before in [20, 130] {
        for after in [45, 90] {
            for absent in [seconds(3), seconds(45), seconds(400)] {
                for (is_heard, is_first_seen) in
                    [(true, true), (true, false), (false, true), (false, false)]
                {
                    let mut cluster = Cluster::with(5);
                    cluster.has_events = true;
                    cluster.syncs(2, |_| {});
                    cluster.load(before);
                    cluster.syncs(4, |cluster| cluster.load(before));
                    cluster.reported();
                    cluster.recreate(absent, is_heard);
                    cluster.max = 7;
                    cluster.load(after);
                    if !is_first_seen {
                        cluster.reconcile();
                        cluster.pass(SYNC);
                    }
                    cluster.syncs(8, |cluster| cluster.load(after));
                    let case = format!("{before} {after} {absent:?} {is_heard} {is_first_seen}");
                    let reported = cluster.reported();
                    assert!(!reported.contains("differs"), "{case}: {reported}");
                    assert!(!reported.contains("disagreement"), "{case}: {reported}");
                    assert!(reported.contains("appeared"), "{case}: {reported}");
                    assert_eq!(differs(&cluster), Vec::<String>::new(), "{case}");
                }
            }
        }
    }
}

#[test]
fn alarms_and_rescales_of_the_old_hpa_are_not_those_of_the_new_one() {
    let mut cluster = Cluster::with(4);
    cluster.behavior = serde_json::json!({"scaleDown": {"stabilizationWindowSeconds": 0}});
    cluster.syncs(1, |_| {});
    for load in [120, 20, 120, 20, 120] {
        cluster.load(load);
        cluster.syncs(3, |cluster| cluster.load(load));
    }
    cluster.scale(3);
    cluster.load(60);
    cluster.syncs(2, |_| {});
    let reported = cluster.reported();
    assert!(reported.contains("ALARM flapping"), "{reported}");
    assert!(reported.contains("ALARM foreign-writer"), "{reported}");
    cluster.recreate(SYNC * 2, false);
    cluster.load(60);
    cluster.syncs(4, |cluster| cluster.load(60));
    let reported = cluster.reported();
    assert!(reported.contains("over flapping"), "{reported}");
    assert!(reported.contains("over foreign-writer"), "{reported}");
    assert!(!reported.contains("ALARM"), "{reported}");
}

#[test]
fn replicas_of_a_target_that_was_created_again_are_no_ones_write() {
    let mut cluster = Cluster::with(6);
    cluster.target_created = Some(cluster.now - SignedDuration::from_hours(9));
    cluster.syncs(2, |_| {});
    cluster.reported();
    cluster.target_created = Some(cluster.now);
    cluster.scale(3);
    cluster.writer = serde_json::json!({"manager": "kubectl-create", "operation": "Update"});
    cluster.load(60);
    cluster.syncs(4, |_| {});
    let reported = cluster.reported();
    assert!(!reported.contains("set 6 → 3"), "{reported}");
    assert!(!reported.contains("foreign-writer"), "{reported}");
}
