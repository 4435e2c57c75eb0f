//! How long scaling from bound to bound takes: HPA314 and HPA315.

use super::side::Side;
use crate::{
    explain::clock::duration,
    inference::{ScalingTime, scaling_time_beyond, seconds},
    lint::{Basis, Cx, Finding, HpaSubject},
    model::{Direction, Provenance},
};

/// A finding at `field`, if scaling in the direction of `side` between these replicas takes longer than `longest`
/// seconds.
pub(super) fn slow_way(
    cx: &Cx<'_, HpaSubject>,
    side: Side<'_>,
    (from, to): (i32, i32),
    longest: f64,
    field: &str,
) -> Option<Finding> {
    let limit = seconds(longest);
    let time = scaling_time_beyond(&cx.subject.spec, cx.config, side.direction, limit)?;
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
