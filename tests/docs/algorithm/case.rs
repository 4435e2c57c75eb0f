//! What the worlds of the pages begin with.

use hpa_testing::{PodFixture, World, hpa};

/// An HPA `shop/web` of 1 to 20 replicas without metrics, at this many replicas and with an empty history.
pub(super) fn case(replicas: i32) -> World {
    let mut case = hpa("web").min(1).max(20).with_replicas(replicas);
    let status = &mut case.observation.hpa.status;
    (status.current_replicas, status.desired_replicas) = (replicas, replicas);
    case.remembering(&[])
}

/// A pod that has been ready for an hour, without a sample; its container `app` requests 100m.
pub(super) fn pod() -> PodFixture {
    hpa_testing::pod("").requesting("100m")
}

/// This many ready pods that use `cpu` each.
pub(super) fn ready(number: usize, cpu: &str) -> Vec<PodFixture> {
    vec![pod().cpu(cpu); number]
}
