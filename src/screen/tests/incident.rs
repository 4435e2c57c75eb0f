//! What matters in an incident: what to do, what was edited, what was missed, and only that of the filtered HPAs.

use crossterm::event::KeyCode;
use hpa_engine::model::{HpaKey, Reading, Source};
use hpa_explain::{ExplainContext, FullAnswer};
use hpa_watch::{Event, SeenHpa, State, reduce};
use hpa_words::{clock::Clock, wrap::wrap};
use jiff::{SignedDuration, tz::TimeZone};

use super::support::{DrawnScreen, at, incidents, key, options, playback, with_past};
use super::table::crowd;
use crate::screen::{
    Mode, Play, ReplayStop, ScreenOptions, ScreenRequest,
    charts::{is_stop, ticks},
};

fn latest(state: &State, name: &str) -> SeenHpa {
    state.hpas[&key(name)].latest.clone()
}

/// Reads an HPA at a second after the end of the incidents.
fn seen(state: &mut State, mut seen: SeenHpa, seconds: i64) {
    seen.assessment.analysis.trace.at = at(seconds);
    reduce(state, Event::Seen(Box::new(seen)), at(seconds));
}

#[test]
fn table_that_is_alone_leaves_what_it_does_not_need_to_the_words() {
    let mut drawn = DrawnScreen::new(incidents(), 80, 24);
    drawn.write("t");
    drawn.assert_has("table alone");
    for name in ["api", "worker", "cart", "web"] {
        drawn.write(&format!("/{name}"));
        drawn.press(KeyCode::Enter);
        drawn.assert_has(&format!("shop/{name} → Deployment/"));
        drawn.assert_has("next possible change");
        drawn.press(KeyCode::Esc);
    }
}

#[test]
fn sentences_are_cut_before_the_command_is() {
    let mut commands = 0;
    for (width, height) in [(80, 24), (80, 30), (100, 24), (120, 40)] {
        for parts in 0..3 {
            let mut drawn = DrawnScreen::new(incidents(), width, height);
            drawn.write(&"t".repeat(parts));
            for name in ["api", "worker", "cart", "web"] {
                drawn.write(&format!("/{name}"));
                drawn.press(KeyCode::Enter);
                let assessment = &drawn.state.hpas[&key(name)].latest.assessment;
                let clock = Clock::new(TimeZone::UTC, drawn.now);
                let answer = FullAnswer::of(&ExplainContext::of(assessment, &clock));
                if let Some(command) = answer.command {
                    commands += 1;
                    let start: String = command.chars().take(60).collect();
                    drawn.assert_has(&start);
                }
                drawn.press(KeyCode::Esc);
            }
        }
    }
    assert!(0 < commands);
}

#[test]
fn chosen_row_always_has_its_verdict_and_words_come_before_charts() {
    for calm in [0, 4, 8, 12, 30] {
        for parts in 0..3 {
            let mut drawn = DrawnScreen::new(crowd(calm), 80, 24);
            drawn.write(&"t".repeat(parts));
            for _ in 0..4 {
                let chosen = drawn.lines_with("▸")[0].clone();
                let name = chosen.split_whitespace().nth(2).unwrap();
                let (namespace, name) = name.split_once('/').unwrap_or(("shop", name));
                drawn.assert_has(&format!("{namespace}/{name} → Deployment/"));
                let hpa = &drawn.state.hpas[&HpaKey {
                    namespace: namespace.to_owned(),
                    name: name.to_owned(),
                }];
                let clock = Clock::new(TimeZone::UTC, hpa.seen_at);
                let cx = ExplainContext::of(&hpa.latest.assessment, &clock);
                let answer = FullAnswer::of(&cx);
                if parts == 0 {
                    for line in wrap(&answer.text(), 80) {
                        drawn.assert_has(&line);
                    }
                }
                if let Some(command) = answer.command {
                    drawn.assert_has(&command);
                }
                drawn.press(KeyCode::Down);
            }
        }
    }
}

#[test]
fn lost_connection_covers_no_alarm_count() {
    let mut state = crowd(30);
    let lost = Event::Failing {
        source: Source::Server,
        why: "connection refused".to_owned(),
        fresh_until: Some(at(1)),
    };
    reduce(&mut state, lost, at(1));
    for width in (40..130).step_by(5) {
        let mut drawn = DrawnScreen::new(state.clone(), width, 24);
        drawn.now = at(44);
        drawn.draw();
        let text = drawn.text();
        let first = text.lines().next().unwrap();
        assert!(first.starts_with(" NOT CONNECTED "), "{first}");
        assert!(first.contains(" ! 4 alarms"), "{first}");
        assert_eq!(70 <= width, first.contains("data 43 s old"), "{first}");
    }
}

#[test]
fn edit_is_named_where_the_answer_is_and_among_the_events() {
    let mut state = incidents();
    let mut edited = latest(&state, "api");
    let max = edited.assessment.observation.hpa.spec.max_replicas;
    edited.assessment.observation.hpa.spec.max_replicas = max + 10;
    seen(&mut state, edited, 2);
    let edit = format!("the HPA was edited: max {max} → {}", max + 10);
    let mut drawn = DrawnScreen::new(state, 120, 40);
    drawn.now = at(4);
    drawn.draw();
    assert_eq!(drawn.lines_with(&edit).len(), 2, "{}", drawn.text());
    drawn.assert_has(&format!("At 11:32:52: {edit}."));
    // It is no news for long, and stays among the events.
    drawn.now = at(90);
    drawn.draw();
    assert_eq!(drawn.lines_with(&edit).len(), 1, "{}", drawn.text());
    // Nothing is said about the others.
    drawn.write("/web");
    drawn.press(KeyCode::Enter);
    drawn.assert_lacks("was edited");
}

#[test]
fn what_was_missed_is_reported_above_the_table_in_every_layout() {
    let mut state = incidents();
    let lost = Event::Failing {
        source: Source::Server,
        why: "connection refused".to_owned(),
        fresh_until: Some(at(1)),
    };
    reduce(&mut state, lost, at(1));
    let back = Event::Recovered {
        source: Source::Server,
    };
    reduce(&mut state, back, at(60));
    reduce(&mut state, Event::InformerInput, at(60));
    let mut scaled = latest(&state, "web");
    let observation = &mut scaled.assessment.observation;
    let before = observation.scale.read().unwrap().spec_replicas;
    if let Reading::Read(scale) = &mut observation.scale {
        scale.spec_replicas = before + 3;
    }
    observation.hpa.status.last_scale_time = Some(at(30));
    observation.hpa.status.current_replicas = before;
    observation.hpa.status.desired_replicas = before + 3;
    seen(&mut state, scaled, 65);
    for parts in 0..3 {
        let mut drawn = DrawnScreen::new(state.clone(), 80, 24);
        drawn.now = at(66);
        drawn.write(&"t".repeat(parts));
        drawn.draw();
        drawn.assert_has("seen late at 11:33:55: 1 scaling of 1 HPA: web");
        drawn.now = at(66) + SignedDuration::from_mins(6);
        drawn.draw();
        drawn.assert_lacks("seen late at");
    }
}

#[test]
fn jumps_of_a_replay_stop_only_at_what_the_filter_shows() {
    let state = with_past(with_past(incidents(), "api"), "cart");
    let times = |name: &str| -> Vec<_> {
        let entries = state.hpas[&key(name)].history.entries();
        let stops = ticks(entries).filter(|tick| is_stop(tick.kind, ReplayStop::Scaling));
        stops.map(|tick| tick.at).collect()
    };
    for (filter, names) in [
        ("api", &["api"][..]),
        ("web", &["web"]),
        ("worker", &["worker"]),
    ] {
        let stops: Vec<_> = names.iter().flat_map(|name| times(name)).collect();
        for position in (-900..0).step_by(45) {
            let options = ScreenOptions {
                mode: Mode::Replay,
                ..options()
            };
            let mut drawn = DrawnScreen::with(options, state.clone(), 80, 24);
            drawn.screen.show_playback(playback());
            drawn.now = at(position);
            drawn.draw();
            drawn.write(&format!("/{filter}"));
            drawn.press(KeyCode::Enter);
            let seek = |to| ScreenRequest::Play(Play::Seek(to));
            let next = stops.iter().filter(|stop| at(position) < **stop).min();
            let previous = stops.iter().filter(|stop| **stop < at(position)).max();
            assert_eq!(
                drawn.press(KeyCode::Char('n')),
                next.copied().map(seek),
                "{filter} {position}"
            );
            assert_eq!(
                drawn.press(KeyCode::Char('N')),
                previous.copied().map(seek),
                "{filter} {position}"
            );
        }
    }
}
