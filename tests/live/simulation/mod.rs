//! Whole courses: the real controller under a load that the ready pods share, against the simulation of the same.
//!
//! All courses run at the same time in one cluster, a namespace each. What is compared, and how it came out, is in
//! `docs/simulation-proof.md`.

mod bench;
mod course;
mod courses;
mod pace;
mod predicted;

use std::{env, fmt::Write as _, fs, ops::RangeInclusive};

use bench::Bench;
use course::{Change, Course, Seen, pod_seconds};
use courses::courses;
use pace::PACE;
use predicted::predicted;

use crate::left_out;

/// The seeds of the runs that are compared, block by block. Runs differ in when syncs, readings and scrapes are.
const SEEDS: [RangeInclusive<usize>; 4] = [1..=60, 61..=120, 121..=240, 241..=480];

/// How old a metric can be, in seconds: the bench answers by the current load, the simulation scrapes once a second.
const SCRAPE: f64 = 1.0;

#[test]
fn rescales_of_whole_courses_are_those_of_the_simulation() {
    // On a machine that is busy with other tests, pods get ready late, and a real course is another one.
    if !left_out::is_played(
        ["SIMULATION", "SIMULATION_REAL_TIME"]
            .iter()
            .any(|name| env::var_os(name).is_some()),
        "SIMULATION=1 plays the courses, on a machine with nothing else to do",
    ) {
        return;
    }
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
    /// So many runs were played.
    runs: usize,
    /// So many runs have the same sizes.
    equal: usize,
    /// Of these the one whose times are nearest.
    best: Option<Best>,
    /// The sizes of the other runs, for the message.
    others: Vec<Vec<i32>>,
}

struct Best {
    /// The largest difference in time of a rescale, in seconds.
    late: f64,
    pod_seconds: f64,
    ready: f64,
}

impl Compared {
    /// Compares with so many runs as it takes to find one that is equal. A rare coincidence of syncs and load needs more.
    fn new(course: &Course, seen: &Seen) -> Self {
        let mut compared = Self {
            runs: 0,
            equal: 0,
            best: None,
            others: Vec::new(),
        };
        for seeds in SEEDS {
            compared.runs = *seeds.end();
            for run in predicted(course, seeds) {
                compared.take(course, seen, &run);
            }
            if compared.failure(course, seen).is_none() {
                break;
            }
        }
        compared
    }

    fn take(&mut self, course: &Course, seen: &Seen, run: &Seen) {
        let sizes = |changes: &[Change]| -> Vec<(i32, i32)> {
            changes
                .iter()
                .map(|change| (change.from, change.to))
                .collect()
        };
        if sizes(&run.rescales) != sizes(&seen.rescales) {
            let others = run.rescales.iter().map(|change| change.to).collect();
            if !self.others.contains(&others) {
                self.others.push(others);
            }
            return;
        }
        self.equal += 1;
        let both = run.rescales.iter().zip(&seen.rescales);
        let late = both.map(|(a, b)| (a.at - b.at).abs()).fold(0.0, f64::max);
        if self.best.as_ref().is_none_or(|best| late < best.late) {
            self.best = Some(Best {
                late,
                pod_seconds: pod_seconds(course, &run.rescales),
                ready: run.ready,
            });
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
                "| {} | {sizes} | {} of {} | {:.1} s | {real:.0}, {:.0} ({:+.1}%) | {:.0}, {:.0} ({:+.1}%) |",
                course.what,
                self.equal,
                self.runs,
                best.late,
                best.pod_seconds,
                percent(best.pod_seconds, real),
                seen.ready,
                best.ready,
                percent(best.ready, seen.ready),
            ),
            None => format!(
                "| {} | {sizes} | 0 of {} | | {real:.0} | {:.0} |",
                course.what, self.runs, seen.ready
            ),
        }
    }

    fn failure(&self, course: &Course, seen: &Seen) -> Option<String> {
        let Some(best) = &self.best else {
            return Some(format!(
                "{}: no run of the simulation has these rescales: {:?}; they have {:?}",
                course.name, seen.rescales, self.others
            ));
        };
        let real = pod_seconds(course, &seen.rescales);
        if f64::from(PACE.period) + SCRAPE < best.late {
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
