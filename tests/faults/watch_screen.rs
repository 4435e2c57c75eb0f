//! `watch` on a full screen, and its effects: the recording and the terminal.

use std::fs;

use portable_pty::CommandBuilder;
use regex::Regex;
use serde_json::{Value, json};

use crate::{
    hostile_texts::hostile_server,
    plugin::Plugin,
    pty::{Terminal, key},
    watch::server,
};

const SIZE: (u16, u16) = (120, 40);

/// A recorded `watch` of a controller with this sync period; the shell runs `before` first.
fn watch(plugin: &Plugin, period: &str, before: &str) -> Terminal {
    let period = format!("--assume-sync-period={period}");
    let words = ["watch", "web", "--record=incident.jsonl", &period];
    let terminal = screen(plugin, &words, before);
    terminal.shows("shop/web → Deployment/web");
    terminal
}

/// The plugin on a full screen; the shell runs `before` first.
pub(crate) fn screen(plugin: &Plugin, words: &[&str], before: &str) -> Terminal {
    let expected = plugin.command(words);
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", &format!("{before} exec \"$0\" \"$@\"")]);
    command.arg(expected.get_program());
    command.args(expected.get_args());
    command.env_clear();
    command.env("HOME", plugin.path(""));
    command.cwd(plugin.path(""));
    Terminal::start(SIZE, command)
}

#[test]
fn mark_after_the_last_sync_is_in_the_recording() {
    let server = server();
    let plugin = Plugin::of(&server);
    // No sync comes any more.
    let mut terminal = watch(&plugin, "1h", "");
    terminal.press("m");
    terminal.press("it is over\r");
    terminal.shows("marked, in the recording as well");
    terminal.press("q");
    terminal.ends_with(0);
    let recorded = fs::read_to_string(plugin.path("incident.jsonl")).unwrap();
    let last: Value = serde_json::from_str(recorded.lines().next_back().unwrap()).unwrap();
    assert_eq!(last["notes"][0]["text"], json!("it is over"), "{last}");
    let run = plugin.run(&["replay", "incident.jsonl"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// A full disk is not needed: for the writing program, a file size limit has the same effect.
#[test]
fn recording_that_finds_no_room_leaves_screen_and_terminal_as_they_are() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut terminal = watch(&plugin, "1s", "ulimit -f 1;");
    terminal.shows("RECORDING STOPPED");
    terminal.press("q");
    terminal.ends_with(2);
    let text = terminal.text();
    assert!(text.contains("could not be written"), "{text}");
}

/// The output contains the screen's own control sequences and none from a cluster, on every page.
#[test]
fn no_text_of_a_cluster_steers_the_full_screen() {
    let server = hostile_server();
    let plugin = Plugin::of(&server);
    let words = [
        "watch",
        "--assume-sync-period=1s",
        "--record=incident.jsonl",
    ];
    let mut terminal = screen(&plugin, &words, "");
    terminal.shows("STAYS AT 2");
    terminal.press(key::TAB);
    for (page, displayed) in [
        (key::ENTER, "as seen at"),
        ("e", "alarms of"),
        ("?", "Esc back"),
    ] {
        terminal.press(page);
        terminal.shows(displayed);
        terminal.press(key::END);
        terminal.press("q");
        terminal.shows("Enter explain");
    }
    terminal.press("q");
    terminal.ends_with(0);
    let sent = String::from_utf8(terminal.bytes()).unwrap();
    assert!(
        sent.contains("script"),
        "nothing of what was planted was shown"
    );
    let ours = Regex::new("\u{1b}(\\[[0-9;?]*[ABCDGHJKdhlmnsu]|[78=>])").unwrap();
    let colors = Regex::new("\u{1b}\\[[0-9;]*35;99m").unwrap();
    assert!(!colors.is_match(&sent), "a color of the cluster's");
    let rest = ours.replace_all(&sent, "");
    let is_harmful = |letter: char| {
        letter.is_control() && !matches!(letter, '\r' | '\n')
            || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(at) = rest.find(is_harmful) {
        let after: String = rest[at..].chars().take(40).collect();
        panic!("{after:?}");
    }
}
