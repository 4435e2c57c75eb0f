//! The position of a replay, the timeline of events, and how the position moves.

use hpa_watch::{Agreement, Change, State, Update};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{Play, Playback, ReplayStop, Tick, TickKind, TimeDirection};

/// The position of a replay, and the timeline of events.
#[derive(Debug)]
pub struct Timeline {
    position: Timestamp,
    /// Whether the position moves with the end while the recording is read.
    follows_end: bool,
    /// Whether the whole recording is read.
    is_complete: bool,
    /// When playing started, and the position at that time.
    playing: Option<(Instant, Timestamp)>,
    speed: u16,
    /// The times of all syncs, in order.
    entries: Vec<Timestamp>,
    ticks: Vec<Tick>,
}

impl Timeline {
    /// The position is at `begin`, and moves with the end until the user moves it.
    pub fn new(begin: Timestamp) -> Self {
        Self {
            position: begin,
            follows_end: true,
            is_complete: false,
            playing: None,
            speed: 1,
            entries: Vec::new(),
            ticks: Vec::new(),
        }
    }

    /// The displayed time.
    pub fn position(&self) -> Timestamp {
        self.position
    }

    /// Whether the whole recording is read. Until then, more can follow.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Reading is over; nothing more is added.
    pub fn complete(&mut self) {
        self.is_complete = true;
    }

    /// Whether it is playing.
    pub fn is_playing(&self) -> bool {
        self.playing.is_some()
    }

    /// Records the updates of an event at `at`.
    pub fn take(&mut self, updates: &[Update], state: &State, at: Timestamp) {
        for update in updates {
            let (at, kind) = match update {
                Update::AlarmOn { .. } => (at, TickKind::Alarm),
                Update::Changed {
                    hpa,
                    entry,
                    changes,
                }
                | Update::Reconciled {
                    hpa,
                    entry,
                    changes,
                } => {
                    let known = state.hpas.get(hpa);
                    let Some(entry) = known.and_then(|known| known.history.get(*entry)) else {
                        continue;
                    };
                    let at = entry.at;
                    self.insert_entry(at);
                    match scaling(changes) {
                        Some(kind) => (at, kind),
                        None if matches!(entry.agreement, Agreement::Differs(_)) => {
                            (at, TickKind::Disagreement)
                        }
                        None => continue,
                    }
                }
                Update::Compared {
                    at,
                    agreement: Agreement::Differs(_),
                    ..
                } => (*at, TickKind::Disagreement),
                Update::Compared { at, .. } => {
                    // A later snapshot may show that the controller did agree.
                    let first = self.ticks.partition_point(|tick| tick.at < *at);
                    let known = self.ticks[first..]
                        .iter()
                        .take_while(|tick| tick.at == *at)
                        .position(|tick| tick.kind == TickKind::Disagreement);
                    if let Some(index) = known {
                        self.ticks.remove(first + index);
                    }
                    continue;
                }
                Update::Marked(mark) => (mark.at, TickKind::Mark),
                _ => continue,
            };
            self.insert_tick(Tick { at, kind });
        }
        if self.follows_end {
            self.position = self.end();
        }
    }

    /// Advances the position if it is playing.
    pub fn advance(&mut self, now: Instant) {
        let Some((since, from)) = self.playing else {
            return;
        };
        let elapsed = i64::try_from(now.duration_since(since).as_millis()).unwrap_or(i64::MAX);
        let elapsed = SignedDuration::from_millis(elapsed.saturating_mul(self.speed.into()));
        let mut position = from.saturating_add(elapsed).unwrap_or(from);
        // Gaps between two recordings are skipped.
        let next = self.entries[self.index_after(self.position)..].first();
        if let Some(next) = next.filter(|next| LONGEST_GAP < next.duration_since(position)) {
            position = *next;
            self.playing = Some((now, position));
        }
        self.position = position.min(self.end());
        if self.position == self.end() {
            // What is read next goes on from here.
            self.playing = (!self.is_complete).then_some((now, self.position));
        }
    }

    /// Performs the user's request. Returns a message if that is not possible.
    pub fn play(&mut self, play: Play, now: Instant) -> Option<&'static str> {
        self.follows_end = false;
        match play {
            Play::Toggle if self.is_playing() => self.playing = None,
            Play::Toggle => {
                if self.is_complete && self.position >= self.end() {
                    self.position = self.begin();
                }
                self.playing = Some((now, self.position));
            }
            Play::Speed(speed) => {
                self.speed = speed;
                self.playing = self.playing.map(|_| (now, self.position));
            }
            Play::Step(direction) => {
                let to = next_in(&self.entries, self.position, direction, |at| *at);
                let nothing = match direction {
                    TimeDirection::Back => "nothing comes before",
                    TimeDirection::Forward => "nothing follows",
                };
                return self.go(to.copied(), now, direction, nothing);
            }
            Play::Jump(stop, direction) => {
                let is_stop = |tick: &&Tick| is_of(tick.kind, stop);
                let ticks: Vec<Tick> = self.ticks.iter().filter(is_stop).copied().collect();
                let to = next_in(&ticks, self.position, direction, |tick| tick.at);
                let nothing = match (stop, direction) {
                    (ReplayStop::Alarm, TimeDirection::Back) => "no alarm before",
                    (ReplayStop::Alarm, TimeDirection::Forward) => "no alarm follows",
                    (ReplayStop::Disagreement, TimeDirection::Back) => "no disagreement before",
                    (ReplayStop::Disagreement, TimeDirection::Forward) => "no disagreement follows",
                    (ReplayStop::Scaling, TimeDirection::Back) => "no scaling before",
                    (ReplayStop::Scaling, TimeDirection::Forward) => "no scaling follows",
                };
                return self.go(to.map(|tick| tick.at), now, direction, nothing);
            }
            Play::Seek(at) => {
                let at = at.clamp(self.begin(), self.end());
                self.follows_end = at == self.end();
                self.move_to(at, now);
            }
        }
        None
    }

    /// The playback state for the screen.
    pub fn playback(&self) -> Playback {
        Playback {
            begin: self.begin(),
            end: self.end(),
            is_complete: self.is_complete,
            is_playing: self.is_playing(),
            speed: self.speed,
            ticks: self.ticks.clone(),
        }
    }

    fn begin(&self) -> Timestamp {
        self.entries.first().copied().unwrap_or(self.position)
    }

    fn end(&self) -> Timestamp {
        self.entries.last().copied().unwrap_or(self.position)
    }

    fn go(
        &mut self,
        to: Option<Timestamp>,
        now: Instant,
        direction: TimeDirection,
        nothing: &'static str,
    ) -> Option<&'static str> {
        match to {
            Some(to) => {
                self.move_to(to, now);
                None
            }
            None if direction == TimeDirection::Forward && !self.is_complete => {
                Some("nothing so far: the recording is still being read")
            }
            None => Some(nothing),
        }
    }

    fn move_to(&mut self, at: Timestamp, now: Instant) {
        self.position = at;
        self.playing = self.playing.map(|_| (now, at));
    }

    fn index_after(&self, at: Timestamp) -> usize {
        self.entries.partition_point(|entry| *entry <= at)
    }

    fn insert_entry(&mut self, at: Timestamp) {
        let index = self.index_after(at);
        if index == 0 || self.entries[index - 1] != at {
            self.entries.insert(index, at);
        }
    }

    fn insert_tick(&mut self, tick: Tick) {
        let index = self.ticks.partition_point(|known| known.at <= tick.at);
        if !self.ticks[..index]
            .iter()
            .rev()
            .take_while(|known| known.at == tick.at)
            .any(|known| known.kind == tick.kind)
        {
            self.ticks.insert(index, tick);
        }
    }
}

/// The direction in which the controller scaled, if it did.
fn scaling(changes: &[Change]) -> Option<TickKind> {
    changes.iter().find_map(|change| match change {
        Change::Rescaled { from, to, .. } if from < to => Some(TickKind::ScaledUp),
        Change::Rescaled { .. } => Some(TickKind::ScaledDown),
        _ => None,
    })
}

fn is_of(kind: TickKind, stop: ReplayStop) -> bool {
    match kind {
        TickKind::Alarm => stop == ReplayStop::Alarm,
        TickKind::Disagreement => stop == ReplayStop::Disagreement,
        TickKind::ScaledDown | TickKind::ScaledUp => stop == ReplayStop::Scaling,
        TickKind::Mark => false,
    }
}

/// The next one after `at`, or the previous one.
fn next_in<T>(
    sorted: &[T],
    at: Timestamp,
    direction: TimeDirection,
    time: impl Fn(&T) -> Timestamp,
) -> Option<&T> {
    match direction {
        TimeDirection::Back => {
            let index = sorted.partition_point(|one| time(one) < at);
            sorted[..index].last()
        }
        TimeDirection::Forward => {
            let index = sorted.partition_point(|one| time(one) <= at);
            sorted[index..].first()
        }
    }
}

/// A longer gap in a recording is skipped while playing.
const LONGEST_GAP: SignedDuration = SignedDuration::from_mins(5);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    /// Entries at 0, 15, 30 and an hour later; scaled up at 15, an alarm and a mark at 30.
    fn timeline() -> Timeline {
        let mut timeline = Timeline::new(second(0));
        for at in [0, 15, 30, 3_600] {
            timeline.insert_entry(second(at));
        }
        for (at, kind) in [
            (30, TickKind::Alarm),
            (15, TickKind::ScaledUp),
            (30, TickKind::Mark),
            (30, TickKind::Alarm),
        ] {
            timeline.insert_tick(Tick {
                at: second(at),
                kind,
            });
        }
        timeline
    }

    #[test]
    fn steps_and_jumps_go_to_what_is_next_and_say_when_there_is_nothing() {
        let mut timeline = timeline();
        let now = Instant::now();
        let step = Play::Step(TimeDirection::Forward);
        assert_eq!(timeline.play(step, now), None);
        assert_eq!(timeline.position(), second(15));
        let alarm = |direction| Play::Jump(ReplayStop::Alarm, direction);
        assert_eq!(timeline.play(alarm(TimeDirection::Forward), now), None);
        assert_eq!(timeline.position(), second(30));
        let reported = timeline.play(alarm(TimeDirection::Forward), now);
        let so_far = "nothing so far: the recording is still being read";
        assert_eq!(reported, Some(so_far));
        timeline.complete();
        let reported = timeline.play(alarm(TimeDirection::Forward), now);
        assert_eq!(reported, Some("no alarm follows"));
        let scaling = Play::Jump(ReplayStop::Scaling, TimeDirection::Back);
        assert_eq!(timeline.play(scaling, now), None);
        assert_eq!(timeline.position(), second(15));
        let reported = timeline.play(
            Play::Jump(ReplayStop::Disagreement, TimeDirection::Back),
            now,
        );
        assert_eq!(reported, Some("no disagreement before"));
        assert_eq!(timeline.ticks.len(), 3);
    }

    #[test]
    fn playing_waits_at_the_end_of_what_is_read_so_far() {
        let mut timeline = timeline();
        let begin = Instant::now();
        timeline.play(Play::Seek(second(3_600)), begin);
        timeline.play(Play::Toggle, begin);
        timeline.advance(begin + Duration::from_secs(5));
        assert_eq!(timeline.position(), second(3_600));
        assert!(timeline.is_playing());
        timeline.complete();
        timeline.advance(begin + Duration::from_secs(6));
        assert!(!timeline.is_playing());
    }

    #[test]
    fn playing_goes_as_fast_as_wished_over_gaps_and_stops_at_the_end() {
        let mut timeline = timeline();
        timeline.complete();
        let begin = Instant::now();
        timeline.play(Play::Toggle, begin);
        timeline.advance(begin + Duration::from_secs(3));
        assert_eq!(timeline.position(), second(3));
        timeline.play(Play::Speed(10), begin + Duration::from_secs(3));
        timeline.advance(begin + Duration::from_secs(5));
        assert_eq!(timeline.position(), second(23));
        // Seven more seconds, and then nothing for an hour.
        timeline.advance(begin + Duration::from_secs(6));
        timeline.advance(begin + Duration::from_secs(7));
        assert_eq!(timeline.position(), second(3_600));
        assert!(!timeline.is_playing());
        // At the end, playing starts again.
        timeline.play(Play::Toggle, begin);
        assert_eq!(timeline.position(), second(0));
        timeline.play(Play::Seek(second(99_999)), begin);
        assert_eq!(timeline.position(), second(3_600));
    }
}
