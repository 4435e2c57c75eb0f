//! Completion without a cluster: kubectl's protocol, the answers to the shells' scripts, and installation.
//!
//! Real shells, kubectl and a cluster are in `tests/live/completion.rs`, a failing cluster in `tests/faults`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "test code")]

mod install;
mod words;

use std::{fs, os::unix::fs::symlink, path::PathBuf, process::Command};

use tempfile::TempDir;

/// A home with a folder `bin` on `$PATH` that contains the plugin, isolated from this machine except for the system's
/// programs.
struct Home {
    folder: TempDir,
}

/// The result of a run.
#[derive(Debug)]
struct Run {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir(home.path("bin")).unwrap();
        symlink(
            env!("CARGO_BIN_EXE_kubectl-hpa"),
            home.path("bin/kubectl-hpa"),
        )
        .unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// A program of `bin`, to be run.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.path("bin").join(program));
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("SHELL", "/usr/bin/zsh")
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("bin").display()),
            )
            .current_dir(self.folder.path());
        command
    }

    /// Runs the plugin.
    fn run(&self, words: &[&str]) -> Run {
        run(self.command("kubectl-hpa").args(words))
    }

    /// The answer to kubectl for the words after `kubectl hpa`.
    #[track_caller]
    fn reported(&self, words: &[&str]) -> String {
        offered(self.command("kubectl-hpa").arg("__complete").args(words))
    }

    /// Checks that the answer to kubectl is empty.
    #[track_caller]
    fn reports_nothing(&self, words: &[&str]) {
        let run = run(self.command("kubectl-hpa").arg("__complete").args(words));
        assert_eq!((&*run.stderr, &*run.stdout), ("", NOTHING), "{run:?}");
    }
}

/// The candidates after Tab. The answer must come within a second, which on a busy machine may be too short: then Tab
/// is pressed again.
#[track_caller]
fn offered(command: &mut Command) -> String {
    for _ in 0..MOST_PRESSES {
        let run = run(command);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{run:?}");
        if !["", NOTHING].contains(&run.stdout.as_str()) {
            return run.stdout;
        }
    }
    panic!("nothing is offered: {command:?}");
}

/// No candidates, and no file either.
const NOTHING: &str = ":4\n";
/// Enough attempts for any busy machine.
const MOST_PRESSES: usize = 100;

fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}
