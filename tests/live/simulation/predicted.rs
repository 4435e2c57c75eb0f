//! The simulation of a course.

use std::{fmt::Write as _, fs, ops::RangeInclusive, path::Path, process::Command, thread};

use serde_json::Value;

use super::{
    course::{Change, Course, Happening, Seen},
    pace::PACE,
};
use crate::{cluster::succeed, releases};

/// The runs of a course with these seeds.
pub(super) fn predicted(course: &Course, seeds: RangeInclusive<usize>) -> Vec<Seen> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACE.name);
    let manifests = directory.join(format!("{}.yaml", course.name));
    fs::write(
        &manifests,
        format!("{}\n---\n{}\n", course.hpa(), course.target()),
    )
    .unwrap();
    let loads: Vec<String> = course
        .loads
        .iter()
        .map(|(metric, points)| {
            let file = directory.join(format!("{}-{metric}.csv", course.name));
            let mut text = "time,value\n".to_owned();
            for (at, value) in points {
                writeln!(text, "{at},{value}").unwrap();
            }
            fs::write(&file, text).unwrap();
            format!("{metric}={}", file.display())
        })
        .collect();
    let run = |seed: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        command
            .args([
                "simulate",
                "--output=json",
                "--seeds=1",
                "--uneven=0",
                "--kubelet-interval=1s",
                "--metrics-resolution=1s",
            ])
            .arg("--feature-gate=HPAScaleToZero=true")
            .arg(format!("--assume-sync-period={}s", PACE.period))
            .arg(format!("--assume-downscale-stabilization={}s", PACE.window))
            .arg(format!(
                "--assume-cpu-initialization-period={}s",
                PACE.initialization
            ))
            .arg(format!("--assume-initial-readiness-delay={}s", PACE.delay))
            .arg(format!("--kube-version={}", releases::version()))
            .arg(format!("--for={}s", PACE.length))
            .arg(format!("--start={}s", course.ready))
            .arg(format!("--seed={seed}"))
            .arg(format!("--load={}", loads.join(",")))
            .arg("--filename")
            .arg(&manifests)
            .args(course.room.map(|room| format!("--nodes={room}")))
            .args(
                course
                    .happenings
                    .iter()
                    .map(|(at, happening)| event(*at, *happening)),
            );
        seen_in(&serde_json::from_str(&succeed(&mut command)).unwrap())
    };
    let (run, seeds) = (&run, &seeds);
    thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            scope.spawn(move || {
                seeds
                    .clone()
                    .filter(|seed| seed % 2 == half)
                    .map(run)
                    .collect::<Vec<_>>()
            })
        });
        halves
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    })
}

fn event(at: i32, happening: Happening) -> String {
    match happening {
        Happening::Scale(replicas) => format!("--event={at}s: scale {replicas}"),
        Happening::Rollout => format!("--event={at}s: rollout"),
        Happening::Fails(length) => format!("--event={at}s: metric-fails {length}s"),
    }
}

fn seen_in(report: &Value) -> Seen {
    let run = &report["variants"][0];
    let number = |value: &Value| i32::try_from(value.as_i64().unwrap()).unwrap();
    let rescales = run["rescales"].as_array().unwrap().iter();
    let points = run["points"].as_array().unwrap().iter();
    Seen {
        rescales: rescales
            .map(|one| Change {
                at: one["seconds"].as_f64().unwrap(),
                from: number(&one["from"]),
                to: number(&one["to"]),
            })
            .collect(),
        // One point each 5 s.
        ready: points
            .map(|point| f64::from(number(&point["ready"])) * 5.0)
            .sum(),
    }
}
