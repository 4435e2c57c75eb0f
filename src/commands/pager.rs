//! Text for a terminal: what does not fit it goes through a pager, as git does it.

use std::{
    env,
    io::Write as _,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use unicode_width::UnicodeWidthStr as _;

use super::{terminal, workflow};
use crate::shell::shell;

/// Prints the text. On a terminal that it does not fit, `$PAGER` or `less` shows it, unless `is_off`; whatever is wrong with a pager,
/// the text is printed without it.
pub(super) fn print(text: &str, is_off: bool) -> anyhow::Result<()> {
    let is_needed = !is_off && !terminal::is_dumb() && !fits(text);
    if is_needed && pager().is_some_and(|pager| has_paged(pager, text)) {
        return Ok(());
    }
    let mut out = workflow::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Whether the text and the next prompt fit the terminal, or there is none.
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

/// The pager that the user wants; none: it is `cat`, or empty.
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
    // Colors come through, and the text stays on the screen.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            pager.env(name, value);
        }
    }
    Some(pager)
}

/// Has a pager show the text. False: it could not, and the user did not interrupt it.
fn has_paged(mut pager: Command, text: &str) -> bool {
    // Ctrl-C is for the pager: whoever ends before it leaves a terminal that two read from.
    let is_interrupted = Arc::new(AtomicBool::new(false));
    if listen(&is_interrupted).is_err() {
        return false;
    }
    let Ok(mut child) = pager.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that is left early reads no more.
        let _ = stdin.write_all(text.as_bytes());
    }
    let is_success = child.wait().is_ok_and(|status| status.success());
    is_success || is_interrupted.load(Ordering::Relaxed)
}

fn listen(is_interrupted: &Arc<AtomicBool>) -> std::io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(is_interrupted))?;
    #[cfg(not(unix))]
    let _ = is_interrupted;
    Ok(())
}
