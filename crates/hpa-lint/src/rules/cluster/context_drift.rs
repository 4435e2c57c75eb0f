//! HPA709 `context-drift`.

use hpa_words::{program::typed, shell_word};

use crate::{
    Check, ContextValue, Cx, HpaDrift, HpaSubject, Needs, ObjectRef, Rule, RuleOutcome, Severity,
    in_words,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA709",
    name: "context-drift",
    summary: "the HPA differs between the clusters of several contexts",
    severity: Severity::Info,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("context_drift.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    cx.live()?;
    let subject = cx.subject;
    let (namespace, name) = (subject.hpa.namespace(), subject.hpa.name());
    let Some(drift) = HpaDrift::of(namespace, name, &subject.hpa.in_contexts) else {
        return Ok(Vec::new());
    };
    let elsewhere = |mut finding: crate::Finding, path: &str, values: &[ContextValue]| {
        for ContextValue { context, value } in values.iter().skip(1) {
            let object = ObjectRef {
                origin: None,
                context: Some(context.clone()),
                ..ObjectRef::clone(subject.object())
            };
            finding = finding.related(
                object,
                path.to_owned(),
                value.clone().unwrap_or_else(|| "not set".to_owned()),
            );
        }
        finding
    };
    let mut findings: Vec<_> = drift
        .fields
        .iter()
        .map(|field| {
            // The name of a list entry is not its position.
            let path = field.path.split('[').next().unwrap_or_default();
            let finding = cx
                .finding(path.to_owned())
                .message(format!("{} is {}", field.short_path(), field.in_words()))
                .help("write one value into the manifests of all clusters; if they are meant to differ, ignore HPA709");
            elsewhere(finding, &field.path, &field.values)
        })
        .collect();
    if !drift.verdicts.is_empty() {
        let finding = cx
            .finding("")
            .message(format!("the verdict is {}", in_words(&drift.verdicts)))
            .help(format!(
                "compare: {} {} -n {} --context NAME",
                typed("explain"),
                shell_word(name),
                shell_word(namespace)
            ));
        findings.push(elsewhere(finding, "", &drift.verdicts));
    }
    Ok(findings)
}
