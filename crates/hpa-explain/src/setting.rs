//! Settings of the controller in words, and the flags of this program that set them.

use hpa_analysis::{Cause, FlagSpan, seconds};
use hpa_engine::model::{Setting, go_duration};
use hpa_words::{amount::trimmed, clock::duration};
use jiff::SignedDuration;

/// The name of a setting on the page.
pub(super) fn name(setting: Setting) -> String {
    match setting {
        Setting::Architecture => "architecture",
        Setting::CpuInitializationPeriod => "CPU initialization period",
        Setting::DownscaleStabilization => "downscale stabilization",
        Setting::FeatureGate(gate) => return format!("feature gate {gate}"),
        Setting::InitialReadinessDelay => "initial readiness delay",
        Setting::SyncPeriod => "sync period",
        Setting::Tolerance => "tolerance",
        Setting::Version => "version",
    }
    .to_owned()
}

/// The flag that sets it, without its value.
pub(super) fn flag(setting: Setting) -> String {
    match setting {
        Setting::Architecture => "--assume-architecture",
        Setting::CpuInitializationPeriod => "--assume-cpu-initialization-period",
        Setting::DownscaleStabilization => "--assume-downscale-stabilization",
        Setting::FeatureGate(gate) => return format!("{}={gate}", family(setting)),
        Setting::InitialReadinessDelay => "--assume-initial-readiness-delay",
        Setting::SyncPeriod => "--assume-sync-period",
        Setting::Tolerance => "--assume-tolerance",
        Setting::Version => family(setting),
    }
    .to_owned()
}

/// The flag of kube-controller-manager that sets it, if it has one.
pub(super) fn controller_flag(setting: Setting) -> Option<&'static str> {
    Some(match setting {
        Setting::CpuInitializationPeriod => "--horizontal-pod-autoscaler-cpu-initialization-period",
        Setting::DownscaleStabilization => "--horizontal-pod-autoscaler-downscale-stabilization",
        Setting::InitialReadinessDelay => "--horizontal-pod-autoscaler-initial-readiness-delay",
        Setting::SyncPeriod => "--horizontal-pod-autoscaler-sync-period",
        Setting::Tolerance => "--horizontal-pod-autoscaler-tolerance",
        Setting::Architecture | Setting::FeatureGate(_) | Setting::Version => return None,
    })
}

/// The flag that sets it, or a summary of all flags of its kind.
pub(super) fn family(setting: Setting) -> &'static str {
    match setting {
        Setting::FeatureGate(_) => "--feature-gate",
        Setting::Version => "--kube-version",
        _ => "--assume-…",
    }
}

/// The flag that assigns a cause's value, if the cause is a setting: `--assume-tolerance=0.15`.
pub(super) fn assignment(cause: &Cause) -> Option<String> {
    let value = match cause {
        Cause::Flag(setting, value) if is_duration(*setting) => short(seconds(*value)),
        Cause::Flag(_, value) => trimmed(*value, DIGITS),
        Cause::FeatureGate(_, is_on) => is_on.to_string(),
        Cause::Version(version) => version.to_string(),
        Cause::Architecture(architecture) => architecture.as_str().to_owned(),
        _ => return None,
    };
    Some(format!("{}={value}", flag(cause.setting()?)))
}

/// The value of a flag, and the range that would also fit: `0.15 (anything from 0.133 up would do)`.
pub(super) fn with_span(setting: Setting, value: f64, span: Option<FlagSpan>) -> String {
    let others = span.and_then(|span| in_words(setting, span));
    self::value(setting, value) + &others.unwrap_or_default()
}

/// The value of a flag.
pub(super) fn value(setting: Setting, value: f64) -> String {
    if is_duration(setting) {
        duration(seconds(value))
    } else {
        trimmed(value, DIGITS)
    }
}

/// Which other values of a flag would also fit.
pub(super) fn in_words(setting: Setting, span: FlagSpan) -> Option<String> {
    // Every printed value must be in the range, so both ends are rounded inward.
    let text = |value: f64, round: fn(f64) -> f64| {
        if is_duration(setting) {
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
            format!(" (any value from {} to {})", up(from)?, down(below)?)
        }
        (Some(from), None) => format!(" (any value from {} up)", up(from)?),
        (None, Some(below)) => format!(" (any value below {})", down(below)?),
        (None, None) => return None,
    })
}

fn is_duration(setting: Setting) -> bool {
    setting != Setting::Tolerance
}

/// A duration that Go can parse, without the zero parts that Go writes: `10m`, `1m30s`.
fn short(duration: SignedDuration) -> String {
    let text = go_duration::to_string(duration);
    for (zeros, kept) in [("h0m0s", "h"), ("m0s", "m")] {
        if let Some(start) = text.strip_suffix(zeros) {
            return format!("{start}{kept}");
        }
    }
    text
}

/// Digits of a tolerance.
const DIGITS: usize = 5;

/// The possible error of float arithmetic.
const NEAR: f64 = 1e-6;
