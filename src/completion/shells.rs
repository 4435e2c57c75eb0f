//! Completion of `kubectl-hpa` itself: the scripts for shells, and the answers to those scripts.
//!
//! Scripts and answer formats are clap's; only the candidates come from here.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

use clap::{Arg, Command, CommandFactory as _};
use clap_complete::{
    CompleteEnv,
    engine::{ArgValueCompleter, CompletionCandidate},
    env::{Bash, EnvCompleter, Fish, Powershell, Shells, Zsh},
};

use super::suggest::{Paths, suggest};
use crate::cli::{Cli, ShellName};

/// The script for a shell, which runs `program` from `$PATH` at each Tab.
pub fn script(shell: ShellName, program: &str) -> io::Result<String> {
    let mut script = Vec::new();
    let shell = match shell {
        ShellName::Bash => &BASH,
        ShellName::Fish => &FISH,
        ShellName::Powershell => &POWERSHELL,
        ShellName::Zsh => &ZSH,
    };
    shell.write_registration(VARIABLE, program, program, program, &mut script)?;
    let script = String::from_utf8(script).map_err(io::Error::other)?;
    Ok(format!("{}\n", script.trim()))
}

/// The shell in the variable `COMPLETE`, by its name or its path.
pub(super) fn find(name: &OsStr) -> Option<&'static Answering> {
    let stem = Path::new(name).file_stem()?.to_str()?;
    [&BASH, &FISH, &POWERSHELL, &ZSH]
        .into_iter()
        .find(|shell| shell.is(stem))
}

/// Prints the candidates for the words after `--`, or the script if there are none.
pub(super) fn answer(shell: &'static Answering, arguments: Vec<OsString>) {
    let folder = env::current_dir().ok();
    // The reader may be gone, and no message may be printed.
    let _ = CompleteEnv::with_factory(Cli::command)
        .var(VARIABLE)
        .bin(NAME)
        .shells(Shells(&[shell]))
        .try_complete(arguments, folder.as_deref());
}

const VARIABLE: &str = "COMPLETE";
const NAME: &str = "kubectl-hpa";

/// Characters that a shell interprets instead of passing them on.
const ACTIVE: [char; 14] = [
    '$', '`', ';', '&', '|', '<', '>', '(', ')', '{', '}', '!', '"', '\'',
];

static BASH: Answering = Answering(&Bash);
static FISH: Answering = Answering(&Fish);
static POWERSHELL: Answering = Answering(&Powershell);
static ZSH: Answering = Answering(&Zsh);

/// A shell supported by clap, with our candidates.
pub(super) struct Answering(&'static (dyn EnvCompleter + Sync));

impl EnvCompleter for Answering {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        self.0.write_registration(var, name, bin, completer, buf)?;
        if self.name() == "zsh" {
            // A file below `$fpath` is loaded at the first Tab, which should also be answered.
            let function = zsh_function(name);
            writeln!(
                buf,
                "if [[ ${{funcstack[1]}} == _{bin} ]]; then\n    {function} \"$@\"\nfi"
            )?;
        }
        Ok(())
    }

    /// Lets clap format the answer for a line of empty words whose values are the computed candidates.
    fn write_complete(
        &self,
        _: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        // Bash and zsh provide the cursor position; elsewhere it is in the last word.
        let index = env::var("_CLAP_COMPLETE_INDEX").ok();
        let index = index.and_then(|index| index.parse().ok());
        let at = index.unwrap_or(words.len().saturating_sub(1));
        let mut candidates = if self.name() == "bash" {
            in_bash(words, at)
        } else {
            let mut words = words;
            if words.len() <= at {
                words.resize(at + 1, OsString::new());
            }
            suggest(words, at, Paths::Completed).candidates
        };
        // These shells insert the name of a file unchanged, and would run what it contains.
        if ["bash", "powershell"].contains(&self.name()) {
            let does_nothing =
                |one: &CompletionCandidate| !one.get_value().to_string_lossy().contains(ACTIVE);
            candidates.retain(does_nothing);
        }
        // It is called once, for the word at the cursor.
        let candidates = Mutex::new(candidates);
        let given = move |_: &OsStr| {
            let mut candidates = candidates.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *candidates)
        };
        let word = Arg::new("word")
            .num_args(0..)
            .add(ArgValueCompleter::new(given));
        let mut line = Command::new(NAME).disable_help_flag(true).arg(word);
        let words = vec![OsString::new(); at + 1];
        self.0.write_complete(&mut line, words, folder, buf)
    }
}

/// Candidates for bash, which splits words at `=` and `:`: `--namespace=shop` arrives as three words, and only the
/// last of them is replaced.
fn in_bash(words: Vec<OsString>, at: usize) -> Vec<CompletionCandidate> {
    let mut joined: Vec<OsString> = Vec::new();
    let (mut cursor, mut typed) = (0, 0);
    for (index, word) in words.into_iter().enumerate() {
        let mut start = 0;
        match joined.last_mut() {
            // A flag and its value are equivalent to two words.
            Some(flag) if word == "=" && flag.as_encoded_bytes().starts_with(b"--") => continue,
            Some(last) if word == ":" || last.as_encoded_bytes().ends_with(b":") => {
                start = last.len();
                last.push(word);
            }
            _ => joined.push(word),
        }
        if index <= at {
            (cursor, typed) = (joined.len() - 1, start);
        }
    }
    let candidates = suggest(joined, cursor, Paths::Completed).candidates;
    let rest = candidates.into_iter().filter_map(|candidate| {
        let value = candidate.get_value().to_str()?;
        value.get(typed..).map(CompletionCandidate::new)
    });
    rest.collect()
}

/// The name of the function in clap's script for zsh.
pub fn zsh_function(program: &str) -> String {
    format!("_clap_dynamic_completer_{}", program.replace('-', "_"))
}
