//! Odd states and odd inputs: the screen is drawn, no text of the cluster controls the terminal, and keys lead out.

use std::sync::Arc;

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use hpa_analysis::Assessment;
use hpa_engine::model::{ApiError, HpaKey, KubeEvent, Observation, OtherHpa, Reading, SyncInput};
use hpa_explain::{Action, Rule};
use hpa_watch::{Alarm, AlarmKind, Event, State, reduce};
use hpa_words::sanitize;
use proptest::prelude::*;

use super::support::{DrawnScreen, at, incidents, key, options, playback, with_past};
use crate::screen::{Mode, ScreenOptions, ScreenRequest};

#[test]
fn no_hpas_yet() {
    let mut terminal = DrawnScreen::new(State::default(), 80, 24);
    terminal.assert_has("No HPA is there yet. It appears here as soon as it is created.");
    for code in [KeyCode::Down, KeyCode::Enter, KeyCode::Left, KeyCode::Tab] {
        assert_eq!(terminal.press(code), None);
    }
    terminal.write("e");
    terminal.assert_has("No alarms, no events.");
}

#[test]
fn tiny_windows_say_what_is_enough() {
    let mut terminal = DrawnScreen::new(incidents(), 30, 8);
    terminal.assert_has("This window is 30 by 8.");
    terminal.assert_has("40 by 10 is enough.");
    terminal.resize(1, 1);
    terminal.resize(40, 10);
    terminal.assert_has("api");
    terminal.assert_has("STAYS AT 20");
}

#[test]
fn hpas_that_are_gone_come_last_and_say_since_when() {
    let mut state = incidents();
    reduce(&mut state, Event::Deleted { hpa: key("api") }, at(-30));
    let mut terminal = DrawnScreen::new(state, 120, 40);
    let lines = terminal.lines_with("since 11:32:20");
    assert_eq!(lines.len(), 1, "{}", terminal.text());
    assert!(
        lines[0].contains("api") && lines[0].contains("gone"),
        "{}",
        lines[0]
    );
    terminal.press(KeyCode::End);
    terminal.assert_has("GONE");
    terminal.assert_lacks("next possible change");
}

#[test]
fn what_must_happen_before_anything_can_change_is_named() {
    type Alter = fn(&mut Observation);
    let cases: [(Alter, &str); 4] = [
        (
            |observation| {
                if let Reading::Read(scale) = &mut observation.scale {
                    scale.spec_replicas = 0;
                }
            },
            "next possible change: after the replicas are set to 1 or more",
        ),
        (
            |observation| {
                observation.scale = Reading::Failed(ApiError {
                    message: "deployments.apps \"api\" not found".to_owned(),
                    reason: "NotFound".to_owned(),
                    code: 404,
                });
            },
            "next possible change: after the controller can read the scale of the target",
        ),
        (
            |observation| {
                if let Reading::Read(scale) = &mut observation.scale {
                    scale.selector = String::new();
                }
            },
            "next possible change: after the scale of the target has a selector",
        ),
        (
            |observation| {
                let Reading::Read(scale) = &observation.scale else {
                    return;
                };
                observation.other_hpas.push(Arc::new(OtherHpa {
                    name: "too".to_owned(),
                    selector: scale.selector.clone(),
                }));
            },
            "next possible change: after only one HPA selects these pods",
        ),
    ];
    for (alter, output) in cases {
        let mut state = incidents();
        let hpa = state.hpas.get_mut(&key("api")).unwrap();
        let mut input = SyncInput {
            observation: hpa.latest.assessment.observation.clone(),
            context: hpa.latest.assessment.context.clone(),
            memory: None,
            now: hpa.seen_at,
        };
        alter(&mut input.observation);
        hpa.latest.assessment = Assessment::new(input);
        let terminal = DrawnScreen::new(state, 120, 40);
        terminal.assert_has(output);
        terminal.assert_lacks("if the metrics change");
    }
}

#[test]
fn two_hundred_hpas_scroll_and_keep_the_chosen_one_in_sight() {
    let one = incidents();
    let (_, hpa) = one.hpas.first_key_value().unwrap();
    let mut state = State::default();
    for index in 0..200 {
        let mut hpa = hpa.clone();
        hpa.alarms.clear();
        let key = HpaKey {
            namespace: format!("team-{}", index % 7),
            name: format!("service-{index:03}"),
        };
        state.hpas.insert(key, hpa);
    }
    let mut terminal = DrawnScreen::new(state, 80, 24);
    terminal.assert_has("200 HPAs");
    terminal.assert_has("team-0/service-000");
    terminal.press(KeyCode::End);
    assert!(
        terminal.lines_with("▸")[0].contains("team-6/service-195"),
        "{}",
        terminal.text()
    );
    terminal.press(KeyCode::PageUp);
    terminal.press(KeyCode::Up);
    assert!(
        terminal.lines_with("▸")[0].contains("team-6/service-"),
        "{}",
        terminal.text()
    );
    terminal.write("/team-3 -17");
    terminal.assert_has("2 of 200 HPAs");
    terminal.assert_has("service-178");
    terminal.press(KeyCode::Enter);
}

#[test]
fn long_names_and_hostile_texts_are_cut_and_cleaned() {
    let mut state = incidents();
    let mut hpa = state.hpas.remove(&key("api")).unwrap();
    let bad = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}x\u{0}\u{9b}31m";
    hpa.latest.assessment.context.events.push(KubeEvent {
        event_type: "Warning".to_owned(),
        reason: format!("Bad{bad}"),
        message: format!("line\nbreak {bad}{}", "木".repeat(300)),
        count: 7,
        first: Some(at(-10)),
        last: Some(at(-5)),
    });
    hpa.alarms.push(Alarm {
        kind: AlarmKind::InvalidMetric,
        since: at(-60),
        text: format!("cpu {bad}"),
        subject: bad.to_owned(),
        cause: None,
    });
    let long = HpaKey {
        namespace: "n".repeat(63),
        name: format!("{}-end", "a".repeat(249)),
    };
    hpa.latest.hpa = long.clone();
    hpa.latest.assessment.observation.hpa.spec.scale_target.name =
        format!("{bad}{}", "b".repeat(253));
    state.hpas.insert(long, hpa);
    for (width, height) in [(80, 24), (200, 50), (60, 20), (40, 10)] {
        let mut terminal = DrawnScreen::new(state.clone(), width, height);
        assert!(
            terminal.lines_with("▸")[0].contains("-end"),
            "{}",
            terminal.text()
        );
        terminal.write("e");
        let page = terminal.text();
        terminal.press(KeyCode::Esc);
        for text in [page, terminal.text()] {
            assert!(!text.contains(is_unsafe), "{text:?}");
            assert!(!text.contains("owned"), "{text}");
        }
    }
}

#[test]
fn zero_replicas_and_unknown_values_have_a_look_of_their_own() {
    let mut state = with_past(incidents(), "api");
    let hpa = state.hpas.get_mut(&key("api")).unwrap();
    hpa.alarms.clear();
    let mut entry = hpa.history.last().unwrap().clone();
    entry.id += 1;
    entry.at = at(-5);
    entry.action = Action::Unknown;
    entry.rule = Rule::InputsNotReadable;
    (entry.current, entry.desired, entry.proposal) = (None, None, None);
    (entry.stabilized, entry.limits) = (None, None);
    entry.pods = hpa_watch::PodCounts::default();
    for metric in &mut entry.metrics {
        metric.ratio = None;
        metric.value = None;
        metric.target = None;
        metric.tolerance = None;
    }
    hpa.history.push(entry.clone(), 1_000);
    let mut terminal = DrawnScreen::new(state, 80, 24);
    terminal.write("/api");
    assert!(
        terminal.lines_with("▸")[0].contains("? api"),
        "{}",
        terminal.text()
    );
    assert!(
        terminal.lines_with("▸")[0].contains("cpu ?/?"),
        "{}",
        terminal.text()
    );
    terminal.assert_has("pods  none match the selector");
    let hpa = terminal.state.hpas.get_mut(&key("api")).unwrap();
    entry.id += 1;
    entry.at = at(-4);
    entry.action = Action::Disabled;
    (entry.current, entry.desired) = (Some(0), Some(0));
    (entry.min, entry.max) = (0, 0);
    hpa.history.push(entry, 1_000);
    terminal.draw();
    assert!(
        terminal.lines_with("▸")[0].contains("0 api"),
        "{}",
        terminal.text()
    );
    terminal.assert_has("desired 0");
}

/// Whether a letter of the screen's text, other than line ends, would control a terminal.
fn is_unsafe(letter: char) -> bool {
    letter != '\n' && sanitize::is_unsafe(letter)
}

#[derive(Clone, Debug)]
enum Step {
    Input(Input),
    Size(u16, u16),
    Time(i64),
    Deleted(usize),
    Page(String),
    Filled,
}

fn steps() -> impl Strategy<Value = Step> {
    let letters = "qjkgG/sSeEmMwW?!nNaAdD[]{}<>,.0+-= r\u{301}木xé\u{200b}\u{1b}";
    let letters: Vec<char> = letters.chars().collect();
    let codes = prop_oneof![
        4 => proptest::sample::select(letters).prop_map(KeyCode::Char),
        2 => proptest::sample::select(vec![
            KeyCode::Esc, KeyCode::Enter, KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right,
            KeyCode::PageUp, KeyCode::PageDown, KeyCode::Home, KeyCode::End, KeyCode::Tab,
            KeyCode::BackTab, KeyCode::Backspace, KeyCode::Delete, KeyCode::F(1), KeyCode::Insert,
        ]),
    ];
    let modifiers = prop_oneof![
        8 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::SHIFT),
        1 => Just(KeyModifiers::CONTROL),
    ];
    let keys = (codes, modifiers)
        .prop_map(|(code, modifiers)| Step::Input(Input::Key(KeyEvent::new(code, modifiers))));
    let kinds = proptest::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::Moved,
    ]);
    let mice = (kinds, 0..220_u16, 0..70_u16).prop_map(|(kind, column, row)| {
        Step::Input(Input::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    });
    prop_oneof![
        8 => keys,
        3 => mice,
        1 => (0..220_u16, 0..70_u16).prop_map(|(width, height)| Step::Size(width, height)),
        1 => (-100_000..100_000_i64).prop_map(Step::Time),
        1 => (0..4_usize).prop_map(Step::Deleted),
        1 => ".{0,80}".prop_map(|text| Step::Input(Input::Paste(text))),
        1 => "[ -~\u{1b}\\[m木\n]{0,200}".prop_map(Step::Page),
        1 => Just(Step::Filled),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn after_any_inputs_and_sizes_the_screen_is_clean_and_can_be_left(
        steps in proptest::collection::vec(steps(), 1..50),
        is_replay in any::<bool>(),
        has_unicode in any::<bool>(),
    ) {
        let options = ScreenOptions {
            mode: if is_replay { Mode::Replay } else { Mode::Live },
            has_unicode,
            ..options()
        };
        let filled = with_past(incidents(), "api");
        let mut terminal = DrawnScreen::with(options, filled.clone(), 80, 24);
        if is_replay {
            terminal.screen.show_playback(playback());
        }
        for step in steps {
            match step {
                Step::Input(input) => {
                    if let Some(ScreenRequest::Page { hpa, .. }) = terminal.input(&input) {
                        prop_assert!(terminal.state.hpas.contains_key(&hpa), "{hpa} is gone");
                    }
                }
                Step::Size(width, height) => drop(terminal.resize(width, height)),
                Step::Time(seconds) => terminal.now = at(seconds),
                Step::Page(page) => terminal.show_page(&page),
                Step::Filled => terminal.state = filled.clone(),
                Step::Deleted(index) => {
                    let hpa = terminal.state.hpas.keys().nth(index).cloned();
                    if let Some(hpa) = hpa {
                        reduce(&mut terminal.state, Event::Deleted { hpa }, terminal.now);
                        reduce(&mut terminal.state, Event::Tick, at(7_200));
                    }
                }
            }
            terminal.draw();
            let drawn = terminal.text();
            prop_assert!(!drawn.contains(is_unsafe), "{drawn:?}");
            terminal.draw();
            prop_assert_eq!(terminal.text(), drawn);
        }
        // A line of input is closed first, then a page.
        terminal.press(KeyCode::Esc);
        terminal.press(KeyCode::Esc);
        prop_assert_eq!(terminal.press(KeyCode::Char('q')), Some(ScreenRequest::Quit));
    }
}
