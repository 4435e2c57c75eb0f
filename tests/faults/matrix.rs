//! Every read of every command, answered in every wrong way.
//!
//! The reads of each command are found in a healthy run. Then it is run once for each read and fault: for a share of
//! them in every run of the tests, and for all with `FAULTS=all`, which takes minutes. All results are in a table of
//! `docs/dev/reliability.md`, which `FAULTS=all UPDATE_GENERATED=1 cargo test --test faults matrix` rewrites.

mod document;
mod fault;
mod hostile;
mod outcome;
mod read;
pub(crate) mod world;

use std::{
    collections::BTreeSet,
    env,
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use fault::Fault;
use hostile::Hostile;
use outcome::Outcome;
use read::Read;

use crate::plugin::{Plugin, Run};

/// A command, with its name in the table.
#[derive(Debug)]
struct Tried {
    name: &'static str,
    words: &'static [&'static str],
}

const COMMANDS: [Tried; 8] = [
    Tried {
        name: "explain",
        words: &["explain", "web", "-v"],
    },
    Tried {
        name: "explain (own kind)",
        words: &["explain", "worker", "-v"],
    },
    Tried {
        name: "list",
        words: &["list"],
    },
    Tried {
        name: "lint",
        words: &["lint"],
    },
    Tried {
        name: "capture",
        words: &["capture"],
    },
    Tried {
        name: "watch",
        words: &[
            "watch",
            "-o",
            "plain",
            "--timeout=2s",
            "--assume-sync-period=1s",
        ],
    },
    Tried {
        name: "version",
        words: &["version"],
    },
    Tried {
        name: "Tab",
        words: &["__complete", "explain", ""],
    },
];

/// One run.
#[derive(Clone, Debug)]
struct Cell {
    command: &'static Tried,
    read: Read,
    fault: Fault,
}

#[test]
fn every_read_of_every_command_may_fail_in_every_way() {
    let server = Hostile::start();
    let mut cells = Vec::new();
    for command in &COMMANDS {
        let token = command.name.replace(' ', "-");
        server.admit(&token, None);
        let (run, _) = run(&server, command, &token, None);
        assert_eq!(
            run.code,
            Some(command.healthy_code()),
            "{}: {run:?}",
            command.name
        );
        let reads: BTreeSet<Read> = server.seen(&token).into_iter().collect();
        assert!(!reads.is_empty(), "{}", command.name);
        for read in reads {
            cells.extend(Fault::ALL.map(|fault| Cell {
                command,
                read: read.clone(),
                fault,
            }));
        }
    }
    let is_whole = env::var("FAULTS").is_ok_and(|which| which == "all");
    if !is_whole {
        // Not a multiple of the number of faults, so that each gets its turn, at other reads.
        let mut index = 0;
        cells.retain(|_| {
            index += 1;
            index % SHARE == 0
        });
    }
    let outcomes = try_all(&server, &cells);
    let wrong: Vec<&String> = outcomes
        .iter()
        .filter_map(|outcome| outcome.problem.as_ref())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:#?}",
        wrong.len(),
        cells.len()
    );
    if is_whole {
        document::check(&outcomes);
    }
}

/// Runs all cells. Those that take as long as the program's timeout run many at a time.
fn try_all(server: &Hostile, cells: &[Cell]) -> Vec<Outcome> {
    let of = |is_slow: bool| -> Vec<&Cell> {
        let chosen = cells.iter().filter(|cell| cell.fault.is_slow() == is_slow);
        chosen.collect()
    };
    let mut outcomes = each(&of(false), 8, |cell| try_one(server, cell, LONG));
    let slow = each(&of(true), 16, |cell| {
        let outcome = try_one(server, cell, SHORT);
        let is_same = |other: &&Outcome| {
            (other.command, &other.read, other.fault)
                == (cell.command.name, &cell.read, Fault::BreaksOff)
        };
        let alike = outcomes.iter().find(is_same);
        // On a machine that is busy with something else good answers may also be late.
        if outcome.problem.is_some() || alike.is_some_and(|alike| outcome.result != alike.result) {
            return try_one(server, cell, LONG);
        }
        outcome
    });
    outcomes.extend(slow);
    outcomes
}

/// Runs them in threads.
fn each(cells: &[&Cell], at_a_time: usize, one: impl Fn(&Cell) -> Outcome + Sync) -> Vec<Outcome> {
    let outcomes = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = one(cell);
                    outcomes.lock().unwrap().push(outcome);
                }
            });
        }
    });
    outcomes.into_inner().unwrap()
}

fn try_one(server: &Hostile, cell: &Cell, timeout: u64) -> Outcome {
    let name: String = cell
        .read
        .name()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let token = format!(
        "{}-{name}-{:?}-{timeout}",
        cell.command.name.replace(' ', "-"),
        cell.fault
    );
    server.admit(&token, Some((cell.read.clone(), cell.fault)));
    let (run, took) = run(server, cell.command, &token, Some((cell.fault, timeout)));
    let is_reached = server.seen(&token).contains(&cell.read);
    if !is_reached && timeout < LONG {
        // On a machine that is busy with something else a good answer before it came too late.
        return try_one(server, cell, LONG);
    }
    assert!(is_reached, "{cell:?}: {run:?}");
    Outcome::of(cell, run, took, Duration::from_secs(timeout), &server.url())
}

/// One in this many is tried in every run of the tests.
const SHARE: usize = 13;
/// Timeout in seconds for slow answers.
const SHORT: u64 = 1;
/// Timeout in seconds for good answers.
const LONG: u64 = 30;

impl Tried {
    /// `lint` finds something in the healthy world.
    fn healthy_code(&self) -> i32 {
        i32::from(self.name == "lint")
    }
}

fn run(
    server: &Hostile,
    command: &Tried,
    token: &str,
    wrong: Option<(Fault, u64)>,
) -> (Run, Duration) {
    let plugin = Plugin::at(&server.url());
    let token = format!("--token={token}");
    let timeout = format!(
        "--request-timeout={}s",
        wrong.map_or(LONG, |(_, timeout)| timeout)
    );
    let mut words = command.words.to_vec();
    // The word at the cursor is the last one.
    let at = words.len() - usize::from(words[0] == "__complete");
    words.splice(at..at, [token.as_str(), timeout.as_str()]);
    let command = plugin.command(&words);
    let mut command = match wrong {
        Some((Fault::Endless, _)) => within_a_gibibyte(&command, &plugin),
        _ => command,
    };
    let begin = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = text_of(child.stdout.take().unwrap());
    let stderr = text_of(child.stderr.take().unwrap());
    let code = ended(&mut child);
    let run = Run {
        stdout: stdout.join().unwrap(),
        stderr: stderr.join().unwrap(),
        code,
    };
    (run, begin.elapsed())
}

/// The command with limited memory: an allocation beyond the limit ends the program with a signal.
fn within_a_gibibyte(expected: &Command, plugin: &Plugin) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "ulimit -v 1048576 2>/dev/null; exec \"$0\" \"$@\""])
        .arg(expected.get_program())
        .args(expected.get_args())
        .env_clear()
        .env("HOME", plugin.path(""))
        .current_dir(plugin.path(""));
    command
}

/// The exit code; `None` if it was ended by a signal, or does not end.
fn ended(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + Duration::from_mins(2);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if deadline < Instant::now() {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn text_of(mut from: impl std::io::Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    })
}
