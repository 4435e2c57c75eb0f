//! Text for a terminal: what does not fit goes through a pager, as in git.

use std::{
    env,
    io::{BufWriter, Write},
    process::{Command, Stdio},
};

use hpa_cluster::shell::shell;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    cli::PagerArgs,
    process::{stop::Deferral, terminal, workflow},
};

/// Prints the text. If it is for people and does not fit the terminal, `$PAGER` or `less` shows it; if the pager fails, the
/// text is printed directly.
pub(crate) fn print(text: &str, args: PagerArgs, for_people: bool) -> anyhow::Result<()> {
    let is_needed = for_people && !args.no_pager && !terminal::is_dumb() && !fits(text);
    if is_needed && pager().is_some_and(|pager| has_paged(pager, text)) {
        return Ok(());
    }
    let mut out = workflow::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Like [`print`], for a long text that `write` writes part by part. Only a pager needs it whole.
pub(crate) fn print_parts(
    args: PagerArgs,
    for_people: bool,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let may_page = for_people && !args.no_pager;
    if !may_page || terminal::is_dumb() || terminal::size().is_none() {
        let mut out = BufWriter::new(workflow::stdout());
        write(&mut out)?;
        out.flush()?;
        return Ok(());
    }
    let mut text = Vec::new();
    write(&mut text)?;
    print(&String::from_utf8(text)?, args, for_people)
}

/// Whether the text and the next prompt fit the terminal, or there is no terminal.
fn fits(text: &str) -> bool {
    let Some((columns, rows)) = terminal::size() else {
        return true;
    };
    let height = |line: &str| {
        let width = anstream::adapter::strip_str(line).to_string().width();
        width.div_ceil(columns.max(1)).max(1)
    };
    text.lines().map(height).sum::<usize>() < rows
}

/// The user's pager; `None` if it is `cat` or empty.
fn pager() -> Option<Command> {
    let Some(wish) = env::var_os("PAGER") else {
        let mut less = Command::new("less");
        less.arg("-FRX");
        return Some(less);
    };
    if wish.is_empty() || wish == "cat" {
        return None;
    }
    let mut pager = shell(&wish);
    // Keeps colors, and leaves the text on the screen.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            pager.env(name, value);
        }
    }
    Some(pager)
}

/// Shows the text in a pager. Returns false if that failed and the user did not interrupt it.
fn has_paged(mut pager: Command, text: &str) -> bool {
    // Ctrl-C is for the pager: if this process ended first, the pager and the shell would both read from the terminal.
    let Ok(interrupt) = Deferral::of_interrupt() else {
        return false;
    };
    let Ok(mut child) = pager.stdin(Stdio::piped()).spawn() else {
        interrupt.end();
        return false;
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that the user quits early stops reading.
        let _ = stdin.write_all(text.as_bytes());
    }
    let is_success = child.wait().is_ok_and(|status| status.success());
    is_success || interrupt.has_come()
}
