//! A target out of reach: the limits of the pods keep their usage below what scales up.

use hpa_engine::{
    engine::{Reach, utilization_percent},
    model::{Pod, quantity::Overflow},
    trace::Milli,
};

/// A measurement can be so much above a limit, in percent of it.
pub const OVERSHOOT: i64 = 5;

/// From this percentage of the limits on, pods count as being at their limits.
pub const AT_LIMITS: i64 = 90;

/// How much pods can use, in percent of their requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HighestUsage {
    /// What their limits allow.
    pub most: i32,
    /// What a measurement can show of that.
    pub most_measured: i32,
}

/// A target that does not scale up even if the pods use all that their limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfReach {
    /// Whether no measurement scales up, not even one above the limits.
    pub is_never: bool,
    /// The highest lower target that can scale up; none: none can.
    pub reachable: Option<i32>,
}

impl HighestUsage {
    /// Of pods with these limits and requests, in the same unit. None if nothing is requested.
    pub fn of(limits: i64, requests: i64) -> Option<Self> {
        let overshoot = limits.saturating_mul(OVERSHOOT).checked_div(100)?;
        Some(Self {
            most: utilization_percent(limits, requests)?,
            most_measured: utilization_percent(limits.saturating_add(overshoot), requests)?,
        })
    }
}

/// Judges a target in percent of requests. `usage` is that of now, if it is known: pods at their limits show how much
/// they can use.
pub fn out_of_reach(
    reach: &Reach,
    target: i32,
    highest: HighestUsage,
    usage: Option<i32>,
) -> Option<OutOfReach> {
    let HighestUsage {
        most,
        most_measured,
    } = highest;
    let least = reach.least_utilization(target)?;
    (most < least).then(|| OutOfReach {
        is_never: most_measured < least,
        reachable: highest_reachable(reach, target, highest, usage),
    })
}

/// Whether a usage, in total over the pods with these limits, is more than they allow. Where all pods of a metric in percent
/// of requests count, the least usage that scales up is so exactly if its target is [out of reach](out_of_reach).
pub fn is_above_limits(usage: Milli, limits: i64) -> bool {
    limits < usage.0
}

/// Whether pods with this usage are at their limits.
pub fn is_at_limits(highest: HighestUsage, usage: i32) -> bool {
    let share = i64::from(highest.most).saturating_mul(AT_LIMITS);
    share <= i64::from(usage).saturating_mul(100)
}

fn highest_reachable(
    reach: &Reach,
    target: i32,
    highest: HighestUsage,
    usage: Option<i32>,
) -> Option<i32> {
    let is_at_limits = |usage: &i32| is_at_limits(highest, *usage);
    let most = usage.filter(is_at_limits).unwrap_or(highest.most);
    let reaches = |target| {
        let least = reach.least_utilization(target);
        least.is_some_and(|least| least <= most)
    };
    highest_below(target, reaches)
}

/// The highest target below `end` that suits. If it suits, all below it must.
pub fn highest_below(end: i32, suits: impl Fn(i32) -> bool) -> Option<i32> {
    let (mut suiting, mut other) = (0_i32, end);
    while 1 < other.saturating_sub(suiting) {
        let middle = i32::midpoint(suiting, other);
        if suits(middle) {
            suiting = middle;
        } else {
            other = middle;
        }
    }
    (0 < suiting).then_some(suiting)
}

/// The sum of the pods' CPU limits in milli-units, or of the one container that the metric names. None if a container has
/// no limit.
pub fn cpu_limits<'a>(pods: impl IntoIterator<Item = &'a Pod>, only: Option<&str>) -> Option<i64> {
    let mut total = 0_i64;
    for pod in pods {
        // A restartable init container runs next to the others, and its usage also counts.
        let sidecars = pod
            .init_containers
            .iter()
            .filter(|container| container.is_restartable);
        let containers = pod.containers.iter().chain(sidecars);
        for container in containers.filter(|one| only.is_none_or(|name| one.name == name)) {
            let (_, limit) = container.limits.iter().find(|(name, _)| name == "cpu")?;
            total = total.checked_add(limit.milli_value(Overflow::Saturate))?;
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{ControllerConfig, Input, KubeVersion};

    use super::*;

    fn judged(target: i32, usage: Option<i32>) -> Option<OutOfReach> {
        let reach = Reach::new(
            &ControllerConfig::defaults(Input::given(KubeVersion::NEWEST)),
            None,
        );
        out_of_reach(&reach, target, HighestUsage::of(500, 500)?, usage)
    }

    #[test]
    fn request_equal_to_limit_reaches_ninety_percent_and_no_more() {
        assert_eq!(judged(90, None), None);
        let reachable = Some(90);
        let is_never = |target| judged(target, None).map(|found| (found.is_never, found.reachable));
        assert_eq!(is_never(95), Some((false, reachable)));
        assert_eq!(is_never(96), Some((true, reachable)));
    }

    #[test]
    fn point_of_a_row_is_above_the_limits_where_the_target_is_out_of_reach() {
        let reach = Reach::new(
            &ControllerConfig::defaults(Input::given(KubeVersion::NEWEST)),
            None,
        );
        for (limits, requests, target) in [(500, 300, 150), (501, 300, 152), (999, 700, 129)] {
            let least = reach.least_utilization(target).unwrap();
            let usage =
                (0..10_000).find(|usage| utilization_percent(*usage, requests) == Some(least));
            let highest = HighestUsage::of(limits, requests).unwrap();
            assert_eq!(
                is_above_limits(Milli(usage.unwrap()), limits),
                out_of_reach(&reach, target, highest, None).is_some(),
                "{limits} {requests} {target}"
            );
        }
    }

    #[test]
    fn pods_at_their_limits_show_how_much_they_can_use() {
        let reachable = |usage| judged(120, Some(usage)).unwrap().reachable;
        assert_eq!((reachable(98), reachable(50)), (Some(89), Some(90)));
    }
}
