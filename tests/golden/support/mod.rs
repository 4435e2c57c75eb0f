//! Fixtures built by chained calls: `hpa("web").cpu(60).min(2).max(10).with_replicas(3).pods([pod("a").cpu("250m")])`.
//!
//! Defaults are valid, and a test mentions only what it is about. Times are offsets from one fixed instant.

mod behavior;
mod hpa;
mod pod;
mod reading;
mod situation;

use hpa_engine::model::{KubeVersion, Quantity};
use jiff::{SignedDuration, Timestamp};

pub(crate) use behavior::{Rules, down, up};
pub(crate) use hpa::{HpaFixture, hpa};
pub(crate) use pod::{ContainerFixture, PodFixture, container, deleted, pod};
pub(crate) use reading::{
    condition, grouped, limited, metric, outcome, proposal, stabilized, status_of_metric,
};
pub(crate) use situation::Situation;

/// The fixed instant, 10:00:00.
pub(crate) const NOW: Timestamp = Timestamp::constant(1_772_445_600, 0);

/// The fixed instant plus an offset such as `-2m`.
pub(crate) fn at(offset: &str) -> Timestamp {
    NOW + duration(offset)
}

/// A duration such as `1m 30s`.
pub(crate) fn duration(text: &str) -> SignedDuration {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A quantity as in a manifest.
pub(crate) fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Minor versions whose controller is known.
pub(crate) fn all_versions() -> std::ops::RangeInclusive<u32> {
    KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor
}

/// Minor versions from `first` on.
pub(crate) fn since(first: u32) -> std::ops::RangeInclusive<u32> {
    first..=KubeVersion::NEWEST.minor
}

/// Minor versions up to `last`.
pub(crate) fn until(last: u32) -> std::ops::RangeInclusive<u32> {
    KubeVersion::OLDEST.minor..=last
}
