//! How fresh each source is: the one place that says whether an alarm of an HPA may be judged, and whether its scaling was
//! seen.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{
    model::Source,
    watch::{AlarmKind, HpaState, State},
};

/// Which sources are silent, when others were heard of again, and how late it is as far as anything was heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Freshness {
    contacts: BTreeMap<Source, SourceContact>,
    /// When anything was heard of the API server last; none: nobody says so.
    heard_at: Option<Timestamp>,
}

/// What is known of the contact with a source that failed at some time.
#[derive(Clone, Copy, Debug)]
struct SourceContact {
    /// What was read until then was fresh.
    lost_at: Timestamp,
    /// Only what is read from then on is fresh again; none: nothing is read.
    again: Option<Timestamp>,
}

/// Whether the present look at an HPA follows on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It does.
    Clear,
    /// What changed meanwhile comes to be known in any order, and not all of it is.
    CatchingUp,
    /// What it shows may be old in part.
    Blind,
    /// Nothing was seen from then on.
    BlindSince(Timestamp),
}

impl Freshness {
    /// The source cannot be read. What was read until `lost_at` was fresh.
    pub(super) fn lost(&mut self, source: Source, lost_at: Timestamp) {
        let contact = SourceContact {
            lost_at,
            again: None,
        };
        let known = self.contacts.entry(source).or_insert(contact);
        match known.again.take() {
            Some(again) if again <= lost_at => *known = contact,
            // It is the same loss: nothing was read in between.
            _ => {}
        }
    }

    /// The source can be read again. Whether it was silent.
    pub(super) fn again(&mut self, source: &Source, now: Timestamp) -> bool {
        let contact = self.contacts.get_mut(source);
        contact.is_some_and(|contact| {
            let caught_up = match source {
                Source::Server | Source::Watch { .. } => now.saturating_add(State::CATCHING_UP),
                Source::Metrics { .. } | Source::Answers => Ok(now),
            };
            contact.again = Some(caught_up.unwrap_or(now));
            true
        })
    }

    /// Something was heard of the API server.
    pub(super) fn heard(&mut self, at: Timestamp) {
        self.heard_at = self.heard_at.max(Some(at));
    }

    /// How late it is for alarms: time in which nothing is heard begins and ends none.
    pub(super) fn clock(&self, now: Timestamp) -> Timestamp {
        self.heard_at.map_or(now, |heard_at| heard_at.min(now))
    }

    /// Whether what is known of an HPA is older than a source that an alarm of this kind rests on.
    pub(super) fn is_stale(&self, hpa: &HpaState, kind: AlarmKind) -> bool {
        let mut contacts = self
            .contacts
            .iter()
            .filter(|(source, _)| rests_on(hpa, &AnswerNeeds::of(kind), source));
        contacts.any(|(_, contact)| contact.is_before(hpa.seen_at))
    }

    /// Whether what is known of an HPA may be old, its metrics aside: their failure is a state of the HPA.
    pub(super) fn is_old(&self, hpa: &HpaState) -> bool {
        self.is_stale(hpa, AlarmKind::InvalidMetric)
    }

    /// Whether a look at `at` shows who changed the replicas of an HPA since the look before.
    pub(super) fn sight(&self, hpa: &HpaState, at: Timestamp) -> Sight {
        let of_replicas = |source: &Source| rests_on(hpa, &AnswerNeeds::REPLICAS, source);
        let contacts = self.contacts.iter();
        let mut sight = Sight::Clear;
        for (_, contact) in contacts.filter(|(source, _)| of_replicas(source)) {
            if contact.again.is_some_and(|again| at < again) {
                return Sight::CatchingUp;
            }
            if contact.again.is_none() {
                return Sight::Blind;
            }
            if contact.is_before(hpa.seen_at) {
                let since = match sight {
                    Sight::BlindSince(since) => since.min(contact.lost_at),
                    _ => contact.lost_at,
                };
                sight = Sight::BlindSince(since);
            }
        }
        sight
    }
}

impl SourceContact {
    /// Whether what was seen at a time was old.
    fn is_before(self, seen_at: Timestamp) -> bool {
        self.again.is_none_or(|again| seen_at < again)
    }
}

/// Whether an answer about an HPA rests on a source.
fn rests_on(hpa: &HpaState, needs: &AnswerNeeds, source: &Source) -> bool {
    match source {
        Source::Server => true,
        Source::Answers => false,
        // That a metrics API fails is what `invalid-metric` is about.
        Source::Metrics { namespace, .. } => {
            needs.metrics && *namespace == hpa.latest.hpa.namespace
        }
        Source::Watch { resource } => match resource.as_str() {
            "horizontalpodautoscalers" => true,
            "pods" => needs.pods,
            "events" => false,
            other => {
                let spec = &hpa.latest.assessment.observation.hpa.spec;
                let kind = spec.scale_target.kind.to_lowercase();
                // The plural of Proxy is proxies.
                let stem = kind.strip_suffix('y').unwrap_or(&kind);
                needs.target && other.starts_with(stem)
            }
        },
    }
}

/// What an answer rests on, beside the HPA itself.
struct AnswerNeeds {
    target: bool,
    pods: bool,
    metrics: bool,
}

impl AnswerNeeds {
    /// Of who changed the replicas.
    const REPLICAS: Self = Self {
        target: true,
        pods: false,
        metrics: false,
    };

    fn of(kind: AlarmKind) -> Self {
        let (target, pods, metrics) = match kind {
            AlarmKind::Disagreement | AlarmKind::UnmetDemand | AlarmKind::NotReconciled => {
                (true, true, true)
            }
            // The server alone says so.
            AlarmKind::NotConnected => (false, false, false),
            AlarmKind::Blocked | AlarmKind::InvalidMetric | AlarmKind::PodsNotRunning => {
                (true, true, false)
            }
            AlarmKind::UnreadyPods => (false, true, false),
            AlarmKind::Flapping | AlarmKind::ForeignWriter | AlarmKind::TargetNotFound => {
                (true, false, false)
            }
            AlarmKind::OutlierSample => (false, true, true),
        };
        Self {
            target,
            pods,
            metrics,
        }
    }
}
