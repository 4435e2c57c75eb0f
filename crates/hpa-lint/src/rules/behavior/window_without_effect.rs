//! HPA327 `window-without-effect`.

use hpa_engine::model::Provenance;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA327",
    name: "window-without-effect",
    summary: "a stabilization window is not longer than the controller's sync period",
    severity: Severity::Info,
    since: "0.1.0",
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("window_without_effect.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let sync = cx.sync_period();
    let period = sync.value.as_secs_f64();
    let windows = Side::both(cx).filter_map(Side::with_window);
    let without_effect = windows.filter(|(_, window)| 0 < *window && f64::from(*window) <= period);
    Ok(without_effect
        .map(|(side, window)| {
            let finding = cx
                .finding(side.field("stabilizationWindowSeconds"))
                .message(format!(
                    "the {} window of {window} s has no effect: it is not longer than the sync period {period} s",
                    side.name
                ))
                .help(format!(
                    "set stabilizationWindowSeconds to 0, or above {period} to wait for one more sync"
                ));
            if sync.provenance == Provenance::Assumed {
                finding.basis(Basis::AssumedFlag)
            } else {
                finding
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::Input;
    use jiff::SignedDuration;

    use super::RULE;
    use crate::{
        rules::behavior::testing::{findings_of, hpa},
        testing::{report_with, texts},
    };

    #[test]
    fn windows_up_to_the_sync_period_are_without_effect_in_both_directions() {
        let found = |direction: &str, window: i32| {
            let behavior = format!("{{{direction}: {{stabilizationWindowSeconds: {window}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        for direction in ["scaleUp", "scaleDown"] {
            let found = [0, 1, 15, 16].map(|window| found(direction, window));
            assert_eq!(found, [0, 1, 1, 0], "{direction}");
        }
        assert_eq!(
            findings_of(&RULE, 1, 9, "{scaleUp: {stabilizationWindowSeconds: 5}}"),
            [
                "info spec.behavior.scaleUp.stabilizationWindowSeconds: the scale-up window of 5 s has no effect: it is \
                 not longer than the sync period 15 s"
            ]
        );
        let disabled = "{scaleUp: {stabilizationWindowSeconds: 5, selectPolicy: Disabled}}";
        assert!(findings_of(&RULE, 1, 9, disabled).is_empty());
    }

    #[test]
    fn the_declared_sync_period_counts() {
        let yaml = hpa(1, 9, "{scaleDown: {stabilizationWindowSeconds: 20}}");
        let found = |sync: i64| {
            let report = report_with(&RULE, &yaml, |settings| {
                let sync = SignedDuration::from_secs(sync);
                settings.configs[0].sync_period = Input::given(sync);
            });
            texts(&report).len()
        };
        assert_eq!([10, 20, 30].map(found), [0, 1, 1]);
    }
}
