//! The command line with its help for the name under which the program is installed.

use std::{
    any::TypeId,
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{
    Arg, ArgMatches, Args as _, Command, CommandFactory as _, Error, FromArgMatches as _,
    builder::StyledStr, parser::ValueSource,
};
use hpa_cluster::ConnectionArgs;
use hpa_prometheus::PrometheusArgs;
use hpa_words::{
    program::{self, as_installed},
    shell_word,
};

use super::Cli;

impl Cli {
    /// Parses arguments, the program first. Help and errors have the name as installed.
    pub fn parsed(arguments: Vec<OsString>) -> Result<Self, Error> {
        let mut command = Self::as_installed();
        let matches = command.try_get_matches_from_mut(arguments)?;
        if let Some((name, matches)) = matches.subcommand() {
            let called = command.find_subcommand(name);
            called.inspect(|command| program::called_with(call(command, matches)));
        }
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The command line with the name as installed.
    pub(crate) fn as_installed() -> Command {
        let command = Self::command();
        let name = program::name();
        if command.get_bin_name() == Some(&name) {
            return command;
        }
        renamed(command.bin_name(name))
    }
}

/// What was typed, for files that are kept and given to others: without the connection, commands to run, and folders.
fn call(command: &Command, matches: &ArgMatches) -> String {
    let own = PrometheusArgs::augment_args(ConnectionArgs::augment_args(Command::new("")));
    let is_own = |argument: &Arg| {
        let id = argument.get_id();
        let is_known = ["namespace", "context"].contains(&id.as_str());
        id == "on_alarm" || own.get_arguments().any(|one| one.get_id() == id) && !is_known
    };
    let is_typed = |argument: &&Arg| {
        let source = matches.value_source(argument.get_id().as_str());
        source == Some(ValueSource::CommandLine) && !is_own(argument)
    };
    let mut call = program::typed(command.get_name());
    for argument in command.get_arguments().filter(is_typed) {
        let flag = match (argument.get_long(), argument.get_short()) {
            _ if argument.is_positional() => String::new(),
            (Some(long), _) => format!(" --{long}"),
            (None, short) => short.map_or_else(String::new, |short| format!(" -{short}")),
        };
        if !argument.get_action().takes_values() {
            call.push_str(&flag);
            continue;
        }
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let values = matches.get_raw(argument.get_id().as_str());
        for value in values.into_iter().flatten() {
            let name = Path::new(value).file_name().filter(|_| is_path);
            let value = name.unwrap_or(value).to_string_lossy();
            call.push_str(&format!("{flag} {}", shell_word(&value)));
        }
    }
    call
}

/// The command and those below it, with all texts.
fn renamed(mut command: Command) -> Command {
    if let Some(about) = command.get_about().map(text) {
        command = command.about(about);
    }
    if let Some(about) = command.get_long_about().map(text) {
        command = command.long_about(about);
    }
    if let Some(help) = command.get_after_help().map(text) {
        command = command.after_help(help);
    }
    if let Some(help) = command.get_after_long_help().map(text) {
        command = command.after_long_help(help);
    }
    command.mut_args(with_help).mut_subcommands(renamed)
}

fn text(text: &StyledStr) -> String {
    as_installed(&text.to_string()).into_owned()
}

fn with_help(argument: Arg) -> Arg {
    let (help, long) = (
        argument.get_help().map(text),
        argument.get_long_help().map(text),
    );
    let argument = match help {
        Some(help) => argument.help(help),
        None => argument,
    };
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}
