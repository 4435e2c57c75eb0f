//! From what a setting of the controller was inferred, in words.

use crate::{
    explain::{
        InputView, Story, TrustView,
        clock::duration,
        reasons::{setting, value_text},
    },
    inference::Cause,
    model::{Evidence, InferredSetting, Provenance, Setting},
};

/// From what the setting `name` of the page was inferred, or with which other value all numbers would fit.
pub(super) fn evidence(story: &Story<'_>, name: &str, remedy: &str) -> Option<String> {
    let inferred = story.context.inferred.iter().find(|one| {
        name == match one.setting {
            Setting::DownscaleStabilization => "downscale stabilization",
            Setting::SyncPeriod => "sync period",
        }
    });
    if let Some(inferred) = inferred {
        return Some(text(story, inferred));
    }
    let check = &story.look.cross_check;
    let fitting = check.hypotheses.iter().find(|one| {
        let flag = setting(&one.cause);
        let flag = flag.as_deref().and_then(|flag| flag.split_once('='));
        one.fits && flag.is_some_and(|(flag, _)| flag == remedy)
    })?;
    match &fitting.cause {
        Cause::Flag(..) => Some(format!(
            "the status would fit {}",
            value_text(&fitting.cause, fitting.span)?
        )),
        Cause::Version(version) => Some(format!("the status would fit {version}")),
        _ => None,
    }
}

/// From what a feature gate was inferred, or that it would fit if it were set otherwise.
pub(super) fn gate_evidence(
    story: &Story<'_>,
    name: &str,
    provenance: Provenance,
) -> Option<String> {
    let check = &story.look.cross_check;
    let fitting = check.hypotheses.iter().find_map(|one| match one.cause {
        Cause::FeatureGate(gate, is_on) if gate == name => Some(is_on),
        _ => None,
    });
    match fitting {
        Some(is_on) => Some(format!(
            "the status would fit {}",
            if is_on { "on" } else { "off" }
        )),
        None => (provenance == Provenance::Inferred)
            .then(|| "the API server emulates another version".to_owned()),
    }
}

/// One line about the settings that were inferred.
pub(super) fn inferred(inputs: &[InputView]) -> Option<TrustView> {
    let told: Vec<(String, bool)> = inputs
        .iter()
        .filter(|input| input.provenance == Provenance::Inferred)
        .filter_map(|input| {
            let evidence = input.evidence.as_ref()?;
            let text = format!("{} {} ({evidence})", input.name, input.value);
            Some((text, input.matters))
        })
        .collect();
    let texts: Vec<&str> = told.iter().map(|(text, _)| text.as_str()).collect();
    (!told.is_empty()).then(|| TrustView {
        title: "inferred",
        text: texts.join("; "),
        is_warning: false,
        is_detail: !told.iter().any(|(_, matters)| *matters),
    })
}

fn text(story: &Story<'_>, inferred: &InferredSetting) -> String {
    let hpa = &story.facts.observation.hpa;
    let of = if inferred.hpa == format!("{}/{}", hpa.namespace, hpa.name) {
        String::new()
    } else {
        format!(" of {}", inferred.hpa)
    };
    match &inferred.evidence {
        Evidence::RepeatedEvent {
            reason,
            count,
            within,
        } => format!("{reason}{of} came {count} times in {}", duration(*within)),
        Evidence::WentDownAfter {
            up,
            up_to,
            down,
            down_to,
        } => format!(
            "{} at most: Events{of} show {up_to} at {} and {down_to} at {}",
            duration(inferred.most),
            story.clock.time(*up),
            story.clock.time(*down)
        ),
    }
}
