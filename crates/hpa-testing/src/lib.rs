//! Small worlds for tests, built by chained calls:
//! `hpa("web").cpu(60).min(2).max(10).with_replicas(3).pods([pod("a").cpu("250m")])`.
//!
//! Defaults are valid, and a test mentions only what it is about. Times are relative to one fixed instant. What cannot be
//! built panics: the test that asks for it is wrong.

#![expect(
    clippy::missing_panics_doc,
    reason = "everything here panics for what cannot be built"
)]

mod behavior;
mod context;
mod metrics;
mod pod;
mod recordings;
mod status;
mod world;
mod world_pods;

use hpa_engine::model::{KubeVersion, Quantity};
use jiff::{SignedDuration, Timestamp};

pub use behavior::{Rules, down, up};
pub use metrics::{average, utilization, value};
pub use pod::{ContainerFixture, PodFixture, container, gone, pod};
pub use recordings::recordings;
pub use world::{World, controller, hpa};

/// The fixed instant, 10:00:00 UTC on 2 March 2026.
pub const NOW: Timestamp = Timestamp::constant(1_772_445_600, 0);

/// The fixed instant plus an offset such as `-2m`, or a time such as `10:41:30` on the same day.
pub fn at(text: &str) -> Timestamp {
    if text.contains(':') {
        return parsed(&format!("2026-03-02T{text}Z"));
    }
    NOW + duration(text)
}

/// A duration such as `1m 30s`.
pub fn duration(text: &str) -> SignedDuration {
    parsed(text)
}

/// A quantity as in a manifest.
pub fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A minor version without a patch.
pub fn version(minor: u32) -> KubeVersion {
    KubeVersion { minor, patch: None }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> T {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}
