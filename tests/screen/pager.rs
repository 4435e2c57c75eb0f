//! A report that does not fit the terminal.

use portable_pty::CommandBuilder;

use crate::terminal::{Terminal, key};

/// The report of an HPA, about 30 lines, in a terminal with this many rows and this pager.
fn explain(rows: u16, pager: &str, flags: &[&str]) -> Terminal {
    let explain = ["explain", "-f", "examples/not-ready-pods.jsonl"];
    run(rows, pager, &[&explain, flags].concat())
}

fn run(rows: u16, pager: &str, arguments: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(arguments);
    command.env("PAGER", pager);
    Terminal::start((80, rows), command)
}

/// A pager that shows two lines and a mark until Enter.
const TWO_LINES: &str = "head -n 2; printf 'PAGED'; read -r line </dev/tty";

#[test]
fn long_report_goes_through_the_pager() {
    let mut terminal = explain(24, TWO_LINES, &[]);
    let screen = terminal.shows("PAGED");
    assert!(screen.contains("shop/web → Deployment/web"), "{screen}");
    assert!(!screen.contains("kubectl hpa explain --learn"), "{screen}");
    // Colors pass through.
    assert!(terminal.bytes().windows(2).any(|bytes| bytes == b"\x1b["));
    terminal.press(key::ENTER);
    terminal.ends_with(0);
}

#[test]
fn long_simulation_goes_through_the_pager_unless_that_is_off() {
    let simulate = "simulate -f examples/simulate/spike.yaml --load 800m..6/2m --for 5m";
    let simulate: Vec<&str> = simulate.split(' ').collect();
    for one_decision in [&[][..], &["--at", "1m"]] {
        let arguments = [&simulate, one_decision].concat();
        let mut terminal = run(12, TWO_LINES, &arguments);
        terminal.shows("PAGED");
        terminal.press(key::ENTER);
        terminal.ends_with(0);
        let mut terminal = run(12, TWO_LINES, &[&arguments, &["--no-pager"][..]].concat());
        terminal.ends_with(0);
        let screen = terminal.text();
        assert!(!screen.contains("PAGED"), "{screen}");
    }
}

#[test]
fn ctrl_c_is_for_the_pager() {
    let pager = "trap 'printf INTERRUPTED; exit 130' INT; cat >/dev/null; printf PAGED; read -r line </dev/tty";
    let mut terminal = explain(24, pager, &[]);
    terminal.shows("PAGED");
    terminal.press(key::CTRL_C);
    terminal.ends_with(0);
    let screen = terminal.text();
    assert!(screen.contains("INTERRUPTED"), "{screen}");
    assert!(!screen.contains("shop/web"), "{screen}");
}

#[test]
fn report_is_printed_where_a_pager_is_not_needed_wanted_or_possible() {
    for (rows, pager, flags) in [
        (60, TWO_LINES, &[][..]),
        (24, TWO_LINES, &["--no-pager"]),
        (24, TWO_LINES, &["-o", "json"]),
        (24, "cat", &[]),
        (24, "", &[]),
        (24, "no-such-pager", &[]),
        (24, "exit 1", &[]),
    ] {
        let mut terminal = explain(rows, pager, flags);
        terminal.ends_with(0);
        let screen = terminal.text();
        assert!(!screen.contains("PAGED"), "{pager:?} {flags:?}: {screen}");
        let end = if flags.contains(&"json") {
            "}"
        } else {
            "--learn"
        };
        let last = screen.trim_end().lines().last().unwrap_or_default();
        assert!(last.contains(end), "{pager:?} {flags:?}: {screen}");
    }
}
