//! A trace in words, and which page teaches which step of the algorithm. It serves the program `kubectl hpa`, and changes without notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};

pub mod explain;
pub mod learn;

/// Where the pages of the project are: the one place that addresses of pages come from.
pub const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");
