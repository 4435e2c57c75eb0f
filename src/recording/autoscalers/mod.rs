//! Other autoscalers: objects of kinds that a cluster may have or not, from a file or a cluster.

mod kinds;
mod related;
mod rollout;
mod scaled_object;
mod vertical;

pub(crate) use kinds::{KINDS, KnownKind};
pub(crate) use related::{Related, autoscaler, of_hpa};
pub(super) use rollout::rollout;
