//! Records HPAs over time.
//!
//! A loop over three things: the clock, the controller's writes (by a watch on the HPAs, if that is allowed), and the user's wish to stop.
//! One snapshot is taken per interval, with one HPA shortly before its next sync (see `sync_times::schedule`). It is written when the controller's next
//! write is seen, with the time of that sync (see `sync_times::pending`), or with its own time if the next snapshot shows that nothing was written. So
//! in the file each line is what a sync found, and the next line shows what it did. A snapshot during which the controller wrote is half
//! before and half after, so it is taken again.

use std::{io::Write as _, time::Duration};

use anyhow::Context as _;
use jiff::{SignedDuration, Timestamp};

use crate::{
    cli::ControllerArgs,
    cluster::{self, Client, Detail, Error, Scope, Selection, Watch},
    commands::{
        controller_flags,
        stop::Stop,
        sync_times::{Pending, Schedule, Written},
    },
    model::Input,
    recording::{Snapshot, Writer, wire::Hpa},
    render::sanitize::one_line,
};

/// What to record, and how.
pub(super) struct Recorder<'a> {
    /// The client.
    pub(super) client: &'a Client,
    /// Which HPAs.
    pub(super) selection: &'a Selection,
    /// How much to keep.
    pub(super) detail: Detail,
    /// What the user says of the controller.
    pub(super) controller: &'a ControllerArgs,
    /// From snapshot to snapshot; none: the sync period.
    pub(super) every: Option<SignedDuration>,
    /// How long; none: until stopped.
    pub(super) length: Option<SignedDuration>,
    /// Whether to say on standard error how far it is.
    pub(super) shows_progress: bool,
}

/// What happened.
enum Happening {
    Changed(Option<Box<Hpa>>),
    Due,
    Overdue,
    Read(Result<Vec<Snapshot>, Error>),
    Stopped,
}

impl Recorder<'_> {
    /// Records until the end of the time, until stopped, or until the HPA is gone.
    pub(super) async fn run(&self, writer: &mut Writer, stop: &mut Stop) -> anyhow::Result<()> {
        let mut recording = Recording::begin(self, writer);
        let mut watch = Patient::new(self.client.watch_hpas(self.selection));
        let mut running = Some(Box::pin(self.read()));
        loop {
            let due = recording.due();
            let latest = recording.latest();
            let happening = tokio::select! {
                hpa = watch.next() => Happening::Changed(hpa.map(Box::new)),
                () = sleep_until(self.client, due), if running.is_none() => Happening::Due,
                read = wait(&mut running), if running.is_some() => Happening::Read(read),
                () = sleep_until(self.client, latest), if running.is_some() => Happening::Overdue,
                () = stop.wait() => Happening::Stopped,
            };
            match happening {
                Happening::Changed(Some(hpa)) => recording.changed(&hpa, running.is_some())?,
                Happening::Changed(None) => {}
                Happening::Due => {
                    recording.begun = self.client.now();
                    running = Some(Box::pin(self.read()));
                }
                Happening::Read(read) => match recording.read(read)? {
                    Next::Again => running = Some(Box::pin(self.read())),
                    Next::WhenDue => running = None,
                    Next::Nothing => break,
                },
                Happening::Overdue if recording.schedule.is_none() => {
                    anyhow::bail!("the cluster did not answer within --for: nothing is written")
                }
                Happening::Overdue => {
                    recording.say("no last snapshot: the cluster did not answer in time");
                    break;
                }
                Happening::Stopped if recording.schedule.is_none() => {
                    anyhow::bail!("interrupted: nothing is written")
                }
                Happening::Stopped => break,
            }
        }
        recording.finish()
    }

    async fn read(&self) -> Result<Vec<Snapshot>, Error> {
        // Many looks: what stands around the HPA would be read anew each time.
        cluster::gather(self.client, self.selection, self.detail, Scope::Decision).await
    }
}

/// What to do after a snapshot.
enum Next {
    Again,
    Nothing,
    WhenDue,
}

/// A recording on its way.
struct Recording<'a> {
    recorder: &'a Recorder<'a>,
    writer: &'a mut Writer,
    pending: Pending,
    /// None until the first snapshot.
    schedule: Option<Schedule>,
    /// Several HPAs have several phases, and the schedule can follow one.
    is_single: bool,
    written: usize,
    started: Timestamp,
    end: Timestamp,
    /// When the latest snapshot was begun, and how long it took.
    begun: Timestamp,
    reading: SignedDuration,
    /// Whether the controller wrote while it was taken.
    is_torn: bool,
}

impl<'a> Recording<'a> {
    fn begin(recorder: &'a Recorder<'a>, writer: &'a mut Writer) -> Self {
        let started = recorder.client.now();
        let length = recorder.length.unwrap_or(SignedDuration::MAX);
        Self {
            recorder,
            writer,
            pending: Pending::default(),
            schedule: None,
            is_single: true,
            written: 0,
            started,
            end: started.saturating_add(length).unwrap_or(Timestamp::MAX),
            begun: started,
            reading: SignedDuration::ZERO,
            is_torn: false,
        }
    }

    /// When to take the next snapshot. The last one, at the end, shows what came of the one before.
    fn due(&self) -> Timestamp {
        self.schedule
            .as_ref()
            .map_or(self.end, |schedule| schedule.next(self.begun, self.reading))
            .min(self.end)
    }

    /// When not to wait for a snapshot any more. The last one, begun at the end, may take as long as others took.
    fn latest(&self) -> Timestamp {
        let grace = GRACE.max(self.reading.saturating_mul(2));
        self.end.saturating_add(grace).unwrap_or(Timestamp::MAX)
    }

    fn changed(&mut self, hpa: &Hpa, is_reading: bool) -> anyhow::Result<()> {
        let now = self.recorder.client.now();
        let Some(Written(settled)) = self.pending.change(hpa, now) else {
            return Ok(());
        };
        if self.is_single
            && let Some(schedule) = &mut self.schedule
        {
            schedule.note_write(now);
        }
        self.is_torn |= is_reading;
        self.write(settled)
    }

    fn read(&mut self, read: Result<Vec<Snapshot>, Error>) -> anyhow::Result<Next> {
        let is_last = self.end <= self.begun;
        let is_torn = std::mem::take(&mut self.is_torn);
        self.reading = self.recorder.client.now().duration_since(self.begun);
        match (read, &self.schedule) {
            (Ok(snapshots), _) if is_torn && snapshots.len() == 1 => {
                self.begun = self.recorder.client.now();
                return Ok(Next::Again);
            }
            (Ok(snapshots), _) => self.take(snapshots)?,
            (Err(error), None) => return Err(error.into()),
            (Err(error @ (Error::NoHpa(_) | Error::NotFound(_))), _) => {
                self.say(&format!("the recording ends: {error}"));
                return Ok(Next::Nothing);
            }
            // The server may be back in time for the next one.
            (Err(error), _) => self.say(&format!("no snapshot this time: {error}")),
        }
        Ok(if is_last {
            Next::Nothing
        } else {
            Next::WhenDue
        })
    }

    fn take(&mut self, snapshots: Vec<Snapshot>) -> anyhow::Result<()> {
        if self.schedule.is_none() {
            let period = sync_period(&snapshots)?;
            self.schedule = Some(Schedule::new(self.recorder.every, period));
        }
        self.is_single = snapshots.len() == 1;
        let schedule = self.schedule.clone().filter(|_| self.is_single);
        for snapshot in snapshots {
            let settled = self.pending.push(snapshot, |from, to| {
                schedule
                    .as_ref()
                    .is_none_or(|schedule| schedule.has_sync_between(from, to))
            });
            self.write(settled)?;
        }
        self.progress();
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        for snapshot in std::mem::take(&mut self.pending).finish() {
            self.write(Some(snapshot))?;
        }
        self.progress();
        if self.recorder.shows_progress {
            self.say("");
        }
        Ok(())
    }

    fn write(&mut self, snapshot: Option<Snapshot>) -> anyhow::Result<()> {
        if let Some(mut snapshot) = snapshot {
            controller_flags::apply(self.recorder.controller, &mut snapshot)?;
            self.writer.write(&snapshot)?;
            self.written += 1;
        }
        Ok(())
    }

    fn progress(&self) {
        if !self.recorder.shows_progress {
            return;
        }
        let seconds = self
            .recorder
            .client
            .now()
            .duration_since(self.started)
            .as_secs();
        let length = self
            .recorder
            .length
            .map(|length| format!(" of {} s", length.as_secs()))
            .unwrap_or_default();
        // A closed standard error must not end a recording.
        let _ = write!(
            anstream::stderr(),
            "\r{} snapshots written, {seconds} s{length} (Ctrl-C ends the recording) ",
            self.written
        );
    }

    fn say(&self, text: &str) {
        let start = if self.recorder.shows_progress {
            "\n"
        } else {
            ""
        };
        let _ = writeln!(anstream::stderr(), "{start}{}", one_line(text));
    }
}

/// The period that the snapshots say the controller has.
fn sync_period(snapshots: &[Snapshot]) -> anyhow::Result<Input<SignedDuration>> {
    let first = snapshots.first().context("no HPA to record")?;
    Ok(first.controller.to_model()?.sync_period)
}

/// A watch that isn't begun anew all the time if it is refused.
struct Patient<'a> {
    watch: Watch<'a>,
    pause: Option<tokio::time::Instant>,
}

impl<'a> Patient<'a> {
    fn new(watch: Watch<'a>) -> Self {
        Self { watch, pause: None }
    }

    async fn next(&mut self) -> Option<Hpa> {
        if let Some(until) = self.pause {
            tokio::time::sleep_until(until).await;
            self.pause = None;
        }
        let hpa = self.watch.next().await;
        if hpa.is_none() {
            self.pause = Some(tokio::time::Instant::now() + PAUSE);
        }
        hpa
    }
}

async fn sleep_until(client: &Client, time: Timestamp) {
    let left = time.duration_since(client.now());
    tokio::time::sleep(Duration::try_from(left).unwrap_or_default()).await;
}

async fn wait<F: Future + Unpin>(running: &mut Option<F>) -> F::Output {
    match running {
        Some(running) => running.await,
        None => std::future::pending().await,
    }
}

const PAUSE: Duration = Duration::from_secs(5);

/// How much longer than wanted a recording may take for its last snapshot, however fast the others were.
const GRACE: SignedDuration = SignedDuration::from_secs(5);
