//! Whether what the lines say can be seen at present, and what to say while it cannot.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use tokio::time::{Duration, Instant, sleep_until};

use crate::{cluster::Client, commands::pulse::Pulse, explain::clock::rough, watch::Event};

/// Whether what the lines say can be seen at present.
pub(super) struct Hearing<'a> {
    client: &'a Client,
    pulse: Pulse<'a>,
    tick_at: Instant,
    /// When something was heard last before nothing was any more.
    lost_at: Timestamp,
    watches: Watches,
}

/// Which watches fail.
#[derive(Default)]
struct Watches {
    /// When the server was heard of again.
    regained_at: Option<Instant>,
    /// Those that fail and why, until it is known that the API server is heard of: what follows from a lost connection is no news.
    failing: BTreeMap<String, String>,
    /// Those of which was said that they fail.
    reported: BTreeSet<String>,
}

/// What is new of it.
pub(super) struct News {
    /// What to say.
    pub(super) lines: Vec<String>,
    /// Whether the API server is heard of again.
    pub(super) is_regained: bool,
}

impl<'a> Hearing<'a> {
    /// The server was heard of just now.
    pub(super) fn new(client: &'a Client) -> Self {
        Self {
            client,
            pulse: Pulse::new(client),
            tick_at: Instant::now() + TICK,
            lost_at: client.now(),
            watches: Watches::default(),
        }
    }

    /// Whether nothing has been heard for a while, so that nobody knows what the lines should say.
    pub(super) fn is_silent(&self) -> bool {
        self.pulse.is_silent()
    }

    /// A watch fails.
    pub(super) fn fails(&mut self, resource: String, why: String) {
        self.watches.failing.insert(resource, why);
        self.ask_for_failing();
    }

    /// A watch goes on. Gives what to say.
    pub(super) fn recovers(&mut self, resource: &str) -> Option<String> {
        self.watches.failing.remove(resource);
        let was_reported = self.watches.reported.remove(resource);
        was_reported.then(|| format!("{resource} can be read again"))
    }

    /// Waits until there is something new; never ends. `period` is the sync period. May be dropped while it waits, without loss.
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

    /// What still fails some time after the connection came back is news.
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
                    lines.push(super::watch::trying_again(&format!("{resource}: {why}")));
                }
            }
        }
        News { lines, is_regained }
    }
}

impl Watches {
    /// Whether a watch fails, and not because its connection was lost just now.
    fn has_news(&self, now: Instant) -> bool {
        let catches_up = |at| now.duration_since(at) < CATCHING_UP;
        !self.failing.is_empty() && !self.regained_at.is_some_and(catches_up)
    }

    /// The watches that are to be said to fail, and why.
    fn news(&mut self, now: Instant) -> BTreeMap<String, String> {
        if !self.has_news(now) {
            return BTreeMap::new();
        }
        let news = mem::take(&mut self.failing);
        self.reported.extend(news.keys().cloned());
        news
    }
}

/// By then, what failed because the server was lost is read again: a watch waits up to ten seconds after its last failure,
/// and then lists everything, even where that is slow.
const CATCHING_UP: Duration = Duration::from_secs(20);
/// How often is looked whether anything was heard.
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
        // It was not dropped, either.
        let news = watches.news(regained_at + CATCHING_UP);
        assert!(news.contains_key("pods"), "{news:?}");
        assert!(watches.reported.contains("pods"));
        assert!(watches.news(regained_at + CATCHING_UP).is_empty());
    }
}
