//! HPA409 `competing-writer`.

use hpa_diagnosis::other_writer::{FINDING_TIMES, FINDING_WINDOW, undone_within};
use hpa_engine::model::SnapshotField;
use hpa_explain::writer_name;
use hpa_words::{clock::duration, shell_word};
use jiff::SignedDuration;

use super::reference::target_name;
use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a target whose replicas another writer has changed after the HPA set them, at least twice (`times`) within an
    /// hour (`window`). Such a writer is an operator, a deployer that resets the field, or a script.
    ///
    /// A single read of the cluster shows this in two places:
    ///
    /// - Events of the HPA: it set the same number again without a change of its own in between, or it scaled up to fewer
    ///   replicas than before.
    /// - `managedFields`: the HPA did not write the current number.
    ///
    /// Both give a lower bound. The controller counts equal Events as one, combines many and drops others. The API server
    /// keeps them for an hour. Where an Event can be missing, the rule concludes nothing.
    ///
    /// ## Why is this bad?
    /// Two writers undo each other, so pods start and stop for nothing. An HPA that has set 10 replicas and finds 2 in the
    /// next sync must scale up again, in several steps.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: Event
    /// # …
    /// involvedObject: {apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, name: web, namespace: shop}
    /// # …
    /// reason: SuccessfulRescale
    /// message: "New size: 2; reason: cpu resource utilization (percentage of request) above target"
    /// count: 3
    /// firstTimestamp: "2026-11-02T09:40:00Z"
    /// lastTimestamp: "2026-11-02T09:58:00Z"
    /// # … so the HPA set 2 twice more, with no change of its own in between
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: Event
    /// # …
    /// reason: SuccessfulRescale
    /// message: "New size: 2; reason: cpu resource utilization (percentage of request) above target"
    /// count: 1
    /// # … the HPA set 2 only once
    /// ```
    ///
    /// ## Fix
    /// Find the writer: `kubectl get deployment/web -o yaml --show-managed-fields` names the managers. Remove
    /// `spec.replicas` from what it writes, or delete the HPA.
    ///
    /// ## References
    /// - [nginx/nginx-gateway-fabric#4214](https://github.com/nginx/nginx-gateway-fabric/issues/4214), [apache/superset-kubernetes-operator#152](https://github.com/apache/superset-kubernetes-operator/issues/152), [banzaicloud/istio-operator#80](https://github.com/banzaicloud/istio-operator/issues/80)
    pub(crate) static RULE = {
        code: "HPA409",
        name: "competing-writer",
        summary: "another writer changes the replicas after the HPA",
        severity: Severity::Error,
        needs: Needs::Live,
        yields_to: &["HPA410"],
        thresholds: &[
            ConfigurableNumber { name: "times", default: FINDING_TIMES, unit: ThresholdUnit::Count, summary: "number of changes by others from which this is reported" },
            ConfigurableNumber { name: "window", default: FINDING_WINDOW, unit: ThresholdUnit::Seconds, summary: "how far back changes count" },
        ],
        check: Check::Hpa(check),
    }
}

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
