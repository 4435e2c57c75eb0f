//! `kubectl hpa replay`.

mod full_screen;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{self, Write},
};

use anyhow::{Context as _, anyhow, bail};
use hpa_engine::model::Hpa;
use hpa_objects::recording::{ReadError, RecordingReader, name_of, visible};
use hpa_playback::{
    AlarmView, ExplainSubject, HpaSync, LatestAt, Player, Reconcile, ReconcileView, RecordedAlarms,
    RecordingView, Session, SubjectOrigin, time_of_day,
};
use hpa_render::{
    Style,
    replay::{ReplayTally, ReplayedReconcile, heading, line, raised},
    terminal::{PageDetail, answer},
};
use hpa_words::clock::Clock;
use jiff::{Timestamp, tz::TimeZone};

use super::explain::{ExplanationOutput, OutputFormat};
use crate::{
    cli::{ColorChoice, ReplayArgs, ReplayFormat},
    exit_code::ExitStatus,
    process::{
        terminal,
        until_closed::UntilClosed,
        workflow::{self, note},
    },
};

/// Runs `kubectl hpa replay`.
pub(super) fn run(args: &ReplayArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if args.tui {
        return full_screen::run(args, color);
    }
    let style = terminal::style(color);
    let zone = TimeZone::system();
    let stdout = workflow::stdout();
    // With `--check`, the whole recording is read even if standard output is closed early.
    let stdout: Box<dyn Write> = if args.check {
        Box::new(UntilClosed::new(stdout))
    } else {
        Box::new(stdout)
    };
    let origin = SubjectOrigin::of_file(args.path(), args.at);
    let mut printer = Printer::new(io::BufWriter::new(stdout), style, &zone);
    let mut chosen = args.at.map(|at| LatestAt::new(Some(at), &zone));
    let mut has_differences = false;
    let mut is_empty = true;
    let file = name_of(args.path());
    // Syncs are returned in order, some of them only lines later.
    let ended: RefCell<BTreeMap<String, Vec<Timestamp>>> = RefCell::default();
    // They are of a cluster that somebody watches, and not of a controller that was recorded from inside.
    let alarms = RefCell::new(RecordedAlarms::default());
    let has_alarms = args.output == ReplayFormat::Text && args.at.is_none() && !args.check;
    let lines = RecordingReader::open(args.path())?
        .map(|line| args.controller.apply_to_line(line?))
        .inspect(|line| {
            if let Ok(line) = line
                && has_alarms
                && line.snapshot.outcome.is_none()
            {
                alarms.borrow_mut().take(line.clone());
            }
        })
        .inspect(|line| {
            if let Ok(line) = line
                && let Some(deleted) = line.snapshot.hpa_deleted
            {
                let recording = Session::recording_of(&line.snapshot);
                ended
                    .borrow_mut()
                    .entry(recording)
                    .or_default()
                    .push(deleted);
            }
        });
    for reconcile in Player::new(lines) {
        match reconcile {
            Ok(reconcile) => {
                is_empty = false;
                has_differences |= reconcile.verdict.agrees() == Some(false);
                match (&mut chosen, args.output) {
                    (Some(chosen), _) => {
                        let sync = HpaSync {
                            time: reconcile.time,
                            period: reconcile.observation.sync_period().value,
                            created: reconcile.observation.hpa.created,
                        };
                        chosen.offer(reconcile.recording.clone(), sync, reconcile);
                    }
                    (None, ReplayFormat::Text) => {
                        printer.gone(&mut ended.borrow_mut(), Some(&reconcile))?;
                        printer.line(reconcile)?;
                    }
                    (None, ReplayFormat::Jsonl) => printer.json(reconcile)?,
                }
            }
            Err(error @ ReadError::Interrupted { .. }) if !is_empty => {
                printer.out.flush()?;
                note(&format!("{file}: {error}"));
            }
            Err(error) => {
                printer.print_waiting()?;
                printer.out.flush()?;
                return Err(error).with_context(|| file.clone());
            }
        }
    }
    if is_empty {
        bail!("{file} has no snapshots");
    }
    if let Some(chosen) = chosen {
        let mut chosen = chosen;
        for (recording, deleted) in ended.into_inner() {
            for at in deleted {
                chosen.end(&recording, at);
            }
        }
        let chosen = chosen.chosen().map_err(|none| anyhow!("{file}: {none}"))?;
        match args.output {
            ReplayFormat::Text => {
                printer.pages(chosen.collect(), &origin, args.verbose)?;
            }
            ReplayFormat::Jsonl => {
                for reconcile in chosen {
                    printer.json(reconcile)?;
                }
            }
        }
    } else if args.output == ReplayFormat::Text {
        printer.gone(&mut ended.into_inner(), None)?;
        printer.alarms = alarms.borrow().views(printer.recordings.len() == 1, &zone);
        printer.summary((!args.check).then_some(origin))?;
    }
    printer.out.flush()?;
    Ok(if args.check && has_differences {
        ExitStatus::Findings
    } else {
        ExitStatus::Success
    })
}

/// Prints syncs.
struct Printer<'a, W> {
    out: W,
    style: Style,
    zone: &'a TimeZone,
    tally: ReplayTally,
    /// Recordings in the order of their first line. If captures of several HPAs are interleaved, the first is printed
    /// directly, and the others follow one by one.
    recordings: Vec<Printed>,
    /// Index of the recording that is printed directly.
    current: usize,
    /// The last sync.
    last: Option<ExplainSubject>,
    /// Whether an HPA was deleted after its last sync.
    is_gone: bool,
    /// The alarms of the recording.
    alarms: Vec<AlarmView>,
}

/// The printed part of a recording.
struct Printed {
    name: String,
    /// The failure in the previous line.
    failure: Option<String>,
    /// The HPA in the previous line.
    hpa: Option<Hpa>,
    /// Lines that wait for the end of earlier recordings.
    waiting: String,
}

impl<'a, W: Write> Printer<'a, W> {
    fn new(out: W, style: Style, zone: &'a TimeZone) -> Self {
        Self {
            out,
            style,
            zone,
            tally: ReplayTally::default(),
            recordings: Vec::new(),
            current: 0,
            last: None,
            is_gone: false,
            alarms: Vec::new(),
        }
    }

    /// Prints that HPAs were deleted: that of a sync before it, or at the end all that were.
    fn gone(
        &mut self,
        ended: &mut BTreeMap<String, Vec<Timestamp>>,
        before: Option<&Reconcile>,
    ) -> io::Result<()> {
        let zone = self.zone;
        for (index, recording) in self.recordings.iter_mut().enumerate() {
            let Some(deleted) = ended.get_mut(&recording.name) else {
                continue;
            };
            let is_due = |at: &mut Timestamp| {
                before.is_none_or(|sync| sync.recording == recording.name && *at <= sync.time)
            };
            for at in deleted.extract_if(.., is_due) {
                let time = time_of_day(at, zone);
                let text = format!("  {time}  the HPA was deleted\n");
                recording.failure = None;
                self.is_gone = before.is_none();
                if index == self.current {
                    self.out.write_all(text.as_bytes())?;
                } else {
                    recording.waiting.push_str(&text);
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, reconcile: Reconcile) -> io::Result<()> {
        let clock = Clock::new(self.zone.clone(), reconcile.time);
        let mut text = String::new();
        let name = &reconcile.recording;
        let known = self.recordings.iter().position(|one| one.name == *name);
        let index = if let Some(index) = known {
            index
        } else {
            // A recording from inside the controller is not interrupted by the next one.
            if reconcile.is_from_inside {
                self.print_waiting()?;
                self.current = self.recordings.len();
            }
            if self.tally.recordings > 0 {
                text.push('\n');
            }
            self.tally.recordings += 1;
            text.push_str(&heading(&RecordingView::of(&reconcile, &clock), self.style));
            self.recordings.push(Printed {
                name: name.clone(),
                failure: None,
                hpa: None,
                waiting: String::new(),
            });
            self.recordings.len() - 1
        };
        let recording = &mut self.recordings[index];
        let (mut view, subject) = ReconcileView::of(reconcile, &clock);
        let hpa = &subject.input.observation.hpa;
        if let Some(before) = recording.hpa.replace(hpa.clone()) {
            view.note_edit(&before, hpa);
        }
        text.push_str(&line(&view, recording.failure.as_deref(), self.style));
        self.tally.count(&view);
        recording.failure = view.failure;
        self.last = Some(subject);
        if index == self.current {
            self.out.write_all(text.as_bytes())
        } else {
            recording.waiting.push_str(&text);
            Ok(())
        }
    }

    fn print_waiting(&mut self) -> io::Result<()> {
        for recording in &mut self.recordings {
            let waiting = std::mem::take(&mut recording.waiting);
            self.out.write_all(waiting.as_bytes())?;
        }
        Ok(())
    }

    fn json(&mut self, reconcile: Reconcile) -> io::Result<()> {
        let line = ReplayedReconcile {
            time: reconcile.time,
            recording: reconcile.recording,
            predicted: reconcile.predicted,
            other_history: reconcile.has_other_memory,
            agrees: reconcile.verdict.agrees(),
            differs: reconcile.verdict.differences().to_vec(),
        };
        visible::write_json(&mut self.out, &line)?;
        writeln!(self.out)
    }

    /// The syncs in full, as `explain` prints them.
    fn pages(
        &mut self,
        reconciles: Vec<Reconcile>,
        origin: &SubjectOrigin,
        is_verbose: bool,
    ) -> anyhow::Result<()> {
        let subject = |reconcile| ExplainSubject {
            origin: origin.clone(),
            ..ExplainSubject::of_reconcile(reconcile)
        };
        let subjects: Vec<ExplainSubject> = reconciles.into_iter().map(subject).collect();
        let output = ExplanationOutput {
            format: OutputFormat::Text,
            detail: PageDetail {
                is_verbose,
                ..PageDetail::default()
            },
            style: self.style,
            is_one: subjects.len() == 1,
            has_header: true,
        };
        let text = output.text(subjects, self.zone)?;
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// The counts, and for a single recording the answer of its last sync, if its origin is given.
    fn summary(&mut self, origin: Option<SubjectOrigin>) -> io::Result<()> {
        self.print_waiting()?;
        let mut text = self.tally.summary(self.style);
        text.push_str(&raised(&self.alarms, self.style));
        if self.recordings.len() == 1
            && let (Some(last), Some(origin)) = (self.last.take(), origin)
        {
            let last = ExplainSubject { origin, ..last };
            let gone = if self.is_gone {
                " before the HPA was deleted"
            } else {
                ""
            };
            text.push_str(&format!(
                "\nThe last sync{gone} (for another: --at TIME):\n"
            ));
            text.push_str(&last.report(self.zone, |page, _| answer(page, self.style)));
        }
        self.out.write_all(text.as_bytes())
    }
}
