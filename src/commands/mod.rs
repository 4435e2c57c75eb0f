//! The commands, one file each: gather → decide → render.

#[cfg(feature = "mcp")]
mod answer;
mod call;
mod capture;
mod clusters;
mod completion;
mod controller_flags;
mod explain;
mod export;
mod full_screen;
mod history;
mod interrupted;
pub mod learn;
mod lint;
mod list;
#[cfg(feature = "mcp")]
pub mod mcp;
mod named_file;
mod pager;
mod pulse;
mod replay;
mod rules;
mod runtime;
mod saving;
mod simulate;
mod stop;
mod template_document;
mod terminal;
mod until_closed;
mod version;
mod watch;
mod workflow;

use runtime::runtime;

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
