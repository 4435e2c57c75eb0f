//! HPA908 `external-replica-changes`.

use hpa_explain::writer_name;

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, explain_command};

pub(crate) static RULE: Rule = Rule {
    code: "HPA908",
    name: "external-replica-changes",
    summary: "another writer changes the replicas",
    severity: Severity::Warning,
    needs: Needs::History,
    check: Check::Hpa(check),
    docs: include_str!("external_replica_changes.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let mut foreign = history
        .changes()
        .filter(|(sample, _, _)| sample.is_changed_by_another);
    let Some((sample, from, to)) = foreign.next() else {
        return Ok(Vec::new());
    };
    let by = history.writers.get(&sample.at);
    let by = by.map_or_else(|| "another writer".to_owned(), writer_name);
    let further = match foreign.count() {
        0 => String::new(),
        1 => " and 1 more time".to_owned(),
        further => format!(" and {further} more times"),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{by} changed the replicas from {from} to {to} at {}{further}, so it works against the HPA",
                sample.at.strftime("%Y-%m-%d %H:%M:%S UTC")
            ))
            .help(format!(
                "find the writer with {}, and remove spec.replicas from what it applies",
                explain_command(cx)
            )),
    ])
}
