//! Whether the lines are based on current data, and what to report while they are not.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use hpa_cluster::Client;
use hpa_watch::Event;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use tokio::time::{Duration, Instant, sleep_until};

use crate::live::pulse::Pulse;

/// Whether the lines are based on current data.
pub(super) struct Liveness<'a> {
    client: &'a Client,
    pulse: Pulse<'a>,
    tick_at: Instant,
    /// When the server last answered before it became silent.
    lost_at: Timestamp,
    watches: Watches,
}

/// The state of the watches.
#[derive(Default)]
struct Watches {
    /// When the server answered again.
    regained_at: Option<Instant>,
    /// The watches that fail and why, until the API server is known to answer: what follows from a lost connection is
    /// not reported.
    failing: BTreeMap<String, String>,
    /// The watches whose failure was reported.
    reported: BTreeSet<String>,
}

/// A change of the state.
pub(super) struct News {
    /// The messages to print.
    pub(super) lines: Vec<String>,
    /// Whether the API server answers again.
    pub(super) is_regained: bool,
}

impl<'a> Liveness<'a> {
    /// Starts with a server that has just answered.
    pub(super) fn new(client: &'a Client) -> Self {
        Self {
            client,
            pulse: Pulse::new(client),
            tick_at: Instant::now() + TICK,
            lost_at: client.now(),
            watches: Watches::default(),
        }
    }

    /// Whether the server has not answered for a while, so that the lines may be outdated.
    pub(super) fn is_silent(&self) -> bool {
        self.pulse.is_silent()
    }

    /// Records that a watch fails.
    pub(super) fn fails(&mut self, resource: String, why: String) {
        self.watches.failing.insert(resource, why);
        self.ask_for_failing();
    }

    /// Records that a watch works again. Returns the message to print.
    pub(super) fn recovers(&mut self, resource: &str) -> Option<String> {
        self.watches.failing.remove(resource);
        let was_reported = self.watches.reported.remove(resource);
        was_reported.then(|| format!("{resource} can be read again"))
    }

    /// Waits until there is something to report; never ends. `period` is the sync period. Cancel-safe.
    pub(super) async fn next(&mut self, period: Duration) -> News {
        loop {
            let news = tokio::select! {
                news = self.pulse.next() => news,
                () = sleep_until(self.tick_at) => {
                    self.tick_at = Instant::now() + TICK;
                    let period = SignedDuration::try_from(period).unwrap_or(SignedDuration::MAX);
                    let news = self.pulse.tick(period);
                    if news.is_none() {
                        self.ask_for_failing();
                        continue;
                    }
                    news
                }
            };
            let news = self.report(news);
            if !news.lines.is_empty() {
                return news;
            }
        }
    }

    /// What still fails some time after the connection is back is reported.
    fn ask_for_failing(&mut self) {
        if self.watches.has_news(Instant::now()) && !self.pulse.is_lost() {
            self.pulse.ask();
        }
    }

    fn report(&mut self, news: Option<Event>) -> News {
        let mut lines = Vec::new();
        let mut is_regained = false;
        match news {
            Some(Event::Failing {
                why, fresh_until, ..
            }) => {
                self.lost_at = fresh_until.unwrap_or_else(|| self.client.now());
                let since = self.lost_at.to_zoned(TimeZone::system());
                lines.push(format!(
                    "NOT CONNECTED since {}: {why}; the table is as it was then",
                    since.strftime("%H:%M:%S")
                ));
            }
            Some(_) => {
                is_regained = true;
                self.watches.regained_at = Some(Instant::now());
                let lasted = self.client.now().duration_since(self.lost_at);
                lines.push(format!("CONNECTED again, after {}", rough(lasted)));
            }
            None if self.pulse.is_lost() => {}
            None => {
                for (resource, why) in self.watches.news(Instant::now()) {
                    lines.push(trying_again(&format!("{resource}: {why}")));
                }
            }
        }
        News { lines, is_regained }
    }
}

impl Watches {
    /// Whether a watch fails for a reason other than a recently lost connection.
    fn has_news(&self, now: Instant) -> bool {
        let catches_up = |at| now.duration_since(at) < CATCHING_UP;
        !self.failing.is_empty() && !self.regained_at.is_some_and(catches_up)
    }

    /// The watches whose failure to report, and why.
    fn news(&mut self, now: Instant) -> BTreeMap<String, String> {
        if !self.has_news(now) {
            return BTreeMap::new();
        }
        let news = mem::take(&mut self.failing);
        self.reported.extend(news.keys().cloned());
        news
    }
}

/// What a failed read is called while the lines go on.
pub(super) fn trying_again(why: &str) -> String {
    format!("not read, trying again: {why}")
}

/// By then, everything that failed because of the lost server is read again: a watch waits up to ten seconds after its
/// last failure, and then lists everything, which may be slow.
const CATCHING_UP: Duration = Duration::from_secs(20);
/// Interval between checks for answers.
const TICK: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_that_failed_with_the_connection_is_no_news_until_there_was_time_to_read_it_again() {
        let regained_at = Instant::now();
        let mut watches = Watches {
            regained_at: Some(regained_at),
            failing: [("pods".to_owned(), "cannot connect".to_owned())].into(),
            ..Watches::default()
        };
        assert!(watches.news(regained_at).is_empty());
        // It was not dropped either.
        let news = watches.news(regained_at + CATCHING_UP);
        assert!(news.contains_key("pods"), "{news:?}");
        assert!(watches.reported.contains("pods"));
        assert!(watches.news(regained_at + CATCHING_UP).is_empty());
    }
}
