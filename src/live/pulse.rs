//! Whether the API server answers. A broken connection is as silent as an idle one, so after some silence the server
//! gets a ping.

use std::time::Duration;

use futures::{FutureExt as _, future::LocalBoxFuture};
use hpa_cluster::Client;
use hpa_engine::{engine::before, model::Source};
use hpa_watch::Event;
use jiff::{SignedDuration, Timestamp};

/// Whether the API server answers.
pub(crate) struct Pulse<'a> {
    client: &'a Client,
    /// The pending ping, and when the server had last answered when it was sent.
    request: Option<(Timestamp, PulseFuture<'a>)>,
    /// When the server last answered before it became silent; none: it answers.
    lost_at: Option<Timestamp>,
    /// After this much silence the server gets a ping.
    quiet: SignedDuration,
    /// When [`Self::tick`] was last called, by the local clock: the server's clock may soon be that of another server.
    ticked: Timestamp,
}

type PulseFuture<'a> = LocalBoxFuture<'a, Result<(), String>>;

impl<'a> Pulse<'a> {
    /// Starts with a server that has just answered.
    pub(crate) fn new(client: &'a Client) -> Self {
        Self {
            client,
            request: None,
            lost_at: None,
            quiet: LONGEST_QUIET,
            ticked: Timestamp::now(),
        }
    }

    /// Whether the server is silent.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost_at.is_some()
    }

    /// Whether the server has been silent for a while, so that known data should not be used until it answers.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_lost() || self.quiet <= self.client.silent_for()
    }

    /// Sends a ping.
    pub(crate) fn ask(&mut self) {
        let client = self.client;
        self.request
            .get_or_insert_with(|| (client.heard_at(), client.ping(PATIENCE).boxed_local()));
    }

    /// Records that time has passed; `period` is the shortest sync period. Returns an event to report.
    pub(crate) fn tick(&mut self, period: SignedDuration) -> Option<Event> {
        self.quiet = period.clamp(SHORTEST_QUIET, LONGEST_QUIET);
        let now = Timestamp::now();
        let stood_still = now.duration_since(self.ticked);
        self.ticked = now;
        if self.lost_at.is_none() && STANDSTILL <= stood_still {
            // The machine slept, and connections may be broken.
            let why = format!("this process was suspended for {} s", stood_still.as_secs());
            self.ask();
            return Some(self.lose(before(self.client.now(), stood_still), why));
        }
        if self.is_silent() {
            self.ask();
        }
        None
    }

    /// Waits for the answer to a ping, if one is pending; else forever. Returns an event to report. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Option<Event> {
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

/// The longest silence, however long the sync period is.
const LONGEST_QUIET: SignedDuration = SignedDuration::from_secs(5);
/// The shortest silence, however short the sync period is.
const SHORTEST_QUIET: SignedDuration = SignedDuration::from_secs(1);
/// Time limit for the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// A tick is due every second; after a gap this long the process was suspended.
const STANDSTILL: SignedDuration = SignedDuration::from_secs(15);
