//! How long scaling from bound to bound takes: HPA314 and HPA315.

use hpa_analysis::{ScalingTime, scaling_time_beyond, seconds};
use hpa_engine::model::{Direction, HpaSpec, Provenance};
use hpa_words::clock::duration;

use super::side::Side;
use crate::{Basis, Cx, Finding, HpaSubject};

/// The widest range that is judged as a whole, as a factor: four doublings.
const WIDEST: i32 = 16;

/// A finding at `field`, if scaling in the direction of `side` through the range takes longer than `longest` seconds. A
/// wider range than four doublings is judged by its upper part, where a policy of pods is the slowest.
pub(super) fn slow_way(
    cx: &Cx<'_, HpaSubject>,
    side: Side<'_>,
    (min, max): (i32, i32),
    longest: f64,
    field: &str,
) -> Option<Finding> {
    let low = min.max(max / WIDEST);
    let spec = HpaSpec {
        min_replicas: if min < low {
            Some(low)
        } else {
            cx.subject.spec.min_replicas
        },
        ..cx.subject.spec.clone()
    };
    let limit = seconds(longest);
    let time = scaling_time_beyond(&spec, cx.config, side.direction, limit)?;
    let (from, to) = match side.direction {
        Direction::Up => (low, max),
        Direction::Down => (max, low),
    };
    let how = match time {
        ScalingTime::Reached(time) => format!("takes {}", duration(time)),
        ScalingTime::LongerThan(time) => format!("takes more than {}", duration(time)),
        ScalingTime::Stops(replicas) => format!("stops at {replicas}"),
    };
    let (way, load) = match side.direction {
        Direction::Up => ("up", "even at full load"),
        Direction::Down => ("down", "even without load"),
    };
    let finding = cx
        .finding(side.field(field))
        .message(format!("scaling {way} from {from} to {to} {how} {load}"));
    Some(if cx.sync_period().provenance == Provenance::Assumed {
        finding.basis(Basis::AssumedFlag)
    } else {
        finding
    })
}
