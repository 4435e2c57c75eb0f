//! The result of a run, and whether it is as promised.

use std::time::Duration;

use super::{Cell, LONG, SHORT, fault::Fault, read::Read};
use crate::plugin::Run;

/// The result of a run.
pub(super) struct Outcome {
    pub(super) command: &'static str,
    pub(super) read: Read,
    pub(super) fault: Fault,
    pub(super) result: Result,
    /// What violates the promise, if anything.
    pub(super) problem: Option<String>,
    /// The reason in a recording.
    pub(super) why: Option<String>,
}

/// What the user gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Result {
    /// The page, which says what is missing and why.
    Reported,
    /// The page, which does not depend on this read.
    Untold,
    /// The output of `watch`, which continues. Whether it reports the failure depends on timing, which the tests of
    /// `watch` and of the informers cover.
    GoesOn,
    /// An error.
    Error,
}

impl Result {
    /// Its name in the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Untold => "page",
            Self::GoesOn => "goes on",
            Self::Error => "error",
        }
    }
}

impl Outcome {
    /// The result of a run. `timeout` is how long the program may wait for an answer.
    pub(super) fn of(
        cell: &Cell,
        run: Run,
        took: Duration,
        timeout: Duration,
        server: &str,
    ) -> Self {
        // Pages are wrapped, also after hyphens.
        let text = without_blanks(&format!("{} {}", run.stdout, run.stderr));
        let mut words = cell.fault.words().iter();
        let is_reported = words.any(|words| text.contains(&without_blanks(words)));
        let result = match (run.code, is_reported) {
            (Some(2), _) => Result::Error,
            _ if cell.command.name == "watch" => Result::GoesOn,
            (_, true) => Result::Reported,
            (_, false) => Result::Untold,
        };
        let mut outcome = Self {
            command: cell.command.name,
            read: cell.read.clone(),
            fault: cell.fault,
            result,
            problem: None,
            why: why(&run.stdout, cell.fault, server),
        };
        outcome.problem = outcome
            .complaint(cell, &run, is_reported, took, timeout, server)
            .map(|complaint| {
                let fault = cell.fault.name();
                format!(
                    "{}, {}, {fault}: {complaint}: {run:?}",
                    outcome.command,
                    outcome.read.name()
                )
            });
        outcome
    }

    fn complaint(
        &self,
        cell: &Cell,
        run: &Run,
        is_reported: bool,
        took: Duration,
        timeout: Duration,
        server: &str,
    ) -> Option<&'static str> {
        let is_version = cell.command.name == "version";
        match run.code {
            None => return Some("it did not end by itself"),
            Some(0) => {}
            Some(1) if cell.command.name == "lint" => {}
            Some(1) => return Some("there are no findings"),
            Some(2) => {
                let names = run.stderr.contains(server) || run.stderr.contains("cannot read ");
                let is_one_line =
                    run.stderr.starts_with("error: ") && run.stderr.lines().count() == 1;
                if !is_one_line {
                    return Some("an error is one line");
                }
                if !is_reported || !(names || run.stderr.contains("authentication failed")) {
                    return Some("the error does not say what failed");
                }
                if !run.stdout.is_empty() && !is_version {
                    return Some("there is output beside an error");
                }
            }
            Some(_) => return Some("there is no such exit code"),
        }
        if run.stderr.contains("panicked") {
            return Some("it panicked");
        }
        // Completion never reports a failure, and `watch` may still be waiting for its first answer.
        let may_be_silent = matches!(cell.command.name, "Tab" | "watch");
        if self.result != Result::Error && run.stdout.trim().is_empty() && !may_be_silent {
            return Some("neither a page nor an error came");
        }
        let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        if cell.command.name == "capture" && !run.stdout.lines().all(is_json) {
            return Some("that is no JSON");
        }
        // A command may wait for two answers, and a slow machine needs its time. Only a run that hangs takes longer.
        (3 * timeout + Duration::from_secs(30) < took)
            .then_some("it took far longer than the timeout")
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The reason for a failed read in a recording, without the address of the server.
fn why(stdout: &str, fault: Fault, server: &str) -> Option<String> {
    let snapshot: serde_json::Value = serde_json::from_str(stdout.lines().next()?).ok()?;
    let not_read = snapshot["notRead"].as_array()?;
    let mut whys = not_read.iter().filter_map(|entry| entry["why"].as_str());
    let why = whys.find(|why| fault.words().iter().any(|words| why.contains(words)))?;
    let why = why.replace(server, "https://kube.example.com");
    // If the machine was too busy, it was tried once more with a longer timeout.
    Some(why.replace(&format!("{LONG}s"), &format!("{SHORT}s")))
}
