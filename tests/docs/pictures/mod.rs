//! The pictures of the documentation show what the program shows in a terminal.
//!
//! `docs/pictures/make.sh` takes them again.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "test code")]

mod architecture;
mod svg;
#[path = "../../screen/terminal.rs"]
mod terminal;

use std::{
    env, fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use portable_pty::CommandBuilder;
use terminal::{Terminal, text_of};
use vt100::Screen;

/// Columns and rows of the full screen: as much as fits the width of a page.
const SIZE: (u16, u16) = (110, 34);

#[test]
fn picture_of_explain_is_up_to_date() {
    let arguments = ["explain", "-f", "examples/not-ready-pods.jsonl"];
    check("explain", &printed((80, 60), &arguments));
}

#[test]
fn picture_of_lint_is_up_to_date() {
    let arguments = [
        "lint",
        "-f",
        "examples/lint/web.yaml",
        "--select",
        "HPA101,HPA202",
    ];
    check("lint", &printed((80, 60), &arguments));
}

/// The first two minutes of the recorded incidents, as one recording, on the screen of `watch`.
#[test]
fn picture_of_watch_is_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = INCIDENTS
        .iter()
        .flat_map(|name| {
            let text = fs::read_to_string(format!("examples/{name}.jsonl")).unwrap();
            let lines: Vec<_> = text.lines().map(|line| format!("{line}\n")).collect();
            lines
        })
        .filter(|line| time_of(line).as_str() < END)
        .collect();
    fs::write(folder.path().join("incidents.jsonl"), lines.concat()).unwrap();
    let arguments = ["replay", "--tui", "incidents.jsonl"];
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(arguments);
    command.cwd(folder.path());
    let mut terminal = Terminal::start(SIZE, command);
    terminal.eventually("all incidents", |screen| {
        let text = text_of(screen);
        let first = text.lines().next()?;
        (first.contains("4 HPAs") && first.contains(END)).then_some(())
    });
    terminal.click_on("api");
    let displayed = |screen: &Screen| {
        let is_displayed = text_of(screen).contains("api/api → Deployment/api");
        is_displayed.then(|| picture_of(screen, &arguments))
    };
    if is_update() {
        terminal.eventually("the incident of the picture", displayed);
        // A drawing arrives in pieces; the test waits for the whole of it, which it knows.
        thread::sleep(Duration::from_secs(3));
        check(
            "watch",
            &terminal.eventually("the whole picture", displayed),
        );
    } else {
        let file = file_of("watch");
        terminal.eventually(
            "the screen of docs/pictures/watch.svg (docs/pictures/make.sh takes it anew)",
            |screen| displayed(screen).filter(|picture| *picture == file),
        );
    }
    terminal.press("q");
    terminal.ends_with(0);
}

/// Incidents of `examples`, recorded side by side.
const INCIDENTS: [&str; 4] = [
    "broken-metric",
    "held-by-window",
    "more-than-max",
    "not-ready-pods",
];

/// When the first of them ends. The screen shows the time rounded.
const END: &str = "11:31:30";

/// The time of day of a snapshot.
fn time_of(line: &str) -> String {
    let snapshot: serde_json::Value = serde_json::from_str(line).unwrap();
    snapshot["time"].as_str().unwrap()[11..19].to_owned()
}

/// The picture of a command's output.
fn printed(size: (u16, u16), arguments: &[&str]) -> String {
    let mut terminal = Terminal::plugin(size, arguments);
    terminal.ends();
    terminal.eventually("the end", |screen| Some(picture_of(screen, arguments)))
}

fn picture_of(screen: &Screen, arguments: &[&str]) -> String {
    svg::picture(screen, &format!("kubectl hpa {}", arguments.join(" ")))
}

/// Compares a picture with its file, or writes it if requested.
#[track_caller]
pub(crate) fn check(name: &str, picture: &str) {
    if is_update() {
        fs::write(path_of(name), picture).unwrap();
        return;
    }
    assert!(
        file_of(name) == picture,
        "docs/pictures/{name}.svg is out of date: run docs/pictures/make.sh"
    );
}

fn is_update() -> bool {
    env::var_os("UPDATE_GENERATED").is_some()
}

fn file_of(name: &str) -> String {
    fs::read_to_string(path_of(name)).unwrap_or_default()
}

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/pictures/{name}.svg"))
}
