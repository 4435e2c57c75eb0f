//! HPA208 `container-rename-rollout`.

use super::{entry::MetricEntry, target_pod::TargetPod};
use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA208",
    name: "container-rename-rollout",
    summary: "a container is renamed while the HPA still names it",
    severity: Severity::Warning,
    needs: Needs::Comparison,
    check: Check::Hpa(check),
    docs: include_str!("container_rename_rollout.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let named: Vec<(MetricEntry<'_>, &str)> = MetricEntry::all(&cx.subject.spec)
        .filter_map(|entry| Some((entry, entry.resource()?.1?)))
        .collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let Some(stored) = &cx.stored()?.context.target else {
        return Err(Missing::Because(format!(
            "the cluster has no {}",
            cx.subject.spec.scale_target.kind
        )));
    };
    let old = &stored.template_containers;
    let target = TargetPod::of(cx)?;
    let new: Vec<&str> = target.counted(None).iter().map(|one| &*one.name).collect();
    let added: Vec<&str> = new
        .iter()
        .copied()
        .filter(|name| old.iter().all(|one| one != name))
        .collect();
    let [added] = added[..] else {
        return Ok(Vec::new());
    };
    let renamed = named
        .into_iter()
        .filter(|(_, name)| old.iter().any(|one| one == name) && !new.contains(name));
    Ok(renamed
        .map(|(entry, name)| {
            cx.finding(entry.field("container"))
                .message(format!(
                    "container {name} is renamed to {added}, but the HPA still names {name}, so its metric cannot be \
                     computed after the rollout"
                ))
                .help(format!("set container to {added} in the same change"))
                .related(
                    target.workload.object.clone(),
                    "spec.template.spec.containers",
                    format!("has {}", new.join(", ")),
                )
        })
        .collect())
}
