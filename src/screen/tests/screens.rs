//! Whole screens at several sizes, and what color says.

use crossterm::event::KeyCode;
use hpa_engine::model::Source;
use hpa_render::{style::Role, styled::StyledText};
use hpa_watch::{Event, State, reduce};
use hpa_words::sanitize;
use ratatui::style::{Color, Modifier};

use super::support::{DrawnScreen, at, incidents, key, options, playback, with_past};
use crate::screen::{
    Mode, ScreenOptions,
    palette::{Palette, ScreenRole},
};

#[test]
fn eighty_by_twenty_four_has_everything_essential() {
    let drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    insta::assert_snapshot!(drawn.text());
    assert_eq!(drawn.text().lines().count(), 24);
}

#[test]
fn more_room_gives_higher_charts_and_more_words() {
    let drawn = DrawnScreen::new(with_past(incidents(), "api"), 120, 40);
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn wide_screens_are_used_side_by_side() {
    let drawn = DrawnScreen::new(with_past(incidents(), "api"), 200, 50);
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn less_room_keeps_table_and_words_before_charts() {
    let drawn = DrawnScreen::new(with_past(incidents(), "api"), 60, 20);
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn terminals_without_unicode_get_ascii() {
    let plain = ScreenOptions {
        has_color: false,
        has_unicode: false,
        ..options()
    };
    let drawn = DrawnScreen::with(plain, with_past(incidents(), "api"), 80, 24);
    assert!(drawn.text().is_ascii(), "{}", drawn.text());
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn replays_have_a_line_of_time_with_what_happened() {
    let replay = ScreenOptions {
        mode: Mode::Replay,
        title: "incident.jsonl.zst".to_owned(),
        ..options()
    };
    let mut drawn = DrawnScreen::with(replay, with_past(incidents(), "api"), 80, 24);
    drawn.screen.show_playback(playback());
    drawn.now = at(-450);
    drawn.draw();
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn past_syncs_are_marked_as_such_everywhere() {
    let mut drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    for _ in 0..40 {
        drawn.press(KeyCode::Left);
    }
    insta::assert_snapshot!(drawn.text());
    let style = drawn.style_of("PAST");
    assert_eq!(
        (style.fg, style.bg),
        (Some(Color::Black), Some(Color::Yellow))
    );
}

#[test]
fn colors_are_blue_and_yellow_and_repeat_what_marks_say() {
    let mut drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    let badge = drawn.style_of("!1");
    assert_eq!((badge.fg, badge.bg), (Some(Color::White), Some(Color::Red)));
    assert_eq!(drawn.style_of("█").fg, Some(Color::Blue));
    assert_eq!(drawn.style_of("•").fg, Some(Color::Yellow));
    assert_eq!(drawn.style_of("▲").fg, Some(Color::LightBlue));
    assert_eq!(drawn.style_of("✗").fg, Some(Color::LightRed));
    // Neither red against green nor any color that a theme does not define.
    drawn.press(KeyCode::Char('?'));
    for cell in drawn.buffer().content() {
        for color in [cell.fg, cell.bg] {
            assert!(
                !matches!(
                    color,
                    Color::Green | Color::LightGreen | Color::Rgb(..) | Color::Indexed(_)
                ),
                "{color}"
            );
        }
    }
}

#[test]
fn without_color_nothing_is_colored_and_badges_are_reversed() {
    let plain = ScreenOptions {
        has_color: false,
        ..options()
    };
    let mut drawn = DrawnScreen::with(plain, with_past(incidents(), "api"), 120, 40);
    let colorless = |drawn: &DrawnScreen| {
        let mut cells = drawn.buffer().content().iter();
        cells.all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
    };
    assert!(colorless(&drawn));
    let badge = drawn.style_of("! unmet-demand since");
    assert!(
        badge
            .add_modifier
            .contains(Modifier::REVERSED | Modifier::BOLD)
    );
    drawn.press(KeyCode::Left);
    assert!(drawn.style_of("PAST").add_modifier.contains(Modifier::BOLD));
    let mut page = StyledText::default();
    page.push_line(Role::Error, "an error");
    drawn.screen.show_page(&page);
    drawn.draw();
    drawn.assert_has("an error");
    assert!(colorless(&drawn));
}

#[test]
fn what_a_piece_of_a_page_is_keeps_its_color_on_the_screen() {
    let mut drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    let roles = [
        (Role::Good, ScreenRole::Good, "a-good-piece"),
        (Role::Warning, ScreenRole::Warning, "a-warning-piece"),
        (Role::Strong, ScreenRole::Strong, "a-strong-piece"),
        (Role::Dim, ScreenRole::Dim, "a-dim-piece"),
    ];
    let mut page = StyledText::default();
    for (role, _, piece) in roles {
        page.push_line(role, piece);
    }
    drawn.screen.show_page(&page);
    drawn.draw();
    for (_, role, piece) in roles {
        let (actual, own) = (drawn.style_of(piece), Palette { has_color: true }.of(role));
        assert_eq!(actual.fg, own.fg.or(Some(Color::Reset)), "{piece}");
        assert_eq!(actual.add_modifier, own.add_modifier, "{piece}");
    }
}

#[test]
fn nothing_in_a_page_steers_the_terminal() {
    let mut drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    drawn.show_page("clean a\u{1b}[2Jb\u{1b}]0;title\u{7}c\u{202e}d\u{1b}[");
    drawn.draw();
    drawn.assert_has("clean a");
    let is_unsafe = |letter: char| letter != '\n' && sanitize::is_unsafe(letter);
    assert!(!drawn.text().contains(is_unsafe), "{:?}", drawn.text());
}

#[test]
fn failures_and_the_age_of_the_memory_are_reported() {
    let mut state = incidents();
    let failing = |state: &mut State, resource: &str| {
        let source = Source::Watch {
            resource: resource.to_owned(),
        };
        let why = "connection refused".to_owned();
        reduce(
            state,
            Event::Failing {
                source,
                why,
                fresh_until: Some(at(-60)),
            },
            at(-60),
        );
    };
    failing(&mut state, "pods");
    failing(&mut state, "events");
    let mut drawn = DrawnScreen::new(state, 120, 40);
    drawn.assert_has("! events cannot be read since 11:31:50 (+1): connection refused");
    drawn.state = incidents();
    drawn.draw();
    drawn.assert_has("all is read · synced 19 s ago · history inferred");
    drawn.now = at(60);
    drawn.draw();
    drawn.assert_has("! not synced for 79 s");
}

#[test]
fn lost_connection_is_reported_first_and_everything_else_is_faint_and_stays_as_it_was() {
    let mut state = incidents();
    let source = Source::Server;
    let failing = Event::Failing {
        source: source.clone(),
        why: "no answer within 10 s".to_owned(),
        fresh_until: Some(at(-43)),
    };
    reduce(&mut state, failing, at(-30));
    let mut drawn = DrawnScreen::new(state.clone(), 80, 24);
    insta::assert_snapshot!(drawn.text());
    assert!(drawn.style_of("STAYS").add_modifier.contains(Modifier::DIM));
    drawn.state = state;
    reduce(&mut drawn.state, Event::Recovered { source }, at(0));
    drawn.draw();
    drawn.assert_has("all is read");
}

#[test]
fn reason_of_a_failed_metric_gets_the_room_beside_its_name() {
    let mut drawn = DrawnScreen::new(incidents(), 80, 24);
    drawn.press(KeyCode::Down);
    drawn.assert_has("cpu  ✗ missing request for cpu in con…");
}

#[test]
fn verdict_of_a_past_sync_is_computed_once() {
    let mut drawn = DrawnScreen::new(incidents(), 80, 24);
    let requested = |drawn: &mut DrawnScreen| drawn.screen.wants_words(&drawn.state, drawn.now);
    assert_eq!(requested(&mut drawn), None);
    drawn.press(KeyCode::Left);
    let (hpa, at) = requested(&mut drawn).unwrap();
    assert_eq!(hpa, key("api"));
    // It cannot be explained any more: the known numbers are shown instead.
    drawn.screen.show_words(hpa, at, None);
    drawn.draw();
    drawn.assert_has("As seen at");
    assert_eq!(requested(&mut drawn), None);
    drawn.press(KeyCode::Left);
    assert!(requested(&mut drawn).is_some());
}
