//! The `kubectl-hpa` binary: completes, or parses and runs a command, and sets the exit code.

use std::{env, ffi::OsStr, path::Path, process::ExitCode};

use hpa_words::program;
use kubectl_hpa::{
    cli::{Cli, arranged, with_commands},
    commands, completion, exit_code,
};

/// musl's allocator has one lock for all threads, on which `lint` would spend most of its time; glibc's takes a fifth
/// of the time of `list` and `export`.
#[cfg(all(target_os = "linux", not(debug_assertions)))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let called = env::args_os().next();
    let file = called.as_deref().map(Path::new).and_then(Path::file_stem);
    file.and_then(OsStr::to_str)
        .inspect(|file| program::called(file));
    if let Some(code) = completion::answer() {
        return code;
    }
    let arguments = arranged(env::args_os().collect());
    match arguments.and_then(Cli::parsed) {
        Ok(cli) => exit_code::of(commands::run(cli)),
        Err(error) => exit_code::of_arguments(&with_commands(error)),
    }
}
