//! Text output of `replay`: one line per sync, and a summary.

use hpa_objects::recording::Difference;
use hpa_playback::{AlarmView, ReconcileView, RecordingView};
use hpa_words::wrap::wrap_indented;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::{Style, style::Role};

/// Counts of replayed syncs by result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayTally {
    /// Recordings.
    pub recordings: usize,
    /// Syncs.
    pub reconciles: usize,
    /// Changes of the replicas.
    pub rescalings: usize,
    /// Syncs that agree with the recording.
    pub agreeing: usize,
    /// Syncs that differ from the recording.
    pub differing: usize,
    /// Syncs that differ, possibly because of something that is not in the recording.
    pub unclear: usize,
    /// Syncs whose outcome is not in the recording.
    pub not_compared: usize,
}

impl ReplayTally {
    /// Counts a sync.
    pub fn count(&mut self, view: &ReconcileView) {
        self.reconciles += 1;
        self.rescalings += usize::from(view.is_scaling);
        let counter = match view.agrees {
            Some(true) => &mut self.agreeing,
            Some(false) => &mut self.differing,
            None if view.is_unclear => &mut self.unclear,
            None => &mut self.not_compared,
        };
        *counter += 1;
    }

    /// Sums up in one or two lines.
    pub fn summary(&self, style: Style) -> String {
        let first = [
            count(self.recordings, "recording"),
            count(self.reconciles, "sync"),
            count(self.rescalings, "rescale"),
        ];
        let compared = self.agreeing + self.differing;
        let mut second = Vec::new();
        if self.differing > 0 {
            let text = format!("{} of {compared} differ from the recording", self.differing);
            second.push(style.paint(Role::Error, &text));
        } else if compared > 0 {
            let text = if self.reconciles == compared {
                "all agree with the recording".to_owned()
            } else {
                format!("{compared} agree with the recording, none differs")
            };
            second.push(style.paint(Role::Good, &text));
        }
        if self.unclear > 0 {
            second.push(format!(
                "{} unclear: inputs changed in between, or unknown history matters",
                self.unclear
            ));
        }
        if self.not_compared > 0 {
            second.push(format!(
                "{} not checked: the recording does not show the result",
                self.not_compared
            ));
        }
        format!("\n{}\n{}\n", first.join(", "), second.join("; "))
    }
}

/// Writes the heading of a recording.
pub fn heading(view: &RecordingView, style: Style) -> String {
    let mut text = style.paint(Role::Strong, &style.clean(&view.name));
    let about = format!(
        "{} → {} · {} · Kubernetes {}",
        view.hpa, view.scale_target, view.bounds, view.version
    );
    // A capture is named after its HPA.
    let about = match about.strip_prefix(&format!("{} ", view.name)) {
        Some(rest) => format!(" {rest}"),
        None => format!("  {about}"),
    };
    text.push_str(&style.clean(&about));
    let columns = format!(
        "  {:TIME$}{:REPLICAS$}{:HAPPENED$}{:VERDICT$}metrics ask for",
        "time", "replicas", "what", "verdict"
    );
    let begin = format!("  from {}", view.begin);
    format!(
        "{text}\n{}\n{}\n",
        style.paint(Role::Dim, &style.clean(&begin)),
        style.paint(Role::Dim, &columns)
    )
}

/// Writes the line of a sync. Below it comes the failure, unless it is `known` from the line before, and what differs.
pub fn line(view: &ReconcileView, known: Option<&str>, style: Style) -> String {
    let mut text = String::new();
    for note in &view.notes {
        text.push_str(&style.paint(Role::Dim, &fit(&format!("  ({note})"), style)));
        text.push('\n');
    }
    let mark = match view.agrees {
        Some(false) => "! ",
        None if view.is_unclear => "~ ",
        _ => "  ",
    };
    let mut row = mark.to_owned();
    for (column, width) in [
        (view.time.as_str(), TIME),
        (&view.replicas, REPLICAS),
        (view.happened, HAPPENED),
        (&view.words, VERDICT),
    ] {
        row.push_str(column);
        row.push_str(&" ".repeat(width.saturating_sub(column.width()).max(1)));
    }
    row.push_str(&view.proposals);
    let role = match view.agrees {
        Some(false) => Role::Error,
        _ if view.is_scaling => Role::Strong,
        _ => Role::Text,
    };
    text.push_str(&style.paint(role, fit(&row, style).trim_end()));
    text.push('\n');
    if let Some(failure) = &view.failure
        && known != Some(failure)
    {
        text.push_str(&below(failure, style));
    }
    let displayed = view.differences.iter().take(MOST_DIFFERENCES);
    for Difference {
        path,
        predicted,
        recorded,
    } in displayed
    {
        let difference = format!("{path}: recomputed {predicted}, recorded {recorded}");
        text.push_str(&below(&difference, style));
    }
    let more = view.differences.len().saturating_sub(MOST_DIFFERENCES);
    if more > 0 {
        text.push_str(&format!("    and {}\n", count(more, "more field")));
    }
    text
}

/// The alarms that `watch` raises for what is recorded; empty without any.
pub fn raised(alarms: &[AlarmView], style: Style) -> String {
    if alarms.is_empty() {
        return String::new();
    }
    let mut text = "\nAlarms, as watch raises them:\n".to_owned();
    for alarm in alarms.iter().take(MOST_ALARMS) {
        let time = match &alarm.until {
            Some(until) => format!("{} to {until}", alarm.since),
            None => format!("since {}", alarm.since),
        };
        let hpa = alarm.hpa.as_ref().map(|hpa| format!("{hpa}: "));
        let row = format!(
            "{time}  {}{}: {}",
            hpa.unwrap_or_default(),
            alarm.kind,
            alarm.text
        );
        let role = match alarm.until {
            Some(_) => Role::Text,
            None => Role::Warning,
        };
        for line in wrap_indented(&style.clean(&row), style.width, "  ", "    ") {
            text.push_str(&style.paint(role, &line));
            text.push('\n');
        }
    }
    let more = alarms.len().saturating_sub(MOST_ALARMS);
    if more > 0 {
        text.push_str(&format!("  and {more} more: replay --tui shows them\n"));
    }
    text
}

/// Wraps a text that belongs to the line above.
fn below(text: &str, style: Style) -> String {
    wrap_indented(&style.clean(text), style.width, "    ", "      ").join("\n") + "\n"
}

/// Cuts a line at the width of the terminal.
fn fit(text: &str, style: Style) -> String {
    let text = style.clean(text);
    if text.width() <= style.width {
        return text;
    }
    let mut width = 0;
    let mut cut: String = text
        .chars()
        .take_while(|letter| {
            width += letter.width().unwrap_or_default();
            width + 2 <= style.width
        })
        .collect();
    cut.push_str(if style.has_unicode { "…" } else { ".." });
    cut
}

fn count(number: usize, noun: &str) -> String {
    hpa_words::amount::count(number, noun)
}

const TIME: usize = 10;
const REPLICAS: usize = 10;
const HAPPENED: usize = 10;
const VERDICT: usize = 24;
const MOST_DIFFERENCES: usize = 6;
const MOST_ALARMS: usize = 20;
