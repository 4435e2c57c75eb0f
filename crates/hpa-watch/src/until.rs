//! When the goal of `--until` is reached.
//!
//! `scaled` is reached for an HPA with the controller's first rescale; every other goal must hold for all HPAs at the
//! same time. `ready`: the replicas are those that the HPA wants, and all pods exist and are ready. `stable`: see
//! [`UntilState::is_settled`]. A number: the scale target has this many replicas, no matter what wrote them.

use std::{collections::BTreeMap, str::FromStr};

use hpa_analysis::longest_window;
use hpa_engine::model::HpaKey;
use jiff::{SignedDuration, Timestamp};

use crate::{Change, HpaState, PodCounts, State, Update};

/// What `--until` waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchGoal {
    /// The controller has scaled.
    Scaled,
    /// Nothing is about to change.
    Stable,
    /// All wanted pods are there and ready.
    Ready,
    /// There are so many replicas.
    Replicas(i32),
}

impl FromStr for WatchGoal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "scaled" => Ok(Self::Scaled),
            "stable" => Ok(Self::Stable),
            "ready" => Ok(Self::Ready),
            _ => text
                .parse()
                .ok()
                .filter(|replicas| 0 <= *replicas)
                .map(Self::Replicas)
                .ok_or_else(|| "use scaled, stable, ready, or a number of replicas".to_owned()),
        }
    }
}

/// The goal of `--until`, and the progress of each HPA.
pub struct Until {
    goal: WatchGoal,
    progress: BTreeMap<HpaKey, UntilProgress>,
}

/// The outcome so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntilOutcome {
    /// The goal is not reached yet.
    NotYet,
    /// All HPAs have reached the goal.
    Reached,
    /// The goal cannot be reached any more; the reason.
    Never(String),
}

/// The progress of one HPA.
#[derive(Clone, Debug, Default)]
struct UntilProgress {
    has_scaled: bool,
    /// Since which sync nothing is about to change.
    stable_since: Option<Timestamp>,
    /// Its latest state; none: no data yet.
    state: Option<UntilState>,
}

/// The state of an HPA at one read.
#[derive(Clone, Debug, PartialEq)]
struct UntilState {
    at: Timestamp,
    is_reconcile: bool,
    current: Option<i32>,
    desired: Option<i32>,
    min: i32,
    max: i32,
    pods: PodCounts,
    /// Whether a metric is invalid.
    has_failing_metric: bool,
    /// Whether the replicas will change over time if the metrics keep asking for the same.
    has_change_ahead: bool,
    /// When the replicas last changed, by any writer.
    changed_at: Option<Timestamp>,
    /// The longest stabilization window or policy period.
    longest: SignedDuration,
    sync_period: SignedDuration,
}

impl Until {
    /// Waits for `goal` for `hpas`, and for those that appear later.
    pub fn new(goal: WatchGoal, hpas: impl IntoIterator<Item = HpaKey>) -> Self {
        let begin = |hpa| (hpa, UntilProgress::default());
        Self {
            goal,
            progress: hpas.into_iter().map(begin).collect(),
        }
    }

    /// Applies the updates of an event.
    pub fn take(&mut self, updates: &[Update], state: &State) -> UntilOutcome {
        for update in updates {
            let (hpa, changes) = match update {
                Update::Appeared { hpa, .. } => (hpa, &[][..]),
                Update::Deleted { hpa } => return UntilOutcome::Never(format!("{hpa} is gone")),
                Update::Changed { hpa, changes, .. } | Update::Reconciled { hpa, changes, .. } => {
                    (hpa, &changes[..])
                }
                _ => continue,
            };
            let progress = self.progress.entry(hpa.clone()).or_default();
            progress.has_scaled |= changes.iter().any(|change| {
                matches!(
                    change,
                    Change::Rescaled { .. } | Change::RescaledUnseen { .. }
                )
            });
        }
        for (hpa, progress) in &mut self.progress {
            if let Some(state) = state.hpas.get(hpa).and_then(|hpa| UntilState::of(hpa))
                && progress.state.as_ref() != Some(&state)
            {
                progress.take(state);
            }
        }
        self.answer()
    }

    /// What is still missing if the goal was not reached: a fragment for each HPA.
    pub fn missing(&self) -> Vec<String> {
        let missing = self
            .progress
            .iter()
            .filter(|(_, one)| !one.is_reached(self.goal));
        missing
            .map(|(hpa, one)| format!("{hpa}: {}", one.missing(self.goal)))
            .collect()
    }

    fn answer(&self) -> UntilOutcome {
        let never = self.progress.iter().find_map(|(hpa, progress)| {
            let why = progress.state.as_ref()?.is_out_of_reach(self.goal)?;
            Some(format!("{hpa} {why}"))
        });
        if let Some(why) = never {
            return UntilOutcome::Never(why);
        }
        let is_reached = !self.progress.is_empty()
            && self.progress.values().all(|one| one.is_reached(self.goal));
        if is_reached {
            UntilOutcome::Reached
        } else {
            UntilOutcome::NotYet
        }
    }
}

impl UntilProgress {
    fn take(&mut self, state: UntilState) {
        if !state.is_stable() {
            self.stable_since = None;
        } else if state.is_reconcile {
            self.stable_since.get_or_insert(state.at);
        }
        self.state = Some(state);
    }

    fn is_reached(&self, goal: WatchGoal) -> bool {
        let Some(state) = &self.state else {
            return false;
        };
        match goal {
            WatchGoal::Ready => state.is_ready(),
            WatchGoal::Replicas(replicas) => state.current == Some(replicas),
            WatchGoal::Scaled => self.has_scaled,
            WatchGoal::Stable => {
                let stable_since = self.stable_since;
                stable_since.is_some_and(|since| state.is_settled(since))
            }
        }
    }

    fn missing(&self, goal: WatchGoal) -> String {
        let Some(state) = &self.state else {
            return "no sync was observed".to_owned();
        };
        let number =
            |number: Option<i32>| number.map_or_else(|| "?".to_owned(), |it| it.to_string());
        let (current, desired) = (number(state.current), number(state.desired));
        let PodCounts { all, ready, .. } = state.pods;
        match goal {
            WatchGoal::Replicas(_) => format!("{current} replicas"),
            WatchGoal::Scaled => format!("the controller has not scaled it, {current} replicas"),
            WatchGoal::Stable if state.is_stable() => {
                format!("{current} replicas, which changed too short a time ago")
            }
            WatchGoal::Stable if state.is_ready() && state.has_failing_metric => {
                format!("{current} replicas, and a metric cannot be read")
            }
            WatchGoal::Stable if state.is_ready() => {
                format!("{current} replicas, which change by and by")
            }
            WatchGoal::Ready | WatchGoal::Stable => {
                format!("{current} replicas, {desired} wanted, {ready} of {all} pods ready")
            }
        }
    }
}

impl UntilState {
    fn of(hpa: &HpaState) -> Option<Self> {
        let entry = hpa.history.last()?;
        let observation = &hpa.latest.assessment.observation;
        Some(Self {
            at: entry.at,
            is_reconcile: entry.is_reconcile,
            current: entry.current,
            desired: entry.desired,
            min: entry.min,
            max: entry.max,
            pods: entry.pods,
            has_failing_metric: entry.metrics.iter().any(|it| it.failure.is_some()),
            has_change_ahead: !hpa.latest.assessment.analysis.timeline.is_empty(),
            changed_at: hpa.changed_at().max(observation.hpa.status.last_scale_time),
            longest: longest_window(observation),
            sync_period: observation.sync_period().value,
        })
    }

    /// Whether the replicas are those that the HPA wants, and all pods exist and are ready.
    fn is_ready(&self) -> bool {
        let requested = self.current.and_then(|it| usize::try_from(it).ok());
        self.current == self.desired
            && requested == Some(self.pods.all)
            && requested == Some(self.pods.ready)
    }

    /// Whether everything is ready, every metric is valid, and no window or policy holds back a change.
    fn is_stable(&self) -> bool {
        self.is_ready() && !self.has_failing_metric && !self.has_change_ahead
    }

    /// Whether it is settled: stable at every read for one sync period, and the replicas unchanged for as long as the
    /// controller's history can matter (the longest stabilization window or policy period) plus one sync. From then on
    /// only the metrics, the pods or a person can change something.
    fn is_settled(&self, stable_since: Timestamp) -> bool {
        // The controller's syncs may be slightly early or late.
        let sync = self.sync_period * 9 / 10;
        let has_passed = |from: Timestamp, duration| duration <= self.at.duration_since(from);
        let may_matter = self.longest.saturating_add(sync);
        has_passed(stable_since, sync)
            && self
                .changed_at
                .is_none_or(|changed| has_passed(changed, may_matter))
    }

    /// Why the controller never reaches the goal. Zero can be set manually.
    fn is_out_of_reach(&self, goal: WatchGoal) -> Option<String> {
        match goal {
            WatchGoal::Replicas(0) => None,
            WatchGoal::Replicas(requested) if self.current == Some(requested) => None,
            WatchGoal::Replicas(requested) if requested < self.min => Some(format!(
                "never has {requested} replicas: minReplicas is {}",
                self.min
            )),
            WatchGoal::Replicas(requested) if self.max < requested => Some(format!(
                "never has {requested} replicas: maxReplicas is {}",
                self.max
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    /// Four replicas, as wanted, all ready; unchanged for long.
    fn calm(at: i64) -> UntilState {
        UntilState {
            at: second(at),
            is_reconcile: true,
            current: Some(4),
            desired: Some(4),
            min: 2,
            max: 10,
            pods: PodCounts {
                all: 4,
                ready: 4,
                ..PodCounts::default()
            },
            has_failing_metric: false,
            has_change_ahead: false,
            changed_at: None,
            longest: SignedDuration::from_mins(5),
            sync_period: SignedDuration::from_secs(15),
        }
    }

    fn key(name: &str) -> HpaKey {
        HpaKey {
            namespace: "shop".to_owned(),
            name: name.to_owned(),
        }
    }

    /// The first outcomes other than `NotYet`, and the reads after which they came.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "what is expected is written where it is compared"
    )]
    #[track_caller]
    fn check(goal: WatchGoal, looks: &[UntilState], expected: Option<(usize, UntilOutcome)>) {
        let mut until = Until::new(goal, [key("web")]);
        let found = looks.iter().enumerate().find_map(|(index, analysis)| {
            let progress = until.progress.get_mut(&key("web")).unwrap();
            progress.take(analysis.clone());
            Some((index, until.answer())).filter(|(_, answer)| *answer != UntilOutcome::NotYet)
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn ready_is_all_wanted_pods_and_none_besides() {
        let unready = UntilState {
            pods: PodCounts {
                all: 4,
                ready: 3,
                ..PodCounts::default()
            },
            ..calm(0)
        };
        let surging = UntilState {
            pods: PodCounts {
                all: 5,
                ready: 4,
                ..PodCounts::default()
            },
            ..calm(0)
        };
        let scaling = UntilState {
            desired: Some(6),
            ..calm(0)
        };
        let unknown = UntilState {
            desired: None,
            ..calm(0)
        };
        let looks = [unready, surging, scaling, unknown, calm(1)];
        check(WatchGoal::Ready, &looks, Some((4, UntilOutcome::Reached)));
    }

    #[test]
    fn stable_after_a_sync_without_anything_ahead() {
        let between = UntilState {
            is_reconcile: false,
            ..calm(10)
        };
        let looks = [calm(0), between, calm(14)];
        check(WatchGoal::Stable, &looks, Some((2, UntilOutcome::Reached)));
        let held = |at| UntilState {
            has_change_ahead: true,
            ..calm(at)
        };
        let failing = |at| UntilState {
            has_failing_metric: true,
            ..calm(at)
        };
        check(WatchGoal::Stable, &[held(0), held(15), held(30)], None);
        check(WatchGoal::Stable, &[failing(0), failing(15)], None);
        // An interruption starts the time again.
        let looks = [calm(0), held(10), calm(15), calm(20), calm(30)];
        check(WatchGoal::Stable, &looks, Some((4, UntilOutcome::Reached)));
    }

    #[test]
    fn stable_only_when_the_last_change_is_older_than_window_and_policies() {
        let changed = |at| UntilState {
            changed_at: Some(second(0)),
            ..calm(at)
        };
        let looks: Vec<UntilState> = (1..=21).map(|sync| changed(sync * 15)).collect();
        // 5 min and one sync.
        check(WatchGoal::Stable, &looks, Some((20, UntilOutcome::Reached)));
    }

    #[test]
    fn number_of_replicas_is_reached_or_out_of_reach() {
        check(
            WatchGoal::Replicas(4),
            &[calm(0)],
            Some((0, UntilOutcome::Reached)),
        );
        check(WatchGoal::Replicas(5), &[calm(0)], None);
        check(WatchGoal::Replicas(0), &[calm(0)], None);
        let never = |why: &str| Some((0, UntilOutcome::Never(format!("shop/web never has {why}"))));
        check(
            WatchGoal::Replicas(11),
            &[calm(0)],
            never("11 replicas: maxReplicas is 10"),
        );
        check(
            WatchGoal::Replicas(1),
            &[calm(0)],
            never("1 replicas: minReplicas is 2"),
        );
    }

    #[test]
    fn all_hpas_must_be_there_and_those_that_go_never_are() {
        let mut until = Until::new(WatchGoal::Ready, [key("web"), key("api")]);
        until.progress.get_mut(&key("web")).unwrap().take(calm(0));
        assert_eq!(until.answer(), UntilOutcome::NotYet);
        assert_eq!(until.missing(), ["shop/api: no sync was observed"]);
        until.progress.get_mut(&key("api")).unwrap().take(calm(0));
        assert_eq!(until.answer(), UntilOutcome::Reached);
        let deleted = Update::Deleted { hpa: key("api") };
        let never = UntilOutcome::Never("shop/api is gone".to_owned());
        assert_eq!(until.take(&[deleted], &State::default()), never);
    }

    #[test]
    fn scaled_from_the_first_rescaling_of_the_controller_on() {
        let mut until = Until::new(WatchGoal::Scaled, [key("web")]);
        until.progress.get_mut(&key("web")).unwrap().take(calm(0));
        let reconciled = |change| Update::Reconciled {
            hpa: key("web"),
            entry: 0,
            changes: vec![change],
        };
        let by_hand = reconciled(Change::ReplicasWritten {
            from: 2,
            to: 4,
            by: None,
        });
        assert_eq!(
            until.take(&[by_hand], &State::default()),
            UntilOutcome::NotYet
        );
        let rescaled = reconciled(Change::Rescaled {
            from: 2,
            to: 4,
            edit: None,
        });
        assert_eq!(
            until.take(&[rescaled], &State::default()),
            UntilOutcome::Reached
        );
    }
}
