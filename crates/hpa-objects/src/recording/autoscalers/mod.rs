//! Other autoscalers, from a file or a cluster. A cluster may not have their kinds.

mod kinds;
mod pointer;
mod related;
mod rollout;
mod scaled_object;
mod target;
mod vertical;

pub use kinds::{AutoscalerKind, KINDS};
pub use related::{Related, autoscaler, of_hpa};
pub(super) use rollout::rollout;
use scaled_object::redacted;
pub use scaled_object::scaled_object;
pub use target::ScaleTarget;
pub use vertical::vertical;
