//! Back in time through what was seen, and forward again. In a replay the command that plays it is asked to go there.

use jiff::{SignedDuration, Timestamp};

use super::{
    charts::{is_stop, ticks},
    options::Playback,
    request::{Direction, Play, Request, Stop},
    scene::{Scene, Shown},
    view::Screen,
};
use crate::watch::Moment;

impl Screen {
    /// Keeps this moment on the screen, or goes on.
    pub(super) fn pause(&mut self, scene: &Scene<'_>) -> Option<Request> {
        if self.is_replay() {
            return Some(Request::Play(Play::Toggle));
        }
        self.viewed = match self.viewed {
            Some(_) => None,
            None => Some(scene.now),
        };
        None
    }

    /// Goes to the next or previous moment of the chosen HPA.
    pub(super) fn step(&mut self, scene: &Scene<'_>, direction: Direction) -> Option<Request> {
        if self.is_replay() {
            return Some(Request::Play(Play::Step(direction)));
        }
        let shown = self.shown(scene)?;
        let from = shown.moment.map_or(scene.at, |moment| moment.at);
        let mut times = shown.hpa.history.moments().map(|moment| moment.at);
        let to = match direction {
            Direction::Back => times.rev().find(|at| *at < from),
            Direction::Forward => times.find(|at| scene.at < *at),
        };
        self.go_to(to, direction, "moment");
        None
    }

    /// Goes to the next or previous moment at which something of a kind happened to the chosen HPA.
    pub(super) fn jump(
        &mut self,
        scene: &Scene<'_>,
        stop: Stop,
        direction: Direction,
    ) -> Option<Request> {
        if self.is_replay() {
            return Some(Request::Play(Play::Jump(stop, direction)));
        }
        let shown = self.shown(scene)?;
        let stops = ticks(shown.hpa.history.moments()).filter(|tick| is_stop(tick.kind, stop));
        let to = nearest(scene, &shown, stops.map(|tick| tick.at), direction);
        let what = match stop {
            Stop::Alarm => "alarm",
            Stop::Disagreement => "disagreement",
            Stop::Scaling => "scaling",
        };
        self.go_to(to, direction, what);
        None
    }

    /// Goes to the next or previous moment at which the replicas or the decision changed.
    pub(super) fn jump_to_change(&mut self, scene: &Scene<'_>, direction: Direction) {
        if self.is_replay() {
            return;
        }
        let Some(shown) = self.shown(scene) else {
            return;
        };
        let mut before: Option<&Moment> = None;
        let changes = shown.hpa.history.moments().filter_map(|moment| {
            let is_other = before.is_some_and(|before| is_change(before, moment));
            before = Some(moment);
            is_other.then_some(moment.at)
        });
        let to = nearest(scene, &shown, changes, direction);
        self.go_to(to, direction, "change");
    }

    fn go_to(&mut self, to: Option<Timestamp>, direction: Direction, what: &str) {
        match (to, direction) {
            (Some(_), _) => self.viewed = to,
            (None, Direction::Back) => self.tell(&format!("no earlier {what} was seen")),
            (None, Direction::Forward) if self.viewed.is_some() => {
                self.viewed = None;
                self.tell(&format!("no later {what}: this is now"));
            }
            (None, Direction::Forward) => self.tell(&format!("no later {what}: this is now")),
        }
    }

    /// Goes so many minutes further.
    pub(super) fn seek(&mut self, scene: &Scene<'_>, minutes: i64) -> Option<Request> {
        let to = scene
            .at
            .checked_add(SignedDuration::from_mins(minutes))
            .ok()?;
        self.look_at(scene, to)
    }

    /// Looks at a time.
    pub(super) fn look_at(&mut self, scene: &Scene<'_>, at: Timestamp) -> Option<Request> {
        if self.is_replay() {
            return Some(Request::Play(Play::Seek(at)));
        }
        let shown = self.shown(scene)?;
        let first = shown.hpa.history.moments().next().map(|moment| moment.at)?;
        self.viewed = (at < scene.now).then_some(at.max(first));
        None
    }

    /// Back to now, or to the end of the recording.
    pub(super) fn jump_to_end(&mut self) -> Option<Request> {
        self.viewed = None;
        let playback = self.playback.as_ref()?;
        Some(Request::Play(Play::Seek(playback.end)))
    }

    /// To the begin of the recording.
    pub(super) fn jump_to_begin(&mut self) -> Option<Request> {
        let playback = self.playback.as_ref()?;
        Some(Request::Play(Play::Seek(playback.begin)))
    }

    /// Plays slower or faster.
    pub(super) fn speed(&mut self, by: isize) -> Option<Request> {
        let speed = self.playback.as_ref()?.speed;
        let speeds = Playback::SPEEDS;
        let index = speeds.iter().rposition(|one| *one <= speed).unwrap_or(0);
        let index = index.saturating_add_signed(by).min(speeds.len() - 1);
        Some(Request::Play(Play::Speed(speeds[index])))
    }
}

/// Whether the replicas or the decision changed from one moment to the next.
fn is_change(before: &Moment, moment: &Moment) -> bool {
    let decision = |moment: &Moment| (moment.current, moment.desired, moment.action, moment.rule);
    decision(before) != decision(moment)
}

/// The nearest of some times before or after the moment that is looked at.
fn nearest(
    scene: &Scene<'_>,
    shown: &Shown<'_>,
    times: impl Iterator<Item = Timestamp>,
    direction: Direction,
) -> Option<Timestamp> {
    let from = shown.moment.map_or(scene.at, |moment| moment.at);
    match direction {
        Direction::Back => times.filter(|at| *at < from).last(),
        Direction::Forward => times.into_iter().find(|at| scene.at < *at),
    }
}
