//! How fresh each source is. This alone decides whether an alarm of an HPA may be evaluated, and whether a rescale of
//! it was observed.

use std::collections::BTreeMap;

use hpa_engine::model::Source;
use jiff::Timestamp;

use crate::{AlarmKind, HpaState, State};

/// Which sources are silent, when the others recovered, and the time until which data is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Freshness {
    contacts: BTreeMap<Source, SourceContact>,
    /// When the API server last answered; `None` if that is not reported.
    heard_at: Option<Timestamp>,
}

/// The contact with a source that has failed at some time.
#[derive(Clone, Copy, Debug)]
struct SourceContact {
    /// Data read until then was fresh.
    lost_at: Timestamp,
    /// Only data read from then on is fresh again; `None`: nothing is read.
    again: Option<Timestamp>,
}

/// Whether the current read of an HPA directly follows the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It does.
    Clear,
    /// Missed changes arrive in any order, and not all of them.
    CatchingUp,
    /// Its data may partly be old.
    Blind,
    /// Nothing was observed since then.
    BlindSince(Timestamp),
}

impl Freshness {
    /// Records that the source cannot be read. Data read until `lost_at` was fresh.
    pub(super) fn lost(&mut self, source: Source, lost_at: Timestamp) {
        let contact = SourceContact {
            lost_at,
            again: None,
        };
        let known = self.contacts.entry(source).or_insert(contact);
        match known.again.take() {
            Some(again) if again <= lost_at => *known = contact,
            // It is the same failure: nothing was read in between.
            _ => {}
        }
    }

    /// Records that the source can be read again. Returns whether it was silent.
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

    /// Records that the API server answered.
    pub(super) fn heard(&mut self, at: Timestamp) {
        self.heard_at = self.heard_at.max(Some(at));
    }

    /// The time for alarms: while the API server is silent, no alarm is raised or ends.
    pub(super) fn clock(&self, now: Timestamp) -> Timestamp {
        self.heard_at.map_or(now, |heard_at| heard_at.min(now))
    }

    /// Whether the data of an HPA is older than a source that an alarm of this kind depends on.
    pub(super) fn is_stale(&self, hpa: &HpaState, kind: AlarmKind) -> bool {
        let mut contacts = self
            .contacts
            .iter()
            .filter(|(source, _)| rests_on(hpa, &AnswerNeeds::of(kind), source));
        contacts.any(|(_, contact)| contact.is_before(hpa.seen_at))
    }

    /// Whether the data of an HPA may be old, except its metrics, whose failure is a state of the HPA.
    pub(super) fn is_old(&self, hpa: &HpaState) -> bool {
        self.is_stale(hpa, AlarmKind::InvalidMetric)
    }

    /// Whether a read at `at` shows who changed the replicas of an HPA since the previous read.
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
    /// Whether data read at `seen_at` was old.
    fn is_before(self, seen_at: Timestamp) -> bool {
        self.again.is_none_or(|again| seen_at < again)
    }
}

/// Whether an answer about an HPA depends on a source.
fn rests_on(hpa: &HpaState, needs: &AnswerNeeds, source: &Source) -> bool {
    match source {
        Source::Server => true,
        Source::Answers => false,
        // The alarm `invalid-metric` covers the failure of a metrics API.
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

/// The sources that an answer depends on, besides the HPA itself.
struct AnswerNeeds {
    target: bool,
    pods: bool,
    metrics: bool,
}

impl AnswerNeeds {
    /// For the writer of the replicas.
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
            // Only the server matters.
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
