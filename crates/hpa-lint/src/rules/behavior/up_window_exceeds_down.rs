//! HPA305 `up-window-exceeds-down`.

use hpa_engine::model::{Direction, Provenance};

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA305",
    name: "up-window-exceeds-down",
    summary: "the scale-up window is longer than the scale-down window",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("up_window_exceeds_down.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some(side) = Side::up(cx).filter(|side| !side.is_disabled()) else {
        return Ok(Vec::new());
    };
    let window = |direction| cx.subject.spec.window(direction, cx.config);
    let (up, down) = (window(Direction::Up), window(Direction::Down));
    let down_side = Side::down(cx);
    let is_down_disabled = down_side.is_some_and(|side| side.is_disabled());
    if up.value <= down.value || is_down_disabled {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding(side.field("stabilizationWindowSeconds"))
        .message(format!(
            "the scale-up window {} s is longer than the scale-down window {} s, so the HPA grows more slowly than it \
             shrinks",
            up.value.as_secs(),
            down.value.as_secs()
        ))
        .help("set the scale-up window to 60 s or less, and the scale-down window to 300 s");
    Ok(vec![if down.provenance == Provenance::Observed {
        finding.label(
            "spec.behavior.scaleDown.stabilizationWindowSeconds",
            "shorter",
        )
    } else if down.provenance == Provenance::Assumed {
        finding.basis(Basis::AssumedFlag)
    } else {
        finding
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        Basis,
        rules::behavior::testing::{findings_of, hpa},
        testing::report,
    };

    #[test]
    fn a_scale_down_window_that_is_not_set_is_the_flag() {
        let up = |seconds: i32| format!("{{scaleUp: {{stabilizationWindowSeconds: {seconds}}}}}");
        assert!(findings_of(&RULE, 1, 9, &up(300)).is_empty());
        let report = report(&RULE, &hpa(1, 9, &up(301)));
        assert_eq!(report.findings.len(), 1);
        assert_eq!(report.findings[0].finding.basis, Basis::AssumedFlag);
    }
}
