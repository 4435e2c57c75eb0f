//! HPA705 `blocked-by-quota`.

use hpa_analysis::RefusalState;
use hpa_diagnosis::pods_not_running::refused_by_quota;
use hpa_engine::model::{KnownKind, ResourceQuota, SnapshotField};

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity, world::Quota};

pub(crate) static RULE: Rule = Rule {
    code: "HPA705",
    name: "blocked-by-quota",
    summary: "a quota keeps the target from creating pods",
    severity: Severity::Error,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("blocked_by_quota.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let mut context = live.context.clone();
    let quotas = &mut context.surroundings.downstream.quotas;
    if quotas.is_none() {
        *quotas = quotas_of_objects(cx);
    }
    let Some(failed) = refused_by_quota(&live.observation, &context) else {
        // Nothing is found if it could not be read.
        for what in [&SnapshotField::IntermediateOwners, &SnapshotField::Events] {
            live.require(what)?;
        }
        cx.world.require(KnownKind::REPLICA_SET)?;
        return Ok(Vec::new());
    };
    if failed.state == RefusalState::Unknown {
        live.require(&SnapshotField::ResourceQuotas)?;
        return Err(Missing::unknown(
            "whether the quota that refused pods has room now",
        ));
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{}/{} cannot create pods, so the scale-up has no effect. {}",
                failed.kind,
                failed.name,
                failed.message.trim_end_matches('.')
            ))
            .help("raise the quota, lower maxReplicas, or make the pods smaller"),
    ])
}

/// The quotas next to the HPA, if their use is known.
fn quotas_of_objects(cx: &Cx<'_, HpaSubject>) -> Option<Vec<ResourceQuota>> {
    let beside = cx.world.quotas_beside(cx.subject.object());
    let known: Vec<ResourceQuota> = beside
        .into_iter()
        .filter(|quota| quota.used.is_some())
        .map(Quota::to_model)
        .collect();
    (!known.is_empty()).then_some(known)
}
