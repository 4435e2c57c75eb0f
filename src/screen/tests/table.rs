//! The table: how much of it is visible, its content, and its keys.

use crossterm::event::KeyCode;
use hpa_engine::model::HpaKey;
use hpa_watch::State;
use ratatui::style::Color;

use super::support::{DrawnScreen, incidents, key, options, with_past};
use crate::screen::{ScreenOptions, ScreenRequest};

/// This many calm HPAs in two namespaces, with those of [`incidents`] among them.
pub(super) fn crowd(calm: usize) -> State {
    let mut state = incidents();
    let mut hpa = state.hpas[&key("web")].clone();
    hpa.alarms.clear();
    for index in 0..calm {
        let namespace = if index % 2 == 0 { "batch" } else { "shop" };
        let key = HpaKey {
            namespace: namespace.to_owned(),
            name: format!("calm-{index:02}"),
        };
        state.hpas.insert(key, hpa.clone());
    }
    state
}

/// The visible rows of the table.
fn rows(drawn: &DrawnScreen) -> Vec<String> {
    let is_row = |line: &&str| {
        let name: String = line.chars().skip(4).collect();
        name.starts_with("shop/") || name.starts_with("batch/")
    };
    let text = drawn.text();
    text.lines().filter(is_row).map(str::to_owned).collect()
}

#[test]
fn table_comes_first_with_ten_rows_and_counts_what_is_not_seen() {
    let mut drawn = DrawnScreen::new(crowd(12), 80, 24);
    assert_eq!(rows(&drawn).len(), 10, "{}", drawn.text());
    drawn.assert_has("1-10 of 16 ↓");
    drawn.assert_lacks("urgent below");
    drawn.press(KeyCode::End);
    drawn.assert_has("7-16 of 16 ↑");
    drawn.assert_has("urgent above");
    drawn.write("t");
    drawn.assert_has("table alone");
    assert_eq!(rows(&drawn).len(), 13, "{}", drawn.text());
    drawn.assert_has("4-16 of 16 ↑");
    drawn.write("t");
    drawn.assert_has("charts first");
    drawn.assert_has("replicas  ━ desired");
    assert!(rows(&drawn).len() < 10, "{}", drawn.text());
    drawn.write("t");
    assert_eq!(rows(&drawn).len(), 10);
    insta::assert_snapshot!(drawn.text());
}

#[test]
fn rows_say_the_answer_in_words_and_their_past_in_a_line_if_there_is_room() {
    let mut drawn = DrawnScreen::new(with_past(incidents(), "api"), 80, 24);
    drawn.assert_has("answer");
    drawn.assert_lacks("max-replicas");
    drawn.assert_lacks("▂▂▂▂");
    drawn.resize(120, 40);
    drawn.assert_has("min-max");
    assert!(
        drawn.lines_with("▸")[0].contains("▂▂▃████"),
        "{}",
        drawn.text()
    );
}

#[test]
fn red_is_what_cannot_scale_or_lacks_pods() {
    let drawn = DrawnScreen::new(incidents(), 80, 24);
    assert_eq!(drawn.style_of("at max").fg, Some(Color::LightRed));
    assert_eq!(drawn.style_of("! unmet-demand").bg, Some(Color::Red));
}

#[test]
fn title_of_the_column_that_sorts_has_a_mark_and_namespaces_can_stay_together() {
    let mut drawn = DrawnScreen::new(crowd(12), 80, 24);
    drawn.assert_has("!▾");
    drawn.write("sS");
    drawn.assert_has("HPA▴");
    drawn.write("Ss");
    drawn.assert_has("replicas▾");
    drawn.write("o");
    drawn.assert_has("in groups by namespace");
    drawn.write("t");
    let text = drawn.text();
    let places: Vec<usize> = ["batch/", "shop/"]
        .iter()
        .map(|namespace| text.matches(namespace).count())
        .collect();
    // The first row of each group has its namespace, and so has the verdict.
    assert_eq!(places, [1, 2], "{text}");
}

#[test]
fn key_goes_to_the_next_alarm_of_any_hpa() {
    let mut drawn = DrawnScreen::new(crowd(12), 80, 24);
    let chosen = |drawn: &DrawnScreen| drawn.lines_with("▸")[0].clone();
    drawn.press(KeyCode::End);
    drawn.write("!");
    assert!(chosen(&drawn).contains("shop/api"), "{}", drawn.text());
    drawn.write("!");
    let second = chosen(&drawn);
    assert!(
        !second.contains("shop/api") && second.contains('!'),
        "{second}"
    );
}

#[test]
fn reasons_of_pods_that_are_not_ready_are_one_key_away() {
    let mut drawn = DrawnScreen::new(incidents(), 80, 24);
    drawn.write("p");
    drawn.assert_has("pods of shop/api that are not ready");
    drawn.assert_has("not scheduled");
    drawn.assert_has("Insufficient cpu");
}

#[test]
fn answer_is_copied_as_one_paragraph_without_what_could_steer_a_terminal() {
    let mut drawn = DrawnScreen::with(
        ScreenOptions {
            has_unicode: false,
            ..options()
        },
        incidents(),
        80,
        24,
    );
    // Also with the table alone.
    let Some(ScreenRequest::Copy { text }) = drawn.write("jkty") else {
        panic!("nothing is copied");
    };
    assert!(
        text.starts_with("shop/api -> Deployment/api: STAYS AT 20"),
        "{text}"
    );
    assert!(text.contains("CPU is at"), "{text}");
    assert!(text.contains("! at max 20"), "{text}");
    assert!(!text.contains('\n'), "{text}");
}
