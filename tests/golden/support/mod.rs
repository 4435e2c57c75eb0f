//! What of a trace the tests look at, and versions of the controller.

mod reading;

use std::ops::RangeInclusive;

use hpa_engine::model::KubeVersion;

pub(crate) use reading::{
    condition, grouped, limited, metric, outcome, proposal, stabilized, status_of_metric,
};

/// Minor versions whose controller is known.
pub(crate) fn all_versions() -> RangeInclusive<u32> {
    KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor
}

/// Minor versions from `first` on.
pub(crate) fn since(first: u32) -> RangeInclusive<u32> {
    first..=KubeVersion::NEWEST.minor
}

/// Minor versions up to `last`.
pub(crate) fn until(last: u32) -> RangeInclusive<u32> {
    KubeVersion::OLDEST.minor..=last
}
