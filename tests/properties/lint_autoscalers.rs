//! Rules about other autoscalers: what KEDA does with a number of replicas and with requests.

use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use crate::linted::{deployment, files, merge, object};

/// A container: whether cpu and memory have a request, and a limit. Zero counts as absent.
type Container = [Option<bool>; 4];

fn container(index: usize, [cpu, memory, most_cpu, most_memory]: Container) -> Value {
    let list = |cpu: Option<bool>, memory: Option<bool>| {
        let mut list = json!({});
        for (name, amount) in [("cpu", cpu), ("memory", memory)] {
            if let Some(is_more_than_zero) = amount {
                let amount = if is_more_than_zero { "100M" } else { "0" };
                merge(&mut list, json!({ name: amount }));
            }
        }
        list
    };
    json!({
        "name": format!("c{index}"),
        "resources": {"requests": list(cpu, memory), "limits": list(most_cpu, most_memory)},
    })
}

proptest! {
    #[test]
    fn a_scaled_object_is_judged_by_its_least_replicas_and_the_requests_of_its_containers(
        (min, idle) in (option::of(0..3_i32), option::of(Just(0_i32))),
        triggers in vec((prop::sample::select(&["cpu", "memory", "kafka"][..]), option::of(0..3_usize)), 1..4),
        (has_cooldown, has_polling, is_cached) in any::<(bool, bool, bool)>(),
        containers in vec(prop::array::uniform4(option::weighted(0.6, prop::bool::weighted(0.9))), 1..3),
        range in option::weighted(0.3, (prop::sample::select(&["cpu", "memory"][..]), any::<bool>())),
        is_custom in prop::bool::weighted(0.2),
    ) {
        let mut spec = json!({
            "scaleTargetRef": {"name": "web"},
            "triggers": triggers
                .iter()
                .map(|(kind, container)| {
                    let name = container.map_or(json!({}), |index| json!({"containerName": format!("c{index}")}));
                    json!({"type": kind, "metadata": name, "useCachedMetrics": is_cached})
                })
                .collect::<Vec<_>>(),
        });
        let fields = [
            ("minReplicaCount", min),
            ("idleReplicaCount", idle),
            ("cooldownPeriod", has_cooldown.then_some(60)),
            ("pollingInterval", has_polling.then_some(10)),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                merge(&mut spec, json!({ name: value }));
            }
        }
        if is_custom {
            merge(&mut spec, json!({"scaleTargetRef": {"apiVersion": "example.com/v1", "kind": "Widget"}}));
        }
        let listed = containers.iter().enumerate();
        let listed: Vec<Value> = listed.map(|(index, one)| container(index, *one)).collect();
        let mut workload = deployment(1, json!({}), json!({"containers": listed}));
        if is_custom {
            merge(&mut workload, json!({"apiVersion": "example.com/v1", "kind": "Widget"}));
        }
        let mut objects = vec![object("keda.sh/v1alpha1", "ScaledObject", json!({"spec": spec})), workload];
        if let Some((resource, is_default)) = range {
            // Without another default, the maximum is the default limit, and the default limit is the default request.
            let field = if is_default { "defaultRequest" } else { "max" };
            let limit = json!({"type": "Container", field: {resource: "10M"}});
            objects.push(object("v1", "LimitRange", json!({"spec": {"limits": [limit]}})));
        }
        let linted = files(&objects);

        let is_of_pods = |kind: &str| kind != "kafka";
        let stays_at_zero = min.unwrap_or(0) == 0 && triggers.iter().all(|(kind, _)| is_of_pods(kind));
        let severity = if is_custom { "warning" } else { "error" };
        let printed = linted.says("HPA604");
        prop_assert_eq!(printed.len(), usize::from(stays_at_zero), "{:?}", printed);
        prop_assert!(printed.iter().all(|printed| printed.starts_with(severity)), "{:?}", printed);

        let is_never_zero = min.is_some_and(|min| 0 < min) && idle.is_none();
        let idle_settings = usize::from(has_cooldown) + usize::from(has_polling && !is_cached);
        let expected = if is_never_zero { idle_settings } else { 0 };
        prop_assert_eq!(linted.says("HPA605").len(), expected);

        // Upstream: `verifyCPUMemoryScalers` of KEDA's webhook.
        let lacks = |kind: &str, [cpu, memory, most_cpu, most_memory]: Container| {
            let (request, limit) = if kind == "cpu" { (cpu, most_cpu) } else { (memory, most_memory) };
            request != Some(true) && limit != Some(true) && range.is_none_or(|(of, _)| of != kind)
        };
        let lacking = triggers.iter().filter(|(kind, _)| is_of_pods(kind)).flat_map(|(kind, named)| {
            let intended = containers.iter().enumerate().filter(move |(index, _)| named.is_none_or(|named| named == *index));
            intended.filter(move |(_, container)| lacks(kind, **container))
        });
        let lacking = if is_custom { 0 } else { lacking.count() };
        prop_assert_eq!(linted.says("HPA607").len(), lacking);
    }
}
