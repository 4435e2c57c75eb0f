//! The evidence for inferred controller settings, in words.

use hpa_analysis::Cause;
use hpa_engine::model::{Evidence, InferredSetting, Provenance, Setting};
use hpa_words::clock::duration;

use crate::{ExplainContext, setting::with_span};

/// The evidence that a setting was inferred from, or the other value with which all numbers would fit.
pub(super) fn evidence(
    cx: &ExplainContext<'_>,
    setting: Setting,
    provenance: Provenance,
) -> Option<String> {
    let mut inferred = cx.context.inferred.iter();
    if let Some(inferred) = inferred.find(|one| one.setting() == setting) {
        return Some(text(cx, inferred));
    }
    let mut hypotheses = cx.cross_check.hypotheses.iter();
    let fitting = hypotheses.find(|one| one.fits && one.cause.setting() == Some(setting));
    let value = match fitting.map(|fitting| (&fitting.cause, fitting.span)) {
        Some((Cause::Flag(_, value), span)) => with_span(setting, *value, span),
        Some((Cause::Version(version), _)) => version.to_string(),
        Some((Cause::FeatureGate(_, is_on), _)) => if *is_on { "on" } else { "off" }.to_owned(),
        Some(_) => return None,
        None => {
            let is_emulated =
                matches!(setting, Setting::FeatureGate(_)) && provenance == Provenance::Inferred;
            return is_emulated.then(|| "the API server emulates another version".to_owned());
        }
    };
    Some(format!("the status would fit {value}"))
}

fn text(cx: &ExplainContext<'_>, inferred: &InferredSetting) -> String {
    let of = if inferred.hpa == cx.facts.observation.hpa.key() {
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
            cx.clock.time(*up),
            cx.clock.time(*down)
        ),
    }
}
