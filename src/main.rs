//! The `kubectl-hpa` binary: complete, or parse, run, exit code.

use std::process::ExitCode;

use clap::Parser as _;
use kubectl_hpa::{cli::Cli, commands, completion, exit_code};

/// The allocator of musl has one lock for all threads, on which `lint` would spend most of its time.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(code) = completion::answer() {
        return code;
    }
    match Cli::try_parse() {
        Ok(cli) => exit_code::of(commands::run(cli)),
        Err(error) => exit_code::of_arguments(&error),
    }
}
