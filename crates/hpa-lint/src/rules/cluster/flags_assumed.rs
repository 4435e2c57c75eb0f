//! HPA707 `flags-assumed`.

use hpa_engine::model::{ControllerConfig, Provenance, go_duration};

use crate::{Needs, Rule, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA707",
    name: "flags-assumed",
    summary: "flags of the controller are assumed",
    severity: Severity::Note,
    needs: Needs::Live,
    docs: include_str!("flags_assumed.md"),
    file: file!(),
    ..Rule::BASE
};

/// The note on the assumed flags of the controller. None if all are known.
pub(crate) fn note(config: &ControllerConfig) -> Option<String> {
    let duration = |name, input: hpa_engine::model::Input<jiff::SignedDuration>| {
        (
            name,
            go_duration::to_string(input.value),
            input.provenance == Provenance::Assumed,
        )
    };
    let flags = [
        (
            "tolerance",
            config.tolerance.value.to_string(),
            config.tolerance.provenance == Provenance::Assumed,
        ),
        duration("downscale-stabilization", config.downscale_stabilization),
        duration(
            "cpu-initialization-period",
            config.cpu_initialization_period,
        ),
        duration("initial-readiness-delay", config.initial_readiness_delay),
        duration("sync-period", config.sync_period),
    ];
    let assumed: Vec<String> = flags
        .into_iter()
        .filter(|(_, _, is_assumed)| *is_assumed)
        .map(|(name, value, _)| format!("{name} {value}"))
        .collect();
    (!assumed.is_empty()).then(|| {
        format!(
            "controller flags cannot be read; assuming {}",
            assumed.join(", ")
        )
    })
}
