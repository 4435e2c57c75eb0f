//! The controller's memory, carried from one observation to the next. Whoever compares each sync with what the controller wrote uses
//! `hpa-playback`, which follows all memories that are possible.

use jiff::Timestamp;

use super::memory::memory_from_outside;
use crate::{
    engine,
    model::{Context, Memory, Observation},
    trace::Trace,
};

/// What the controller remembers of one HPA, followed from reconcile to reconcile.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    memory: Option<Memory>,
}

/// One reconcile of a recording.
#[derive(Clone, Debug)]
pub struct FollowedReconcile {
    /// What the controller remembered before it; none: nothing was recorded before, so that is not known.
    pub before: Option<Memory>,
    /// The recomputed reconcile.
    pub trace: Trace,
}

impl Follower {
    /// Follows one reconcile. `started` says that the controller has just started and remembers nothing.
    ///
    /// A recording that begins while the controller runs already is followed from what can be worked out from outside.
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
