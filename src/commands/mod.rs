//! The commands, one file each: gather → decide → render.

#[cfg(feature = "mcp")]
pub(crate) mod answer;
mod capture;
mod clusters;
mod completion;
pub(crate) mod explain;
mod export;
mod full_screen;
pub(crate) mod history;
pub mod learn;
pub(crate) mod lint;
pub(crate) mod list;
#[cfg(feature = "mcp")]
#[doc(hidden)]
pub mod mcp;
mod named_file;
mod replay;
mod rules;
mod saving;
pub(crate) mod simulate;
mod template_document;
mod version;
mod watch;

use crate::{
    cli::{Cli, Command},
    exit_code::ExitStatus,
};

/// Runs the command.
pub fn run(cli: Cli) -> anyhow::Result<ExitStatus> {
    match cli.command {
        Command::Explain(args) => explain::run(&args, cli.color),
        Command::Capture(args) => capture::run(&args, cli.color),
        Command::Completion(args) => completion::run(&args),
        Command::Export(args) => export::run(&args, cli.color),
        Command::History(args) => history::run(&args, cli.color),
        Command::Lint(args) => lint::run(&args, cli.color),
        Command::List(args) => list::run(&args, cli.color),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args, cli.color),
        Command::Replay(args) => replay::run(&args, cli.color),
        Command::Rules(args) => rules::run(&args, cli.color),
        Command::Simulate(args) => simulate::run(&args, cli.color),
        Command::Version(args) => version::run(&args, cli.color),
        Command::Watch(args) => watch::run(&args, cli.color),
    }
}
