//! HPA503 `no-readiness-probe`.

use super::cpu::cpu_metrics;
use crate::{
    Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity,
    rules::environment::Environment,
    world::{PodTemplate, TemplateContainer},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA503",
    name: "no-readiness-probe",
    summary: "the main container has no readiness probe, so its startup CPU counts",
    needs: Needs::Related,
    yields_to: &["HPA202"],
    check: Check::Hpa(check),
    docs: include_str!("no_readiness_probe.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cpu_metrics(&cx.subject.spec);
    let Some((index, container)) = metrics.first() else {
        return Ok(Vec::new());
    };
    let workload = cx.template_workload()?;
    let template = workload.pod_template()?;
    let Some((place, main)) = main_container(template, *container) else {
        return Ok(Vec::new());
    };
    if main.readiness_probe.is_some() || main.startup_probe.is_some() {
        return Ok(Vec::new());
    }
    let mut services =
        cx.world
            .services_selecting(cx.subject.object(), cx.workload()?, &template.labels);
    let is_served = cx.world.require("Service").is_err() || services.next().is_some();
    let is_early = Environment::of(cx) == Environment::BeforeProduction;
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .severity(if is_served && !is_early {
                Severity::Warning
            } else {
                Severity::Info
            })
            .message(format!(
                "container {} has no readiness probe, so its startup CPU counts as load",
                main.name
            ))
            .help("add a readinessProbe that passes once the container has warmed up")
            .related(
                workload.object.clone(),
                format!("spec.template.spec.{place}"),
                "no readinessProbe and no startupProbe",
            ),
    ])
}

/// The main container and its path in the pod spec. A container that a metric names can be a sidecar, or be injected
/// and so unknown.
fn main_container<'a>(
    template: &'a PodTemplate,
    of_metric: Option<&str>,
) -> Option<(String, &'a TemplateContainer)> {
    let containers = (0..).zip(&template.containers);
    let mut regular = containers.map(|(index, one)| (format!("containers[{index}]"), one));
    let sidecars = (0..).zip(&template.init_containers);
    let sidecars = sidecars
        .filter(|(_, one)| one.is_restartable)
        .map(|(index, one)| (format!("initContainers[{index}]"), one));
    if let Some(name) = of_metric {
        return regular.chain(sidecars).find(|(_, one)| one.name == name);
    }
    let default = template
        .annotations
        .get("kubectl.kubernetes.io/default-container");
    let mut called = regular.clone();
    called
        .find(|(_, one)| Some(&one.name) == default)
        .or_else(|| regular.next())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA, table};

    fn yaml(metrics: &str, metadata: &str, containers: &str) -> String {
        let utilization = "target: {type: Utilization, averageUtilization: 60}";
        let metrics = match metrics {
            "" => String::new(),
            "memory" => format!(
                "  metrics: [{{type: Resource, resource: {{name: memory, {utilization}}}}}]"
            ),
            container => format!(
                "  metrics: [{{type: ContainerResource, containerResource: {{name: cpu, container: {container}, {utilization}}}}}]"
            ),
        };
        format!(
            "{HPA}  maxReplicas: 4
{metrics}
{DEPLOYMENT}spec:
  template: {{metadata: {{{metadata}}}, spec: {{containers: [{containers}]}}}}
"
        )
    }

    #[test]
    fn the_main_container_or_the_one_of_the_metric_is_judged() {
        table(
            &RULE,
            |[metric, metadata, containers]| yaml(metric, metadata, containers),
            r"
the first has a probe | | | {name: proxy, readinessProbe: {tcpSocket: {port: 1}}}, {name: main}
the main container by annotation | | annotations: {kubectl.kubernetes.io/default-container: main} | {name: proxy, readinessProbe: {tcpSocket: {port: 1}}}, {name: main}
  info spec.metrics[0]: container main has no readiness probe, so its startup CPU counts as load
the container of the metric | main | | {name: proxy, readinessProbe: {tcpSocket: {port: 1}}}, {name: main}
  info spec.metrics[0]: container main has no readiness probe, so its startup CPU counts as load
a sidecar with a probe | app | | {name: main}], initContainers: [{name: app, restartPolicy: Always, readinessProbe: {tcpSocket: {port: 1}}}], volumes: [
a sidecar | app | | {name: main}], initContainers: [{name: app, restartPolicy: Always}], volumes: [
  info spec.metrics[0]: container app has no readiness probe, so its startup CPU counts as load
no other container in its place | app | | {name: main}
memory has no grace for starting pods | memory | | {name: main}
a startup probe is enough | | | {name: main, startupProbe: {tcpSocket: {port: 1}}}
",
        );
    }

    #[test]
    fn it_is_a_warning_where_a_service_sends_traffic() {
        table(
            &RULE,
            |[selector]| {
                yaml("", "labels: {app: web, tier: front}", "{name: main}")
                    + &format!(
                        "---\n{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{selector: {{{selector}}}}}}}\n"
                    )
            },
            r"
it selects the pods | app: web => warning …
it selects others | app: web, tier: back => info …
it selects none | => info …
",
        );
    }
}
