//! The screen of a terminal as an SVG picture: same text, same colors, independent of font widths.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// Width and height of a character in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
/// The margin around the text, and for the title above it.
const MARGIN: f64 = 14.0;
const TITLE: f64 = 34.0;

/// Draws the screen without the empty rows at its end. `title` is the command.
pub(crate) fn picture(screen: &Screen, title: &str) -> String {
    let (rows, columns) = screen.size();
    let rows = (0..rows)
        .rev()
        .find(|row| (0..columns).any(|column| is_drawn(screen.cell(*row, column))))
        .map_or(0, |row| row + 1);
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + TITLE + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" role=\"img\" \
         font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace\" \
         font-size=\"14\">\n<title>{label}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <text x=\"{MARGIN}\" y=\"22\" fill=\"#8b949e\">$ {title}</text>\n",
        label = title.replace('&', "&amp;").replace('<', "&lt;"),
        title = escape(title),
    );
    for row in 0..rows {
        for run in runs(screen, row, columns) {
            run.draw(row, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Adjacent characters with the same style.
struct Run {
    column: u16,
    columns: u16,
    text: String,
    look: CellStyle,
}

/// The style of a character.
#[derive(Clone, PartialEq)]
struct CellStyle {
    foreground: String,
    /// `None`: that of the picture.
    background: Option<String>,
    /// Bold, dim, italic, underlined, as attributes.
    style: String,
}

impl CellStyle {
    fn of(cell: &Cell) -> Self {
        let foreground = color(cell.fgcolor());
        let background = color(cell.bgcolor());
        let (foreground, background) = if cell.inverse() {
            (
                background.unwrap_or_else(|| BACKGROUND.to_owned()),
                Some(foreground.unwrap_or_else(|| FOREGROUND.to_owned())),
            )
        } else {
            (
                foreground.unwrap_or_else(|| FOREGROUND.to_owned()),
                background,
            )
        };
        let style = [
            (cell.bold(), " font-weight=\"bold\""),
            (cell.dim(), " opacity=\"0.65\""),
            (cell.italic(), " font-style=\"italic\""),
            (cell.underline(), UNDERLINE),
        ]
        .into_iter()
        .filter_map(|(is_set, attribute)| is_set.then_some(attribute))
        .collect();
        Self {
            foreground,
            background,
            style,
        }
    }
}

impl Run {
    fn draw(&self, row: u16, out: &mut String) {
        let x = MARGIN + f64::from(self.column) * CELL.0;
        let y = TITLE + f64::from(row) * CELL.1;
        let width = f64::from(self.columns) * CELL.0;
        if let Some(background) = &self.look.background {
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{background}\"/>",
                CELL.1,
            );
        }
        if self.text.trim().is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
             fill=\"{}\"{}>{}</text>",
            y + 13.5,
            self.look.foreground,
            self.look.style,
            escape(&self.text),
        );
    }
}

/// The runs of a row, without trailing blanks that have no color.
fn runs(screen: &Screen, row: u16, columns: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else {
            continue;
        };
        if cell.is_wide_continuation() {
            if let Some(run) = runs.last_mut() {
                run.columns += 1;
            }
            continue;
        }
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        let look = CellStyle::of(cell);
        // Blanks end a run at a gap, so that columns are aligned in any font.
        let is_gap = |run: &Run| run.text.ends_with("  ") && text != " ";
        match runs.last_mut() {
            Some(run) if run.look == look && !is_gap(run) => {
                run.text.push_str(text);
                run.columns += 1;
            }
            _ => runs.push(Run {
                column,
                columns: 1,
                text: text.to_owned(),
                look,
            }),
        }
    }
    for run in &mut runs {
        if run.look.background.is_none() && !run.look.style.contains(UNDERLINE) {
            let kept = run.text.trim_end_matches(' ');
            let cut = run.text.len() - kept.len();
            run.columns -= u16::try_from(cut).expect("no more than the columns of a screen");
            run.text.truncate(kept.len());
        }
    }
    runs
}

fn is_drawn(cell: Option<&Cell>) -> bool {
    cell.is_some_and(|cell| {
        cell.contents().trim() != "" || cell.inverse() || cell.bgcolor() != Color::Default
    })
}

const UNDERLINE: &str = " text-decoration=\"underline\"";
const BACKGROUND: &str = "#0d1117";
const FOREGROUND: &str = "#e6edf3";

/// The sixteen colors of a dark terminal.
const PALETTE: [&str; 16] = [
    "#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
    "#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff",
];

/// A color; none: the default.
fn color(color: Color) -> Option<String> {
    match color {
        Color::Default => None,
        Color::Idx(index @ 0..16) => Some(PALETTE[usize::from(index)].to_owned()),
        Color::Idx(index @ 16..232) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let index = index - 16;
            let [red, green, blue] = [index / 36, index / 6 % 6, index % 6].map(level);
            Some(format!("#{red:02x}{green:02x}{blue:02x}"))
        }
        Color::Idx(index) => {
            let gray = 8 + 10 * (index - 232);
            Some(format!("#{gray:02x}{gray:02x}{gray:02x}"))
        }
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
    }
}

fn escape(text: &str) -> String {
    // Viewers differ in which blanks they keep; all keep no-break spaces.
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(' ', "\u{a0}")
}
