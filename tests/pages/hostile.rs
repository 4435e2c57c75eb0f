//! An HPA whose every text comes from an attacker.

use crate::world::web;
use hpa_testing::World;

/// An HPA with this text wherever a page shows one.
pub(crate) fn hostile(text: &str) -> World {
    let mut world = web(6)
        .utilization("cpu", 60)
        .queue(text, "28", "10")
        .ready_pods(5, "100m", "96m")
        .pending(text, "100m", text)
        .refused_write("Forbidden", text)
        .other_hpa(text, "app=web");
    text.clone_into(&mut world.observation.hpa.name);
    text.clone_into(&mut world.observation.hpa.namespace);
    text.clone_into(&mut world.observation.hpa.spec.scale_target.kind);
    world
}

/// Without the other HPA, so that the metrics are evaluated.
pub(crate) fn without_others(mut world: World) -> World {
    world.observation.other_hpas.clear();
    world
}
