//! Why the recomputation and the controller may disagree, in words, and how to find out.

use jiff::SignedDuration;

use crate::{
    explain::{Story, amount::trimmed, clock::duration, inputs::inputs},
    inference::{Cause, Hypothesis, Span, Unobserved},
    model::go_duration,
};

/// The reasons for a disagreement: the first in full, of settings that would fit as well only the flags, and what tells
/// them apart.
pub(super) fn because(story: &Story<'_>) -> Option<String> {
    let told: Vec<&Hypothesis> = story
        .look
        .cross_check
        .hypotheses
        .iter()
        .filter(|one| !is_innocent(&one.cause))
        .collect();
    let (settings, others): (Vec<&Hypothesis>, Vec<&Hypothesis>) = told
        .into_iter()
        .partition(|one| setting(&one.cause).is_some());
    let mut parts: Vec<String> = others
        .iter()
        .filter(|one| one.cause != Cause::Forgot || settings.is_empty())
        .map(|one| hypothesis(story, one))
        .collect();
    let first = settings.first();
    // The answer begins with the first one where the replicas differ.
    if let Some(first) = first.filter(|_| story.written_instead().is_none()) {
        parts.insert(0, hypothesis(story, first));
    }
    let mut more: Vec<String> = settings
        .iter()
        .skip(1)
        .filter_map(|one| setting(&one.cause))
        .take(MOST_SETTINGS)
        .collect();
    let all = &story.look.cross_check.hypotheses;
    if !settings.is_empty() && all.iter().any(|one| one.cause == Cause::Forgot) {
        more.push("a restart of the controller".to_owned());
    }
    if !more.is_empty() {
        parts.push(format!("these would fit as well: {}", more.join(", ")));
    }
    parts.extend(tell_apart(story));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a cause is told already: by what has moved, or by the answer.
fn is_innocent(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::SpecNewer(_)
            | Cause::EditPending(..)
            | Cause::EditUnanswered(..)
            | Cause::PodsMoved
            | Cause::SampleMoved
            | Cause::SpecEdited
            | Cause::TimePassed
    )
}

/// What would tell the reasons that fit from each other.
fn tell_apart(story: &Story<'_>) -> Vec<String> {
    let causes: Vec<&Cause> = story
        .look
        .cross_check
        .hypotheses
        .iter()
        .map(|one| &one.cause)
        .collect();
    let is_setting = |cause: &&&Cause| setting(cause).is_some();
    let number = causes.iter().filter(is_setting).count();
    let has = |text: &str| {
        let is_it = |cause: &&Cause| matches!(cause, Cause::Flag(name, _) if name.ends_with(text));
        causes.iter().any(is_it)
    };
    let mut parts = Vec::new();
    if has("cpu-initialization-period") && has("initial-readiness-delay") {
        parts.push(
            "a pod that was ready for some minutes and is not ready now tells them apart: the delay \
             counts it, the period leaves it out"
                .to_owned(),
        );
    } else if has("tolerance") && has("downscale-stabilization") {
        parts.push("the window passes with time, a tolerance stays".to_owned());
    } else if 1 < number {
        parts.push("whoever runs the control plane can tell which".to_owned());
    }
    if causes.contains(&&Cause::Forgot) && 0 < number {
        parts.push("a restart passes within one window, a setting stays".to_owned());
    }
    if causes.contains(&&Cause::SampleMoved) && 0 < number {
        let period = duration(story.facts.observation.sync_period().value);
        parts.push(format!(
            "or the metrics have moved since, then it looks otherwise after the next sync ({period})"
        ));
    }
    parts
}

/// A reason for a disagreement in words.
pub fn hypothesis(story: &Story<'_>, hypothesis: &Hypothesis) -> String {
    let confirm = confirm(story, &hypothesis.cause)
        .map_or_else(String::new, |command| format!(" (confirm: {command})"));
    if let Some(what) = what_fits(story, hypothesis) {
        return format!("all numbers would fit with {what}{confirm}");
    }
    match &hypothesis.cause {
        Cause::SampleMoved if hypothesis.fits => "the metrics have moved since".to_owned(),
        Cause::SampleMoved => {
            "the metrics have moved since; what the controller saw can't be recomputed".to_owned()
        }
        Cause::PodsMoved => "pods came, went or changed their readiness since".to_owned(),
        Cause::TimePassed => "what the controller remembers has expired since".to_owned(),
        Cause::ScaledByOther => {
            // kube-controller-manager writes for this HPA as well as for others, so its name tells nothing.
            let by = story
                .context
                .target
                .as_ref()
                .and_then(|target| target.replicas_written_by.first())
                .filter(|manager| manager.manager != "kube-controller-manager")
                .map_or_else(
                    || "something other than this HPA".to_owned(),
                    |manager| format!("{} (field manager)", manager.manager),
                );
            format!(
                "{by} set spec.replicas to {} after the HPA wrote {}",
                story.facts.current().unwrap_or_default(),
                story.facts.observation.hpa.status.desired_replicas
            )
        }
        Cause::SpecEdited => "the spec was edited since the last sync".to_owned(),
        Cause::SpecNewer(unobserved) => not_synced(story, unobserved),
        Cause::EditPending(at, by) => format!(
            "the HPA was edited at {} ({by}), after the controller's last sync; it takes the edit in \
             at its next sync, within {}",
            story.clock.time(*at),
            duration(story.facts.observation.sync_period().value)
        ),
        Cause::EditUnanswered(at, by) => format!(
            "the HPA was edited at {} ({by}), and the controller has written no status since: it may \
             not have taken the edit in yet",
            story.clock.time(*at)
        ),
        // Those that fit are told above.
        _ => "no single flag, gate or version explains it; kubectl hpa capture records what is \
              needed to find out"
            .to_owned(),
    }
}

/// An edit that the controller has not synced although it syncs edits at once.
fn not_synced(story: &Story<'_>, unobserved: &Unobserved) -> String {
    let Unobserved {
        observed,
        generation,
        edited,
    } = unobserved;
    let edited = edited.as_ref();
    let edit = edited.map_or_else(String::new, |(at, by)| {
        format!(" at {} ({by})", story.clock.time(*at))
    });
    let is_overdue = edited.is_some_and(|(at, _)| AT_ONCE < story.clock.now.duration_since(*at));
    let overdue = if is_overdue {
        ". It syncs an edit at once, so check that kube-controller-manager runs"
    } else {
        ""
    };
    format!(
        "the controller has not synced the edit{edit} yet: the status is of generation {observed}, the spec has \
         generation {generation}{overdue}"
    )
}

/// A sync that comes at once is over by then.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(10);

/// The controller with which all numbers fit: `tolerance 0.15 instead of 0.1 (anything from 0.133 up would do)`.
pub(super) fn what_fits(story: &Story<'_>, hypothesis: &Hypothesis) -> Option<String> {
    Some(match &hypothesis.cause {
        Cause::Flag(flag, value) => {
            let name = name_of_flag(flag);
            let value = flag_value(value, hypothesis.span);
            let instead = assumed(story, &name)
                .map_or_else(String::new, |assumed| format!(" instead of {assumed}"));
            let span = hypothesis.span.and_then(span_text).unwrap_or_default();
            format!("{name} {value}{instead}{span}")
        }
        Cause::FeatureGate(gate, is_on) => {
            format!("feature gate {gate} {}", if *is_on { "on" } else { "off" })
        }
        Cause::Version(version) => {
            let is_openshift =
                version.minor == 26 && story.facts.observation.controller.version.value.minor == 25;
            let note = if is_openshift {
                ", of which OpenShift 4.12 has a part"
            } else {
                ""
            };
            format!("a controller of version {version}{note}")
        }
        Cause::Architecture(architecture) => {
            format!("a controller on {}", architecture.as_str())
        }
        Cause::Forgot => "a controller that restarted and remembers nothing".to_owned(),
        _ => return None,
    })
}

/// The value of a flag that fits, with the others: `0.15 (anything from 0.133 up would do)`.
pub(super) fn value_text(cause: &Cause, span: Option<Span>) -> Option<String> {
    let Cause::Flag(_, value) = cause else {
        return None;
    };
    let others = span.and_then(span_text).unwrap_or_default();
    Some(format!("{}{others}", flag_value(value, span)))
}

fn flag_value(value: &str, span: Option<Span>) -> String {
    go_duration::parse(value)
        .ok()
        .filter(|_| span.is_some_and(|span| span.is_duration))
        .map_or_else(|| value.to_owned(), duration)
}

/// Which other values of a flag would fit as well.
fn span_text(span: Span) -> Option<String> {
    // What is printed must be inside, so both ends are rounded inward.
    let text = |value: f64, round: fn(f64) -> f64| {
        if span.is_duration {
            let rounded = SignedDuration::try_from_secs_f64(round(value)).ok()?;
            Some(duration(rounded))
        } else {
            Some(trimmed(round(value * 1e3) / 1e3, 3))
        }
    };
    let up = |value: f64| text(value, |value| (value - NEAR).ceil());
    let down = |value: f64| text(value, |value| (value + NEAR).floor());
    Some(match (span.from, span.below) {
        (Some(from), Some(below)) => {
            format!(
                " (anything from {} to {} would do)",
                up(from)?,
                down(below)?
            )
        }
        (Some(from), None) => format!(" (anything from {} up would do)", up(from)?),
        (None, Some(below)) => format!(" (anything below {} would do)", down(below)?),
        (None, None) => return None,
    })
}

/// A flag as the page names it.
fn name_of_flag(flag: &str) -> String {
    flag.strip_prefix("horizontal-pod-autoscaler-")
        .unwrap_or(flag)
        .replace('-', " ")
        .replace("cpu ", "CPU ")
}

/// The value that was assumed for a flag.
fn assumed(story: &Story<'_>, name: &str) -> Option<String> {
    inputs(story)
        .into_iter()
        .find(|input| input.name.eq_ignore_ascii_case(name))
        .map(|input| input.value)
}

/// The command that confirms a reason.
pub fn confirm(story: &Story<'_>, cause: &Cause) -> Option<String> {
    let hpa = &story.facts.observation.hpa;
    Some(format!(
        "kubectl hpa explain {} -n {} {}",
        hpa.name,
        hpa.namespace,
        setting(cause)?
    ))
}

/// The flag of this program that sets what a cause says of the controller.
pub(super) fn setting(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::Flag(flag, value) => {
            let short = flag
                .strip_prefix("horizontal-pod-autoscaler-")
                .unwrap_or(flag);
            format!("--assume-{short}={value}")
        }
        Cause::FeatureGate(gate, is_on) => format!("--feature-gate={gate}={is_on}"),
        Cause::Version(version) => format!("--kube-version={version}"),
        Cause::Architecture(architecture) => {
            format!("--assume-architecture={}", architecture.as_str())
        }
        _ => return None,
    })
}

/// What arithmetic on floats may be off by.
const NEAR: f64 = 1e-6;

/// More settings than that help nobody.
const MOST_SETTINGS: usize = 3;
