//! Numbers of pods that can be given in percent.

use std::fmt;

/// Pods, or percent of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodShare {
    /// A percentage.
    Percent(i32),
    /// A number of pods.
    Pods(i32),
}

impl PodShare {
    /// The share of `replicas`, percent rounded up: `maxSurge`, and the shares of a PodDisruptionBudget. Upstream:
    /// `intstr.GetScaledValueFromIntOrPercent` with `roundUp`.
    pub fn rounded_up(self, replicas: i32) -> i32 {
        self.of(replicas, 99)
    }

    /// The share of `replicas`, percent rounded down: `maxUnavailable` of a Deployment.
    pub fn rounded_down(self, replicas: i32) -> i32 {
        self.of(replicas, 0)
    }

    fn of(self, replicas: i32, add: i64) -> i32 {
        match self {
            Self::Pods(pods) => pods,
            Self::Percent(percent) => {
                let hundredths = i64::from(percent) * i64::from(replicas);
                i32::try_from((hundredths + add).div_euclid(100)).unwrap_or(i32::MAX)
            }
        }
    }
}

impl fmt::Display for PodShare {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(percent) => write!(formatter, "{percent}%"),
            Self::Pods(pods) => write!(formatter, "{pods}"),
        }
    }
}

/// How many pods a PodDisruptionBudget allows to evict while `replicas` run and all are ready. Upstream:
/// `getExpectedPodCount` in `disruption.go`.
pub fn evictable_pods(
    min_available: Option<PodShare>,
    max_unavailable: Option<PodShare>,
    replicas: i32,
) -> i32 {
    match (min_available, max_unavailable) {
        (Some(share), _) => replicas.saturating_sub(share.rounded_up(replicas)),
        (None, Some(share)) => share.rounded_up(replicas).min(replicas),
        (None, None) => replicas,
    }
}

/// How many pods a rolling update of a Deployment may add above `replicas`, and how many may be unavailable. Absent
/// means 25%. Upstream: `ResolveFenceposts` in `deployment_util.go`.
pub fn rolling_update(
    max_surge: Option<PodShare>,
    max_unavailable: Option<PodShare>,
    replicas: i32,
) -> (i32, i32) {
    let default = PodShare::Percent(25);
    let surge = max_surge.unwrap_or(default).rounded_up(replicas);
    let unavailable = max_unavailable.unwrap_or(default).rounded_down(replicas);
    if surge == 0 && unavailable == 0 {
        // Validation rejects two zeros, so a percentage must have been rounded down.
        return (0, 1);
    }
    (surge, unavailable.min(replicas))
}

#[cfg(test)]
mod tests {
    use proptest::{prop_assert, prop_assert_eq, proptest};

    use super::{PodShare, evictable_pods, rolling_update};

    proptest! {
        #[test]
        fn percent_are_rounded_as_upstream_does_in_floats(percent in 0_i32..=200, replicas in 0_i32..=5000) {
            let exact = f64::from(percent) * f64::from(replicas) / 100.0;
            let share = PodShare::Percent(percent);
            prop_assert!(f64::from(share.rounded_up(replicas)).total_cmp(&exact.ceil()).is_eq());
            prop_assert!(f64::from(share.rounded_down(replicas)).total_cmp(&exact.floor()).is_eq());
        }

        #[test]
        fn a_budget_blocks_exactly_if_as_many_must_stay_as_there_are(
            percent in 0_i32..=100,
            pods in 0_i32..=20,
            replicas in 1_i32..=200,
        ) {
            let blocks = |share| evictable_pods(Some(share), None, replicas) <= 0;
            let must_stay = (1..=replicas).find(|stay| percent * replicas <= stay * 100);
            prop_assert_eq!(blocks(PodShare::Percent(percent)), must_stay == Some(replicas) && 0 < percent);
            prop_assert_eq!(blocks(PodShare::Pods(pods)), replicas <= pods);
            let unavailable = |share| evictable_pods(None, Some(share), replicas) <= 0;
            prop_assert_eq!(unavailable(PodShare::Percent(percent)), percent == 0);
            prop_assert_eq!(unavailable(PodShare::Pods(pods)), pods == 0);
        }

        #[test]
        fn a_rolling_update_can_always_go_on(surge in 0_i32..=100, unavailable in 0_i32..=100, replicas in 1_i32..=500) {
            let (up, down) = rolling_update(
                Some(PodShare::Percent(surge)),
                Some(PodShare::Percent(unavailable)),
                replicas,
            );
            prop_assert!(0 < up + down);
            prop_assert!(down <= replicas);
        }
    }

    #[test]
    fn defaults_keep_all_of_few_pods() {
        assert_eq!(rolling_update(None, None, 1), (1, 0));
        assert_eq!(rolling_update(None, None, 3), (1, 0));
        assert_eq!(rolling_update(None, None, 4), (1, 1));
        assert_eq!(
            rolling_update(Some(PodShare::Pods(0)), Some(PodShare::Percent(25)), 3),
            (0, 1)
        );
    }
}
