//! HPA901 `flapping`.

use hpa_analysis::{replica_history, seconds};
use hpa_diagnosis::flapping::{interval, longer_than_swing, most_within};
use hpa_engine::model::{Direction, SnapshotField};
use hpa_words::clock::rough;
use jiff::Timestamp;

use crate::{
    Basis, Check, ConfigurableNumber, Cx, History, HpaSubject, Missing, Needs, Rule, RuleOutcome,
    Severity, ThresholdUnit,
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
    let recorded_turns = history.map(History::turns).unwrap_or_default();
    let recorded = most_within(&recorded_turns, window);
    let reported = reported(cx);
    let in_events = reported
        .as_ref()
        .map_or(0, |turns| most_within(turns, window));
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
    let (basis, turns) = if in_events <= recorded {
        (Basis::History, recorded_turns)
    } else {
        (Basis::Live, reported.unwrap_or_default())
    };
    Ok(vec![
        cx.finding("spec.behavior.scaleDown")
            .basis(basis)
            .message(format!(
                "the replicas changed direction {most} times within {}, so pods stop and start again for nothing",
                rough(window)
            ))
            .help(format!("{}, remove fewer pods at a time, or widen the tolerance", calm(cx, &turns))),
    ])
}

/// What calms the HPA: a window that is longer than a swing, if the one now is not.
fn calm(cx: &Cx<'_, HpaSubject>, turns: &[Timestamp]) -> String {
    let live = cx.live().ok();
    let now = live.map(|live| live.observation.window(Direction::Down));
    let longer = interval(turns).map(longer_than_swing);
    match (now, longer) {
        (Some(now), Some(longer)) if now < longer => format!(
            "set spec.behavior.scaleDown.stabilizationWindowSeconds longer than a swing, such as {} (now {})",
            longer.as_secs(),
            now.as_secs()
        ),
        _ => "raise spec.behavior.scaleDown.stabilizationWindowSeconds".to_owned(),
    }
}

/// The changes of direction that the Events of the HPA show.
fn reported(cx: &Cx<'_, HpaSubject>) -> Result<Vec<Timestamp>, Missing> {
    let live = cx.live().map_err(|_| Missing::Recording)?;
    live.require(&SnapshotField::Events)?;
    let turns = replica_history(&live.context, live.now).turns;
    Ok(turns.iter().map(|turn| turn.at).collect())
}
