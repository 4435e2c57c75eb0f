//! Recomputes each sync seen, with everything that the controller may have read and remembered.

use std::ops::Range;

use hpa_analysis::{longest_policy, longest_window};
use hpa_engine::{
    engine,
    model::{Memory, Observation, Provenance, Recommendation},
    trace::{Decision, Trace},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    certainty::{Certainty, Doubt, Recomputed},
    decided::{Decided, decide_all, falls, newest},
    names,
    observe::Found,
    observer::Observer,
    past_sync::{Details, PastSync},
    read_times::apart,
    rescale_memory::{forget_rescale, move_rescale, remember_rescale},
    scrape::Scrape,
    series::Millis,
    sources::Sources,
    sync_times::period_of,
};

/// A possible history of the controller.
#[derive(Clone, PartialEq)]
struct Remembered {
    memory: Memory,
    /// Syncs are a little further apart than scrapes, so an entry is this much older than its scrape.
    older: SignedDuration,
    unseen: Unseen,
}

/// A rescale that no status shows.
#[derive(Clone, Copy)]
struct UnseenRescale {
    /// Its time in the controller's memory.
    at: Timestamp,
    /// The scrape before it.
    earliest: Timestamp,
    /// The scrape after it.
    latest: Timestamp,
}

/// What unseen syncs recommended.
#[derive(Clone, Copy, PartialEq)]
enum Unseen {
    /// The same as the one before.
    Same,
    /// The most that leaves the replicas unchanged.
    Most,
    /// The least possible.
    Least,
    /// They are left out.
    Nothing,
}

/// Plays the past sync by sync and calls `visit` for each, until it is stopped. Returns the scrapes.
pub fn follow_until(
    sources: &Sources<'_>,
    visit: &mut dyn FnMut(&PastSync<'_>),
    is_stopped: &dyn Fn() -> bool,
) -> Vec<Scrape> {
    let scrapes = Scrape::all(sources.set, &sources.today.hpa);
    if let Some(first) = scrapes.first() {
        Follower::new(sources, first, &scrapes).run(&scrapes, visit, is_stopped);
    }
    scrapes
}

struct Follower<'a> {
    observer: Observer<'a>,
    variants: Vec<Remembered>,
    /// The sync period.
    period: Millis,
    window: SignedDuration,
    /// How long policies count rescales.
    policies: SignedDuration,
    begin: Timestamp,
    /// The time of the last sync seen.
    last: Timestamp,
    /// Today's generation, if scrapes can be compared with it.
    generation: Option<i64>,
    /// The end of the second in which the HPA was last edited, by its `managedFields`.
    edited: Option<Timestamp>,
    has_behavior: bool,
    min: i32,
    /// Whether the scrape may show the previous sync again, because the next one came right after the scrape.
    may_be_again: bool,
    /// The newest rescale that was not seen.
    unseen_rescale: Option<UnseenRescale>,
    /// Time between the syncs seen.
    spacing: Millis,
    /// Whether a long gap without scrapes precedes.
    is_after_gap: bool,
    /// Until then it is uncertain how many syncs a window contains.
    unsure_until: Option<Timestamp>,
}

impl<'a> Follower<'a> {
    fn new(sources: &Sources<'a>, first: &Scrape, scrapes: &[Scrape]) -> Self {
        let window = longest_window(sources.today);
        let period = period_of(sources.today);
        let mut observer = Observer::new(sources);
        observer.learn(scrapes, period);
        // The last one that the first sync can have remembered.
        let before = observer.time_of(first, None);
        let recommended = |replicas| Memory {
            recommendations: Some(vec![Recommendation {
                replicas,
                at: before,
                provenance: Provenance::Inferred,
            }]),
            ..Memory::default()
        };
        let nothing = Memory {
            recommendations: Some(Vec::new()),
            ..Memory::default()
        };
        let late = SignedDuration::from_secs(1);
        let variant = |memory, older, unseen| Remembered {
            memory,
            older,
            unseen,
        };
        Self {
            observer,
            variants: vec![
                variant(recommended(first.desired), late, Unseen::Same),
                variant(
                    recommended(first.desired),
                    SignedDuration::ZERO,
                    Unseen::Most,
                ),
                variant(
                    recommended(first.bounds.0),
                    SignedDuration::ZERO,
                    Unseen::Least,
                ),
                variant(nothing, late, Unseen::Nothing),
            ],
            period,
            window,
            policies: longest_policy(sources.today),
            begin: first.timestamp(),
            last: first.timestamp(),
            // Before Kubernetes 1.37 only the series has one: always 0.
            generation: scrapes
                .last()
                .and_then(|scrape| scrape.generation)
                .map(|last| sources.today.hpa.generation.unwrap_or(last))
                .filter(|generation| 0 < *generation),
            edited: sources.edited.map(|edited| edited + late),
            has_behavior: sources.today.hpa.spec.behavior.is_some(),
            min: first.bounds.0,
            may_be_again: false,
            spacing: sources.set.reach(names::DESIRED).max(period),
            is_after_gap: false,
            unsure_until: None,
            unseen_rescale: None,
        }
    }

    fn run(
        &mut self,
        scrapes: &[Scrape],
        visit: &mut dyn FnMut(&PastSync<'_>),
        is_stopped: &dyn Fn() -> bool,
    ) {
        // The last scrape that counted as a new sync.
        let mut last: Option<usize> = None;
        for (index, scrape) in scrapes.iter().enumerate() {
            if is_stopped() {
                return;
            }
            let before = index.checked_sub(1).map(|index| &scrapes[index]);
            let mut after_unseen = None;
            if let Some(synced) = last.map(|last| &scrapes[last]) {
                let elapsed = scrape.time - synced.time;
                // If scrapes are more frequent than syncs, several show the same sync. Nine tenths of a period, because a
                // scrape can come a little early: at exactly a period, the next sync would be taken for the last one. So does a controller that hangs
                // after a rescale: a new sync would have read the new replicas.
                let is_again = elapsed * 10 < self.period * 9 || scrape.current != scrape.desired;
                if scrape.is_same(synced) && (is_again || self.observer.is_again(scrape)) {
                    continue;
                }
                self.pass_by(synced, scrape, elapsed);
                if synced.desired != scrape.current {
                    self.unseen_rescale(synced, scrape, visit);
                    after_unseen = before.map(|before| Scrape {
                        current: synced.desired,
                        desired: scrape.current,
                        ..before.clone()
                    });
                }
                // Twice the usual distance is one lost scrape, and its syncs are made up for. More is a gap.
                self.is_after_gap = 2 * elapsed > 5 * self.spacing;
                // From one and a half periods on, there was another sync in between.
                self.may_be_again = scrape.is_same(synced)
                    && elapsed * 2 < self.period * 3
                    && self.observer.is_unsure(scrape);
            }
            if self.observer.is_unsure(scrape) {
                self.unsure_until = Some(scrape.timestamp() + self.window);
            }
            self.min = scrape.bounds.0;
            // The sync read the status of the rescale.
            let before = after_unseen.as_ref().or(before);
            if self.seen_sync(scrape, before, visit) {
                last = Some(index);
                self.last = self.observer.time_of(scrape, before);
                self.observer.saw(scrape, self.last);
            }
        }
    }

    /// Accounts for syncs without a scrape.
    fn pass_by(&mut self, from: &Scrape, to: &Scrape, elapsed: Millis) {
        let missed = (elapsed + self.period / 2) / self.period - 1;
        let most = Millis::try_from(self.window.as_millis()).unwrap_or(0) / self.period + 1;
        let mut is_raised = false;
        for number in (missed - most).max(0) + 1..=missed {
            let at = self.last + SignedDuration::from_millis(number * self.period);
            let unseen = Scrape {
                time: at.as_millisecond(),
                current: from.desired,
                desired: from.desired,
                values: vec![None; from.values.len()],
                ..to.clone()
            };
            let recommendations = self.observer.recommendations(&unseen, from);
            let held = from.desired.max(to.current);
            let frame = self.observer.frame(&unseen, Some(from), from.desired);
            for variant in &mut self.variants {
                let same = || newest(&variant.memory).map(|one| one.replicas);
                let replicas = match (variant.unseen, recommendations) {
                    (Unseen::Same, Some([likely, least, most])) => {
                        // The replicas stayed, so this sync or an earlier one recommended more than the counters show.
                        is_raised = is_raised
                            || to.current == from.desired
                                && (least..=most).contains(&held)
                                && falls(&frame.observation, &variant.memory, (held, likely), at);
                        let raised = likely.max(held.min(most));
                        Some(if is_raised { raised } else { likely })
                    }
                    (Unseen::Most, Some([.., most])) => Some(most),
                    (Unseen::Least, Some([_, least, _])) => Some(least),
                    (Unseen::Nothing, _) => None,
                    (Unseen::Same, None) => same(),
                    (Unseen::Most, None) => Some(same().map_or(held, |same| same.max(held))),
                    (Unseen::Least, None) => Some(self.min),
                };
                if let (Some(replicas), Some(list)) =
                    (replicas, &mut variant.memory.recommendations)
                {
                    // The controller overwrites older entries. Before the last missed sync, that has no effect here.
                    if number == missed {
                        list.retain(|one| at - self.window <= one.at);
                    }
                    list.push(Recommendation {
                        replicas,
                        at: at - variant.older,
                        provenance: Provenance::Inferred,
                    });
                }
            }
        }
    }

    /// Handles a change of the replicas between two scrapes by a sync whose status was not seen.
    fn unseen_rescale(&mut self, from: &Scrape, to: &Scrape, visit: &mut dyn FnMut(&PastSync<'_>)) {
        let time = (to.time - self.period).max(from.time + 1);
        let scrape = Scrape {
            time,
            current: from.desired,
            desired: to.current,
            conditions: to.conditions.clone(),
            values: to.values.clone(),
            bounds: to.bounds,
            target: from.target,
            generation: to.generation,
        };
        let mut observations = Vec::new();
        let nothing = vec![None; scrape.values.len()];
        for values in [&nothing, &to.values, &from.values] {
            let found = self
                .observer
                .at(&scrape, Some(from), scrape.current, values);
            observations.extend(found.into_iter().flat_map(|found| found.observations));
        }
        let has_pods = self.observer.has_pods();
        let found = (!observations.is_empty()).then_some(Found {
            read_ages: vec![Vec::new(); observations.len()],
            observations,
            exact_count: 0,
            has_pods,
            has_values: true,
            fits_pods: true,
        });
        self.decide(&scrape, Some(from), found, false, visit);
        self.observer.take_rescale(&scrape, scrape.timestamp());
        let memory = &self.variants[0].memory;
        let events = memory.scale_up_events.iter();
        let events = events.chain(&memory.scale_down_events);
        self.unseen_rescale = events.map(|one| one.at).max().map(|at| UnseenRescale {
            at,
            earliest: from.timestamp(),
            latest: to.timestamp(),
        });
    }

    /// Handles a scrape. Returns whether it shows a new sync.
    fn seen_sync(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        visit: &mut dyn FnMut(&PastSync<'_>),
    ) -> bool {
        let is_blind = scrape.has_failed() || scrape.condition("AbleToScale") == Some("False");
        let found = (!is_blind)
            .then(|| {
                self.observer
                    .at(scrape, before, scrape.current, &scrape.values)
            })
            .flatten();
        self.decide(scrape, before, found, true, visit)
    }

    /// Decides under every possibility and carries the controller's memory forward. Returns whether such a sync is
    /// possible.
    fn decide(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        found: Option<Found>,
        is_seen: bool,
        visit: &mut dyn FnMut(&PastSync<'_>),
    ) -> bool {
        let now = self.observer.time_of(scrape, before);
        let mut sync = PastSync {
            scrape,
            before,
            now,
            is_seen,
            recomputed: None,
            details: None,
        };
        let Some(found) = found else {
            for variant in &mut self.variants {
                remember_rescale(
                    &mut variant.memory,
                    scrape,
                    now - variant.older,
                    self.has_behavior,
                );
            }
            visit(&sync);
            return true;
        };
        let memories: Vec<&Memory> = self.variants.iter().map(|one| &one.memory).collect();
        let (trace, by_variant) = decide_all(&found.observations, &memories, now);
        let likely_memory = self.variants[0].memory.clone();
        let mut by_time = self.by_other_times(&found.observations[0], now);
        if let Some(inexact) = found.observations.get(found.exact_count)
            && 0 < found.exact_count
        {
            by_time.extend(self.by_other_times(inexact, now));
        }
        let recomputed = self.recomputed(
            (scrape, before, is_seen),
            &found,
            trace.as_ref(),
            &by_variant,
            &by_time,
        );
        let is_other = |one: &Recomputed| one.likely != scrape.desired;
        if self.may_be_again && is_seen && recomputed.as_ref().is_some_and(is_other) {
            return false;
        }
        sync.recomputed = recomputed.as_ref();
        sync.details = trace.as_ref().map(|trace| Details {
            observation: &found.observations[0],
            memory: &likely_memory,
            trace,
        });
        visit(&sync);
        if is_seen {
            self.learn_read_times(scrape, now, &found, &by_variant);
        }
        self.take_over(scrape, now, &by_variant);
        true
    }

    /// What is decided with one sync less, or one more, in the remembered history, and with other times of a rescale that
    /// was not seen, or without it.
    fn by_other_times(&self, observation: &Observation, now: Timestamp) -> Vec<i32> {
        let decided = |mut memory: Memory, now| {
            let decision = engine::decide(observation, &mut memory, now).decision;
            decision.replicas()
        };
        let likely = &self.variants[0].memory;
        let mut found = Vec::new();
        if self.unsure_until.is_some_and(|until| now <= until) {
            let more = [-self.period, self.period].map(SignedDuration::from_millis);
            found.extend(
                more.into_iter()
                    .filter_map(|more| decided(likely.clone(), now + more)),
            );
        }
        // Later no policy counts it, whenever it was.
        let is_counted = |one: &UnseenRescale| now.duration_since(one.latest) <= self.policies;
        if let Some(rescale) = self.unseen_rescale.filter(is_counted) {
            let at = |time| {
                let mut memory = likely.clone();
                move_rescale(&mut memory, rescale.at, time);
                decided(memory, now)
            };
            found.extend(
                [rescale.earliest, rescale.latest.min(now)]
                    .into_iter()
                    .filter_map(at),
            );
            // Another writer may have changed the replicas, which no policy counts.
            let mut of_other = likely.clone();
            forget_rescale(&mut of_other, rescale.at);
            found.extend(decided(of_other, now));
        }
        found
    }

    fn recomputed(
        &self,
        (scrape, before, is_seen): (&Scrape, Option<&Scrape>, bool),
        found: &Found,
        trace: Option<&Trace>,
        by_variant: &[Vec<Decided>],
        by_time: &[i32],
    ) -> Option<Recomputed> {
        let replicas = |one: &Decided| one.decision.replicas();
        let likely = replicas(&by_variant[0][0])?;
        let range = |decided: &mut dyn Iterator<Item = i32>| {
            decided.fold((likely, likely), |(least, most), one| {
                (least.min(one), most.max(one))
            })
        };
        let by_time = || by_time.iter().copied();
        let of_memory = by_variant.iter().filter_map(|of| replicas(&of[0]));
        let of_memory = range(&mut of_memory.chain(by_time()));
        let all = by_variant.iter().flatten().filter_map(replicas);
        let all = range(&mut all.chain(by_time()));
        let recommendation = trace
            .and_then(Trace::choice)
            .map(|choice| choice.metric_desired_replicas);
        let now = scrape.timestamp();
        // The sync was between two scrapes: what the later one shows may be newer.
        let is_edited = self.is_edited_since(scrape)
            || before.is_some_and(|before| self.is_edited_since(before));
        let reasons = [
            (!is_seen, Doubt::Unseen),
            (
                of_memory.0 < of_memory.1 || self.is_after_gap,
                Doubt::OtherSyncs,
            ),
            (of_memory != all, Doubt::Pods),
            (!found.has_pods, Doubt::NoPods),
            (found.has_pods && !found.fits_pods, Doubt::OtherPods),
            (!found.has_values, Doubt::NoValues),
            (
                before.is_none()
                    || likely != scrape.current && now.duration_since(self.begin) < self.policies,
                Doubt::Begin,
            ),
            (is_edited, Doubt::Edited),
        ];
        let doubts: Vec<Doubt> = reasons
            .into_iter()
            .filter_map(|(holds, doubt)| holds.then_some(doubt))
            .collect();
        Some(Recomputed {
            likely,
            range: all,
            recommendation,
            certainty: Certainty::with(&doubts),
            doubts,
        })
    }

    /// Whether the HPA is known to be edited since a scrape.
    fn is_edited_since(&self, scrape: &Scrape) -> bool {
        match self.generation {
            Some(today) => scrape.generation != Some(today),
            None => self
                .edited
                .is_some_and(|edited| scrape.timestamp() < edited),
        }
    }

    /// Learns from the controller's values and its decision when metrics-server reads the kubelet, if the samples of new
    /// pods matter.
    fn learn_read_times(
        &mut self,
        scrape: &Scrape,
        now: Timestamp,
        found: &Found,
        by_variant: &[Vec<Decided>],
    ) {
        let ages = &found.read_ages;
        let is_explained = |index: usize| {
            let mut all = by_variant.iter();
            all.any(|of| of[index].comes_to(scrape.desired))
        };
        let explained = |places: Range<usize>| {
            let fitting = places.filter(|index| is_explained(*index));
            let fitting = fitting.flat_map(|index| &ages[index]);
            fitting.copied().collect::<Vec<Millis>>()
        };
        let time = now.as_millisecond();
        if 0 < found.exact_count {
            let ages = explained(0..found.exact_count);
            self.observer.reads.learn(time, &ages);
        } else if !is_explained(0) {
            // The nearest to what fitted before.
            let likely = self.observer.reads.likely_age(time);
            let fitting = explained(0..ages.len()).into_iter();
            if let Some(age) = fitting.min_by_key(|age| apart(*age, likely)) {
                self.observer.reads.learn(time, &[age]);
            }
        }
    }

    /// Carries the controller's memory forward: recommendations as recomputed, changes as seen.
    fn take_over(&mut self, scrape: &Scrape, now: Timestamp, by_variant: &[Vec<Decided>]) {
        let explaining = by_variant
            .iter()
            .position(|of| of[0].comes_to(scrape.desired));
        let decided_at = |index: usize| match (index, explaining) {
            // If the most probable memory does not lead to the decision but another one does, the latter was right.
            (0, Some(other)) => other,
            (index, _) => index,
        };
        let earlier: Vec<Memory> = self.variants.iter().map(|one| one.memory.clone()).collect();
        for (index, variant) in self.variants.iter_mut().enumerate() {
            let source = decided_at(index);
            let decided = &by_variant[source];
            let fitting = || decided.iter().find(|one| one.comes_to(scrape.desired));
            let chosen = match variant.unseen {
                Unseen::Most => decided.iter().max_by_key(|one| one.recommended()),
                Unseen::Least => decided.iter().min_by_key(|one| one.recommended()),
                // If no memory explains the decision, the pods must have been different.
                Unseen::Same | Unseen::Nothing if explaining.is_none() => {
                    fitting().or(decided.first())
                }
                Unseen::Same | Unseen::Nothing => decided.first(),
            };
            let Some(chosen) = chosen else {
                continue;
            };
            let mut after = chosen.memory.clone();
            let is_as_seen = match chosen.decision {
                Decision::Rescale { to, .. } => to == scrape.desired,
                _ => scrape.desired == scrape.current,
            };
            let list = after.recommendations.iter_mut().flatten();
            if let Some(newest) = list.max_by_key(|one| one.at) {
                newest.at = now - variant.older;
            }
            move_rescale(&mut after, now, now - variant.older);
            if !is_as_seen {
                let before = &earlier[source];
                after.scale_up_events.clone_from(&before.scale_up_events);
                after
                    .scale_down_events
                    .clone_from(&before.scale_down_events);
                remember_rescale(&mut after, scrape, now - variant.older, self.has_behavior);
            }
            variant.memory = after;
        }
    }
}
