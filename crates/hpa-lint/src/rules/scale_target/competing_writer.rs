//! HPA409 `competing-writer`.

use hpa_diagnosis::other_writer::{FINDING_TIMES, FINDING_WINDOW, undone_within};
use hpa_engine::model::SnapshotField;
use hpa_explain::writer_name;
use hpa_words::{clock::duration, shell_word};
use jiff::SignedDuration;

use super::reference::target_name;
use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA409",
    name: "competing-writer",
    summary: "another writer changes the replicas after the HPA",
    severity: Severity::Error,
    needs: Needs::Live,
    yields_to: &["HPA410"],
    thresholds: &[
        ConfigurableNumber {
            name: "times",
            default: FINDING_TIMES,
            unit: ThresholdUnit::Count,
            summary: "number of changes by others from which this is reported",
        },
        ConfigurableNumber {
            name: "window",
            default: FINDING_WINDOW,
            unit: ThresholdUnit::Seconds,
            summary: "how far back changes count",
        },
    ],
    check: Check::Hpa(check),
    docs: include_str!("competing_writer.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    if let Some(not_read) = live
        .context
        .not_read
        .iter()
        .find(|one| one.what == SnapshotField::Events)
    {
        return Err(Missing::NotRead {
            what: "the Events of the HPA".to_owned(),
            why: not_read.why.clone(),
        });
    }
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a window")]
    let window = SignedDuration::from_secs(cx.threshold("window") as i64);
    let (count, write) = undone_within(&live.observation, &live.context, live.now, window);
    if f64::from(count) < cx.threshold("times") {
        return Ok(Vec::new());
    }
    let who = write.as_ref().map_or_else(
        || "another writer".to_owned(),
        |write| writer_name(&write.by),
    );
    let finding = cx
        .finding("spec.scaleTargetRef")
        .basis(Basis::History)
        .message(format!(
            "{who} overwrote spec.replicas {count} times within {} after the HPA set it, so the two undo each other",
            duration(window)
        ))
        .help(format!(
            "find the other writer with kubectl get {}{} -o yaml --show-managed-fields, and remove spec.replicas from \
             what it writes",
            shell_word(&target_name(cx).to_lowercase()),
            namespace_flag(cx)
        ));
    Ok(vec![match cx.workload() {
        Ok(workload) => finding.related(workload.object.clone(), "spec.replicas", "both write it"),
        Err(_) => finding,
    }])
}
