//! HPA808 `status-stale`.

use hpa_analysis::{Assessment, ComparisonOutcome};
use hpa_diagnosis::not_reconciled::not_reconciled;
use hpa_words::clock::rough;

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA808",
    name: "status-stale",
    summary: "the status is older than the spec",
    severity: Severity::Warning,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("status_stale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    if let Some(found) = not_reconciled(
        &live.observation,
        &live.context,
        &live.analysis.trace,
        live.now,
    ) {
        let late = rough(live.since(found.since));
        return Ok(vec![
            cx.finding("spec")
                .message(format!(
                    "the controller has not synced this HPA for {late}: {}",
                    found.why
                ))
                .help("check whether kube-controller-manager is down or far behind"),
        ]);
    }
    let evidence = if cx.config.feature_gates.hpa_generation.value {
        behind(live)
    } else {
        unfitting(cx, live)?
    };
    Ok(evidence
        .map(|evidence| {
            cx.finding("spec")
                .message(format!("the status is older than the spec, so it describes an earlier one: {evidence}"))
                .help("wait for the next sync; if nothing changes, check whether kube-controller-manager is down or far behind")
        })
        .into_iter()
        .collect())
}

fn behind(live: &Assessment) -> Option<String> {
    let hpa = &live.observation.hpa;
    let (observed, generation) = (hpa.status.observed_generation?, hpa.generation?);
    (hpa.is_observed() == Some(false))
        .then(|| format!("observedGeneration {observed}, generation {generation}"))
}

/// A status that cannot belong to this spec. An old write time alone proves nothing: the controller does not write an
/// unchanged status.
fn unfitting(cx: &Cx<'_, HpaSubject>, live: &Assessment) -> Result<Option<String>, Missing> {
    if live.analysis.cross_check.agreement != ComparisonOutcome::SpecEdited {
        return Ok(None);
    }
    let edit = live.context.hpa_edited_by.as_ref();
    let edited = edit
        .and_then(|edit| edit.time)
        .ok_or_else(|| Missing::unknown("when the spec was edited"))?;
    let ago = live.since(edited);
    let syncs = cx.sync_period().value.saturating_mul(2);
    Ok((syncs <= ago).then(|| {
        let by = edit.map(|edit| edit.manager.as_str()).unwrap_or_default();
        format!(
            "{by} edited the spec {} ago, and the status does not fit it",
            rough(ago)
        )
    }))
}
