//! The thresholds printed under `up` and `down` hold as printed: at the threshold the engine's metric asks for more,
//! or for fewer, replicas; one last digit before it does not.

use hpa_engine::{
    engine,
    model::{Context, Memory, MetricSpec, Quantity, Reading, quantity::Format},
    trace::{MetricOutcome, MetricStep, Pass, PodClass, RatioFormula, Trace},
};
use hpa_testing::World;

use crate::{
    inference::recordings,
    world::{AsPage as _, web},
};

/// A number as it is printed, without its decimal point.
struct Printed {
    number: i128,
    /// Power of ten by which the number is too large.
    scale: i128,
    /// Thousandths per unit; 0 for percent.
    unit: i128,
    /// Whether it is `above` or `below` the number, and not `at` it.
    is_open: bool,
}

/// Reads `at 440.1 MiB a pod or more`, `above 40`.
fn printed(text: &str) -> Option<Printed> {
    let mut words = text.split(' ');
    let is_open = match words.next()? {
        "at" => false,
        "above" | "below" => true,
        _ => return None,
    };
    let number = words.next()?;
    let kibi = |power| 1000 * 1024_i128.pow(power);
    let (unit, decimals) = match words.next().unwrap_or_default() {
        _ if number.ends_with('%') => (0, 0),
        "bytes" => (1000, 0),
        "KiB" => (kibi(1), 1),
        "MiB" => (kibi(2), 1),
        "GiB" => (kibi(3), 1),
        "TiB" => (kibi(4), 1),
        "PiB" => (kibi(5), 1),
        _ if number.ends_with('m') => (1, 0),
        _ => (1000, 3),
    };
    let (whole, fraction) = number
        .trim_end_matches(['m', '%'])
        .split_once('.')
        .unwrap_or((number.trim_end_matches(['m', '%']), ""));
    // Zeros at the end are not printed.
    let decimals = fraction.len().max(decimals);
    Some(Printed {
        number: format!("{whole}{fraction:0<decimals$}").parse().unwrap(),
        scale: 10_i128.pow(u32::try_from(decimals).unwrap()),
        unit,
        is_open,
    })
}

/// The total usage for `number`, counted in the last printed digit; rounded if that is between two thousandths.
fn total(printed: &Printed, number: i128, formula: &RatioFormula, rounds_up: bool) -> i64 {
    let (times, divisor) = match *formula {
        RatioFormula::Utilization { requests, .. } => (i128::from(requests.0), 100),
        RatioFormula::PodAverage { pods, .. } => {
            (printed.unit * i128::try_from(pods).unwrap(), printed.scale)
        }
        RatioFormula::AveragePerReplica { .. } | RatioFormula::Value { .. } => {
            (printed.unit, printed.scale)
        }
    };
    let total = (number * times).div_euclid(divisor);
    let has_rest = (number * times).rem_euclid(divisor) != 0;
    i64::try_from(total + i128::from(has_rest && rounds_up)).unwrap()
}

fn usage(formula: &RatioFormula) -> i64 {
    match *formula {
        RatioFormula::AveragePerReplica { usage, .. }
        | RatioFormula::PodAverage { usage, .. }
        | RatioFormula::Utilization { usage, .. }
        | RatioFormula::Value { usage, .. } => usage.0,
    }
}

/// The replicas that the only metric asks for if the counted pods together use this much.
fn proposal(world: &World, trace: &Trace, milli: i64) -> i32 {
    let mut observation = world.observation.clone();
    let pods = observation.pods.read().unwrap();
    let groups = trace
        .metrics()
        .next()
        .unwrap()
        .steps
        .iter()
        .find_map(|step| match step {
            MetricStep::GroupPods(groups) => Some(groups),
            _ => None,
        });
    let counted: Vec<String> = groups
        .into_iter()
        .flat_map(|groups| &groups.pods)
        .filter(|pod| pod.class == PodClass::Ready)
        .map(|pod| pods[pod.pod].name.clone())
        .collect();
    // The first pod uses everything.
    let mut rest = milli;
    let mut next = || Quantity::from_milli(std::mem::take(&mut rest), Format::DecimalSI);
    match &observation.hpa.spec.metrics[0] {
        MetricSpec::ContainerResource(_) | MetricSpec::Resource(_) => {
            let (resource, only) = match &observation.hpa.spec.metrics[0] {
                MetricSpec::ContainerResource(source) => (&source.name, Some(&source.container)),
                MetricSpec::Resource(source) => (&source.name, None),
                _ => unreachable!(),
            };
            let Reading::Read(samples) = &mut observation.pod_metrics else {
                panic!("no samples");
            };
            samples
                .iter_mut()
                .filter(|sample| counted.contains(&sample.name))
                .flat_map(|sample| &mut sample.containers)
                .filter(|container| only.is_none_or(|name| container.name == *name))
                .flat_map(|container| &mut container.usage)
                .filter(|(name, _)| name == resource)
                .for_each(|usage| usage.1 = next());
        }
        MetricSpec::External(_) => {
            for answer in &mut observation.external_metrics {
                if let Reading::Read(series) = &mut answer.answer {
                    for one in series {
                        one.value = next();
                    }
                }
            }
        }
        spec => {
            let is_object = matches!(spec, MetricSpec::Object(_));
            for answer in &mut observation.custom_metrics {
                if let Reading::Read(values) = &mut answer.answer {
                    values
                        .iter_mut()
                        .filter(|one| is_object || counted.contains(&one.object))
                        .for_each(|one| one.value = next());
                }
            }
        }
    }
    let trace = engine::decide(&observation, &mut Memory::default(), world.now);
    let metric = trace.metrics().next().unwrap();
    match metric.outcome {
        MetricOutcome::Proposal { replicas, .. } => replicas,
        ref other => panic!("{milli}: {other:?}"),
    }
}

/// Feeds the numbers of a page to the engine and returns how many there were.
fn check(world: &World) -> usize {
    let analysis = world.analysis();
    let [found] = analysis
        .tipping_points(&world.observation)
        .thresholds
        .as_slice()
    else {
        return 0;
    };
    let current = analysis.trace.current().unwrap();
    let lines: Vec<(&str, String)> = world.report(|page, _| {
        let lines = page.next.iter();
        lines.map(|line| (line.title, line.text.clone())).collect()
    });
    let mut checked = 0;
    for (title, text) in lines {
        let Some(printed) = printed(&text) else {
            continue;
        };
        let (threshold, outward) = match title {
            "up when" => (&found.up, 1),
            "down when" => (&found.down, -1),
            _ => continue,
        };
        let threshold = threshold.as_ref().unwrap();
        let steps = &threshold.evaluation.steps;
        let formula = steps.iter().find_map(|step| match step {
            MetricStep::UsageRatio(ratio) if ratio.pass == Pass::First => Some(ratio.formula),
            _ => None,
        });
        let wants = |number: i128, rounds_up: bool| {
            let formula = formula.unwrap();
            let total = total(&printed, number, &formula, rounds_up);
            // Samples of deleted pods also count, and stay as they are.
            let deleted = usage(&formula) - threshold.total.0;
            let proposal = proposal(world, &analysis.trace, total - deleted);
            if title == "up when" {
                current < proposal
            } else {
                proposal < current
            }
        };
        let (inside, outside) = if printed.is_open {
            (printed.number + outward, printed.number)
        } else {
            (printed.number, printed.number - outward)
        };
        let name = &world.observation.hpa.name;
        assert!(wants(inside, true), "{name} {title} {text}: not yet there");
        // Usage is never negative.
        assert!(
            outside < 0 || !wants(outside, title == "down when"),
            "{name} {title} {text}: before"
        );
        checked += 1;
    }
    checked
}

#[test]
fn numbers_of_the_recordings_hold_as_they_are_printed() {
    for family in [
        "cpu",
        "edge",
        "memory",
        "container",
        "pods",
        "object",
        "external",
    ] {
        let mut checked = 0;
        for snapshot in recordings(family).step_by(5) {
            checked += check(&World {
                observation: snapshot.observation().unwrap(),
                context: Context::default(),
                memory: None,
                now: snapshot.time,
            });
        }
        assert!(10 < checked, "{family}: {checked}");
    }
}

/// Pods that are not ready or have no sample move the edge between two whole percentages.
#[test]
fn numbers_hold_where_pods_are_not_counted() {
    let mut checked = 0;
    for request in ["100m", "30m", "150m", "333m", "7"] {
        for (counted, unready, missing) in [(3, 2, 0), (3, 0, 2), (5, 1, 1), (2, 3, 1), (7, 0, 0)] {
            for target in [60, 77, 100] {
                let replicas = counted + unready + missing;
                let grown = |world: World| {
                    let mut world =
                        world.ready_pods(usize::try_from(counted).unwrap(), request, "20m");
                    for index in 0..unready {
                        let name = format!("new-{index}");
                        world = world.never_ready(&name, request, "10:40:00", "starts");
                    }
                    for index in 0..missing {
                        world = world.without_sample(&format!("mute-{index}"), request);
                    }
                    world.remembering(&[(replicas, "10:41:15")])
                };
                checked += check(&grown(web(replicas).utilization("cpu", target)));
                checked += check(&grown(web(replicas).average("cpu", &format!("{target}m"))));
            }
        }
    }
    assert!(150 < checked, "{checked}");
}

/// 333m of 300m are 111%, which over all 5 pods is 66%, and 66 / 60 is within the tolerance.
#[test]
fn percentage_is_rounded_to_where_the_metric_does_ask_for_more() {
    let world = web(5)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "60m")
        .never_ready("new-0", "100m", "10:40:00", "starts")
        .never_ready("new-1", "100m", "10:40:00", "starts")
        .remembering(&[(5, "10:41:15")]);
    let page = world.page();
    assert!(
        page.contains("at 112% or more across the counted pods, 67% across all"),
        "{page}"
    );
}
