//! The loop of `watch`.

use std::{io::Write as _, time::Duration};

use anyhow::Context as _;
use jiff::Timestamp;

use super::{
    feed::{Fed, Feed},
    output::Output,
    tally::Tally,
};
use crate::{
    cli::{ColorChoice, WatchArgs},
    cluster::{self, Client, Selection},
    commands::{runtime, stop::Stop},
    exit_code::Status,
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
    };
    watching.run(feed, &mut stop).await
}

/// Why the watching ends.
enum Ending {
    /// The user has seen enough.
    Stopped,
    /// `--timeout` ran out.
    TimedOut,
}

struct Watching<'a> {
    args: &'a WatchArgs,
    client: &'a Client,
    state: State,
    tally: Tally,
    output: Output,
}

impl Watching<'_> {
    async fn run(mut self, mut feed: Feed<'_>, stop: &mut Stop) -> anyhow::Result<Status> {
        let mut timeout = std::pin::pin!(timeout(self.args));
        let ending = loop {
            tokio::select! {
                fed = feed.next() => match fed {
                    // --record: the snapshot as the controller's sync found it.
                    Fed::Settled(_) => {}
                    Fed::Event { event, at } => self.take(event, at)?,
                },
                () = stop.wait() => break Ending::Stopped,
                () = &mut timeout => break Ending::TimedOut,
            }
        };
        self.finish(&ending)
    }

    fn take(&mut self, event: Event, at: Timestamp) -> anyhow::Result<()> {
        let updates = reduce(&mut self.state, event, at);
        self.tally.count(&updates, &self.state);
        self.show(&updates, at)
        // --on-alarm and --until look at the updates here.
    }

    fn show(&mut self, updates: &[Update], at: Timestamp) -> anyhow::Result<()> {
        self.output.show(&self.state, updates, at)?;
        Ok(())
    }

    fn finish(self, ending: &Ending) -> anyhow::Result<Status> {
        if self.output.has_summary() {
            // Nothing is lost if this can't be written.
            let _ = writeln!(anstream::stderr(), "{}", self.tally.summary());
        }
        let _ = self.client;
        Ok(match ending {
            Ending::TimedOut if self.args.until.is_some() => Status::Findings,
            Ending::Stopped | Ending::TimedOut => Status::Success,
        })
    }
}

/// Waits for the end that the user set, if there is one.
async fn timeout(args: &WatchArgs) {
    match args.timeout {
        Some(timeout) => {
            tokio::time::sleep(Duration::try_from(timeout).unwrap_or(Duration::MAX)).await;
        }
        None => std::future::pending().await,
    }
}
