//! Rules about what pods cannot reach and what fails, compared with the engine on such pods.

use hpa_engine::{
    engine::decide,
    model::{
        Container, ControllerConfig, Memory, Observation, Quantity, Reading, quantity::Format,
    },
    trace::MetricOutcome,
};
use hpa_lint::{LintInput, LintSettings, rules, run};
use proptest::{collection::vec, option, prelude::*};

use hpa_testing::NOW;

use crate::tolerance::{Class, situation};

proptest! {
    #[test]
    fn unreachable_is_what_usage_of_the_whole_limit_does_not_scale_up(
        request in 1..3000_i64,
        limit in 1..3000_i64,
        target in 1..200_i32,
        minor in 23..=38_u32,
        tolerance in prop_oneof![Just(0.1), 0.0..0.5],
    ) {
        let limit = limit.max(request);
        let mut observation = observation(target, false, (minor, tolerance), request);
        let reached = use_of_each(&mut observation, limit) == Ok(true);
        let overshot = use_of_each(&mut observation, limit + limit / 20) == Ok(true);
        let container = format!("requests: {{cpu: {request}m}}, limits: {{cpu: {limit}m}}");
        let target = format!("{{type: Utilization, averageUtilization: {target}}}");
        let printed = printed("HPA209", &observation.controller, &target, &[container]);
        let expected: &[&str] = match (reached, overshot) {
            (true, _) => &[],
            (false, true) => &["warning"],
            (false, false) => &["error"],
        };
        prop_assert_eq!(printed, expected);
    }

    #[test]
    fn an_average_out_of_reach_is_what_usage_of_the_whole_limit_does_not_scale_up(
        limit in 1..3000_i64,
        target in 1..3000_i32,
        minor in 23..=38_u32,
        tolerance in prop_oneof![Just(0.1), 0.0..0.5],
    ) {
        let mut observation = observation(target, true, (minor, tolerance), 100);
        let reached = use_of_each(&mut observation, limit) == Ok(true);
        let overshot = use_of_each(&mut observation, limit + limit / 20) == Ok(true);
        let container = format!("limits: {{cpu: {limit}m}}");
        let target = format!("{{type: AverageValue, averageValue: {target}m}}");
        let printed = printed("HPA224", &observation.controller, &target, &[container]);
        let expected: &[&str] = match (reached, overshot) {
            (true, _) => &[],
            (false, true) => &["warning"],
            (false, false) => &["error"],
        };
        prop_assert_eq!(printed, expected);
    }

    #[test]
    fn requests_are_missing_or_zero_where_the_engine_says_so(
        requests in vec(option::of(0..3_i64), 1..4),
        minor in 26..=38_u32,
    ) {
        let mut observation = observation(60, false, (minor, 0.1), 1);
        let Reading::Read(pods) = &mut observation.pods else {
            panic!("the pods were read");
        };
        for pod in pods {
            let containers = requests.iter().zip(0..).map(|(request, index)| Container {
                name: format!("c{index}"),
                requests: request
                    .map(|milli| ("cpu".to_owned(), Quantity::from_milli(milli, Format::DecimalSI)))
                    .into_iter()
                    .collect(),
                ..Container::default()
            });
            pod.containers = containers.collect();
        }
        let error = use_of_each(&mut observation, 10).err().unwrap_or_default();
        let containers: Vec<String> = requests
            .iter()
            .map(|request| request.map_or_else(String::new, |milli| format!("requests: {{cpu: {milli}m}}")))
            .collect();
        let target = "{type: Utilization, averageUtilization: 60}";
        let says = |code| !printed(code, &observation.controller, target, &containers).is_empty();
        prop_assert_eq!(says("HPA202"), error.contains("missing request for cpu"), "{}", error);
        prop_assert_eq!(says("HPA204"), error.contains("no metrics returned matched known pods"), "{}", error);
    }
}

/// Two ready pods that request this many thousandths of a core each.
pub(crate) fn observation(
    target: i32,
    is_average: bool,
    (minor, tolerance): (u32, f64),
    request: i64,
) -> Observation {
    let plans = [(request, 100, Class::Ready); 2];
    situation(&plans, target, is_average, (minor, tolerance, 2))
}

/// Whether the metric asks for more than the two pods if each uses this many thousandths of a core, or the error.
pub(crate) fn use_of_each(observation: &mut Observation, usage: i64) -> Result<bool, String> {
    let Reading::Read(samples) = &mut observation.pod_metrics else {
        panic!("the samples were read");
    };
    for sample in samples {
        sample.containers[0].usage[0].1 = Quantity::from_milli(usage, Format::DecimalSI);
    }
    let trace = decide(observation, &mut Memory::default(), NOW);
    let metric = trace.metrics().next().expect("there is a metric");
    match &metric.outcome {
        MetricOutcome::Proposal { replicas, .. } => Ok(2 < *replicas),
        MetricOutcome::Invalid(failure) => Err(failure.outer.clone()),
        MetricOutcome::Unknown(unknown) => panic!("{unknown:?}"),
    }
}

/// The severities of one rule's findings about a cpu target, if everything is known.
fn printed(
    code: &str,
    controller: &ControllerConfig,
    target: &str,
    containers: &[String],
) -> Vec<&'static str> {
    let containers = containers.iter().zip(0..);
    let containers: Vec<String> = containers
        .map(|(resources, index)| format!("{{name: c{index}, resources: {{{resources}}}}}"))
        .collect();
    let yaml = format!(
        "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 10
  metrics: [{{type: Resource, resource: {{name: cpu, target: {target}}}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec: {{template: {{spec: {{containers: [{}]}}}}}}
",
        containers.join(", ")
    );
    let mut settings = LintSettings::new(controller.version);
    settings.configs = vec![controller.clone()];
    settings.enabled = [rules::find(code).expect("there is such a rule").code].into();
    settings.is_complete = true;
    let mut input = LintInput::default();
    input.add_text("test.yaml", &yaml, true);
    let report = run(&input, &settings);
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let findings = report.findings.iter();
    let severities = findings.map(|one| one.finding.severity.as_str());
    severities
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect()
}
