//! HPA207 `container-not-found`.

use hpa_engine::engine::counted_containers;

use super::{
    entry::MetricEntry,
    injection,
    target_pod::{TargetPod, live_pods},
};
use crate::{
    Check, Cx, Finding, FixStep, ForScaledObject, HpaSubject, Missing, Needs, Rule, RuleOutcome,
    Severity, wrong_letters,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA207",
    name: "container-not-found",
    summary: "a ContainerResource metric names a container that does not exist",
    severity: Severity::Error,
    needs: Needs::Related,
    is_fixable: true,
    yields_to: &["HPA208"],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("container_not_found.md"),
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
    if let Some(pods) = live_pods(cx) {
        let switches = cx.switches();
        let is_there = |name: &str| {
            let mut containers = pods
                .iter()
                .flat_map(|pod| counted_containers(&switches, pod));
            containers.any(|container| container.name == name)
        };
        let absent = named.iter().filter(|(_, name)| !is_there(name));
        return Ok(absent
            .map(|(entry, name)| finding(cx, *entry, name).help(NAME_ONE))
            .collect());
    }
    let target = TargetPod::of(cx)?;
    let counted: Vec<&str> = target.counted(None).iter().map(|one| &*one.name).collect();
    let absent = named.iter().filter(|(_, name)| !counted.contains(name));
    let (injected, absent): (Vec<_>, Vec<_>) =
        absent.partition(|(_, name)| injection::is_container(name));
    if let ([(_, name), ..], []) = (&injected[..], &absent[..]) {
        return Err(Missing::Because(format!(
            "container {name} is added only when pods are created"
        )));
    }
    Ok(absent
        .into_iter()
        .map(|(entry, name)| {
            let mut finding = finding(cx, entry, name)
                .help(help(cx, name, &counted))
                .related(
                    target.workload.object.clone(),
                    "spec.template.spec.containers",
                    format!("has {}", counted.join(", ")),
                );
            // If another metric already names it, there would be a duplicate.
            let is_free = |one: &&str| !named.iter().any(|(_, other)| other == one);
            if let Some(intended) = intended(name, &counted).filter(is_free) {
                finding = finding.fix(FixStep::SetScalar {
                    path: entry.field("container"),
                    text: intended.to_owned(),
                });
            }
            finding
        })
        .collect())
}

fn finding(cx: &Cx<'_, HpaSubject>, entry: MetricEntry<'_>, name: &str) -> Finding {
    let target = &cx.subject.spec.scale_target;
    cx.finding(entry.field("container"))
        .severity(cx.severity_of_missing())
        .message(format!(
            "container {name} does not exist in {}/{}{}",
            target.kind,
            target.name,
            if cx.is_complete {
                ", so its metric cannot be computed"
            } else {
                ", so its metric cannot be computed unless a webhook adds the container"
            }
        ))
}

fn help(cx: &Cx<'_, HpaSubject>, name: &str, counted: &[&str]) -> String {
    let help = match counted {
        [] => NAME_ONE.to_owned(),
        [only] => format!("set container to {only}"),
        _ => format!("set container to one of {}", counted.join(", ")),
    };
    if cx.is_complete {
        help
    } else {
        format!("{help}; if a webhook adds {name} to the pods, suppress this with a reason")
    }
}

const NAME_ONE: &str = "set container to a container of the target";

/// The only container with almost this name.
fn intended<'a>(name: &str, counted: &[&'a str]) -> Option<&'a str> {
    let mut near = counted.iter().filter(|one| is_almost(name, one));
    let intended = near.next()?;
    near.next().is_none().then_some(*intended)
}

/// Whether a name is a container's except for case, separators, or one extra, missing or swapped letter. A replaced
/// letter or number makes another name: `api` is not `app`, and `web-2` is not `web`.
fn is_almost(name: &str, container: &str) -> bool {
    let bare = |name: &str| name.to_lowercase().replace(['-', '_', '.'], "");
    let numbers = |name: &str| name.replace(|one: char| !one.is_ascii_digit(), "");
    let (name, container) = (bare(name), bare(container));
    if name == container {
        return true;
    }
    let has_another_letter = name.chars().count() == container.chars().count()
        && name
            .chars()
            .zip(container.chars())
            .filter(|(one, other)| one != other)
            .count()
            == 1;
    container.len() >= 3
        && numbers(&name) == numbers(&container)
        && !has_another_letter
        && wrong_letters(&name, &container) == 1
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{self, KubeVersion};

    use super::RULE;
    use crate::testing::{DEPLOYMENT, report_with, table, table_of};

    fn with(container: &str, more: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  metrics:
  - type: ContainerResource
    containerResource:
      {{name: cpu, container: {container}, target: {{type: AverageValue, averageValue: 100m}}}}
{more}{DEPLOYMENT}spec:
  template:
    spec:
      containers: [{{name: app}}, {{name: log}}]
      initContainers: [{{name: proxy, restartPolicy: Always}}, {{name: prepare}}]
"
        )
    }

    #[test]
    fn init_containers_are_there_if_they_keep_running() {
        table(
            &RULE,
            |[container]| with(container, ""),
            r"
it keeps running | proxy
it ends | prepare
  warning spec.metrics[0].containerResource.container: container prepare does not exist in Deployment/web, so its metric cannot be computed unless a webhook adds the container
a webhook may add it | envoy => warning …
  help: set container to one of app, log, proxy; if a webhook adds envoy to the pods, suppress this with a reason
a container that is injected | kuma-sidecar => note HPA207 not checked: container kuma-sidecar is added only when pods are created
a container that is added to pods | istio-proxy => note HPA207 not checked: container istio-proxy is added only when pods are created
",
        );
        table_of(
            |[container, minor]| {
                report_with(&RULE, &with(container, ""), |settings| {
                    let (minor, patch) = (minor.parse().unwrap(), None);
                    settings.configs[0].version = model::Input::given(KubeVersion { minor, patch });
                    settings.is_complete = true;
                })
            },
            r"
sidecars are new | proxy | 28 => error …
it is an error if everything is known | envoy | 36 => error …
  help: set container to one of app, log, proxy
",
        );
    }

    #[test]
    fn only_a_slip_of_the_pen_has_a_fix_and_only_to_a_container_without_a_metric() {
        let log = "  - type: ContainerResource
    containerResource: {name: memory, container: log, target: {type: AverageValue, averageValue: 1Gi}}
";
        table(
            &RULE,
            |[container]| with(container, log),
            r#"
a letter less | ap => warning …
  fix: [SetScalar { …text: "app" }]
a letter more | appp => warning …
  fix: [SetScalar { …text: "app" }]
the plural | apps => warning …
  fix: [SetScalar { …text: "app" }]
two letters swapped | pap => warning …
  fix: [SetScalar { …text: "app" }]
a hyphen | a-pp => warning …
  fix: [SetScalar { …text: "app" }]
two letters swapped in a longer word | prxoy => warning …
  fix: [SetScalar { …text: "proxy" }]
another word | api => warning …
  fix: none
another number | app2 => warning …
  fix: none
a proxy | kuma => warning …
  fix: none
another proxy | envoy => warning …
  fix: none
one that has a metric | logs => warning …
  fix: none
"#,
        );
    }
}
