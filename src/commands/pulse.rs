//! Whether anything is heard of the API server. A connection that breaks without a word is silent, as one is on which nothing happens: so
//! where nothing was heard for a while, the server is asked.

use std::time::Duration;

use futures::{FutureExt as _, future::LocalBoxFuture};
use jiff::{SignedDuration, Timestamp};

use crate::{cluster::Client, engine::before, model::Source, watch::Event};

/// Whether anything is heard of the API server.
pub(in crate::commands) struct Pulse<'a> {
    client: &'a Client,
    /// The question that is on its way, and when something had been heard last when it was asked.
    request: Option<(Timestamp, PulseFuture<'a>)>,
    /// When something was heard last before nothing was any more; none: the server is heard of.
    lost_at: Option<Timestamp>,
    /// If nothing is heard for so long, the server is asked.
    quiet: SignedDuration,
    /// When [`Self::tick`] was called last, by the clock here: that of the server may be another server's soon.
    ticked: Timestamp,
}

type PulseFuture<'a> = LocalBoxFuture<'a, Result<(), String>>;

impl<'a> Pulse<'a> {
    /// The server was heard of just now.
    pub(in crate::commands) fn new(client: &'a Client) -> Self {
        Self {
            client,
            request: None,
            lost_at: None,
            quiet: LONGEST_QUIET,
            ticked: Timestamp::now(),
        }
    }

    /// Whether nothing is heard.
    pub(in crate::commands) fn is_lost(&self) -> bool {
        self.lost_at.is_some()
    }

    /// Whether nothing has been heard for a while, and nothing should be made of what is known until something is.
    pub(in crate::commands) fn is_silent(&self) -> bool {
        self.is_lost() || self.quiet <= self.client.silent_for()
    }

    /// Asks.
    pub(in crate::commands) fn ask(&mut self) {
        let client = self.client;
        self.request
            .get_or_insert_with(|| (client.heard_at(), client.ping(PATIENCE).boxed_local()));
    }

    /// Time has passed; `period` is the shortest sync period. Gives what to report.
    pub(in crate::commands) fn tick(&mut self, period: SignedDuration) -> Option<Event> {
        self.quiet = period.clamp(SHORTEST_QUIET, LONGEST_QUIET);
        let now = Timestamp::now();
        let stood_still = now.duration_since(self.ticked);
        self.ticked = now;
        if self.lost_at.is_none() && STANDSTILL <= stood_still {
            // The machine slept, and nobody knows which connections there still are.
            let why = format!("this process stood still for {} s", stood_still.as_secs());
            self.ask();
            return Some(self.lose(before(self.client.now(), stood_still), why));
        }
        if self.is_silent() {
            self.ask();
        }
        None
    }

    /// Waits for the answer, if one is awaited; else without end. Gives what to report. May be dropped while it waits, without loss.
    pub(in crate::commands) async fn next(&mut self) -> Option<Event> {
        let Some((before, answer)) = &mut self.request else {
            return std::future::pending().await;
        };
        let (before, answer) = (*before, answer.await);
        self.request = None;
        let heard_at = self.client.heard_at();
        match answer {
            Ok(()) if self.lost_at.take().is_some() => {
                self.client.regain();
                Some(Event::Recovered {
                    source: Source::Server,
                })
            }
            Err(why) if !self.is_lost() && heard_at <= before => Some(self.lose(heard_at, why)),
            Ok(()) | Err(_) => None,
        }
    }

    fn lose(&mut self, heard_at: Timestamp, why: String) -> Event {
        self.lost_at = Some(heard_at);
        self.client.lose();
        Event::Failing {
            source: Source::Server,
            why,
            fresh_until: Some(heard_at),
        }
    }
}

/// However long the sync period is.
const LONGEST_QUIET: SignedDuration = SignedDuration::from_secs(5);
/// However short it is.
const SHORTEST_QUIET: SignedDuration = SignedDuration::from_secs(1);
/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Somebody who ticks every second and did not for so long was not there.
const STANDSTILL: SignedDuration = SignedDuration::from_secs(15);
