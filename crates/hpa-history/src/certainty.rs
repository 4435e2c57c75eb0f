//! How certain the recomputed result of a sync is, and why it is not. `Follower::recomputed` in `follow.rs` finds the
//! doubts.

/// How certain a recomputed sync is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Unknown: the metrics failed, or series that the decision needs were not kept.
    Unknown,
    /// An unseen change may have affected it.
    Likely,
    /// Everything that the controller may have read and remembered leads to it.
    Certain,
}

impl Certainty {
    /// A result is certain if nothing is in doubt.
    pub(crate) fn with(doubts: &[Doubt]) -> Self {
        if doubts.is_empty() {
            Self::Certain
        } else {
            Self::Likely
        }
    }
}

/// Why a sync is not certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The sync itself was not seen: the next one came before the scrape.
    Unseen,
    /// The decision depends on unseen syncs, or on when they were.
    OtherSyncs,
    /// It depends on pods whose state changed around that time, or on samples of new pods.
    Pods,
    /// The pods were not read.
    NoPods,
    /// The controller's own values do not fit the pods: they need pods with another mean request.
    OtherPods,
    /// The controller's own values are not exported.
    NoValues,
    /// The series start shortly before.
    Begin,
    /// The spec was edited since; `behavior` is today's.
    Edited,
}

/// The recomputed result of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputed {
    /// The most probable replicas.
    pub likely: i32,
    /// The fewest and the most replicas.
    pub range: (i32, i32),
    /// The recommendation, before any limit.
    pub recommendation: Option<i32>,
    /// How certain it is.
    pub certainty: Certainty,
    /// Why it is not certain.
    pub doubts: Vec<Doubt>,
}
