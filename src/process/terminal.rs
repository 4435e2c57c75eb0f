//! What standard output is: a terminal of some width, with or without color, or something else.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use hpa_render::Style;

use crate::cli::ColorChoice;

/// The style of standard output. The environment is read only here.
pub(crate) fn style(color: ColorChoice) -> Style {
    let is_terminal = io::stdout().is_terminal();
    let has_color = match color {
        ColorChoice::Always => true,
        ColorChoice::Auto => {
            let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
            let can_color = is_terminal && !is_dumb();
            !no_color && (is_forced || can_color)
        }
        ColorChoice::Never => false,
    };
    let columns = columns().unwrap_or(Style::plain().width);
    Style {
        has_color,
        has_unicode: has_unicode(),
        width: columns.clamp(LEAST_WIDTH, MOST_WIDTH),
        has_whole_rows: !is_terminal,
    }
}

/// Columns and rows of the terminal on standard output; `None` if it is not a terminal, or its size is not known.
pub(crate) fn size() -> Option<(usize, usize)> {
    let terminal = io::stdout()
        .is_terminal()
        .then(terminal_size::terminal_size);
    let (width, height) = terminal.flatten()?;
    Some((width.0.into(), height.0.into()))
}

/// Columns of the terminal; `None` if standard output is not a terminal.
pub(crate) fn columns() -> Option<usize> {
    size().map(|(columns, _)| columns)
}

/// Whether the terminal can only print, such as that of an editor.
pub(crate) fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Whether the locale, as the C library selects it, supports characters beyond ASCII. Without a locale there are no
/// such characters.
fn has_unicode() -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|locale| !locale.is_empty())
        .is_none_or(|locale| {
            let locale = locale.to_string_lossy().to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
}

/// Columns below which nothing can be aligned.
const LEAST_WIDTH: usize = 60;

/// Columns beyond which lines are hard to read.
const MOST_WIDTH: usize = 120;
