//! Rules about bounds, at every edge.

use std::collections::BTreeMap;

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine::decide,
    model::{ControllerConfig, Input as Given, Memory, Quantity, Reading, Scale},
    trace::{Decision, MetricOutcome},
};
use hpa_lint::{LintInput, Severity};
use hpa_objects::manifest::{
    self,
    validation::{Rules, validate},
};
use jiff::Timestamp;
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use hpa_testing::NOW;
use hpa_testing::version;

use crate::{
    linted::{deployment, files, hpa, linted, object, observed},
    tolerance::{Class, situation},
};

fn bounds() -> impl Strategy<Value = (i32, i32)> {
    (1..60_i32, -3..90_i32).prop_map(|(min, more)| (min, (min + more).max(1)))
}

/// A way to write the scale-up rules, and whether it limits more than the defaults do.
const UPS: [(&str, bool); 8] = [
    ("{}", false),
    ("{\"stabilizationWindowSeconds\": 0}", false),
    ("{\"stabilizationWindowSeconds\": 1}", true),
    ("{\"selectPolicy\": \"Max\"}", false),
    ("{\"selectPolicy\": \"Min\"}", true),
    ("{\"selectPolicy\": \"Disabled\"}", true),
    (
        "{\"policies\": [{\"type\": \"Pods\", \"value\": 4, \"periodSeconds\": 15}]}",
        true,
    ),
    (
        "{\"tolerance\": \"0.1\", \"stabilizationWindowSeconds\": 0}",
        false,
    ),
];

/// Containers with requests and limits: thousandths of a core and bytes.
type Sizes = Vec<[Option<i64>; 4]>;

fn sizes() -> impl Strategy<Value = (Sizes, Sizes)> {
    let size = || {
        let cpu = || option::weighted(0.8, 1..40_i64);
        let memory = || option::weighted(0.8, 1..1000_i64);
        (
            cpu(),
            memory(),
            option::of(40..80_i64),
            option::of(1000..3000_i64),
        )
            .prop_map(|(cpu, memory, most_cpu, most_memory)| [cpu, memory, most_cpu, most_memory])
    };
    (vec(size(), 1..3), vec(size(), 0..2))
}

/// The pods' spec.
fn pod((containers, init): &(Sizes, Sizes)) -> Value {
    let list = |sizes: &Sizes, prefix: &str| -> Vec<Value> {
        let numbered = sizes.iter().enumerate();
        let one = |(index, [cpu, memory, most_cpu, most_memory]): (usize, &[Option<i64>; 4])| {
            let resources = |cpu: &Option<i64>, memory: &Option<i64>| {
                let mut list = serde_json::Map::new();
                list.extend(cpu.map(|cpu| ("cpu".to_owned(), json!(format!("{cpu}m")))));
                list.extend(memory.map(|memory| ("memory".to_owned(), json!(memory))));
                list
            };
            json!({
                "name": format!("{prefix}{index}"),
                "resources": {
                    "requests": resources(cpu, memory),
                    "limits": resources(most_cpu, most_memory),
                },
            })
        };
        numbered.map(one).collect()
    };
    json!({"containers": list(containers, "c"), "initContainers": list(init, "i")})
}

/// What a pod uses of a quota in thousandths, as the API server counts it: an absent request is the limit; init
/// containers run one at a time before all others, so the largest counts if it needs more than all others together.
fn taken((containers, init): &(Sizes, Sizes), resource: &str) -> i64 {
    let of = |[cpu, memory, most_cpu, most_memory]: &[Option<i64>; 4]| match resource {
        "requests.cpu" | "cpu" => cpu.or(*most_cpu).unwrap_or(0),
        "requests.memory" | "memory" => memory.or(*most_memory).unwrap_or(0) * 1000,
        "limits.cpu" => most_cpu.unwrap_or(0),
        "limits.memory" => most_memory.unwrap_or(0) * 1000,
        _ => 0,
    };
    if resource == "pods" {
        return 1000;
    }
    let sum: i64 = containers.iter().map(of).sum();
    init.iter().map(of).fold(sum, i64::max)
}

fn quantity(milli: i64) -> Value {
    json!(Quantity::from_milli(milli, hpa_engine::model::quantity::Format::DecimalSI).to_string())
}

/// Resources of a quota or of nodes, and this many thousandths.
fn amounts(names: &'static [&'static str]) -> impl Strategy<Value = BTreeMap<&'static str, i64>> {
    let amount = |name: &'static str| match name {
        "pods" => (1..40_i64).prop_map(|pods| pods * 1000).boxed(),
        name if name.ends_with("memory") => (1..40_000_i64).prop_map(|bytes| bytes * 1000).boxed(),
        _ => (1..1500_i64).boxed(),
    };
    let one = prop::sample::select(names).prop_flat_map(move |name| (Just(name), amount(name)));
    vec(one, 1..4).prop_map(|list| list.into_iter().collect())
}

fn list(amounts: &BTreeMap<&'static str, i64>) -> Value {
    let entries = amounts.iter();
    entries
        .map(|(name, milli)| ((*name).to_owned(), quantity(*milli)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn config() -> ControllerConfig {
    ControllerConfig::defaults(Given::given(version(36)))
}

proptest! {
    #[test]
    fn ranges_are_narrow_wide_or_large_by_their_numbers(
        min in 1..60_i32,
        factor in (10..250_i32, 0..10_i32).prop_map(|(tens, ones)| tens * 10 + ones % 3),
        (is_at_edge, off) in (any::<bool>(), -2..3_i32),
        (up, is_limited) in prop::sample::select(&UPS[..]),
        implausible in 1..150_i32,
    ) {
        let up: Value = serde_json::from_str(up).unwrap();
        let edge = if is_at_edge { (min * factor + 99) / 100 } else { min };
        let max = (edge + off).max(1);
        let objects = [hpa(min, max, json!({"behavior": {"scaleUp": up}}))];
        let ratio = f64::from(factor) / 100.0;
        let linted = files(&objects)
            .threshold("HPA109", "factor", ratio)
            .threshold("HPA110", "factor", ratio)
            .threshold("HPA116", "replicas", f64::from(implausible));
        let is_below = i64::from(max) * 100 < i64::from(min) * i64::from(factor);
        let printed = linted.says("HPA109");
        prop_assert_eq!(!printed.is_empty(), min < max && is_below, "{:?}", printed);
        if let [finding] = &linted.report("HPA109").findings[..] {
            // The advice is the smallest sufficient value.
            let least: i32 = finding.finding.help.split(' ').nth(3).unwrap().parse().unwrap();
            let is_enough = |max: i32| min * factor <= max * 100;
            prop_assert!(is_enough(least) && !is_enough(least - 1), "{}", least);
        }
        prop_assert_eq!(linted.fires("HPA110"), !is_below && !is_limited);
        prop_assert_eq!(linted.fires("HPA102"), min == max);
        let config = config();
        let written = &linted.input.hpas[0].spec(&linted.input.sources).unwrap().0;
        let rules = Rules { config: &config, old: None };
        let is_refused = validate(written, rules).iter().any(|one| one.field == "spec.maxReplicas");
        prop_assert_eq!(linted.fires("HPA101"), is_refused);
        // A rejected value is no further mistake.
        prop_assert_eq!(linted.fires("HPA116"), implausible <= max && !is_refused);
    }

    #[test]
    fn a_minimum_is_low_if_others_depend_on_the_pods(
        min in 0..5_i32,
        least in 1..5_i32,
        written in 1..5_i32,
        [has_service, has_route, has_budget, is_of_others] in any::<[bool; 4]>(),
    ) {
        // A budget only limits evictions: nothing depends on the pods because of it.
        let labels = json!({"app": if is_of_others { "other" } else { "web" }});
        let service = object("v1", "Service", json!({"spec": {"selector": labels}}));
        let backend = json!({"service": {"name": "web", "port": {"number": 80}}});
        let route = object("networking.k8s.io/v1", "Ingress", json!({"spec": {"defaultBackend": backend}}));
        let selector = json!({"matchLabels": labels});
        let budget = json!({"spec": {"minAvailable": 1, "selector": selector}});
        let budget = object("policy/v1", "PodDisruptionBudget", budget);
        let metric = json!({"metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "1"}});
        let metrics = json!({"metrics": [{"type": "External", "external": metric}]});
        let mut objects = vec![
            hpa(min, 9, metrics),
            deployment(written, json!({}), json!({"containers": [{"name": "main"}]})),
        ];
        let others = [(has_service, service), (has_route, route), (has_budget, budget)];
        objects.extend(others.into_iter().filter(|(is_there, _)| *is_there).map(|(_, one)| one));
        let linted = files(&objects).threshold("HPA104", "replicas", f64::from(least));
        let severities: Vec<Severity> = linted
            .report("HPA104")
            .findings
            .iter()
            .map(|one| one.finding.severity)
            .collect();
        // A route leads to the pods only through a Service.
        let is_routed = !is_of_others && has_route && has_service;
        // The Deployment itself says that so few are not enough.
        let is_needed = is_routed && least <= written;
        let is_served = !is_of_others && has_service;
        let expected: &[Severity] = match (min < least, is_needed, is_served) {
            (true, true, _) => &[Severity::Warning],
            (true, false, true) => &[Severity::Info],
            (true, false, false) if 0 < min => &[Severity::Info],
            _ => &[],
        };
        prop_assert_eq!(severities, expected);
    }

    #[test]
    fn a_quota_is_too_small_if_it_does_not_admit_all_pods(
        sizes in sizes(),
        max in 1..40_i32,
        hard in amounts(&["requests.cpu", "cpu", "limits.cpu", "requests.memory", "limits.memory", "pods"]),
        live in option::of((0..40_i32, 0..120_i64)),
    ) {
        let mut quota = object("v1", "ResourceQuota", json!({"spec": {"hard": list(&hard)}}));
        let share = live.map_or(0, |(_, share)| share);
        let used: BTreeMap<_, _> = hard.iter().map(|(name, hard)| (*name, hard * share / 100)).collect();
        if live.is_some() {
            quota["status"] = json!({"hard": list(&hard), "used": list(&used)});
        }
        let replicas = live.map_or(1, |(replicas, _)| replicas);
        let objects = [hpa(1, max, json!({})), deployment(replicas, json!({}), pod(&sizes)), quota];
        let linted = if live.is_some() { observed(&objects) } else { files(&objects) };
        let more = i64::from(max) - live.map_or(0, |(replicas, _)| i64::from(replicas));
        // The pods are created one at a time; each is admitted if the total with it is within the quota.
        let admitted = (0..more.max(0)).take_while(|before| {
            hard.iter().all(|(name, hard)| {
                let of_pod = taken(&sizes, name);
                of_pod == 0 || used[name] + (before + 1) * of_pod <= *hard
            })
        });
        let is_short = admitted.count() < usize::try_from(more.max(0)).unwrap();
        prop_assert_eq!(linted.fires("HPA111"), is_short);
    }

    #[test]
    fn nodes_are_too_small_if_all_pods_together_need_more_than_they_offer(
        web in sizes(),
        other in sizes(),
        (max, other_max) in (1..40_i32, 1..40_i32),
        nodes in vec((amounts(&["cpu", "memory", "pods"]), any::<bool>(), any::<bool>()), 1..4),
        is_selective in any::<bool>(),
    ) {
        let mut pods = pod(&web);
        if is_selective {
            pods["nodeSelector"] = json!({"pool": "web"});
        }
        let mut objects = vec![
            hpa(1, max, json!({})),
            deployment(1, json!({}), pods),
            hpa(1, other_max, json!({"scaleTargetRef": {"name": "other"}})),
            deployment(1, json!({}), pod(&other)),
        ];
        for object in &mut objects[2..] {
            object["metadata"]["name"] = json!("other");
        }
        for (index, (offered, is_cordoned, is_of_pool)) in nodes.iter().enumerate() {
            let labels = if *is_of_pool { json!({"pool": "web"}) } else { json!({}) };
            let mut node = object("v1", "Node", json!({
                "metadata": {"labels": labels},
                "spec": {"unschedulable": is_cordoned},
                "status": {"allocatable": list(offered)},
            }));
            node["metadata"]["name"] = json!(format!("n{index}"));
            objects.push(node);
        }
        let offered = |selects: &dyn Fn(bool) -> bool| {
            let mut sum: BTreeMap<&str, i64> = BTreeMap::new();
            let usable = nodes.iter().filter(|(_, is_cordoned, of_pool)| !is_cordoned && selects(*of_pool));
            for (name, milli) in usable.flat_map(|(offered, _, _)| offered) {
                *sum.entry(*name).or_default() += milli;
            }
            sum
        };
        let need = |sizes: &(Sizes, Sizes), max: i32, name: &str| taken(sizes, name) * i64::from(max);
        let linted = observed(&objects);
        let of_web = linted.report("HPA112").findings.iter().any(|one| one.object.name == "web");
        let for_web = offered(&|of_pool| of_pool || !is_selective);
        prop_assert_eq!(of_web, for_web.iter().any(|(name, offered)| *offered < need(&web, max, name)));
        let short = offered(&|_| true).into_iter().filter(|(name, offered)| {
            *offered < need(&web, max, name) + need(&other, other_max, name)
        });
        prop_assert_eq!(linted.report("HPA113").findings.len(), short.count());
    }

    #[test]
    fn bounds_force_a_jump_if_the_engine_makes_one_without_asking_any_metric(
        (min, max) in bounds(),
        current in 0..100_i32,
    ) {
        prop_assume!(min <= max);
        let mut input = LintInput::default();
        input.add_text("new.yaml", &hpa(min, max, json!({})).to_string(), true);
        let stored = format!(
            "{}\n---\n{}",
            hpa(1, 100, json!({})),
            deployment(current, json!({}), json!({"containers": [{"name": "main"}]})),
        );
        for snapshot in manifest::read(stored.as_bytes(), "stored.yaml", NOW).unwrap() {
            input.attach_stored(&snapshot).unwrap();
        }
        let mut observation = without_metrics(&input.hpas[0].spec(&input.sources).unwrap().1, &config());
        observation.scale = Reading::Read(Scale {
            spec_replicas: current,
            status_replicas: current,
            selector: "app=web".to_owned(),
        });
        let trace = decide(&observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
        let jump = match trace.decision {
            Decision::Rescale { to, .. } => Some(format!("the next sync sets {to} in one step")),
            _ => None,
        };
        let printed = linted(input).says("HPA114");
        prop_assert_eq!(printed.len(), usize::from(jump.is_some()), "{:?}", printed);
        prop_assert!(jump.is_none_or(|jump| printed[0].ends_with(&jump)), "{:?}", printed);
    }

    #[test]
    fn one_extra_pod_goes_away_at_exactly_the_usage_that_is_told(
        max in 1..6_i32,
        less in 0..3_i32,
        tolerance in prop_oneof![Just(0.1), 0.0..0.9_f64],
        usage in 0..100_i64,
    ) {
        let min = max - less;
        prop_assume!(1 <= min);
        let mut linted = files(&[hpa(min, max, json!({}))]);
        linted.settings.configs[0].tolerance = Given::given(tolerance);
        let printed = linted.says("HPA115");
        let plans = vec![(100, usage, Class::Ready); usize::try_from(max).unwrap()];
        let asks_for_less = |usage: i64| {
            let mut plans = plans.clone();
            for plan in &mut plans {
                plan.1 = usage;
            }
            let observation = situation(&plans, 100, true, (36, tolerance, max));
            let trace = decide(&observation, &mut Memory::default(), NOW);
            let metric = trace.metrics().next().unwrap();
            matches!(metric.outcome, MetricOutcome::Proposal { replicas, .. } if replicas < max)
        };
        let is_reported = less == 1 && max <= 3 && asks_for_less(0);
        prop_assert_eq!(printed.len(), usize::from(is_reported), "{:?}", printed);
        if let [printed] = &printed[..] {
            let (_, percent) = printed.split_once("at or below ").unwrap();
            let percent: i64 = percent.split('%').next().unwrap().parse().unwrap();
            prop_assert_eq!(asks_for_less(usage), usage <= percent);
        }
    }
}
