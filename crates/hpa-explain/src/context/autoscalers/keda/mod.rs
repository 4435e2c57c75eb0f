//! KEDA: who decides now, which trigger serves which metric, what is paused or uses its fallback.

mod owner;
mod state;
mod triggers;

use hpa_engine::model::{Autoscaler, Relation};
use hpa_words::clock::duration;
use jiff::SignedDuration;
use owner::Keda;

use crate::{
    Decider, ExplainContext,
    context::{NoteView, NoteWeight},
    situation::{Place, Situation},
};

pub(crate) use owner::owner;

/// How KEDA affects the HPA.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let mut notes = Vec::new();
    for other in cx.context.surroundings.autoscalers.besides_hpas() {
        let Some(object) = &other.scaled_object else {
            continue;
        };
        if other.relation != Relation::Owner {
            notes.push(not_ours(cx, other));
            continue;
        }
        let keda = Keda {
            cx,
            name: &other.name,
            min: other.min_replicas.unwrap_or(0),
            object,
        };
        notes.extend(state::paused(&keda));
        notes.push(keda.who_decides());
        notes.extend(state::fallback(&keda));
        notes.extend(state::not_ready(&keda));
        notes.extend(triggers::notes(&keda));
        notes.extend(keda.without_effect());
        notes.extend(state::ownership(&keda));
    }
    notes
}

/// Situation: the stabilization window of the HPA holds the replicas, not `cooldownPeriod`.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    if cx.rule.decider() != Decider::Window {
        return None;
    }
    owner(cx)?.scaled_object.as_ref()?.cooldown_period?;
    Some(Situation {
        place: Place::Aside,
        words: None,
        sentences: vec!["KEDA's cooldownPeriod only delays the step to 0.".to_owned()],
        command: None,
    })
}

impl Keda<'_> {
    /// Whether KEDA's operator takes a step of its own: to zero, or to the idle replicas.
    fn has_a_step(&self) -> bool {
        self.min == 0 || self.object.idle_replicas.is_some()
    }

    fn cooldown(&self) -> SignedDuration {
        seconds(self.object.cooldown_period.unwrap_or(300))
    }

    /// Who decides now: KEDA's operator or the HPA.
    fn who_decides(&self) -> NoteView {
        let current = self.cx.facts.current();
        let idle = self.object.idle_replicas.unwrap_or(0);
        let made = format!(
            "ScaledObject {} manages this HPA and reverts edits: change the ScaledObject.",
            self.name
        );
        let is_low = current.is_some_and(|current| {
            current == 0 || (self.object.idle_replicas == Some(current) && current < self.min)
        });
        let text = if is_low {
            let off = if current == Some(0) {
                "KEDA decides now, as the HPA is off at 0 replicas"
            } else {
                "KEDA decides now, at its idle replicas"
            };
            let active = match self.object.is("Active") {
                Some(true) => "; one is, by its condition Active",
                Some(false) => "; none is now",
                None => "",
            };
            format!(
                "{off}: it starts {} when a trigger is active{active}. It checks them every {} (pollingInterval).",
                self.min.max(1),
                duration(seconds(self.object.polling_interval.unwrap_or(30)))
            )
        } else if self.has_a_step() {
            format!(
                "The HPA decides now, down to {}; the step to {idle} is KEDA's{}.",
                self.cx.facts.min(),
                self.when_idle()
            )
        } else {
            format!(
                "The HPA decides; KEDA only answers for its metrics, as minReplicaCount {} leaves it no step to 0.",
                self.min
            )
        };
        Self::note(NoteWeight::Normal, format!("{made} {text}"))
    }

    /// When the operator scales down on its own.
    fn when_idle(&self) -> String {
        let clock = self.cx.clock;
        let cooldown = duration(self.cooldown());
        match (self.object.is("Active"), self.object.last_active) {
            (Some(true), _) => {
                format!(
                    ", {cooldown} (cooldownPeriod) after the last trigger ends; one is active now"
                )
            }
            (Some(false), Some(last)) => format!(
                ": no trigger has been active since {}, so at {} at the earliest ({cooldown} cooldownPeriod)",
                clock.time(last),
                clock.time(last + self.cooldown())
            ),
            _ => format!(", {cooldown} (cooldownPeriod) after the last trigger ends"),
        }
    }

    /// Settings that do not do what people expect of them.
    fn without_effect(&self) -> Vec<NoteView> {
        let mut notes = Vec::new();
        let is_waiting = self.cx.rule.decider() == Decider::Window;
        if let Some(cooldown) = self.object.cooldown_period
            && (is_waiting || !self.has_a_step())
        {
            let weight = if is_waiting {
                NoteWeight::Normal
            } else {
                NoteWeight::Detail
            };
            let rest = if self.has_a_step() {
                "only delays the step to 0"
            } else {
                "has no effect without a step to 0"
            };
            notes.push(Self::note(
                weight,
                format!(
                    "cooldownPeriod {cooldown} {rest}. What delays scaling down is \
                     behavior.scaleDown.stabilizationWindowSeconds, in advanced.horizontalPodAutoscalerConfig."
                ),
            ));
        }
        if let Some(polling) = self.object.polling_interval
            && !self.has_a_step()
        {
            let cached = self
                .object
                .triggers
                .iter()
                .any(|trigger| trigger.uses_cache);
            let text = if cached {
                format!(
                    "pollingInterval {polling} is how old the values of triggers with useCachedMetrics get."
                )
            } else {
                format!(
                    "pollingInterval {polling} does not change scaling: the HPA reads the metrics at every sync, and KEDA has \
                     no step from 0."
                )
            };
            notes.push(Self::note(NoteWeight::Detail, text));
        }
        notes
    }
}

/// A ScaledObject that scales the same target through another HPA.
fn not_ours(cx: &ExplainContext<'_>, other: &Autoscaler) -> NoteView {
    Keda::note(
        NoteWeight::Warning,
        format!(
            "ScaledObject {} also scales {}, by an HPA of its own: the two overwrite each other. Move the metrics of \
             this HPA into the ScaledObject as triggers, and delete this HPA.",
            other.name,
            cx.target()
        ),
    )
}

fn seconds(seconds: i32) -> SignedDuration {
    SignedDuration::from_secs(seconds.into())
}
