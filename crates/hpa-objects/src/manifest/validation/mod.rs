//! The API server's rules for the spec of an HPA, with its own messages.
//!
//! Upstream: `pkg/apis/autoscaling/validation` and the strategy of the HPA's registry. Pure functions from a spec to
//! its violations, in the order in which the API server reports them.

mod behavior;
mod dropped;
mod metadata;
mod metric;
mod names;
mod rules;
mod spec;
mod violation;

pub use dropped::{DropCause, DroppedField, drop_disabled_fields};
pub use metadata::{Metadata, validate_metadata};
pub use rules::Rules;
pub use spec::validate;
pub use violation::Violation;
