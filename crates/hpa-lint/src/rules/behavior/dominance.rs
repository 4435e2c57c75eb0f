//! Finds policies that never decide.

use hpa_engine::{
    engine::AfterMetrics,
    model::{Direction, ScalingPolicy, SelectPolicy},
};

use crate::Missing;

/// The policies of one direction, and the range of replicas over which they are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contest<'a> {
    /// The engine.
    pub(super) engine: AfterMetrics<'a>,
    /// Up or down.
    pub(super) direction: Direction,
    /// The policies.
    pub(super) policies: &'a [ScalingPolicy],
    /// `Max` or `Min`.
    pub(super) select_policy: SelectPolicy,
    /// The range of replicas at the start of a period, both ends included.
    pub(super) bounds: (i32, i32),
}

/// A policy that can be removed without any effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dominated {
    /// Its index.
    pub(super) index: usize,
    /// Whether it never decides in any situation. If false, that holds only while this direction alone scales: the
    /// deciding policies have another period.
    pub(super) is_unconditional: bool,
}

impl Contest<'_> {
    /// The policies that can be removed together without any effect: at every start, a remaining policy allows as much
    /// (with `Min`: as little). Of equal policies the first one remains.
    pub(super) fn dominated(&self) -> Result<Vec<Dominated>, Missing> {
        let mut staying: Vec<usize> = (0..self.policies.len()).collect();
        let mut dominated = Vec::new();
        for index in (0..self.policies.len()).rev() {
            let rivals = |is_rival: &dyn Fn(&ScalingPolicy) -> bool| -> Vec<usize> {
                let rivals = staying.iter().copied();
                rivals
                    .filter(|rival| *rival != index && is_rival(&self.policies[*rival]))
                    .collect()
            };
            let period = self.policies[index].period_seconds;
            let of_same_period = rivals(&|rival| rival.period_seconds == period);
            let of_any = rivals(&|rival| self.starts_as_well(rival.period_seconds, period));
            let is_unconditional = self.never_decides(index, &of_same_period)?;
            if is_unconditional || self.never_decides(index, &of_any)? {
                staying.retain(|one| *one != index);
                dominated.push(Dominated {
                    index,
                    is_unconditional,
                });
            }
        }
        dominated.reverse();
        Ok(dominated)
    }

    /// Whether the start of a rival's period is no disadvantage while only this direction scales: a shorter period
    /// includes less of the earlier change.
    fn starts_as_well(&self, rival: i32, period: i32) -> bool {
        if self.select_policy == SelectPolicy::Min {
            period <= rival
        } else {
            rival <= period
        }
    }

    /// Whether, at every start, one of the rivals is selected just as well.
    fn never_decides(&self, index: usize, rivals: &[usize]) -> Result<bool, Missing> {
        let (first, last) = self.bounds;
        let is_beaten = |start: i32| {
            let own = self.rank(index, start);
            rivals.iter().any(|rival| own <= self.rank(*rival, start))
        };
        // Most policies decide at one end of the range.
        if !is_beaten(first) || !is_beaten(last) {
            return Ok(false);
        }
        if last.saturating_sub(first) <= MOST_STARTS {
            return Ok((first..=last).all(is_beaten));
        }
        // Bounds of one type grow with the value at every start, also in floating point.
        let policy = &self.policies[index];
        let is_of_same_type = rivals.iter().any(|rival| {
            let rival = &self.policies[*rival];
            let (less, more) = if self.select_policy == SelectPolicy::Min {
                (rival.value, policy.value)
            } else {
                (policy.value, rival.value)
            };
            rival.policy_type == policy.policy_type && less <= more
        });
        if is_of_same_type {
            return Ok(true);
        }
        Err(Missing::Because(format!(
            "the range {first}–{last} is too large to compare policies of different types (at most {MOST_STARTS} \
             values)"
        )))
    }

    /// The rank for selection: the higher, the sooner a policy is selected.
    fn rank(&self, index: usize, start: i32) -> i64 {
        let bound = self
            .engine
            .policy_bound(&self.policies[index], start, self.direction);
        let is_largest_selected =
            (self.direction == Direction::Up) == (self.select_policy == SelectPolicy::Max);
        if is_largest_selected {
            i64::from(bound)
        } else {
            -i64::from(bound)
        }
    }
}

/// Maximum number of starts to try.
pub(super) const MOST_STARTS: i32 = 10_000;
