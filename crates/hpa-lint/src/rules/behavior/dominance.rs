//! Which of several policies never decides.

use crate::{
    engine::AfterMetrics,
    lint::Missing,
    model::{Direction, ScalingPolicy, SelectPolicy},
};

/// The policies of one direction, and the replicas for which they are compared.
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
    /// Replicas at the start of the period: all from the first to the last count.
    pub(super) bounds: (i32, i32),
}

/// A policy that can be removed without any change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dominated {
    /// Its index.
    pub(super) index: usize,
    /// Whether that holds whatever happened before. Else it holds as long as only this direction scales: those that
    /// decide instead have another period.
    pub(super) is_unconditional: bool,
}

impl Contest<'_> {
    /// The policies that can all go together and change nothing: at every start another one that stays allows as much
    /// (with `Min`: as little). Of equal ones the first stays.
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

    /// Whether the start of a rival's period gives it no disadvantage while only this direction scales: of a shorter
    /// period less of the change so far counts.
    fn starts_as_well(&self, rival: i32, period: i32) -> bool {
        if self.select_policy == SelectPolicy::Min {
            period <= rival
        } else {
            rival <= period
        }
    }

    /// Whether at every start one of the rivals is selected just as well.
    fn never_decides(&self, index: usize, rivals: &[usize]) -> Result<bool, Missing> {
        let (first, last) = self.bounds;
        let is_beaten = |start: i32| {
            let own = self.rank(index, start);
            rivals.iter().any(|rival| own <= self.rank(*rival, start))
        };
        // Most policies decide at one of the ends.
        if !is_beaten(first) || !is_beaten(last) {
            return Ok(false);
        }
        if last.saturating_sub(first) <= MOST_STARTS {
            return Ok((first..=last).all(is_beaten));
        }
        // Bounds of one type rise with the value at every start, also in floating point.
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

    /// The more, the sooner a policy is selected.
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

/// Numbers of replicas that are tried at most.
pub(super) const MOST_STARTS: i32 = 10_000;
