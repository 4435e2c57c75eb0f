//! Recordings of the real controller, as `watch` sees them: from outside, and from their second line on. What it expects
//! of an HPA that was just edited is what the controller then does, or a range that contains it, and no edit makes it
//! claim that the controller decided otherwise.

#![expect(clippy::unwrap_used, reason = "test code")]

mod recordings;

use std::path::Path;

use hpa_objects::recording::{RecordingReader, Snapshot, wire::HpaSpec};
use hpa_playback::playback::{ComparisonVerdict, Session};

#[derive(Debug, Default)]
struct Seen {
    edits: usize,
    exact: usize,
    wrong: Vec<String>,
    claims: Vec<String>,
    compared: usize,
}

impl Seen {
    fn preview(&mut self, session: &Session, line: &Snapshot, recorded: &Snapshot) {
        let Ok(next) = session.preview(line) else {
            return;
        };
        let Some(outcome) = &recorded.outcome else {
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
        self.edits += 1;
        self.exact += usize::from(low == high && low == real);
        if !(low..=high).contains(&real) {
            let name = &line.metadata.name;
            self.wrong.push(format!(
                "{name} {}: to {real}, expected {low} to {high}",
                line.time
            ));
        }
    }

    fn play(&mut self, path: &Path) {
        let mut session = Session::of_cluster();
        let mut before: Option<(String, HpaSpec)> = None;
        for line in RecordingReader::open(path).unwrap() {
            let recorded = line.unwrap().snapshot;
            let name = recorded.metadata.name.clone();
            let spec = recorded.hpa.spec.clone();
            let last = before.replace((name.clone(), spec.clone()));
            let Some((_, last)) = last.filter(|(last, _)| *last == name) else {
                session = Session::of_cluster();
                continue;
            };
            let mut line = recorded.clone();
            line.outcome = None;
            line.controller_started = false;
            if last != spec {
                self.preview(&session, &line, &recorded);
            }
            let Ok(pushed) = session.push(line) else {
                continue;
            };
            for earlier in pushed.compared {
                self.compared += 1;
                if let ComparisonVerdict::Differs(found) = &earlier.verdict {
                    self.claims
                        .push(format!("{name} {}: {found:?}", earlier.time));
                }
            }
        }
    }
}

#[test]
fn what_watch_expects_after_an_edit_contains_what_the_controller_does() {
    let mut seen = Seen::default();
    for file in recordings::files(|family| ["edited", "edits"].contains(&family)) {
        seen.play(&file);
    }
    println!(
        "{} edits, {} exact, {} outside; {} syncs compared, {} said to differ",
        seen.edits,
        seen.exact,
        seen.wrong.len(),
        seen.compared,
        seen.claims.len()
    );
    assert!(100 < seen.edits);
    assert!(seen.wrong.is_empty(), "{:#?}", seen.wrong);
    assert!(seen.claims.is_empty(), "{:#?}", seen.claims);
}
