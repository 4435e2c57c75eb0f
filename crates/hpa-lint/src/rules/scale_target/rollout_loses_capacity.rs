//! HPA417 `rollout-loses-capacity`.

use hpa_engine::model::rolling_update;

use crate::{
    Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, rules::environment::Environment,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA417",
    name: "rollout-loses-capacity",
    summary: "a rollout at minReplicas can take all pods away",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("rollout_loses_capacity.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let min = spec.min_replicas();
    if !cx.subject.target_kind().is_deployment() || min < 1 {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    let (surge, unavailable) = (workload.max_surge, workload.max_unavailable);
    if workload.strategy == "Recreate" || (surge.is_none() && unavailable.is_none()) {
        return Ok(Vec::new());
    }
    let (_, down) = rolling_update(surge, unavailable, min);
    if down < min {
        return Ok(Vec::new());
    }
    let unavailable = unavailable.map_or_else(|| "25%".to_owned(), |share| share.to_string());
    let message = if min == 1 {
        format!(
            "maxUnavailable {unavailable} allows a rollout to take down the only pod, so it can be an outage"
        )
    } else {
        format!(
            "maxUnavailable {unavailable} allows a rollout at minReplicas to take down all {min} pods, so it can be an outage"
        )
    };
    let severity = match Environment::of(cx) {
        Environment::BeforeProduction => Severity::Info,
        Environment::Unknown if min == 1 => Severity::Info,
        Environment::Unknown | Environment::Production => Severity::Warning,
    };
    Ok(vec![
        cx.finding("spec.minReplicas")
            .severity(severity)
            .message(message)
            .help("set maxUnavailable: 0 and maxSurge: 1, or raise minReplicas")
            .related(
                workload.object.clone(),
                "spec.strategy.rollingUpdate",
                format!("at minReplicas {min}"),
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, table};

    #[test]
    fn shares_are_rounded_as_the_deployment_controller_does() {
        table(
            &RULE,
            |[namespace, min, rolling]| {
                let hpa = format!("  minReplicas: {min}");
                let spec = format!("  strategy: {{rollingUpdate: {{{rolling}}}}}");
                let metadata = format!("{{name: web, namespace: {namespace}}}");
                hpa_and_workload("Deployment", &hpa, &spec).replace("{name: web}", &metadata)
            },
            r"
the only pod | shop | 1 | maxUnavailable: 1 => info …
one of two | shop | 2 | maxUnavailable: 1
a share below one pod | shop | 1 | maxUnavailable: 99%
a share of two of three | shop | 3 | maxUnavailable: 99%
all of three | shop | 3 | maxUnavailable: 100% => warning …
none | shop | 1 | maxUnavailable: 0
one more first | shop | 1 | maxSurge: 1
both round to 0, so one pod may be unavailable | shop | 1 | maxSurge: 0, maxUnavailable: 25% => info …
no more first | shop | 1 | maxSurge: 0 => info …
no more first, with two pods | shop | 2 | maxSurge: 0
one pod is accepted where nothing says production | shop | 1 | maxUnavailable: 100% => info …
the only pod of production | prod | 1 | maxUnavailable: 100% => warning …
two pods | shop | 2 | maxUnavailable: 100% => warning …
two pods of development | shop-dev | 2 | maxUnavailable: 100% => info …
",
        );
    }
}
