//! `watch` on the incidents of `examples`, and the transcripts of `docs/watch.md`.
//!
//! `UPDATE_GENERATED=1 cargo test --test screen transcripts` rewrites the transcripts.

use std::path::Path;

use hpa_objects::recording::{RecordingReader, Snapshot};
use hpa_playback::{Pushed, Session};
use hpa_render::{
    Style,
    watch::{jsonl, plain::PlainLines},
};
use hpa_watch::{Event, State, reduce};
use jiff::{SignedDuration, tz::TimeZone};

use crate::block;

/// The output of `watch` if its syncs read these snapshots: `-o plain` and `-o jsonl`.
fn printed(snapshots: impl IntoIterator<Item = Snapshot>) -> (String, String) {
    let style = Style {
        has_unicode: true,
        ..Style::plain()
    };
    let mut lines = PlainLines::new(style, TimeZone::UTC, None);
    let (mut plain, mut objects) = (String::new(), String::new());
    let (mut state, mut session) = (State::default(), Session::of_cluster());
    for snapshot in snapshots {
        let now = snapshot.time;
        let Pushed {
            reconcile,
            compared,
        } = session.push(snapshot).unwrap();
        let seen = reconcile.seen();
        let compared = compared.into_iter().map(|compared| Event::Compared {
            hpa: seen.hpa.clone(),
            at: compared.time,
            agreement: compared.verdict.agreement(),
        });
        let mut events: Vec<Event> = compared.collect();
        events.push(Event::Reconciled(Box::new(seen)));
        for event in events {
            for update in reduce(&mut state, event, now) {
                plain.push_str(&lines.update(&update, &state, now));
                if let Some(line) = jsonl::line(&update, &state, now) {
                    objects.push_str(&serde_json::to_string(&line).unwrap());
                    objects.push('\n');
                }
            }
            plain.push_str(&lines.overdue(&state, now));
        }
    }
    plain.push_str(&lines.rest());
    (plain, objects)
}

fn example(name: &str) -> Vec<Snapshot> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.jsonl"));
    let lines = RecordingReader::open(&path).unwrap();
    lines.map(|line| line.unwrap().snapshot).collect()
}

#[test]
fn transcripts_of_the_page_are_true() {
    let (plain, objects) = printed(example("more-than-max"));
    block::check("plain", &plain);
    // The first sync that scales, with its details.
    let lines: Vec<&str> = objects.lines().collect();
    let scales = |line: &&str| line.contains(r#""action":"scaleUp""#);
    let first = lines.iter().position(scales).unwrap();
    let alarm = lines.iter().find(|line| line.contains(r#""type":"alarm""#));
    let compared = lines[first..]
        .iter()
        .find(|line| line.contains(r#""type":"compared""#));
    block::check(
        "jsonl",
        &[lines[first], compared.unwrap(), alarm.unwrap()].join("\n"),
    );
}

#[test]
fn rescale_is_reported_once_with_its_decision() {
    let (plain, _) = printed(example("more-than-max"));
    for (report_lines, times) in [
        ("api/api 8 → 16: ", 1),
        ("api/api 16 → 20: ", 1),
        ("SCALES", 0),
    ] {
        assert_eq!(
            plain.matches(report_lines).count(),
            times,
            "{report_lines:?} in\n{plain}"
        );
    }
    assert!(
        plain.contains("api/api 8 → 16: up, step limit; cpu "),
        "{plain}"
    );
}

#[test]
fn unwritten_decision_is_reported_with_the_next_sync_or_at_the_end() {
    let snapshots = example("more-than-max");
    let decides = |snapshot: &&Snapshot| printed([(*snapshot).clone()]).0.contains("SCALES 8");
    let deciding = snapshots.iter().position(|it| decides(&it)).unwrap();
    let mut snapshots: Vec<Snapshot> = snapshots[..=deciding].to_vec();
    let (at_end, _) = printed(snapshots.clone());
    assert!(
        at_end.contains("api/api SCALES 8 → 16: up, step limit; cpu "),
        "{at_end}"
    );
    // The next sync reads the same state.
    let mut next = snapshots[deciding].clone();
    next.time += SignedDuration::from_secs(15);
    snapshots.push(next);
    let (plain, _) = printed(snapshots);
    let report_lines = "api/api SCALES 8 → 16 (no write seen): up, step limit; cpu ";
    assert_eq!(plain.matches(report_lines).count(), 1, "{plain}");
    assert_eq!(plain.matches("SCALES").count(), 1, "{plain}");
}
