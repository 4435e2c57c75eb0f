//! Who changed the replicas.

use serde_json::json;

use super::cluster::Cluster;

/// The controller undoes what another writer sets, and its write of the scale is seen before that of its status. The
/// status of the sync before has the same number.
#[test]
fn write_of_the_controller_is_never_that_of_another() {
    for controller in ["kube-controller-manager", "cloud-autoscaler"] {
        for shows_scale_first in [false, true] {
            let mut cluster = Cluster::with(6);
            cluster.controller = controller;
            cluster.syncs(2, |_| {});
            cluster.shows_scale_first = shows_scale_first;
            cluster.reported();
            for _ in 0..4 {
                cluster.replicas = 3;
                cluster.writer = json!({"manager": "argocd-controller", "operation": "Apply"});
                cluster.analysis();
                cluster.load(60);
                cluster.syncs(2, |_| {});
            }
            let reported = cluster.reported();
            let case = format!("{controller} {shows_scale_first}: {reported}");
            assert_eq!(reported.matches("set 6 → 3").count(), 4, "{case}");
            assert_eq!(reported.matches("rescaled 3 → 6").count(), 4, "{case}");
            assert!(!reported.contains("set 3 → 6"), "{case}");
            assert!(!reported.contains("set replicas 3 → 6"), "{case}");
        }
    }
}
