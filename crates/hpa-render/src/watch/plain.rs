//! `watch -o plain`: one line for each change that matters, with its time.

use hpa_engine::model::{HpaKey, Source};
use hpa_explain::{Action, edited};
use hpa_watch::{
    Agreement, Change, EntryId, FieldDifference, HistoryEntry, HpaState, State, Update,
};
use hpa_words::{amount::names, clock, wrap::wrap_indented};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{
    held::{Decided, HeldDecisions, ReportedRescale},
    noted::noted,
    reason::reason,
    source_name,
};
use crate::{Style, style::Role};

/// The style of the lines, and the lines that wait.
#[derive(Clone, Debug)]
pub struct PlainLines {
    /// Color and characters.
    style: Style,
    /// The reader's zone.
    zone: TimeZone,
    /// Columns after which a line is wrapped; none: never, for programs that search the output.
    wrap: Option<usize>,
    /// Decisions to scale whose write was not observed yet: one line reports both.
    held: HeldDecisions,
    /// The time of the previous line: what becomes known late gets a later time.
    last: Timestamp,
}

impl PlainLines {
    /// Lines in this style, with times in this zone, wrapped after `wrap` columns. Without `wrap` they are never
    /// wrapped, for programs that search the output.
    pub fn new(style: Style, zone: TimeZone, wrap: Option<usize>) -> Self {
        Self {
            style,
            zone,
            wrap,
            held: HeldDecisions::default(),
            last: Timestamp::MIN,
        }
    }

    /// Writes what a reader should know about an update; often nothing.
    pub fn update(&mut self, update: &Update, state: &State, at: Timestamp) -> String {
        let lines: Vec<ReportLine> = match update {
            Update::Appeared { hpa, entry } => entry_with_id(state, hpa, *entry)
                .map(|entry| ReportLine::new(Role::Text, entry.at, Some(hpa), self.appeared(entry)))
                .into_iter()
                .collect(),
            Update::Deleted { hpa } => {
                let deleted = ReportLine::new(Role::Warning, at, Some(hpa), "is gone".to_owned());
                let held = self.held.release(hpa);
                held.map(unwritten).into_iter().chain([deleted]).collect()
            }
            Update::Reconciled {
                hpa,
                entry,
                changes,
            } => match entry_with_id(state, hpa, *entry) {
                Some(entry) => {
                    let held = self.held.next_sync(hpa, entry, changes);
                    let mut lines: Vec<ReportLine> = held.map(unwritten).into_iter().collect();
                    lines.extend(self.changes(state, hpa, entry, changes));
                    lines
                }
                None => Vec::new(),
            },
            Update::Changed {
                hpa,
                entry,
                changes,
            } => match entry_with_id(state, hpa, *entry) {
                Some(entry) => self.changes(state, hpa, entry, changes),
                None => Vec::new(),
            },
            Update::Compared { hpa, at, agreement } => {
                let compared = compared(hpa, *at, agreement);
                // What it did instead.
                let held = if compared.is_empty() {
                    None
                } else {
                    self.held.release(hpa)
                };
                held.map(unwritten).into_iter().chain(compared).collect()
            }
            // The lines about the lost connection say so.
            Update::AlarmOn { hpas, .. } | Update::AlarmOff { hpas, .. } if hpas.is_empty() => {
                Vec::new()
            }
            Update::AlarmOn { hpas, alarm } => {
                let text = format!("ALARM {}", alarm.text);
                vec![of_hpas(Role::Error, at, hpas, text)]
            }
            Update::AlarmOff {
                hpas,
                alarm,
                lasted,
            } => {
                let text = format!("ended after {}: {}", rough(*lasted), alarm.text);
                vec![of_hpas(Role::Good, at, hpas, text)]
            }
            Update::Failing { source, why } => {
                if matches!(source, Source::Server | Source::Watch { .. }) {
                    // Their writes may come unobserved.
                    self.held.forget();
                }
                let since = state.failures.get(source).map_or(at, |known| known.since);
                let (role, text) = match source {
                    Source::Server => (
                        Role::Error,
                        format!(
                            "NOT CONNECTED since {}: {why}; nothing is judged until the API server answers",
                            self.of_day(since)
                        ),
                    ),
                    _ => (Role::Warning, failing(source, why)),
                };
                vec![ReportLine::new(role, at, None, text)]
            }
            Update::Recovered { source, lasted } => {
                vec![ReportLine::new(
                    Role::Good,
                    at,
                    None,
                    recovered(source, *lasted),
                )]
            }
            Update::Marked(mark) => {
                let text = format!("MARK {}", mark.note);
                vec![ReportLine::new(Role::Strong, mark.at, None, text)]
            }
        };
        lines.into_iter().map(|line| self.line(line)).collect()
    }

    /// Writes what has waited for too long: decisions to scale whose write did not come.
    pub fn overdue(&mut self, state: &State, now: Timestamp) -> String {
        let overdue = self.held.overdue(state, now);
        overdue
            .into_iter()
            .map(|held| self.line(unwritten(held)))
            .collect()
    }

    /// Writes what still waits when the output ends.
    pub fn rest(&mut self) -> String {
        let rest = self.held.rest();
        rest.into_iter()
            .map(|held| self.line(line_of(held, "")))
            .collect()
    }

    /// The changes of one entry. A decision to scale waits for its write.
    fn changes(
        &mut self,
        state: &State,
        hpa: &HpaKey,
        entry: &HistoryEntry,
        changes: &[Change],
    ) -> Vec<ReportLine> {
        let mut lines = Vec::new();
        for one in changes {
            let decided = match *one {
                Change::Rescaled { from, to, .. } => {
                    let decided = decided(state, hpa, from, to);
                    let written = ReportedRescale {
                        from,
                        to,
                        at: entry.at,
                        has_reason: decided.is_some(),
                    };
                    self.held.written(hpa, written);
                    decided
                }
                _ => Some(entry),
            };
            let Some((role, text)) = self.change(one, entry, decided) else {
                continue;
            };
            let line = ReportLine::new(role, entry.at, Some(hpa), text);
            match *one {
                Change::Verdict if let Some(written) = self.held.rescale(hpa, entry) => {
                    lines.extend((!written.has_reason).then_some(line));
                }
                Change::Verdict if let Some((_, to)) = rescaling(entry) => {
                    self.held.hold(Decided {
                        hpa: hpa.clone(),
                        to,
                        at: entry.at,
                        headline: entry.headline.clone(),
                        reason: reason(entry, &self.zone),
                    });
                }
                _ => lines.push(line),
            }
        }
        lines
    }

    /// The line of a change; `None` if it matters to programs only. `decided` is the entry that decided it; `None` if it
    /// was not observed.
    fn change(
        &self,
        change: &Change,
        entry: &HistoryEntry,
        decided: Option<&HistoryEntry>,
    ) -> Option<(Role, String)> {
        Some(match change {
            Change::Rescaled { from, to, .. } => {
                let role = if from < to { Role::Good } else { Role::Warning };
                let text = match decided {
                    Some(decided) => format!("{from} → {to}: {}", reason(decided, &self.zone)),
                    None => noted(change, &self.zone)
                        .unwrap_or_else(|| format!("{from} → {to}, why is not known")),
                };
                (role, text)
            }
            Change::ReplicasWritten { from, to, by } => {
                let by = by.as_ref().map_or_else(
                    || "not by the controller".to_owned(),
                    |by| format!("by {by}"),
                );
                (
                    Role::Warning,
                    format!("replicas {from} → {to}, written {by}"),
                )
            }
            Change::RescaledUnseen { from, to, .. } => {
                let role = if from < to { Role::Good } else { Role::Warning };
                (role, noted(change, &self.zone).unwrap_or_default())
            }
            Change::Verdict => {
                let role = match entry.action {
                    Action::Failed | Action::Unknown => Role::Error,
                    _ => Role::Text,
                };
                (role, self.verdict(entry))
            }
            Change::Ready { from, to } => {
                let all = entry.pods.all;
                (Role::Text, format!("ready pods {from} → {to} of {all}"))
            }
            Change::SpecEdited { edits } => (Role::Strong, edited(edits)),
            Change::ControllerRestarted => (
                Role::Warning,
                "the controller has restarted and remembers nothing".to_owned(),
            ),
            Change::HistoryObserved => return None,
        })
    }

    /// The first line of an HPA: `6 replicas (1 to 10), 6 ready: STAYS AT 6: within tolerance; cpu 55% (target 60%)`.
    fn appeared(&self, entry: &HistoryEntry) -> String {
        let replicas = match entry.current {
            Some(current) => format!("{current} replicas"),
            None => "replicas not known".to_owned(),
        };
        format!(
            "{replicas} ({} to {}), {} ready: {}",
            entry.min,
            entry.max,
            entry.pods.ready,
            self.verdict(entry)
        )
    }

    /// `STAYS AT 8 (maxReplicas): at max, 4 short; cpu 92% (target 60%) asks for 12`.
    fn verdict(&self, entry: &HistoryEntry) -> String {
        format!("{}: {}", entry.headline, reason(entry, &self.zone))
    }

    /// A time in the reader's zone.
    fn of_day(&self, at: Timestamp) -> String {
        let zoned = at.to_zoned(self.zone.clone());
        zoned.strftime("%H:%M:%S").to_string()
    }

    /// Writes a line, with a time that is never before that of the line above.
    fn line(&mut self, line: ReportLine) -> String {
        let late = self.last.duration_since(line.at);
        self.last = self.last.max(line.at);
        let mut text = self.of_day(self.last);
        if let Some(hpa) = line.hpa {
            text.push_str(&format!(" {hpa}"));
        }
        text.push_str(&format!(" {}", line.text));
        if SAME_TIME < late {
            text.push_str(&format!(" (at {})", self.of_day(line.at)));
        }
        let text = self.style.clean(text.trim_end());
        let Some(width) = self.wrap else {
            return self.style.paint(line.role, &text) + "\n";
        };
        wrap_indented(&text, width, "", INDENT)
            .iter()
            .map(|part| self.style.paint(line.role, part) + "\n")
            .collect()
    }
}

/// Clocks of different sources differ by up to this much.
const SAME_TIME: SignedDuration = SignedDuration::from_secs(2);

/// The content of a line.
struct ReportLine {
    role: Role,
    at: Timestamp,
    hpa: Option<HpaKey>,
    text: String,
}

impl ReportLine {
    fn new(role: Role, at: Timestamp, hpa: Option<&HpaKey>, text: String) -> Self {
        Self {
            role,
            at,
            hpa: hpa.cloned(),
            text,
        }
    }
}

/// A line about one HPA, or about all that share a cause.
fn of_hpas(role: Role, at: Timestamp, hpas: &[HpaKey], text: String) -> ReportLine {
    if let [hpa] = hpas {
        return ReportLine::new(role, at, Some(hpa), text);
    }
    let all: Vec<&str> = hpas.iter().map(|hpa| hpa.name.as_str()).collect();
    ReportLine::new(
        role,
        at,
        None,
        format!("{text} ({})", names(&all, MOST_NAMED)),
    )
}

fn entry_with_id<'a>(state: &'a State, hpa: &HpaKey, entry: EntryId) -> Option<&'a HistoryEntry> {
    let HpaState { history, .. } = state.hpas.get(hpa)?.as_ref();
    history.get(entry)
}

/// The entry that decided a rescale, which is reported once the replicas have changed; `None` if it was not observed.
fn decided<'a>(state: &'a State, hpa: &HpaKey, from: i32, to: i32) -> Option<&'a HistoryEntry> {
    let mut history = state.hpas.get(hpa)?.history.entries().rev().take(RECENT);
    history.find(|one| one.is_reconcile && one.current == Some(from) && one.desired == Some(to))
}

/// The replicas before and after a decision, if it changes them.
fn rescaling(entry: &HistoryEntry) -> Option<(i32, i32)> {
    let is_scaling = matches!(entry.action, Action::ScaleDown | Action::ScaleUp);
    let ends = entry.current.zip(entry.desired);
    ends.filter(|(from, to)| is_scaling && from != to)
}

/// `SCALES 2 → 4 (no write seen): up by cpu at 92% (target 60%)`.
fn unwritten(decided: Decided) -> ReportLine {
    line_of(decided, " (no write seen)")
}

fn line_of(decided: Decided, remark: &str) -> ReportLine {
    let Decided {
        hpa,
        at,
        headline,
        reason,
        ..
    } = decided;
    let text = format!("{headline}{remark}: {reason}");
    ReportLine::new(Role::Warning, at, Some(&hpa), text)
}

/// Agreement is expected, so only disagreement is reported.
fn compared(hpa: &HpaKey, at: Timestamp, agreement: &Agreement) -> Vec<ReportLine> {
    match agreement {
        Agreement::Open
        | Agreement::Agrees
        | Agreement::AgreesOtherwise
        | Agreement::Unclear(_) => Vec::new(),
        Agreement::Differs(fields) => vec![ReportLine::new(
            Role::Error,
            at,
            Some(hpa),
            format!(
                "the controller decided otherwise: {}",
                FieldDifference::join(fields, "; ")
            ),
        )],
    }
}

fn failing(source: &Source, why: &str) -> String {
    match source_name(source) {
        Some(name) => format!("{name} cannot be read: {why}"),
        None => why.to_owned(),
    }
}

fn recovered(source: &Source, lasted: SignedDuration) -> String {
    let lasted = rough(lasted);
    match source_name(source) {
        _ if *source == Source::Server => format!("CONNECTED again, after {lasted}"),
        Some(name) => format!("{name} can be read again, after {lasted}"),
        None => format!("the API server answers in time again, after {lasted}"),
    }
}

fn rough(duration: SignedDuration) -> String {
    clock::duration(SignedDuration::from_secs(duration.as_secs()))
}

/// At most this many HPAs of one cause are named.
const MOST_NAMED: usize = 8;

/// The decision of a change is searched among this many recent entries.
const RECENT: usize = 10;

/// Indent of the second and later lines of a change.
const INDENT: &str = "         ";

#[cfg(test)]
mod tests;
