//! A changed spec for an HPA, from `--set` and `--with`, as the API server would accept it.
//!
//! `assignment` and `path` parse one `--set`, `manifest::known_fields` has the fields of a spec, `apply` changes a
//! spec, and [`SpecChange`] does it all: apply, set the defaults, drop what the gates forbid, validate, compare.

mod apply;
mod assignment;
mod differences;
mod edit;
mod error;
mod path;
mod value;
pub mod written_hpas;

pub use assignment::{Assignment, Operation, ParseAssignmentError};
pub use edit::{ChangedSpec, SpecChange};
pub use error::ChangeError;
pub use path::FieldPath;
