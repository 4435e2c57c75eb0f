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
    use crate::testing::{DEPLOYMENT, HPA, findings};

    fn yaml(metrics: &str, annotations: &str, containers: &str) -> String {
        format!(
            "{HPA}  maxReplicas: 4
{metrics}
{DEPLOYMENT}spec:
  template: {{metadata: {{annotations: {{{annotations}}}}}, spec: {{containers: [{containers}]}}}}
"
        )
    }

    const PROBED: &str = "{name: proxy, readinessProbe: {tcpSocket: {port: 1}}}, {name: main}";

    #[test]
    fn the_main_container_is_judged() {
        assert!(findings(&RULE, &yaml("", "", PROBED)).is_empty());
        let annotation = "kubectl.kubernetes.io/default-container: main";
        let found = "info spec.metrics[0]: container main has no readiness probe, so its startup CPU counts as load";
        assert_eq!(findings(&RULE, &yaml("", annotation, PROBED)), [found]);
        let metric = "  metrics: [{type: ContainerResource, containerResource: {name: cpu, container: main, target: \
                      {type: Utilization, averageUtilization: 60}}}]";
        assert_eq!(findings(&RULE, &yaml(metric, "", PROBED)), [found]);
    }

    #[test]
    fn a_sidecar_that_the_metric_names_is_judged_and_no_other_container_in_its_place() {
        let metric = "  metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: \
                      {type: Utilization, averageUtilization: 60}}}]";
        let with_sidecar = |probe: &str| {
            let sidecar = format!("[{{name: app, restartPolicy: Always{probe}}}]");
            let containers = format!("{{name: main}}], initContainers: {sidecar}, volumes: [");
            findings(&RULE, &yaml(metric, "", &containers))
        };
        assert!(with_sidecar(", readinessProbe: {tcpSocket: {port: 1}}").is_empty());
        assert_eq!(
            with_sidecar(""),
            [
                "info spec.metrics[0]: container app has no readiness probe, so its startup CPU counts as load"
            ]
        );
        assert!(findings(&RULE, &yaml(metric, "", "{name: main}")).is_empty());
    }

    #[test]
    fn it_is_a_warning_where_a_service_sends_traffic() {
        let with = |selector: &str, namespace: &str| {
            let yaml = yaml("", "", "{name: main}").replace(
                "template: {metadata: {",
                "template: {metadata: {labels: {app: web, tier: front}, ",
            );
            let service = format!(
                "---\n{{apiVersion: v1, kind: Service, metadata: {{name: s{namespace}}}, spec: {{selector: {{{selector}}}}}}}\n"
            );
            let found = findings(&RULE, &(yaml + &service));
            found[0].split(' ').next().unwrap().to_owned()
        };
        assert_eq!(with("app: web", ""), "warning");
        assert_eq!(with("app: web, tier: back", ""), "info");
        assert_eq!(with("", ""), "info");
    }

    #[test]
    fn only_cpu_has_a_grace_for_starting_pods() {
        let metric = "  metrics: [{type: Resource, resource: {name: memory, target: {type: Utilization, \
                      averageUtilization: 60}}}]";
        assert!(findings(&RULE, &yaml(metric, "", "{name: main}")).is_empty());
        let startup = "{name: main, startupProbe: {tcpSocket: {port: 1}}}";
        assert!(findings(&RULE, &yaml("", "", startup)).is_empty());
    }
}
