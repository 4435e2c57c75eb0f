//! The terminal is as before, however the full screen ends.

use std::{env, io};

use kubectl_hpa::screen::Terminal as FullScreen;
use portable_pty::CommandBuilder;

use crate::terminal::{Terminal, key, text_of};

const SIZE: (u16, u16) = (80, 24);

fn replay() -> Terminal {
    let terminal = Terminal::plugin(SIZE, ["replay", "--tui", "examples/broken-metric.jsonl"]);
    terminal.shows("stays at 6");
    terminal
}

#[test]
fn keys_and_signals_that_end_a_program_end_it_properly() {
    for keys in ["q", key::CTRL_C] {
        let mut terminal = replay();
        terminal.press(keys);
        terminal.ends_with(0);
    }
    for signal in ["TERM", "INT", "HUP"] {
        let mut terminal = replay();
        terminal.signal(signal);
        terminal.ends_with(0);
    }
}

#[test]
fn terminal_that_is_taken_away_ends_the_program() {
    let mut terminal = replay();
    terminal.pull("?");
    terminal.ends();
}

/// The test runs itself as the program, which panics on a full screen.
#[test]
fn panic_is_reported_on_the_restored_terminal() {
    if env::var_os(PANICS).is_some() {
        let mut screen = FullScreen::enter().unwrap();
        screen
            .draw(|frame| frame.render_widget("a full screen", frame.area()))
            .unwrap();
        // Until the test has seen it.
        io::stdin().read_line(&mut String::new()).unwrap();
        panic!("as the test wants it");
    }
    let mut command = CommandBuilder::new(env::current_exe().unwrap());
    let name = "endings::panic_is_reported_on_the_restored_terminal";
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]);
    command.env(PANICS, "1");
    let mut terminal = Terminal::start((120, 40), command);
    let text = terminal.shows("a full screen");
    assert!(!text.contains("running 1 test"), "{text}");
    terminal.press("\n");
    assert!(!terminal.ends().success());
    terminal.assert_restored();
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let left = bytes.find("\x1b[?1049l").unwrap();
    let reported = bytes.find("as the test wants it").unwrap();
    assert!(left < reported, "{bytes:?}");
}

const PANICS: &str = "SCREEN_TEST_PANICS";

#[test]
fn suspended_screen_gives_the_terminal_back_and_returns_with_fg() {
    let program = env!("CARGO_BIN_EXE_kubectl-hpa");
    let mut command = CommandBuilder::new("bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("PS1", "ready> ");
    let mut terminal = Terminal::start(SIZE, command);
    terminal.shows("ready>");
    terminal.press(&format!(
        "'{program}' replay --tui examples/broken-metric.jsonl\n"
    ));
    terminal.shows("q quit");
    terminal.press(key::CTRL_Z);
    terminal.shows("Stopped");
    terminal.press("echo still $((40 + 2))\n");
    terminal.shows("still 42");
    terminal.press("fg\n");
    terminal.shows("q quit");
    terminal.press("q");
    // Until the prompt comes, typed text goes to the program.
    terminal.eventually("the fourth prompt", |screen| {
        (text_of(screen).matches("ready>").count() == 4).then_some(())
    });
    terminal.press("echo left with $?\n");
    terminal.shows("left with 0");
    // The shell sets its own modes.
    terminal.eventually("the main screen", |screen| {
        let is_left = !screen.alternate_screen() && !screen.hide_cursor();
        is_left.then_some(())
    });
    terminal.press("exit\n");
    terminal.ends();
}

#[test]
fn without_a_job_control_shell_nothing_is_suspended() {
    let mut terminal = replay();
    terminal.press(key::CTRL_Z);
    terminal.shows("nothing is suspended");
    terminal.signal("TSTP");
    terminal.press("q");
    terminal.ends_with(0);
}

#[test]
fn full_screen_without_a_terminal_is_refused_with_what_to_do_instead() {
    let program = env!("CARGO_BIN_EXE_kubectl-hpa");
    let script = format!("'{program}' replay --tui examples/broken-metric.jsonl | cat");
    let mut terminal = Terminal::run((160, 24), "sh", ["-c", &script]);
    terminal.shows("error: --tui needs a terminal, but standard output is not a terminal");
    terminal.shows("without --tui, `kubectl hpa replay` prints a line for each reconcile");
    terminal.ends();
    terminal.assert_restored();
}
