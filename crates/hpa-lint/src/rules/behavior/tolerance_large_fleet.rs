//! HPA324 `tolerance-large-fleet`.

use hpa_engine::{engine::AfterMetrics, model::Provenance};

use super::side::{Side, bounds, observation, rounded};
use crate::{
    Basis, Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA324",
    name: "tolerance-large-fleet",
    summary: "the tolerance keeps many idle pods",
    severity: Severity::Info,
    yields_to: &["HPA321"],
    thresholds: &[ConfigurableNumber {
        name: "pods",
        default: 50.0,
        unit: ThresholdUnit::Count,
        summary: "the smallest number of idle pods that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("tolerance_large_fleet.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx);
    let is_disabled = side.is_some_and(|side| side.is_disabled());
    let Some((_, max)) = bounds(cx).filter(|(min, max)| min < max && !is_disabled) else {
        return Ok(Vec::new());
    };
    if !cx.switches().per_hpa_tolerance {
        return Ok(Vec::new());
    }
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let idle = max - fewest_needed(engine, max);
    if f64::from(idle) < cx.threshold("pods") {
        return Ok(Vec::new());
    }
    let (_, tolerance) = engine.tolerances();
    let written = side.filter(|side| side.written.tolerance.is_some());
    let path = written.map_or("spec.maxReplicas".to_owned(), |side| {
        side.field("tolerance")
    });
    let finding = cx
        .finding(path)
        .message(format!(
            "tolerance {} can keep up to {idle} idle pods at {max} replicas",
            rounded(tolerance.value)
        ))
        .help("set a smaller spec.behavior.scaleDown.tolerance, such as 0.02");
    Ok(vec![if tolerance.provenance == Provenance::Assumed {
        finding.basis(Basis::AssumedFlag)
    } else {
        finding
    }])
}

/// The fewest pods that the usage can need while all replicas stay. The ratio grows with them.
fn fewest_needed(engine: AfterMetrics<'_>, replicas: i32) -> i32 {
    let (mut outside, mut within) = (-1, replicas);
    while outside + 1 < within {
        let middle = i32::midpoint(outside, within);
        if engine.is_within_tolerance(f64::from(middle) / f64::from(replicas)) {
            within = middle;
        } else {
            outside = middle;
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        Basis,
        rules::behavior::testing::{behaviors, findings_of, hpa},
        testing::report,
    };

    #[test]
    fn the_flag_counts_where_no_tolerance_is_set() {
        assert!(findings_of(&RULE, 1, 499, "{}").is_empty());
        let report = report(&RULE, &hpa(1, 500, "{}"));
        let finding = &report.findings[0].finding;
        assert_eq!(
            finding.message,
            "tolerance 0.1 can keep up to 50 idle pods at 500 replicas"
        );
        assert_eq!(
            (&*finding.path, finding.basis),
            ("spec.maxReplicas", Basis::AssumedFlag)
        );
    }

    #[test]
    fn a_tolerance_beyond_all_keeps_all() {
        let case = "beyond |1 |60 |{scaleDown: {tolerance: 3}} => info spec.behavior.scaleDown.tolerance: tolerance 3 can keep up to 60 idle pods at 60 replicas";
        behaviors(&RULE, case);
    }
}
