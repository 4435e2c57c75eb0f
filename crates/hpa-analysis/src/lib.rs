//! What follows from one observation of an HPA, computed with the engine. It serves the program `kubectl hpa` and
//! changes without notice.
//!
//! What follows from one observation from outside: what the controller remembers, what it does next, at which usage its
//! recommendation changes, and why it may have decided otherwise. All numbers come from the engine.
//!
//! - Everything for one HPA: `assessment`, which holds an `analysis`.
//! - Which spec a status was written for: `status_spec`. Everything that infers from a status asks it.
//! - What the controller remembers: `memory`, from `last_sync`, `rescale_events`, `rescales` and `earlier_proposals`;
//!   `inferred_history` has it by certainty. `follow` carries it from sync to sync.
//! - The controller's flags: `inferred_flags`.
//! - What comes next: `thresholds` and `edge_guess`, `timeline`, `scaling_time`, `counterfactual`, `if_ready`,
//!   `without_pods`, `memory_floor`, `series`; `probe` and `proposing` query the engine.
//! - Whether the controller agrees: `cross_check` and `edit`. If it does not: `replay`, `gone_pods` and `hypotheses` with
//!   `settings`, `flag`, `messages` and `cause`.
//! - Other owners, writers and refusals: `ownership` and `foreign` for the pods, `replica_history` and `replica_write`
//!   for the replicas, `refused_write`, `failed_creations` and `quota` for what the API server refuses.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod analysis;
mod assessment;
mod cause;
mod condition_since;
mod counterfactual;
mod cross_check;
mod earlier_proposals;
mod edge_guess;
mod edit;
mod failed_creations;
mod flag;
mod follow;
mod foreign;
mod gone_pods;
mod hypotheses;
mod if_ready;
mod inferred_flags;
mod inferred_history;
mod last_sync;
mod limited_at_max;
mod longest_window;
mod memory;
mod memory_floor;
mod messages;
mod ownership;
pub mod pod_size;
mod probe;
mod proposing;
pub mod quota;
mod replay;
mod replica_history;
mod replica_tracker;
mod replica_write;
mod rescale_events;
mod rescales;
mod scaling_time;
mod selected_pods;
mod series;
mod settings;
mod status_spec;
#[cfg(test)]
mod testing;
mod thresholds;
mod timeline;
mod unreported_rescale;
mod without_pods;

pub use analysis::{Analysis, FirstChange, FollowedMemory, MemoryBasis, TippingPoints};
pub use assessment::Assessment;
pub use cause::{Cause, FlagSpan, Hypothesis, Unobserved};
pub use condition_since::condition_since;
pub use counterfactual::{
    Alteration, AlterationKind, Counterfactual, Goal, Today, UsageLevel, Whose, counterfactuals,
};
pub use cross_check::{CheckBasis, Compared, Comparison, ComparisonOutcome, CrossCheck};
pub use failed_creations::{FailedCreation, RefusalState, failed_creations};
pub use flag::seconds;
pub use follow::{FollowedReconcile, Follower};
pub use foreign::{foreign_pods, own_pods};
pub use if_ready::{IfReady, if_ready};
pub use inferred_flags::{apply_inferred, infer_settings};
pub use limited_at_max::{LimitedAtMax, limited_at_max};
pub use longest_window::{longest_policy, longest_window};
pub use memory::{OutsideMemory, memory_before_change, memory_from_outside};
pub use memory_floor::{UsageFloor, do_others_ask_for_fewer, usage_floor, usage_floor_at};
pub use ownership::{Belonging, Ownership, ownership};
pub use replica_history::{ReplicaHistory, Undone, replica_history};
pub use replica_tracker::{ReplicaRead, ReplicaTracker, UnseenRescales};
pub use replica_write::{ForeignWrite, foreign_write, is_hpa};
pub use rescale_events::{Proof, Rescaled, proved_rescales};
pub use scaling_time::{
    ScalingTime, effective_period, scaling_time, scaling_time_beyond, without_metrics,
};
pub use selected_pods::selected_pods;
pub use series::{ReplacedTotal, external_series, proposal_of_series, replaced_total};
pub use settings::gates_that_matter;
pub use status_spec::{SpecDifference, StatusSpec};
pub use thresholds::{Threshold, Thresholds, thresholds, thresholds_under};
pub use timeline::{ReplicaChange, timeline};
pub use unreported_rescale::{UnreportedRescale, unreported_rescale};
pub use without_pods::without_pods;

pub use cross_check::value_text;
pub use earlier_proposals::RoundingEnd;
pub use replay::{fit_counted_pods, with_metric_values, with_values_of_metrics};
