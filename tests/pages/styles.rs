//! The same page in other widths, without color and without Unicode, with more detail, and with hostile texts.

use hpa_testing::World;
use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
};

use flate2::read::MultiGzDecoder;
use hpa_objects::recording::RecordingReader;
use hpa_render::{Style, terminal::PageDetail};
use unicode_width::UnicodeWidthStr as _;

use crate::{
    rules::first_of_every_rule,
    world::{AsPage, web},
};

fn with_unready_pods() -> World {
    web(8)
        .at("10:37:15")
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "85m")
        .never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails")
        .pending(
            "web-8d21",
            "100m",
            "0/6 nodes are available: 6 Insufficient cpu.",
        )
        .remembering(&[(8, "10:36:45"), (8, "10:37:00")])
}

#[test]
fn verbose_page_lists_every_pod_and_every_function() {
    let detail = PageDetail {
        is_wide: false,
        is_verbose: true,
        ..PageDetail::default()
    };
    insta::assert_snapshot!(with_unready_pods().text(detail, Style::plain()));
}

#[test]
fn wide_page_has_every_step_with_its_formula() {
    let detail = PageDetail {
        is_wide: true,
        is_verbose: false,
        ..PageDetail::default()
    };
    insta::assert_snapshot!(with_unready_pods().text(detail, Style::plain()));
}

#[test]
fn broad_terminal_gets_broad_lines() {
    let style = Style::plain().with_width(120);
    insta::assert_snapshot!(with_unready_pods().text(PageDetail::default(), style));
}

/// Whether a line fits, or has only a command or a long word, which stay in one piece.
fn fits(line: &str, width: usize) -> bool {
    let is_long = |word: &str| LONG_WORD < word.width();
    line.width() <= width
        || line.contains("  kubectl ")
        || line.split(' ').next_back().is_some_and(is_long)
}

/// Words of prose are shorter than this.
const LONG_WORD: usize = 24;

#[test]
fn no_line_is_wider_than_the_terminal() {
    for (rule, (_, world)) in first_of_every_rule() {
        for width in [60, 80, 120] {
            let text = world.text(PageDetail::default(), Style::plain().with_width(width));
            for line in text.lines() {
                assert!(fits(line, width), "{} at {width}: {line}", rule.as_str());
            }
        }
    }
}

#[test]
fn locale_without_unicode_gets_ascii() {
    let style = Style {
        has_unicode: false,
        ..Style::plain()
    };
    let detail = PageDetail {
        is_wide: true,
        is_verbose: true,
        ..PageDetail::default()
    };
    for (rule, (_, world)) in first_of_every_rule() {
        let text = world.text(detail, style);
        assert!(text.is_ascii(), "{}: {text}", rule.as_str());
    }
    insta::assert_snapshot!(with_unready_pods().text(PageDetail::default(), style));
}

#[test]
fn color_changes_no_word() {
    let colored = Style {
        has_color: true,
        ..Style::plain()
    };
    for (_, world) in first_of_every_rule().values() {
        let text = world.text(PageDetail::default(), colored);
        assert!(text.contains('\u{1b}'));
        assert_eq!(
            anstream::adapter::strip_str(&text).to_string(),
            world.page()
        );
    }
}

#[test]
fn control_characters_of_the_cluster_never_reach_the_terminal() {
    let evil = "fine \u{1b}]0;owned\u{7}\u{1b}[31m\u{202e}text\r\n\u{9b}2J";
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "96m")
        .pending("web-evil\u{1b}[2J", "100m", evil)
        .refused_write("Forbidden", evil);
    world.observation.hpa.name = "web\u{1b}[1m".to_owned();
    let detail = PageDetail {
        is_wide: true,
        is_verbose: true,
        ..PageDetail::default()
    };
    let text = world.text(detail, Style::plain());
    let bad = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
    assert!(!text.contains(bad), "{text:?}");
}

/// Reconciles of all releases and families, each treated as if it were the only one: no panic, no line too wide, and
/// the recorded decision wherever the controller's memory does not matter.
#[test]
fn any_recorded_reconcile_has_a_page() {
    let mut pages = 0;
    for release in fs::read_dir("tests/conformance").unwrap() {
        let release = release.unwrap().path();
        for family in fs::read_dir(&release).into_iter().flatten() {
            let path = family.unwrap().path();
            let text = BufReader::new(MultiGzDecoder::new(File::open(&path).unwrap()));
            for line in text.lines().step_by(STEP) {
                let line = line.unwrap();
                let mut reader = RecordingReader::new(line.as_bytes());
                let snapshot = reader.next().unwrap().unwrap().snapshot;
                let world = World {
                    observation: snapshot.observation().unwrap(),
                    context: snapshot.context(),
                    memory: None,
                    now: snapshot.time,
                };
                let text = world.page();
                assert!(text.lines().all(|line| fits(line, 80)), "{text}");
                serde_json::to_string(&world.json()).unwrap();
                pages += 1;
            }
        }
    }
    assert!(400 < pages, "{pages}");
}

const STEP: usize = 37;
