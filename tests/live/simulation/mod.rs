//! Whole courses: the real controller under a load that the ready pods share, against the simulation of the same.
//!
//! All courses run at the same time in one cluster, a namespace each. What is compared, and how it came out, is in
//! `docs/simulation-proof.md`.

mod bench;
mod course;
mod courses;
mod predicted;

use std::{fmt::Write as _, fs};

use bench::Bench;
use course::{Change, Course, Seen, pod_seconds};
use courses::courses;
use predicted::{SEEDS, predicted};

/// How long each course lasts, in seconds.
const LENGTH: f64 = 150.0;

/// `--horizontal-pod-autoscaler-sync-period`, in seconds.
const PERIOD: f64 = 3.0;

/// How old a metric can be, in seconds: the bench answers by the load of the moment, the simulation scrapes once a second.
const SCRAPE: f64 = 1.0;

#[test]
fn rescales_of_whole_courses_are_those_of_the_simulation() {
    let courses = courses();
    let bench = Bench::start(&courses);
    let seen = bench.play(&courses);
    let mut table = String::from(
        "| course | real rescales | runs with these sizes | largest difference in time | pod-seconds, real and simulated | \
         ready pod-seconds |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut failures = Vec::new();
    for (course, seen) in courses.iter().zip(&seen) {
        let compared = Compared::new(course, seen);
        writeln!(table, "{}", compared.row(course, seen)).unwrap();
        if let Some(failure) = compared.failure(course, seen) {
            failures.push(failure);
        }
    }
    eprintln!("{table}");
    fs::write(bench.file("simulation.md"), &table).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A course and those runs of the simulation in which the replicas go through the same sizes.
struct Compared {
    /// So many runs have the same sizes.
    equal: usize,
    /// Of these the one whose times are nearest.
    best: Option<Best>,
    /// The sizes of the first runs, for the message.
    others: Vec<Vec<i32>>,
}

struct Best {
    /// The largest difference in time of a rescale, in seconds.
    late: f64,
    pod_seconds: f64,
    ready: f64,
}

impl Compared {
    fn new(course: &Course, seen: &Seen) -> Self {
        let runs = predicted(course);
        let sizes = |changes: &[Change]| {
            changes
                .iter()
                .map(|change| (change.from, change.to))
                .collect::<Vec<_>>()
        };
        let same: Vec<&Seen> = runs
            .iter()
            .filter(|run| sizes(&run.rescales) == sizes(&seen.rescales))
            .collect();
        let best = same.iter().map(|run| {
            let late = run
                .rescales
                .iter()
                .zip(&seen.rescales)
                .map(|(a, b)| (a.at - b.at).abs());
            Best {
                late: late.fold(0.0, f64::max),
                pod_seconds: pod_seconds(course, &run.rescales),
                ready: run.ready,
            }
        });
        Self {
            equal: same.len(),
            best: best.min_by(|a, b| a.late.total_cmp(&b.late)),
            others: runs
                .iter()
                .take(6)
                .map(|run| run.rescales.iter().map(|change| change.to).collect())
                .collect(),
        }
    }

    fn row(&self, course: &Course, seen: &Seen) -> String {
        let mut sizes = course.replicas.to_string();
        let mut last = course.replicas;
        for change in &seen.rescales {
            if change.from != last {
                write!(sizes, ", {} by another writer", change.from).unwrap();
            }
            write!(sizes, " → {}", change.to).unwrap();
            last = change.to;
        }
        let real = pod_seconds(course, &seen.rescales);
        match &self.best {
            Some(best) => format!(
                "| {} | {sizes} | {} of {SEEDS} | {:.1} s | {real:.0}, {:.0} ({:+.1}%) | {:.0}, {:.0} ({:+.1}%) |",
                course.what,
                self.equal,
                best.late,
                best.pod_seconds,
                percent(best.pod_seconds, real),
                seen.ready,
                best.ready,
                percent(best.ready, seen.ready),
            ),
            None => format!(
                "| {} | {sizes} | 0 of {SEEDS} | | {real:.0} | {:.0} |",
                course.what, seen.ready
            ),
        }
    }

    fn failure(&self, course: &Course, seen: &Seen) -> Option<String> {
        let Some(best) = &self.best else {
            return Some(format!(
                "{}: no run of the simulation has these rescales: {:?}; the first ones have {:?}",
                course.name, seen.rescales, self.others
            ));
        };
        let real = pod_seconds(course, &seen.rescales);
        if PERIOD + SCRAPE < best.late {
            return Some(format!(
                "{}: a rescale differs by {:.1} s",
                course.name, best.late
            ));
        }
        (2.0 < percent(best.pod_seconds, real).abs()).then(|| {
            format!(
                "{}: {real:.0} pod-seconds, {:.0} simulated",
                course.name, best.pod_seconds
            )
        })
    }
}

fn percent(simulated: f64, real: f64) -> f64 {
    (simulated / real - 1.0) * 100.0
}
