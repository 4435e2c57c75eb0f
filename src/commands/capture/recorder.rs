//! Records HPAs over time.
//!
//! A loop over three inputs: the clock, the controller's writes (from a watch on the HPAs, if that is allowed), and
//! the user's signal to stop. One snapshot is taken per interval; with one HPA, shortly before its next sync (see
//! `sync_times::schedule`). It is written when the controller's next write is observed, with the time of that sync
//! (see `sync_times::pending`), or with its own time if the next snapshot shows that nothing was written. So each line
//! of the file is what a sync found, and the next line shows what it did. A snapshot during which the controller wrote
//! is half before and half after the write, so it is taken again. If reading takes so long that this happens each
//! time, the snapshot is kept and marked.
//!
//! Reads and the end are scheduled by a monotonic clock; the API server's clock is used only for the times in the
//! snapshots.

use std::{io::Write as _, time::Duration};

use anyhow::Context as _;
use hpa_cluster::{Client, ClusterError, GatherScope, Selection, SnapshotDetail, Watch};
use hpa_engine::model::Input;
use hpa_objects::recording::{RecordingWriter, Snapshot, wire::Hpa};
use hpa_playback::sync_times::{HpaUpdate, PendingSnapshots, Schedule};
use hpa_words::sanitize::one_line;
use jiff::{SignedDuration, Timestamp};

use crate::{
    cli::ControllerArgs,
    process::{stop::StopSignal, workflow},
};

/// The options of a recording.
pub(super) struct Recorder<'a> {
    /// The client.
    pub(super) client: &'a Client,
    /// Which HPAs.
    pub(super) selection: &'a Selection,
    /// How much of the answers to keep.
    pub(super) detail: SnapshotDetail,
    /// The user's settings of the controller.
    pub(super) controller: &'a ControllerArgs,
    /// Interval between snapshots; none: the sync period.
    pub(super) every: Option<SignedDuration>,
    /// How long to record; none: until stopped.
    pub(super) length: Option<SignedDuration>,
    /// Whether to print progress to standard error.
    pub(super) shows_progress: bool,
}

/// An event in the loop.
enum Happening {
    Changed(Option<Box<Hpa>>),
    Due,
    Overdue,
    Read(Result<Vec<Snapshot>, ClusterError>),
    Stopped,
}

impl Recorder<'_> {
    /// Records until the end of the time, until stopped, or until the HPA is deleted.
    pub(super) async fn run(
        &self,
        writer: &mut RecordingWriter,
        stop: &mut StopSignal,
    ) -> anyhow::Result<()> {
        let mut recording = OpenRecording::begin(self, writer);
        let mut watch = Patient::new(self.client.watch_hpas(self.selection));
        let mut running = Some(Box::pin(self.read()));
        loop {
            let clock = recording.clock;
            let due = recording.due();
            let latest = recording.latest();
            let happening = tokio::select! {
                hpa = watch.next() => Happening::Changed(hpa.map(Box::new)),
                () = clock.sleep_until(due), if running.is_none() => Happening::Due,
                read = wait(&mut running), if running.is_some() => Happening::Read(read),
                () = clock.sleep_until(latest), if running.is_some() => Happening::Overdue,
                () = stop.wait() => Happening::Stopped,
            };
            match happening {
                Happening::Changed(Some(hpa)) => recording.changed(&hpa, running.is_some())?,
                Happening::Changed(None) => {}
                Happening::Due => {
                    recording.begun = clock.now();
                    running = Some(Box::pin(self.read()));
                }
                Happening::Read(read) => match recording.read(read)? {
                    NextStep::Again => running = Some(Box::pin(self.read())),
                    NextStep::WhenDue => running = None,
                    NextStep::Nothing => break,
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

    async fn read(&self) -> Result<Vec<Snapshot>, ClusterError> {
        // For many snapshots the context of the HPA would be read again each time.
        hpa_cluster::gather(
            self.client,
            self.selection,
            self.detail,
            GatherScope::Decision,
        )
        .await
    }
}

/// What to do after a snapshot.
enum NextStep {
    Again,
    Nothing,
    WhenDue,
}

/// A running recording.
struct OpenRecording<'a> {
    recorder: &'a Recorder<'a>,
    writer: &'a mut RecordingWriter,
    pending: PendingSnapshots,
    /// `None` until the first snapshot.
    schedule: Option<Schedule>,
    /// Several HPAs sync at different times, and the schedule can follow only one.
    is_single: bool,
    written: usize,
    clock: SteadyClock,
    end: Timestamp,
    /// When the latest snapshot was started, and how long it took.
    begun: Timestamp,
    reading: SignedDuration,
    /// The time of the latest snapshot that was kept.
    taken: Timestamp,
    /// Whether the controller wrote while the latest snapshot was taken, and how many snapshots in a row were dropped
    /// for that.
    is_torn: bool,
    given_up: usize,
}

impl<'a> OpenRecording<'a> {
    fn begin(recorder: &'a Recorder<'a>, writer: &'a mut RecordingWriter) -> Self {
        let clock = SteadyClock::begin(recorder.client.now());
        let started = clock.start;
        let length = recorder.length.unwrap_or(SignedDuration::MAX);
        Self {
            recorder,
            writer,
            pending: PendingSnapshots::default(),
            schedule: None,
            is_single: true,
            written: 0,
            clock,
            end: started.saturating_add(length).unwrap_or(Timestamp::MAX),
            begun: started,
            reading: SignedDuration::ZERO,
            taken: started,
            is_torn: false,
            given_up: 0,
        }
    }

    /// When to take the next snapshot. The last one, at the end, shows the outcome of the previous one.
    fn due(&self) -> Timestamp {
        self.schedule
            .as_ref()
            .map_or(self.end, |schedule| schedule.next(self.begun, self.reading))
            .min(self.end)
    }

    /// When to stop waiting for a snapshot. The last one, started at the end, may take as long as others took.
    fn latest(&self) -> Timestamp {
        let grace = GRACE.max(self.reading.saturating_mul(2));
        self.end.saturating_add(grace).unwrap_or(Timestamp::MAX)
    }

    fn changed(&mut self, hpa: &Hpa, is_reading: bool) -> anyhow::Result<()> {
        let now = self.recorder.client.now();
        let Some(update) = self.pending.change(hpa, now) else {
            return Ok(());
        };
        self.is_torn |= is_reading;
        match update {
            HpaUpdate::Edited(found) => {
                let is_after_a_sync = self.has_sync_between(self.taken, self.clock.now());
                let settled = self.pending.push(*found, is_after_a_sync);
                self.write(settled)
            }
            HpaUpdate::Written {
                settled,
                is_out_of_turn,
            } => {
                if self.is_single
                    && !is_out_of_turn
                    && let Some(schedule) = &mut self.schedule
                {
                    schedule.note_write(self.clock.now());
                }
                self.write(settled.map(|settled| *settled))
            }
        }
    }

    /// Whether a regular sync found the state of the first time, as far as sync times are known.
    fn has_sync_between(&self, from: Timestamp, to: Timestamp) -> bool {
        let schedule = self.schedule.as_ref().filter(|_| self.is_single);
        schedule.is_none_or(|schedule| schedule.has_sync_between(from, to))
    }

    fn read(&mut self, read: Result<Vec<Snapshot>, ClusterError>) -> anyhow::Result<NextStep> {
        let is_last = self.end <= self.begun;
        let is_torn = std::mem::take(&mut self.is_torn);
        self.reading = self.clock.now().duration_since(self.begun);
        match (read, &self.schedule) {
            (Ok(mut snapshots), _) => {
                if let [snapshot] = snapshots.as_mut_slice() {
                    if is_torn && self.given_up < MOST_GIVEN_UP {
                        self.given_up += 1;
                        self.begun = self.clock.now();
                        return Ok(NextStep::Again);
                    }
                    snapshot.torn = is_torn;
                }
                self.given_up = 0;
                self.take(snapshots)?;
            }
            (Err(error), None) => return Err(error.into()),
            (Err(error @ (ClusterError::NoHpa(_) | ClusterError::NotFound(_))), _) => {
                self.say(&format!("the recording ends: {error}"));
                return Ok(NextStep::Nothing);
            }
            // The server may be back in time for the next one.
            (Err(error), _) => self.say(&format!("no snapshot this time: {error}")),
        }
        Ok(if is_last {
            NextStep::Nothing
        } else {
            NextStep::WhenDue
        })
    }

    fn take(&mut self, snapshots: Vec<Snapshot>) -> anyhow::Result<()> {
        if self.schedule.is_none() {
            let period = sync_period(&snapshots)?;
            self.schedule = Some(Schedule::new(self.recorder.every, period));
        }
        self.is_single = snapshots.len() == 1;
        let before = std::mem::replace(&mut self.taken, self.begun);
        let is_after_a_sync = self.has_sync_between(before, self.taken);
        for snapshot in snapshots {
            let settled = self.pending.push(snapshot, is_after_a_sync);
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
            self.recorder.controller.apply(&mut snapshot)?;
            self.writer.write(&snapshot)?;
            self.written += 1;
        }
        Ok(())
    }

    fn progress(&self) {
        if !self.recorder.shows_progress {
            return;
        }
        let seconds = self.clock.now().duration_since(self.clock.start).as_secs();
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
        workflow::say(&format!("{start}{}", one_line(text)));
    }
}

/// The sync period of the controller, according to the snapshots.
fn sync_period(snapshots: &[Snapshot]) -> anyhow::Result<Input<SignedDuration>> {
    let first = snapshots.first().context("no HPA to record")?;
    let (hpa, controller) = first.hpa_and_controller()?;
    Ok(hpa.spec.sync_period(&controller))
}

/// A watch that is not restarted all the time if it is refused.
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

/// Starts at the API server's time and then advances by itself, even if clocks are set.
#[derive(Clone, Copy)]
struct SteadyClock {
    start: Timestamp,
    since: tokio::time::Instant,
}

impl SteadyClock {
    fn begin(start: Timestamp) -> Self {
        Self {
            start,
            since: tokio::time::Instant::now(),
        }
    }

    fn now(self) -> Timestamp {
        let passed = SignedDuration::try_from(self.since.elapsed());
        let passed = passed.unwrap_or(SignedDuration::MAX);
        self.start.saturating_add(passed).unwrap_or(Timestamp::MAX)
    }

    async fn sleep_until(self, time: Timestamp) {
        let left = time.duration_since(self.now());
        tokio::time::sleep(Duration::try_from(left).unwrap_or_default()).await;
    }
}

async fn wait<F: Future + Unpin>(running: &mut Option<F>) -> F::Output {
    match running {
        Some(running) => running.await,
        None => std::future::pending().await,
    }
}

const PAUSE: Duration = Duration::from_secs(5);

/// Snapshots in a row that are retaken because the controller wrote meanwhile.
const MOST_GIVEN_UP: usize = 2;

/// How much longer than requested a recording may take for its last snapshot, however fast the others were.
const GRACE: SignedDuration = SignedDuration::from_secs(5);
