//! `kubectl hpa replay --tui` on recorded incidents.

use std::{fs, path::Path};

use crate::terminal::{Terminal, key, text_of};

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 50);

fn replay(size: (u16, u16), file: &str) -> Terminal {
    Terminal::plugin(size, ["replay", "--tui", file])
}

/// The position in the screen's first line.
fn position(terminal: &Terminal, time: &str) {
    terminal.eventually(&format!("the position {time}"), |screen| {
        let text = text_of(screen);
        text.lines()
            .next()
            .is_some_and(|line| line.contains(time))
            .then_some(())
    });
}

#[test]
fn incident_is_shown_as_it_stood_at_its_end_and_the_terminal_is_left_as_it_was() {
    for size in [SMALL, LARGE] {
        let mut terminal = replay(size, "examples/broken-metric.jsonl");
        position(&terminal, "11:32:31");
        let text = terminal.shows("CANNOT SCALE DOWN, stays at 6");
        assert!(text.contains("mail/worker → Deployment/worker"), "{text}");
        assert!(text.contains("CPU cannot be computed"), "{text}");
        let (columns, rows) = size;
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() <= usize::from(rows), "{text}");
        assert!(lines.last().unwrap().contains("q quit"), "{text}");
        let longest = lines.iter().map(|line| line.chars().count()).max();
        assert!(longest <= Some(usize::from(columns)), "{text}");
        terminal.press("q");
        terminal.ends_with(0);
    }
}

#[test]
fn time_goes_back_and_forth_by_steps_jumps_and_by_playing() {
    let mut terminal = replay(LARGE, "examples/more-than-max.jsonl");
    let at = |line: usize| {
        let text = fs::read_to_string("examples/more-than-max.jsonl").unwrap();
        let line: serde_json::Value =
            serde_json::from_str(text.lines().nth(line).unwrap()).unwrap();
        line["time"].as_str().unwrap()[11..19].to_owned()
    };
    position(&terminal, &at(12));
    terminal.press(key::LEFT);
    position(&terminal, &at(11));
    terminal.press("0");
    position(&terminal, &at(0));
    terminal.press(key::RIGHT);
    position(&terminal, &at(1));
    // The recording ends at some time, and the screen stays there.
    for _ in 0..10 {
        terminal.press(">");
    }
    terminal.shows("60x");
    terminal.press(" ");
    position(&terminal, &at(12));
    terminal.shows("paused");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn any_sync_is_explained_in_full() {
    let mut terminal = replay(SMALL, "examples/not-ready-pods.jsonl");
    position(&terminal, "11:31:30");
    terminal.press("0");
    position(&terminal, "11:29:30");
    terminal.press(key::ENTER);
    terminal.shows("as seen at 11:29:30");
    terminal.shows("shop/web → Deployment/web");
    terminal.press(key::PAGE_DOWN);
    terminal.press(key::ESCAPE);
    terminal.shows_no("as seen at");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn command_of_a_sync_is_about_that_sync_of_the_recording() {
    let mut terminal = replay(LARGE, "examples/questions/12-slower-than-behavior.jsonl");
    position(&terminal, "23:07:08");
    terminal.press(key::LEFT);
    position(&terminal, "23:07:06");
    terminal.press(key::ENTER);
    terminal.shows("as seen at 23:07:06");
    terminal.shows(
        "kubectl hpa explain web -n feed -f examples/questions/12-slower-than-behavior.jsonl \
         --at 2026-11-21T23:07:06Z --set behavior.scaleUp-",
    );
    terminal.press(key::ESCAPE);
    terminal.shows_no("as seen at");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn several_recordings_are_one_list_and_a_click_chooses() {
    let folder = tempfile::tempdir().unwrap();
    let all = folder.path().join("all.jsonl");
    let files = ["broken-metric", "more-than-max", "not-ready-pods"];
    let texts = files.map(|file| fs::read_to_string(format!("examples/{file}.jsonl")).unwrap());
    fs::write(&all, texts.concat()).unwrap();
    let mut terminal = replay(LARGE, all.to_str().unwrap());
    terminal.shows("3 HPAs");
    for (row, hpa) in [
        ("worker ", "mail/worker → Deployment/worker"),
        ("web ", "shop/web → Deployment/web"),
    ] {
        terminal.click_on(row);
        terminal.shows(hpa);
    }
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn another_size_is_another_drawing() {
    let mut terminal = replay(LARGE, "examples/broken-metric.jsonl");
    terminal.shows("CANNOT SCALE DOWN, stays at 6");
    for size in [SMALL, (120, 30), (40, 10), LARGE] {
        terminal.resize(size);
    }
    // Each line is where the last size puts it, whatever was drawn in between.
    terminal.eventually("the screen in its last size", |screen| {
        let text = text_of(screen);
        let lines: Vec<&str> = text.lines().collect();
        let begins = text.starts_with(" replay · 1 HPA");
        (begins && lines.len() == 50 && lines[49].starts_with("? help")).then_some(())
    });
    terminal.resize(SMALL);
    terminal.eventually("the screen in a small size", |screen| {
        let text = text_of(screen);
        let lines: Vec<&str> = text.lines().collect();
        (lines.len() == 24 && lines[23].starts_with("? help")).then_some(())
    });
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn what_was_seen_is_saved_with_its_marks_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.jsonl.zst");
    let mut terminal = replay(LARGE, "examples/broken-metric.jsonl");
    position(&terminal, "11:32:31");
    terminal.press("m");
    terminal.press("the queue is empty");
    terminal.press(key::ENTER);
    terminal.shows("marked");
    for reported in ["13 snapshots", "exists already"] {
        terminal.press("w");
        terminal.press("\x15");
        terminal.press(saved.to_str().unwrap());
        terminal.press(key::ENTER);
        terminal.shows(reported);
    }
    terminal.press("q");
    terminal.ends_with(0);
    let mut terminal = replay(LARGE, saved.to_str().unwrap());
    position(&terminal, "11:32:31");
    terminal.press("e");
    terminal.shows("the queue is empty");
    terminal.press("e");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn leaving_waits_for_what_is_being_saved() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.jsonl.zst");
    let mut terminal = replay(LARGE, "examples/broken-metric.jsonl");
    position(&terminal, "11:32:31");
    terminal.press("w");
    terminal.shows("save to: ");
    terminal.press("\x15");
    // Both keys together, so that the screen is left before the recording is saved.
    terminal.press(&format!("{}{}q", saved.to_str().unwrap(), key::ENTER));
    terminal.ends_with(0);
    let name: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert!(saved.exists(), "{name:?}");
    assert_eq!(name.len(), 1, "{name:?}");
}

#[test]
fn recording_may_come_through_a_pipe_while_keys_come_from_the_terminal() {
    let program = env!("CARGO_BIN_EXE_kubectl-hpa");
    let script = format!("cat examples/broken-metric.jsonl | '{program}' replay - --tui");
    let mut terminal = Terminal::run(SMALL, "sh", ["-c", &script]);
    terminal.shows("CANNOT SCALE DOWN, stays at 6");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn while_a_recording_is_read_the_screen_shows_it_and_claims_no_end() {
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    let (file, program) = (
        "examples/more-than-max.jsonl",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
    );
    // The rest of the recording, with two rescales, comes when the test says so.
    let script = format!(
        "{{ head -n 3 {file}; until [ -e '{}' ]; do sleep 0.1; done; tail -n +4 {file}; }} | '{program}' replay - --tui",
        go.display()
    );
    let mut terminal = Terminal::run(LARGE, "sh", ["-c", &script]);
    terminal.shows("29 s of 29 s so far");
    for keys in ["n", key::RIGHT] {
        terminal.press(keys);
        terminal.shows("nothing so far: the recording is still being read");
        terminal.press("N");
        terminal.shows("no scaling before");
    }
    fs::write(go, "").unwrap();
    let is_complete = |screen: &_| (!text_of(screen).contains("so far")).then_some(());
    terminal.eventually("a recording that is read to its end", is_complete);
    terminal.press("n");
    position(&terminal, "11:30:35");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn what_cannot_be_shown_is_reported_without_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("empty.jsonl"), "").unwrap();
    fs::write(path("broken.jsonl"), "{\"apiVersion\"\n").unwrap();
    for (name, reported) in [
        ("missing.jsonl", "cannot open"),
        ("empty.jsonl", "has no snapshots"),
        ("broken.jsonl", "line 1"),
    ] {
        let mut terminal = replay((120, 24), &path(name));
        let status = terminal.ends();
        assert_eq!(status.exit_code(), 2, "{name}");
        let text = terminal.text();
        assert!(text.replace('\n', "").contains(reported), "{text}");
        assert!(
            !terminal.bytes().windows(8).any(|it| it == b"\x1b[?1049h"),
            "{name}"
        );
    }
}

#[test]
fn recording_that_breaks_off_is_shown_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read(Path::new("examples/broken-metric.jsonl")).unwrap();
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let mut cut: Vec<u8> = lines.take(5).flatten().copied().collect();
    let path = folder.path().join("cut.jsonl");
    cut.truncate(cut.len() - 100);
    fs::write(&path, &cut).unwrap();
    let mut terminal = replay(LARGE, path.to_str().unwrap());
    terminal.shows("the file ends in the middle of line 5");
    terminal.shows("mail/worker → Deployment/worker");
    terminal.press("q");
    terminal.ends_with(0);
}
