//! Up to forty minutes with the defaults of the controller: the past of an HPA with the spec of others, which have the same load.

use std::env;

use serde_json::{Value, json};

use super::{
    monitoring::{Extra, Intervals},
    pace::{Metric, Pace, Workload, pods, thrice, workload},
    run::Run,
};
use crate::{left_out, manifest::Hpa};

/// One of two specs for the same load.
struct Spec {
    /// The HPAs that have it.
    names: Vec<&'static str>,
    /// What `--compare` takes for it.
    compare: &'static str,
}

/// Each pair of HPAs has the same load.
#[test]
fn past_with_the_spec_of_its_twin_comes_to_the_pod_hours_of_the_twin() {
    if !is_played("twins") {
        return;
    }
    let specs = PAIRS.map(|pair| {
        pair.map(|(name, compare)| Spec {
            names: vec![name],
            compare,
        })
    });
    assert_near(&pace("history-twins", 2400, &specs), &specs);
}

/// Real HPAs with the same spec and the same load differ: each prediction is compared with the mean of three.
#[test]
fn past_with_another_spec_comes_to_the_mean_pod_hours_of_three_hpas_that_have_it() {
    if !is_played("triplets") {
        return;
    }
    let specs = [PAIRS[0], PAIRS[5]].map(|pair| {
        pair.map(|(name, compare)| {
            let more = ["-2", "-3"].map(|number| &*format!("{name}{number}").leak());
            Spec {
                names: [&[name], &more[..]].concat(),
                compare,
            }
        })
    });
    assert_near(&pace("history-triplets", 1200, &specs), &specs);
}

fn is_played(form: &str) -> bool {
    left_out::is_played(
        env::var_os("HISTORY").is_some_and(|played| played == form),
        &format!("HISTORY={form} plays for long, on a machine with nothing else to do"),
    )
}

/// Plays the HPAs of all pairs of specs, and compares what the past of each comes to under the other spec of its pair.
#[expect(clippy::print_stderr, reason = "what a run by hand measures")]
fn assert_near(pace: &Pace, pairs: &[[Spec; 2]]) {
    let run = Run::of(pace);
    let (mut compared, mut near, mut failures) = (0, 0, Vec::new());
    for [one, other] in pairs {
        let reports_of = |spec: &Spec, other: &Spec| -> Vec<Value> {
            let reports = spec.names.iter();
            reports
                .map(|name| run.report(name, &["--compare", other.compare]))
                .collect()
        };
        let both = [reports_of(one, other), reports_of(other, one)];
        for (reports, others) in both.iter().zip(both.iter().rev()) {
            let all: Vec<f64> = others
                .iter()
                .map(|one| pod_hours(&one["whatIf"][0]))
                .collect();
            #[expect(clippy::cast_precision_loss, reason = "a few HPAs")]
            let real = all.iter().sum::<f64>() / all.len() as f64;
            for report in reports {
                let (control_run, rows) =
                    (&report["controlRun"], report["whatIf"].as_array().unwrap());
                let name = &report["name"];
                eprintln!("{name}: {}", report["trust"]);
                // The model says when it does not reproduce the past, and then nothing else.
                if control_run["trusted"] != true {
                    eprintln!("{name}: control {}, refused", control_run["reproduced"]);
                    if control_run["reproduced"].as_f64().unwrap() < FAR_OFF {
                        failures.push(format!("{name} is far off: {report:#}"));
                    }
                    continue;
                }
                compared += 1;
                let row = rows.last().unwrap();
                let predicted = pod_hours(row);
                let percent = (predicted / real - 1.0) * 100.0;
                let band = &row["podHours"];
                eprintln!(
                    "{name}: {predicted:.3} pod hours ({} to {}) with the other spec, really {real:.3} of {all:.3?} ({percent:+.1}%); control {}",
                    band["low"], band["high"], control_run["reproduced"]
                );
                near += i32::from(percent.abs() <= NEAR);
                if MOST < percent.abs() {
                    failures.push(format!("{name}: {report:#}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(6 <= compared, "{compared} of 12 are compared");
    assert!(
        4 * compared <= 5 * near,
        "{near} of {compared} are within {NEAR}%"
    );
}

fn pod_hours(row: &Value) -> f64 {
    row["podHours"]["median"].as_f64().unwrap()
}

/// A model that gives so few of the replicas has another load or another spec than the past.
const FAR_OFF: f64 = 0.8;

/// In percent: so near most are.
const NEAR: f64 = 3.0;

/// Replicas are whole, and where policies or a window limit each step, a rescale that is a sync late delays all after it.
const MOST: f64 = 5.0;

const THREE_A_MINUTE: &str =
    "behavior.scaleUp.policies=[{type: Pods, value: 3, periodSeconds: 60}]";

/// The kinds of HPAs, and what `--compare` takes for their specs.
const PAIRS: [[(&str, &str); 2]; 6] = [
    [("max", "maxReplicas=30"), ("max-twin", "maxReplicas=60")],
    [
        ("window", "behavior.scaleDown.stabilizationWindowSeconds=60"),
        (
            "window-twin",
            "behavior.scaleDown.stabilizationWindowSeconds=600",
        ),
    ],
    [
        (
            "target",
            "metrics[name=cpu].resource.target.averageUtilization=60",
        ),
        (
            "target-twin",
            "metrics[name=cpu].resource.target.averageUtilization=80",
        ),
    ],
    [
        ("policy", THREE_A_MINUTE),
        ("policy-twin", "behavior.scaleUp-"),
    ],
    [("min", "minReplicas=6"), ("min-twin", "minReplicas=18")],
    [
        ("late", "behavior.scaleUp.stabilizationWindowSeconds=60"),
        ("late-twin", "behavior.scaleUp-"),
    ],
];

/// Its name without the number.
fn kind_of(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter == '-' || letter.is_ascii_digit())
}

fn pace(name: &'static str, length: i64, pairs: &[[Spec; 2]]) -> Pace {
    let names = pairs.iter().flatten().flat_map(|spec| &spec.names);
    Pace {
        name,
        period: 15,
        window: 300,
        intervals: Intervals {
            state_metrics: "15s",
            cadvisor: "10s",
        },
        workloads: names.map(|name| played(name)).collect(),
        length,
        silence: None,
        extra: Extra::None,
        captured: None,
    }
}

/// The HPA of this name, and its load.
fn played(name: &'static str) -> Workload {
    let down = |seconds: i32| json!({"scaleDown": {"stabilizationWindowSeconds": seconds}});
    let up =
        |rules: Value| json!({"scaleDown": {"stabilizationWindowSeconds": 300}, "scaleUp": rules});
    let of = |ready, load: &str, edit: &dyn Fn(Hpa) -> Hpa| Workload {
        ready,
        ..workload(name, Metric::Cpu, edit, thrice(&points(load)))
    };
    match kind_of(name) {
        "max" => of("6s", EARLY, &|hpa| hpa.bounds(6, 30).cpu(60)),
        "max-twin" => of("6s", EARLY, &|hpa| hpa.bounds(6, 60).cpu(60)),
        "window" => of("10s", UNEVEN, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(60))
        }),
        "window-twin" => of("10s", UNEVEN, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(600))
        }),
        "target" => of("20s", WAVES, &|hpa| {
            hpa.bounds(3, 90).cpu(60).behavior(down(120))
        }),
        "target-twin" => of("20s", WAVES, &|hpa| {
            hpa.bounds(3, 90).cpu(80).behavior(down(120))
        }),
        "policy" => of("6s", FALLING, &|hpa| {
            let policies = json!({"policies": [pods(3, 60)]});
            hpa.bounds(6, 75).cpu(60).behavior(up(policies))
        }),
        "policy-twin" => of("6s", FALLING, &|hpa| {
            hpa.bounds(6, 75).cpu(60).behavior(down(300))
        }),
        "min" => of("35s", RISING, &|hpa| {
            hpa.bounds(6, 45).cpu(60).behavior(down(180))
        }),
        "min-twin" => of("35s", RISING, &|hpa| {
            hpa.bounds(18, 45).cpu(60).behavior(down(180))
        }),
        "late" => of("15s", PEAKS, &|hpa| {
            let window = json!({"stabilizationWindowSeconds": 60});
            hpa.bounds(6, 60).cpu(60).behavior(up(window))
        }),
        "late-twin" => of("15s", PEAKS, &|hpa| {
            hpa.bounds(6, 60).cpu(60).behavior(down(300))
        }),
        other => panic!("{other}"),
    }
}

fn points(load: &str) -> Vec<(i64, i64)> {
    let point = |point: &str| {
        let (at, load) = point.split_once(':').unwrap();
        (at.parse().unwrap(), load.parse().unwrap())
    };
    load.split_whitespace().map(point).collect()
}

/// Loads at seconds, that go up and down by chance; at some seconds from one value to another.
const EARLY: &str = "0:340 90:391 270:548 360:466 660:326 840:163 960:163 960:81 1260:69 1350:60 1440:60 1680:60 1680:60 1980:60 \
    1980:60 2160:60 2400:60 2640:60";
const UNEVEN: &str = "0:176 180:176 180:246 240:283 480:141 540:141 840:141 840:99 885:139 945:139 1035:159 1095:159 1395:111 1440:111 \
    1530:156 1770:109 1830:60 1920:60 1980:60 2100:84 2400:96 2700:183";
const WAVES: &str = "0:492 300:688 390:792 435:792 615:396 915:396 915:277 935:277 935:138 995:117 1055:223 1295:223 1295:313 \
    1385:313 1385:219 1475:252 1775:353 1895:671 2195:939 2315:939 2315:1785 2375:1785 2375:2053 2495:2053 2675:2053";
const FALLING: &str = "0:484 90:339 330:339 330:475 390:237 450:237 450:166 495:166 495:315 675:157 765:157 945:110 1065:110 1365:93 \
    1425:60 1470:60 1470:114 1515:96 1755:96 1755:60 1935:69 2025:60 2045:60 2345:60 2405:60 2405:69 2465:69 2465:69 \
    2485:69 2485:60 2575:60 2595:60 2595:60 2655:60";
const RISING: &str = "0:453 180:226 200:226 200:430 380:430 380:818 560:818 560:573 605:487 665:560 905:560 995:392 1115:745 1235:745 \
    1235:633 1280:886 1340:1684 1580:1937 1880:2228 2120:2400 2165:2040 2285:2346 2345:2400 2645:2400";
const PEAKS: &str = "0:390 300:390 300:448 600:448 600:852 720:596 1020:596 1140:835 1440:835 1440:835 1500:835 1500:709 1800:603 \
    1980:603 1980:1146 2040:1146 2040:573 2060:573 2060:487 2105:925 2285:1064 2405:1064 2705:745";
