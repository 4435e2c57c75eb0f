//! HPA901 `flapping`.

use hpa_analysis::{replica_history, seconds};
use hpa_diagnosis::flapping::most_within;
use hpa_engine::model::SnapshotField;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA901",
    name: "flapping",
    summary: "the replicas keep going up and down",
    severity: Severity::Warning,
    needs: Needs::History,
    thresholds: &[
        ConfigurableNumber {
            name: "reversals",
            default: 3.0,
            unit: ThresholdUnit::Count,
            summary: "changes of direction",
        },
        ConfigurableNumber {
            name: "window",
            default: 1800.0,
            unit: ThresholdUnit::Seconds,
            summary: "period in which they are counted",
        },
    ],
    check: Check::Hpa(check),
    docs: include_str!("flapping.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let window = seconds(cx.threshold("window"));
    let history = cx.subject.hpa.history.as_deref();
    let recorded = history.map_or(0, |history| most_within(&history.turns(), window));
    let reported = reported(cx, window);
    let in_events = reported.as_ref().copied().unwrap_or(0);
    let most = recorded.max(in_events);
    #[expect(clippy::cast_precision_loss, reason = "nothing turns 2^52 times")]
    if (most as f64) < cx.threshold("reversals") {
        let Some(history) = history else {
            return reported.map(|_| Vec::new());
        };
        history.require(
            window,
            &format!(", and in it the replicas changed direction {most} times"),
        )?;
        return Ok(Vec::new());
    }
    let basis = if in_events <= recorded {
        Basis::History
    } else {
        Basis::Live
    };
    Ok(vec![
        cx.finding("spec.behavior.scaleDown")
            .basis(basis)
            .message(format!(
                "the replicas changed direction {most} times within {}, so pods stop and start again for nothing",
                rough(window)
            ))
            .help("raise spec.behavior.scaleDown.stabilizationWindowSeconds, remove fewer pods at a time, or widen the tolerance"),
    ])
}

/// The highest number of changes of direction within any window that the Events of the HPA show.
fn reported(cx: &Cx<'_, HpaSubject>, window: SignedDuration) -> Result<usize, Missing> {
    let live = cx.live().map_err(|_| Missing::Recording)?;
    live.require(&SnapshotField::Events)?;
    let turns = replica_history(&live.context, live.now).turns;
    let turns: Vec<Timestamp> = turns.iter().map(|turn| turn.at).collect();
    Ok(most_within(&turns, window))
}
