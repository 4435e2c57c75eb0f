//! HPA509 `pod-level-resources`.

use hpa_analysis::selected_pods;
use hpa_engine::{
    engine::{counted_containers, effective_container_request},
    model::find_resource,
};
use hpa_words::amount::resource_in_prose;

use crate::{
    Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, rules::metrics::entry::utilizations,
    world::PodTemplate,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA509",
    name: "pod-level-resources",
    summary: "a pod-level request is the denominator of utilization",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("pod_level_resources.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = utilizations(&cx.subject.spec);
    let of_pods: Vec<_> = metrics
        .iter()
        .filter(|metric| metric.container.is_none())
        .collect();
    if of_pods.is_empty() {
        return Ok(Vec::new());
    }
    let workload = cx.template_workload()?;
    let template = workload.pod_template()?;
    if template.requests.is_empty() {
        return Ok(Vec::new());
    }
    let findings = of_pods.into_iter().filter_map(|metric| {
        let finding = cx
            .finding(metric.entry.path())
            .message(message(cx, template, metric.resource)?)
            .help("set averageUtilization for the request that counts in your version, or make both requests equal")
            .related(
                workload.object.clone(),
                "spec.template.spec.resources.requests",
                "the request of the pod as a whole",
            );
        Some(finding)
    });
    Ok(findings.collect())
}

/// What utilization is a percentage of, in this version and in others. None: the same in all.
fn message(cx: &Cx<'_, HpaSubject>, template: &PodTemplate, resource: &str) -> Option<String> {
    let switches = cx.switches();
    let overhead = overhead(cx, template, resource);
    let in_prose = resource_in_prose(resource);
    let pod = cx
        .world
        .pod_of(template, cx.subject.object(), &switches)
        .pod;
    let request = if let Some(value) = find_resource(&template.requests, resource) {
        format!("the pod-level {in_prose} request {value}")
    } else {
        // Without overhead, both are the same but for init containers.
        overhead.as_ref()?;
        let of_containers = effective_container_request(&pod, resource)?;
        format!("the containers' {in_prose} request {of_containers}")
    };
    let requests =
        counted_containers(&switches, &pod).filter_map(|one| one.request(resource).cloned());
    let sum = requests.reduce(|sum, request| sum.plus(&request));
    let sum = sum.map_or_else(|| "0".to_owned(), |sum| sum.to_string());
    let with = |text: fn(&str) -> String| overhead.as_deref().map(text).unwrap_or_default();
    Some(if !switches.pod_level_requests {
        let plus = with(|overhead| format!(", up to 1.37 plus {overhead}"));
        format!(
            "utilization is a percentage of the containers' {in_prose} sum {sum}; since Kubernetes 1.34 it is a percentage of \
             {request}{plus}"
        )
    } else if switches.pod_level_overhead {
        let plus = with(|overhead| format!(" plus {overhead}"));
        let later = with(|_| ", and from 1.38 on the overhead does not count".to_owned());
        format!(
            "utilization is a percentage of {request}{plus}; before Kubernetes 1.34 it is a percentage of the containers' sum \
             {sum}{later}"
        )
    } else {
        let earlier = with(|overhead| format!(", and up to 1.37 {overhead} counts as well"));
        format!(
            "utilization is a percentage of {request}; before Kubernetes 1.34 it is a percentage of the containers' sum \
             {sum}{earlier}"
        )
    })
}

/// The overhead of a pod: as its pods in a cluster have it, or as the template has it or can get it.
fn overhead(cx: &Cx<'_, HpaSubject>, template: &PodTemplate, resource: &str) -> Option<String> {
    let live = cx.live().ok();
    let pods = live.map_or_else(Vec::new, |live| selected_pods(&live.observation));
    let of_pods = pods
        .iter()
        .find_map(|pod| find_resource(&pod.overhead, resource));
    let known = of_pods.or_else(|| find_resource(&template.overhead, resource));
    let class = &template.runtime_class;
    match known {
        Some(overhead) => Some(format!("the overhead {overhead}")),
        // Pods that exist show what their RuntimeClass adds.
        None if class.is_empty() || !pods.is_empty() => None,
        None => Some(format!("any overhead of RuntimeClass {class}")),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, report_at, table, table_of};

    #[test]
    fn which_request_and_overhead_count_depends_on_the_version() {
        table_of(
            |[minor, more]| {
                let container = "{name: a, resources: {requests: {cpu: 200m}}}";
                let spec = format!(
                    "  template: {{spec: {{{more}resources: {{requests: {{cpu: 1}}}}, containers: [{container}, {container}]}}}}"
                );
                report_at(&RULE, minor, &hpa_and_workload("Deployment", "", &spec))
            },
            r"
the containers | 33 | => info spec.metrics[0]: utilization is a percentage of the containers' CPU sum 400m; since Kubernetes 1.34 it is a percentage of the pod-level CPU request 1
the pod | 34 | => info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1; before Kubernetes 1.34 it is a percentage of the containers' sum 400m
the pod in 1.37 | 37 | => info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1; before Kubernetes 1.34 it is a percentage of the containers' sum 400m
the pod in 1.38 | 38 | => info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1; before Kubernetes 1.34 it is a percentage of the containers' sum 400m
overhead does not count yet | 33 | overhead: {cpu: 250m}, runtimeClassName: kata, => info …request 1, up to 1.37 plus the overhead 250m
overhead counts | 37 | overhead: {cpu: 250m}, runtimeClassName: kata,
  info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1 plus the overhead 250m; …sum 400m, and from 1.38 on the overhead does not count
overhead does not count any more | 38 | overhead: {cpu: 250m}, runtimeClassName: kata,
  info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1; …sum 400m, and up to 1.37 the overhead 250m counts as well
overhead is unknown | 37 | runtimeClassName: kata, => info … plus any overhead of RuntimeClass kata; …
",
        );
    }

    #[test]
    fn overhead_counts_for_every_resource_of_a_pod_with_a_pod_level_request() {
        table(
            &RULE,
            |[overhead]| {
                let spec = format!(
                    "  template: {{spec: {{overhead: {{{overhead}}}, resources: {{requests: {{memory: 1Gi}}}}, containers: [{{name: a, resources: {{requests: {{cpu: 200m}}}}}}]}}}}"
                );
                hpa_and_workload("Deployment", "", &spec)
            },
            r"
of the resource | cpu: 250m => …the containers' CPU request 200m plus the overhead 250m; …
of another resource | memory: 1Mi
",
        );
    }
}
