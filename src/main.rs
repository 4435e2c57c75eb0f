//! The `kubectl-hpa` binary: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser as _;
use kubectl_hpa::{cli::Cli, commands, exit_code};

fn main() -> ExitCode {
    let cli = Cli::parse();
    exit_code::of(commands::run(cli))
}
