//! Another spec for an HPA: what `--set` and `--with` say, as the API server would take it.
//!
//! `assignment` and `path` read one `--set`, `manifest::known_fields` knows the fields of a spec, `apply` changes a spec, and
//! [`SpecChange`] puts it all together: apply, fill in the defaults, drop what the gates forbid, validate, compare.

mod apply;
mod assignment;
mod differences;
mod edit;
mod error;
mod path;
mod value;

pub use assignment::{Assignment, Operation, ParseAssignmentError};
pub use edit::{ChangedSpec, SpecChange};
pub use error::ChangeError;
pub use path::FieldPath;
