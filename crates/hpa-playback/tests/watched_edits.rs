//! Recordings of the real controller, as `watch` sees them: from outside, and from their second line on. What it expects
//! of an HPA that was just edited is what the controller then does, or a range that contains it, and no edit makes it
//! claim that the controller decided otherwise.
//!
//! It gets what a cluster shows: the HPA before and after each sync, the Events, and when the leader changed.

#![expect(clippy::unwrap_used, reason = "test code")]

mod recordings;

use std::path::Path;

use hpa_objects::recording::{RecordingReader, Snapshot};
use hpa_playback::{ComparisonVerdict, EarlierComparison, Session};
use recordings::cluster::Cluster;

/// What was expected of some syncs.
#[derive(Debug, Default)]
struct Expected {
    all: usize,
    exact: usize,
    /// The syncs that did something else.
    wrong: Vec<String>,
}

#[derive(Debug, Default)]
struct Seen {
    edits: Expected,
    others: Expected,
    compared: usize,
    unclear: usize,
    /// The syncs that are said to differ.
    claims: Vec<String>,
}

impl Expected {
    fn add(&mut self, session: &Session, line: &Snapshot, recorded: &Snapshot) {
        let (Ok(next), Some(outcome)) = (session.preview(line), &recorded.outcome) else {
            return;
        };
        let analysis = next.seen().assessment.analysis;
        let (Some(decided), Some(current)) =
            (analysis.trace.decision.replicas(), analysis.trace.current())
        else {
            return;
        };
        if recorded.scale_write_error.is_some() {
            return;
        }
        let real = outcome.scale_to.unwrap_or(current);
        let (low, high) = analysis.range.unwrap_or((decided, decided));
        self.all += 1;
        self.exact += usize::from(low == high && low == real);
        if !(low..=high).contains(&real) {
            let name = &line.metadata.name;
            let time = line.time;
            self.wrong.push(format!(
                "{name} {time}: to {real}, expected {low} to {high}"
            ));
        }
    }
}

impl Seen {
    fn compared(&mut self, name: &str, compared: Vec<EarlierComparison>) {
        for earlier in compared {
            self.compared += 1;
            match &earlier.verdict {
                ComparisonVerdict::Differs(found) => self
                    .claims
                    .push(format!("{name} {}: {found:?}", earlier.time)),
                ComparisonVerdict::Unclear(_) => self.unclear += 1,
                ComparisonVerdict::Agrees | ComparisonVerdict::NotCompared => {}
            }
        }
    }

    fn play(&mut self, path: &Path) {
        let mut session = Session::of_cluster();
        let mut cluster = Cluster::default();
        let mut before: Option<Snapshot> = None;
        for line in RecordingReader::open(path).unwrap() {
            let recorded = line.unwrap().snapshot;
            let name = recorded.metadata.name.clone();
            let last = before.replace(recorded.clone());
            let last = last.filter(|last| last.metadata.name == name);
            if last.is_none() {
                session = Session::of_cluster();
                cluster = Cluster::default();
            }
            let mut line = cluster.before(&recorded);
            let after = cluster.after(&recorded);
            let Some(last) = last else {
                continue;
            };
            // The leader shows it.
            line.controller_started = recorded.controller_started;
            let is_edited = last.hpa.spec != recorded.hpa.spec;
            let expected = if is_edited {
                &mut self.edits
            } else {
                &mut self.others
            };
            expected.add(&session, &line, &recorded);
            let Ok(pushed) = session.push(line) else {
                continue;
            };
            self.compared(&name, pushed.compared);
            if let Ok(compared) = session.compare(&after) {
                self.compared(&name, compared);
            }
        }
    }
}

#[test]
fn what_watch_expects_after_an_edit_contains_what_the_controller_does() {
    let mut seen = Seen::default();
    for file in recordings::files(|family| ["edited", "edits"].contains(&family)) {
        // Nothing in these recordings shows that an HPA was created again; a cluster shows it.
        if !file.ends_with("recreated.jsonl.gz") {
            seen.play(&file);
        }
    }
    let Seen { edits, others, .. } = &seen;
    for (name, expected) in [("edits", edits), ("other syncs", others)] {
        let Expected { all, exact, wrong } = expected;
        println!("{all} {name}, {exact} exact, {} outside", wrong.len());
    }
    let claims = seen.claims.len();
    println!(
        "{} comparisons, {claims} said to differ, {} unclear",
        seen.compared, seen.unclear
    );
    assert!(100 < edits.all);
    assert!(edits.wrong.is_empty(), "{:#?}", edits.wrong);
    assert!(seen.claims.is_empty(), "{:#?}", seen.claims);
    // A range that holds whatever can happen says nothing.
    assert!(edits.all * 3 <= edits.exact * 4);
    // Not each window that ends right now, nor each first sync of a recording, can be known from outside.
    assert!(
        others.wrong.len() * 100 <= others.all,
        "{:#?}",
        others.wrong
    );
}
