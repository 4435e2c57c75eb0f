//! Carries the controller's history from one observation to the next. To compare each sync with what the controller
//! wrote, use `hpa-playback`, which follows all possible histories.

use hpa_engine::{
    engine,
    model::{Context, Memory, Observation},
    trace::Trace,
};
use jiff::Timestamp;

use super::memory::memory_from_outside;

/// What the controller remembers of one HPA, followed from sync to sync.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    memory: Option<Memory>,
}

/// One sync of a recording.
#[derive(Clone, Debug)]
pub struct FollowedReconcile {
    /// What the controller remembered before it. None for the first sync of a recording, where it is unknown.
    pub before: Option<Memory>,
    /// The recomputed sync.
    pub trace: Trace,
}

impl Follower {
    /// Follows one sync. `started` means that the controller has just started and remembers nothing.
    ///
    /// If the recording starts on a running controller, the history is inferred from outside.
    pub fn follow(
        &mut self,
        observation: &Observation,
        context: &Context,
        started: bool,
        now: Timestamp,
    ) -> FollowedReconcile {
        if started {
            self.memory = Some(Memory::default());
        }
        let before = self.memory.clone();
        let memory = self
            .memory
            .get_or_insert_with(|| memory_from_outside(observation, context, now).likely);
        let trace = engine::decide(observation, memory, now);
        FollowedReconcile { before, trace }
    }
}
