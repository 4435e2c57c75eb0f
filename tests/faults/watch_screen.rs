//! `watch` on a full screen, and what it leaves behind: the recording and the terminal.

use std::fs;

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use crate::{plugin::Plugin, pty::Terminal, watch::server};

const SIZE: (u16, u16) = (120, 40);

/// `watch` of a controller that syncs in this period, recorded; `before` is what the shell does first.
fn watch(plugin: &Plugin, period: &str, before: &str) -> Terminal {
    let wanted = plugin.command(&["watch", "web", "--record=incident.jsonl"]);
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", &format!("{before} exec \"$0\" \"$@\"")]);
    command.arg(wanted.get_program());
    command.args(wanted.get_args());
    command.arg(format!("--assume-sync-period={period}"));
    command.env_clear();
    command.env("HOME", plugin.path(""));
    command.cwd(plugin.path(""));
    let terminal = Terminal::start(SIZE, command);
    terminal.shows("shop/web → Deployment/web");
    terminal
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

/// No disk needs to be full: a file that must not grow is the same to a program that writes it.
#[test]
fn recording_that_finds_no_room_leaves_screen_and_terminal_as_they_are() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut terminal = watch(&plugin, "1s", "trap '' XFSZ; ulimit -f 1;");
    terminal.shows("NOTHING IS RECORDED ANY MORE");
    terminal.press("q");
    terminal.ends_with(2);
    let text = terminal.text();
    assert!(text.contains("could not be written"), "{text}");
}
