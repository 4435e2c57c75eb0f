//! The loop of `watch`.

use std::{
    future::pending,
    io::Write as _,
    pin::{Pin, pin},
    time::Duration,
};

use anyhow::Context as _;
use hpa_cluster::Client;
use hpa_objects::recording::{RotatingWriter, Snapshot};
use hpa_render::export::SharedBoard;
use hpa_watch::{Event, State, Until, UntilOutcome, WatchTally, reduce};
use hpa_words::amount::count;
use jiff::Timestamp;
use tokio::sync::watch;

use crate::{
    cli::{ColorChoice, WatchArgs},
    commands::{
        full_screen::Happened,
        named_file,
        watch::{
            full_screen::{self, Live, Wish},
            on_alarm::OnAlarm,
            output::WatchOutput,
            posting::Posting,
            recorder::WatchRecorder,
        },
    },
    exit_code::{self, ExitStatus},
    live::feed::{Fed, Feed},
    process::{
        runtime::{connecting_for, next_failure, runtime, with_others},
        stop::{self, StopSignal},
        workflow::note,
    },
};

/// Runs `kubectl hpa watch`.
pub(in crate::commands) fn run(args: &WatchArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    named_file::refuse(&args.selection.names, false)?;
    runtime()?.block_on(watch(args, color))
}

async fn watch(args: &WatchArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let record = args.record.as_deref();
    // A wrong path is an error of the command line: it is reported before a cluster is asked for anything.
    record.map(RotatingWriter::check).transpose()?;
    let mut stop = StopSignal::listen().context("cannot listen for signals")?;
    if !full_screen::is_requested(args) {
        // A full screen has to give the terminal back itself.
        stop::end_if_busy().context("cannot listen for signals")?;
    }
    let mut timeout = pin!(timeout(args));
    let (client, selection) = tokio::select! {
        connected = connecting_for(&args.selection, &args.connection) => connected?,
        () = stop.wait() => return Ok(ExitStatus::Success),
        () = &mut timeout => {
            note("timed out: no credentials yet");
            return Ok(before_any(args));
        }
    };
    let mut feed = tokio::select! {
        feed = Feed::start(&client, &selection, &args.controller) => with_others(&client, &selection, feed).await?,
        () = stop.wait() => return Ok(ExitStatus::Success),
        () = &mut timeout => {
            note("timed out before the HPAs could be listed");
            return Ok(before_any(args));
        }
    };
    if let Some(why) = feed.unknown_version() {
        note(&why);
    }
    // Only now, so that a cluster that cannot be read leaves no empty file behind.
    let recorder = record
        .map(|path| WatchRecorder::begin(path, args.record_max_size))
        .transpose()?;
    let face = if full_screen::is_requested(args) {
        Face::Screen(Box::new(Live::open(args, color)?))
    } else {
        Face::Lines(WatchOutput::new(args, color))
    };
    let mut watching = Watching {
        client: &client,
        state: State::default(),
        tally: WatchTally::default(),
        face,
        recorder,
        on_alarm: args.on_alarm.clone().map(OnAlarm::new),
        until: args.until.map(|goal| Until::new(goal, feed.hpas())),
        credential_failures: client.credential_failures(),
    };
    let ending = watching.run(feed, &mut stop, timeout).await;
    watching.finish(ending, &mut stop).await
}

/// Follows until it is stopped, for a board instead of a reader.
pub(in crate::commands) async fn export(
    client: &Client,
    feed: Feed<'_>,
    board: SharedBoard,
    recorder: Option<WatchRecorder>,
    color: ColorChoice,
    stop: &mut StopSignal,
) -> anyhow::Result<ExitStatus> {
    let mut watching = Watching {
        client,
        state: State::brief(),
        tally: WatchTally::default(),
        face: Face::Board(Posting::new(board, color)),
        recorder,
        on_alarm: None,
        until: None,
        credential_failures: client.credential_failures(),
    };
    let ending = watching.run(feed, stop, pin!(pending())).await;
    watching.finish(ending, stop).await
}

/// The exit status if the time limit came before any data.
fn before_any(args: &WatchArgs) -> ExitStatus {
    match args.until {
        Some(_) => ExitStatus::Findings,
        None => ExitStatus::Success,
    }
}

/// The destination of updates.
enum Face {
    /// To standard output, line by line.
    Lines(WatchOutput),
    /// To a full screen.
    Screen(Box<Live>),
    /// To the board of `export`.
    Board(Posting),
}

/// Why watching ends.
enum Ending {
    /// The user stopped it.
    Stopped,
    /// `--timeout` ran out.
    TimedOut,
    /// The goal of `--until` is reached.
    Reached,
    /// The goal of `--until` cannot be reached any more; the reason.
    Never(String),
}

struct Watching<'a> {
    client: &'a Client,
    state: State,
    tally: WatchTally,
    face: Face,
    recorder: Option<WatchRecorder>,
    on_alarm: Option<OnAlarm>,
    until: Option<Until>,
    credential_failures: watch::Receiver<String>,
}

impl Watching<'_> {
    async fn run(
        &mut self,
        mut feed: Feed<'_>,
        stop: &mut StopSignal,
        timeout: Pin<&mut impl Future<Output = ()>>,
    ) -> anyhow::Result<Ending> {
        let ending = self.follow(&mut feed, stop, timeout).await;
        if let Some(recorder) = self.recorder.as_mut().filter(|one| one.has_notes()) {
            // They go with the current state, since no sync follows.
            match feed.present() {
                Some(snapshot) => recorder.write(snapshot),
                None => self.report("the last marks are not recorded: all HPAs are gone"),
            }
        }
        ending
    }

    async fn follow(
        &mut self,
        feed: &mut Feed<'_>,
        stop: &mut StopSignal,
        mut timeout: Pin<&mut impl Future<Output = ()>>,
    ) -> anyhow::Result<Ending> {
        loop {
            let answer = tokio::select! {
                happened = happened(&mut self.face) => {
                    if !self.answer(happened)? {
                        return Ok(Ending::Stopped);
                    }
                    UntilOutcome::NotYet
                }
                fed = feed.next() => match fed {
                    Fed::Settled(snapshot) => {
                        self.settled(snapshot);
                        UntilOutcome::NotYet
                    }
                    Fed::Gone(last) => {
                        self.settled(last);
                        UntilOutcome::NotYet
                    }
                    Fed::Event { event, at } => self.take(event, at)?,
                },
                news = news(&mut self.recorder, &mut self.on_alarm, &mut self.credential_failures) => {
                    self.report(&news);
                    UntilOutcome::NotYet
                }
                () = stop.wait() => return Ok(Ending::Stopped),
                () = &mut timeout => return Ok(Ending::TimedOut),
            };
            match answer {
                UntilOutcome::NotYet => {}
                UntilOutcome::Reached => return Ok(Ending::Reached),
                UntilOutcome::Never(why) => return Ok(Ending::Never(why)),
            }
        }
    }

    /// Handles what a sync of the controller found.
    fn settled(&mut self, snapshot: Box<Snapshot>) {
        if let Face::Screen(live) = &mut self.face {
            live.settled(&snapshot);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.write(*snapshot);
        }
    }

    /// Handles the user's input. Returns false if the screen should close.
    fn answer(&mut self, happened: Happened) -> anyhow::Result<bool> {
        let Face::Screen(live) = &mut self.face else {
            return Ok(true);
        };
        let now = self.client.now();
        match live.take(happened, &self.state, now) {
            Wish::Nothing => Ok(true),
            Wish::Leave => Ok(false),
            Wish::Mark { note, at } => {
                let at = at.unwrap_or(now);
                if let Some(recorder) = &mut self.recorder {
                    recorder.note(at, &note);
                }
                self.take(Event::Marked { note }, at)?;
                Ok(true)
            }
        }
    }

    fn take(&mut self, event: Event, at: Timestamp) -> anyhow::Result<UntilOutcome> {
        match &mut self.face {
            Face::Lines(_) => {}
            Face::Screen(live) => live.before(&event),
            Face::Board(posting) => posting.before(&event, at),
        }
        let updates = reduce(&mut self.state, event, at);
        self.tally.count(&updates, &self.state);
        match &mut self.face {
            Face::Lines(output) => output.show(&self.state, &updates, at)?,
            Face::Screen(_) => {}
            Face::Board(posting) => posting.after(&updates, &self.state, at),
        }
        if let Some(on_alarm) = &mut self.on_alarm {
            on_alarm.take(&updates, &self.state, at);
        }
        let until = self.until.as_mut();
        Ok(until.map_or(UntilOutcome::NotYet, |until| {
            until.take(&updates, &self.state)
        }))
    }

    /// Reports news of background tasks to the user.
    fn report(&mut self, news: &str) {
        match &mut self.face {
            Face::Lines(_) | Face::Board(_) => note(news),
            Face::Screen(live) => live.report(news),
        }
    }

    async fn finish(
        self,
        ending: anyhow::Result<Ending>,
        stop: &mut StopSignal,
    ) -> anyhow::Result<ExitStatus> {
        // The terminal is restored before anything is written to it.
        let (has_summary, displayed, saved) = match self.face {
            Face::Lines(mut output) => (output.has_summary(), output.finish(), ExitStatus::Success),
            Face::Screen(live) => (true, Ok(()), live.finish(stop).await),
            Face::Board(_) => (false, Ok(()), ExitStatus::Success),
        };
        if let Some(on_alarm) = self.on_alarm {
            for news in on_alarm.finish(stop.wait()).await {
                note(&news);
            }
        }
        let recorded = self.recorder.map(WatchRecorder::finish).transpose()?;
        let incomplete = recorded.filter(|recorded| recorded.lost > 0);
        if let Some(recorded) = incomplete {
            note(&format!(
                "the recording has {}; {} could not be written",
                count(recorded.written, "snapshot"),
                recorded.lost
            ));
        }
        if has_summary {
            // A failed write is ignored.
            let _ = writeln!(anstream::stderr(), "{}", self.tally.summary());
        }
        let has_failed = incomplete.is_some() || saved == ExitStatus::Failure;
        let ending = ending.and_then(|ending| Ok(displayed.map(|()| ending)?));
        match ending.map(|ending| outcome(ending, self.until)) {
            Ok(_) if has_failed => Ok(ExitStatus::Failure),
            // If the reader of the lines is gone, a failed recording is still reported.
            Err(error) if has_failed && exit_code::is_broken_pipe(&error) => {
                Ok(ExitStatus::Failure)
            }
            outcome => outcome,
        }
    }
}

/// The exit status for the ending; reports what is missing.
fn outcome(ending: Ending, until: Option<Until>) -> ExitStatus {
    match (ending, until) {
        (Ending::TimedOut, Some(until)) => {
            for missing in until.missing() {
                note(&format!("timed out: {missing}"));
            }
            ExitStatus::Findings
        }
        (Ending::Never(why), _) => {
            note(&why);
            ExitStatus::Findings
        }
        (Ending::Reached | Ending::Stopped | Ending::TimedOut, _) => ExitStatus::Success,
    }
}

/// Waits for an event of the full screen, if there is one.
async fn happened(face: &mut Face) -> Happened {
    match face {
        Face::Lines(_) | Face::Board(_) => pending().await,
        Face::Screen(live) => live.next().await,
    }
}

/// Waits for news of background tasks.
async fn news(
    recorder: &mut Option<WatchRecorder>,
    on_alarm: &mut Option<OnAlarm>,
    credential_failures: &mut watch::Receiver<String>,
) -> String {
    let recorder = async {
        match recorder {
            Some(recorder) => recorder.next().await,
            None => pending().await,
        }
    };
    let on_alarm = async {
        match on_alarm {
            Some(on_alarm) => on_alarm.next().await,
            None => pending().await,
        }
    };
    tokio::select! {
        news = recorder => news,
        news = on_alarm => news,
        news = next_failure(credential_failures) => news,
    }
}

/// Waits for the user's time limit, if there is one.
async fn timeout(args: &WatchArgs) {
    match args.timeout {
        Some(timeout) => {
            tokio::time::sleep(Duration::try_from(timeout).unwrap_or(Duration::MAX)).await;
        }
        None => pending().await,
    }
}
