//! HPA504 `startup-exceeds-cpu-init`.

use hpa_analysis::{Assessment, selected_pods};
use hpa_engine::model::{ConditionStatus, Provenance};
use jiff::SignedDuration;

use super::{cpu::cpu_metrics, start::start_budgets};
use crate::{Basis, Check, Cx, Finding, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA504",
    name: "startup-exceeds-cpu-init",
    summary: "pods can become ready after the CPU initialization period",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("startup_exceeds_cpu_init.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cpu_metrics(&cx.subject.spec);
    let Some((index, _)) = metrics.first() else {
        return Ok(Vec::new());
    };
    let period = cx.config.cpu_initialization_period;
    let finding = |pods: &str, seconds: i64, basis| {
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{pods} {seconds} s to become ready, but the CPU initialization period is {} s, so startup CPU can count as load",
                period.value.as_secs()
            ))
            .help("start faster, or raise --horizontal-pod-autoscaler-cpu-initialization-period if you run kube-controller-manager")
            .basis(match period.provenance {
                Provenance::Assumed => Basis::AssumedFlag,
                _ => basis,
            })
    };
    let seen = cx.subject.hpa.live.as_deref().and_then(observed_start);
    if let Some(seen) = seen.filter(|seen| period.value < *seen) {
        return Ok(vec![finding("pods need", seen.as_secs(), Basis::Live)]);
    }
    let workload = cx.template_workload()?;
    let budgets = start_budgets(workload.pod_template()?);
    let longest = budgets
        .filter(|budget| period.value.as_secs() < budget.seconds)
        .max_by_key(|budget| (!budget.is_cap, budget.seconds));
    let finding = longest.map(|budget| -> Finding {
        let (pods, severity) = if budget.is_cap {
            ("a startup probe allows pods up to", Severity::Info)
        } else {
            ("pods need about", Severity::Warning)
        };
        finding(pods, budget.seconds, Basis::RelatedManifest)
            .severity(severity)
            .related(
                workload.object.clone(),
                budget.path,
                format!("allows {} s to start", budget.seconds),
            )
    });
    Ok(finding.into_iter().collect())
}

/// The shortest time from start to ready among several pods: a single pod may have lost its readiness since.
fn observed_start(live: &Assessment) -> Option<SignedDuration> {
    let starts: Vec<SignedDuration> = selected_pods(&live.observation)
        .into_iter()
        .filter(|pod| pod.start.restarts == 0)
        .filter_map(|pod| {
            let ready = pod
                .ready
                .filter(|ready| ready.status == ConditionStatus::True)?;
            Some(ready.last_transition?.duration_since(pod.started?))
        })
        .collect();
    starts.iter().min().copied().filter(|_| 1 < starts.len())
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::Input;

    use super::RULE;
    use crate::{
        Basis,
        testing::{DEPLOYMENT, HPA_V1, report, report_with, texts},
    };

    fn yaml(probes: &str) -> String {
        format!(
            "{HPA_V1}  maxReplicas: 4
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: main, {probes}}}]}}}}}}
"
        )
    }

    #[test]
    fn exactly_the_period_is_in_time() {
        let in_time = yaml("startupProbe: {failureThreshold: 30, periodSeconds: 10}");
        assert!(texts(&report(&RULE, &in_time)).is_empty());
        let late = report(
            &RULE,
            &yaml("startupProbe: {initialDelaySeconds: 1, failureThreshold: 30}"),
        );
        assert_eq!(
            texts(&late),
            [
                "info spec.metrics[0]: a startup probe allows pods up to 301 s to become ready, but the CPU initialization period is 300 s, so startup CPU can count as load"
            ]
        );
        assert_eq!(late.findings[0].finding.basis, Basis::AssumedFlag);
    }

    #[test]
    fn a_period_that_is_given_counts_and_is_not_called_assumed() {
        let yaml = yaml("readinessProbe: {initialDelaySeconds: 120}");
        assert!(texts(&report(&RULE, &yaml)).is_empty());
        let report = report_with(&RULE, &yaml, |settings| {
            let period = jiff::SignedDuration::from_secs(120);
            settings.configs[0].cpu_initialization_period = Input::given(period);
        });
        assert_eq!(report.findings[0].finding.basis, Basis::RelatedManifest);
        assert!(texts(&report)[0].contains("warning spec.metrics[0]: pods need about 130 s"));
    }

    #[test]
    fn failures_that_a_readiness_probe_allows_do_not_lengthen_the_start() {
        let started = "startupProbe: {failureThreshold: 12, periodSeconds: 5}";
        let ready = "readinessProbe: {failureThreshold: 40, periodSeconds: 10}";
        assert!(texts(&report(&RULE, &yaml(&format!("{started}, {ready}")))).is_empty());
        let late =
            "readinessProbe: {initialDelaySeconds: 290, successThreshold: 2, periodSeconds: 10}";
        // An observed startup time is stronger evidence than an allowed one.
        let late = format!("startupProbe: {{failureThreshold: 400}}, {late}");
        assert!(
            texts(&report(&RULE, &yaml(&late)))[0]
                .starts_with("warning spec.metrics[0]: pods need about 310 s")
        );
    }
}
