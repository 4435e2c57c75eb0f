//! The full screen in its own terminal: what a user sees, types and clicks, and the state of the terminal afterwards.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "test code")]

mod block;
mod documented;
mod endings;
mod pager;
mod replay;
mod terminal;
mod transcripts;

use terminal::{Terminal, key};

#[test]
fn page_in_a_terminal_is_seen_whole_and_leaves_the_terminal_as_it_was() {
    let mut terminal = Terminal::plugin(
        (100, 60),
        ["explain", "-f", "examples/not-ready-pods.jsonl"],
    );
    terminal.shows("shop/web → Deployment/web");
    terminal.ends_with(0);
}

#[test]
fn keys_reach_the_program() {
    let script = "read -r line; printf 'got %s.\\n' \"$line\"; read -r line";
    let mut terminal = Terminal::run((80, 24), "sh", ["-c", script]);
    terminal.press("abc");
    terminal.press(key::ENTER);
    terminal.shows("got abc.");
    terminal.signal("TERM");
    assert!(!terminal.ends().success());
}
