//! The name under which the program is installed, so that the commands in reports and errors can be copied.

use std::{borrow::Cow, sync::OnceLock};

/// Its file without the ending: `kubectl-explain_hpa` where krew installs it under that name.
static FILE: OnceLock<String> = OnceLock::new();

/// What was called, as far as it may be kept with what it made.
static CALL: OnceLock<String> = OnceLock::new();

/// The prefix of kubectl's plugins.
const PREFIX: &str = "kubectl-";

/// The prefix of the files that complete them.
pub const SHIM: &str = "kubectl_complete-";

/// The name that texts are written with.
const FILE_IN_TEXTS: &str = "kubectl-hpa";

/// Says under which file name the program was called. Before that, and for a file that is no plugin of kubectl, it is
/// `kubectl-hpa`. Only the first call counts: a running program keeps its name.
pub fn called(file: &str) {
    let is_plugin = file.strip_prefix(PREFIX).is_some_and(|name| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || b"-_".contains(&byte);
        !name.is_empty() && name.bytes().all(is_plain)
    });
    if is_plugin {
        FILE.get_or_init(|| file.to_owned());
    }
}

/// Its file: `kubectl-hpa`.
pub fn file() -> &'static str {
    FILE.get().map_or(FILE_IN_TEXTS, String::as_str)
}

/// Says with which command and flags it was called, for what is kept: without what belongs to one user, such as credentials.
pub fn called_with(call: String) {
    CALL.get_or_init(|| call);
}

/// What wrote a file that is kept: ``kubectl-hpa 0.1.0 with `kubectl hpa explain web -o html` ``. None before [`called_with`].
pub fn written_by() -> Option<String> {
    let version = env!("CARGO_PKG_VERSION");
    Some(format!("kubectl-hpa {version} with `{}`", CALL.get()?))
}

/// A command as it is typed: `kubectl hpa explain` for `explain`. kubectl finds `kubectl-explain_hpa` under `explain-hpa`, and
/// `kubectl-a-b` under `a b`.
pub fn typed(command: &str) -> String {
    format!("{} {command}", name())
}

/// The name as it is typed: `kubectl hpa`.
pub fn name() -> String {
    name_of(file())
}

fn name_of(file: &str) -> String {
    file.replace('-', " ").replace('_', "-")
}

/// The file that kubectl runs to complete that of a plugin.
pub fn shim(file: &str) -> String {
    format!("{SHIM}{}", file.strip_prefix(PREFIX).unwrap_or(file))
}

/// A text that is written for `kubectl hpa`, such as help, for the name as installed. What only looks like a command stays, such
/// as `.kubectl-hpa.yaml` and the annotation `kubectl-hpa/ignore`.
pub fn as_installed(text: &str) -> Cow<'_, str> {
    if file() == FILE_IN_TEXTS {
        return text.into();
    }
    let names = [
        (name_of(FILE_IN_TEXTS), name()),
        (shim(FILE_IN_TEXTS), shim(file())),
        (FILE_IN_TEXTS.to_owned(), file().to_owned()),
    ];
    let renamed = names
        .iter()
        .fold(text.to_owned(), |text, (from, to)| renamed(&text, from, to));
    renamed.into()
}

/// The text with each whole word `from` replaced.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let is_part = before.ends_with(['.', '/', '-', '_'])
            || after.starts_with(['/', ':', '-', '_'])
            || after.starts_with(char::is_alphanumeric);
        renamed.push_str(before);
        renamed.push_str(if is_part { from } else { to });
        rest = after;
    }
    renamed.push_str(rest);
    renamed
}
