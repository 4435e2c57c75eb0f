//! The screens of `docs/watch.md` are what the program shows.
//!
//! `UPDATE_GENERATED=1 cargo test --test screen documented` rewrites them.

use std::{env, thread, time::Duration};

use crate::{
    block,
    terminal::{Terminal, key, text_of},
};

#[test]
fn screens_of_the_page_are_true() {
    let program = env!("CARGO_BIN_EXE_kubectl-hpa");
    let script = format!("cat examples/*.jsonl | '{program}' replay - --tui");
    let mut terminal = Terminal::run((100, 32), "sh", ["-c", &script]);
    // Rows move until everything is read, so an earlier key would select another HPA.
    terminal.shows("! 5 alarms");
    terminal.shows("4 min of 4 min");
    // The second HPA has more to show.
    terminal.press("j");
    terminal.shows("api/api → Deployment/api");
    check(&terminal, "overview");
    terminal.press(key::ENTER);
    check(&terminal, "page of one HPA");
    terminal.press(key::ESCAPE);
    terminal.shows_no("as seen at");
    terminal.press("e");
    check(&terminal, "alarms and events");
    terminal.press(key::ESCAPE);
    terminal.shows_no("alarms of");
    terminal.press("NN");
    check(&terminal, "a time in the past");
    terminal.resize((100, 66));
    // A key that arrives together with a resize is only read with the next key: crossterm forgets that it is pending.
    terminal.eventually("the screen in its new size", |screen| {
        let text = text_of(screen);
        let last = text.lines().nth(65)?;
        last.starts_with("? help").then_some(())
    });
    terminal.press("?");
    check(&terminal, "help");
    terminal.press(key::ESCAPE);
    terminal.shows("q quit");
    terminal.press("q");
    terminal.ends();
}

/// Waits until the screen is the page's, or writes it into the page.
#[track_caller]
fn check(terminal: &Terminal, name: &str) {
    if env::var_os("UPDATE_GENERATED").is_some() {
        // A test cannot tell that a screen is complete; check what it has written.
        thread::sleep(Duration::from_secs(5));
        block::check(name, &terminal.text());
        return;
    }
    let expected = block::written(name);
    terminal.eventually(&format!("the {name} of docs/watch.md"), |screen| {
        (text_of(screen) == expected).then_some(())
    });
}
