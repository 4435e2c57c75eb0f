//! How fresh each source is: the one place that says whether an alarm of an HPA may be judged at all.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::watch::{AlarmKind, HpaState, Source};

/// Which sources are silent, and when others were heard of again.
#[derive(Clone, Debug, Default)]
pub(super) struct Freshness(BTreeMap<Source, Contact>);

/// What is known of the contact with a source that failed at some time.
#[derive(Clone, Copy, Debug)]
enum Contact {
    Lost,
    /// Only what is read from then on is fresh.
    Again(Timestamp),
}

impl Freshness {
    /// The source cannot be read from now on.
    pub(super) fn lost(&mut self, source: Source) {
        self.0.insert(source, Contact::Lost);
    }

    /// The source can be read again. Whether it was silent.
    pub(super) fn again(&mut self, source: &Source, now: Timestamp) -> bool {
        let contact = self.0.get_mut(source);
        contact.is_some_and(|contact| {
            *contact = Contact::Again(now);
            true
        })
    }

    /// Whether what is known of an HPA is older than a source that an alarm of this kind rests on.
    pub(super) fn is_stale(&self, hpa: &HpaState, kind: AlarmKind) -> bool {
        let mut contacts = self
            .0
            .iter()
            .filter(|(source, _)| rests_on(hpa, kind, source));
        contacts.any(|(_, contact)| match contact {
            Contact::Lost => true,
            Contact::Again(at) => hpa.seen_at < *at,
        })
    }
}

/// Whether an alarm of an HPA cannot be judged without a source.
fn rests_on(hpa: &HpaState, kind: AlarmKind, source: &Source) -> bool {
    let needs = Needs::of(kind);
    match source {
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
                let spec = &hpa.latest.observation.hpa.spec;
                let kind = spec.scale_target.kind.to_lowercase();
                needs.target && other.starts_with(&kind)
            }
        },
    }
}

/// What a kind of alarm is judged from, beside the HPA itself.
struct Needs {
    target: bool,
    pods: bool,
    metrics: bool,
}

impl Needs {
    fn of(kind: AlarmKind) -> Self {
        let (target, pods, metrics) = match kind {
            AlarmKind::Disagreement | AlarmKind::UnmetDemand | AlarmKind::NotReconciled => {
                (true, true, true)
            }
            AlarmKind::InvalidMetric | AlarmKind::PodsNotRunning => (true, true, false),
            AlarmKind::UnreadyPods => (false, true, false),
            AlarmKind::Flapping | AlarmKind::ForeignWriter => (true, false, false),
            AlarmKind::OutlierSample => (false, true, true),
        };
        Self {
            target,
            pods,
            metrics,
        }
    }
}
