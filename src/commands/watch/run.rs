//! The loop of `watch`.

use std::{future::pending, io::Write as _, time::Duration};

use anyhow::Context as _;
use jiff::Timestamp;

use super::{
    feed::{Fed, Feed},
    on_alarm::OnAlarm,
    output::Output,
    recorder::Recorder,
    tally::Tally,
    until::{Answer, Until},
};
use crate::{
    cli::{ColorChoice, WatchArgs},
    cluster::{self, Client, Selection},
    commands::{runtime, stop::Stop},
    exit_code::Status,
    explain::amount::count,
    render::sanitize::one_line,
    watch::{Event, State, Update, reduce},
};

/// Runs `kubectl hpa watch`.
pub(in crate::commands) fn run(args: &WatchArgs, color: ColorChoice) -> anyhow::Result<Status> {
    let output = Output::new(args, color);
    runtime()?.block_on(watch(args, output))
}

async fn watch(args: &WatchArgs, output: Output) -> anyhow::Result<Status> {
    let mut stop = Stop::listen().context("cannot listen for signals")?;
    let client = cluster::connect(&args.connection)?;
    let selection = Selection::from(&args.selection);
    let record = args.record.as_deref();
    let recorder = record
        .map(|path| Recorder::begin(path, args.record_max_size))
        .transpose()?;
    let feed = tokio::select! {
        feed = Feed::start(&client, &selection, &args.controller) => feed?,
        () = stop.wait() => return Ok(Status::Success),
    };
    let watching = Watching {
        args,
        client: &client,
        state: State::default(),
        tally: Tally::default(),
        output,
        recorder,
        on_alarm: args.on_alarm.clone().map(OnAlarm::new),
        until: args.until.map(|goal| Until::new(goal, feed.hpas())),
    };
    watching.run(feed, &mut stop).await
}

/// Why the watching ends.
enum Ending {
    /// The user has seen enough.
    Stopped,
    /// `--timeout` ran out.
    TimedOut,
    /// `--until` has come true.
    Reached,
    /// `--until` cannot come true any more: why.
    Never(String),
}

struct Watching<'a> {
    args: &'a WatchArgs,
    client: &'a Client,
    state: State,
    tally: Tally,
    output: Output,
    recorder: Option<Recorder>,
    on_alarm: Option<OnAlarm>,
    until: Option<Until>,
}

impl Watching<'_> {
    async fn run(mut self, mut feed: Feed<'_>, stop: &mut Stop) -> anyhow::Result<Status> {
        let mut timeout = std::pin::pin!(timeout(self.args));
        let ending = loop {
            tokio::select! {
                fed = feed.next() => match fed {
                    Fed::Settled(snapshot) => {
                        if let Some(recorder) = &mut self.recorder {
                            recorder.write(*snapshot);
                        }
                    }
                    Fed::Event { event, at } => match self.take(event, at)? {
                        Answer::NotYet => {}
                        Answer::Reached => break Ending::Reached,
                        Answer::Never(why) => break Ending::Never(why),
                    },
                },
                news = news(&mut self.recorder, &mut self.on_alarm) => note(&news),
                () = stop.wait() => break Ending::Stopped,
                () = &mut timeout => break Ending::TimedOut,
            }
        };
        self.finish(ending).await
    }

    fn take(&mut self, event: Event, at: Timestamp) -> anyhow::Result<Answer> {
        let updates = reduce(&mut self.state, event, at);
        self.tally.count(&updates, &self.state);
        self.show(&updates, at)?;
        if let Some(on_alarm) = &mut self.on_alarm {
            on_alarm.take(&updates, &self.state, at);
        }
        let until = self.until.as_mut();
        Ok(until.map_or(Answer::NotYet, |until| until.take(&updates, &self.state)))
    }

    fn show(&mut self, updates: &[Update], at: Timestamp) -> anyhow::Result<()> {
        self.output.show(&self.state, updates, at)?;
        Ok(())
    }

    async fn finish(self, ending: Ending) -> anyhow::Result<Status> {
        if let Some(on_alarm) = self.on_alarm
            && let Some(news) = on_alarm.finish().await
        {
            note(&news);
        }
        let recorded = self.recorder.map(Recorder::finish).transpose()?;
        if let Some(recorded) = recorded.filter(|recorded| recorded.lost > 0) {
            note(&format!(
                "the recording has {}; {} could not be written",
                count(recorded.written, "snapshot"),
                recorded.lost
            ));
        }
        if self.output.has_summary() {
            // Nothing is lost if this can't be written.
            let _ = writeln!(anstream::stderr(), "{}", self.tally.summary());
        }
        let _ = self.client;
        Ok(match (ending, self.until) {
            (Ending::TimedOut, Some(until)) => {
                for missing in until.missing() {
                    note(&format!("timed out: {missing}"));
                }
                Status::Findings
            }
            (Ending::Never(why), _) => {
                note(&why);
                Status::Findings
            }
            (Ending::Reached | Ending::Stopped | Ending::TimedOut, _) => Status::Success,
        })
    }
}

/// Waits for something that the user should know of what goes on beside the watching.
async fn news(recorder: &mut Option<Recorder>, on_alarm: &mut Option<OnAlarm>) -> String {
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
    }
}

/// Tells the user on standard error. Nothing is left to do if that can't be written.
fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "note: {}", one_line(text));
}

/// Waits for the end that the user set, if there is one.
async fn timeout(args: &WatchArgs) {
    match args.timeout {
        Some(timeout) => {
            tokio::time::sleep(Duration::try_from(timeout).unwrap_or(Duration::MAX)).await;
        }
        None => pending().await,
    }
}
