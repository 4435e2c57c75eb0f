//! Puts a trace into words, and links each step to the page that teaches it. It serves the program `kubectl hpa`, and
//! changes without notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};

pub mod explain;
pub mod learn;

/// Where the pages of the project are: every address of a page starts with it.
pub const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");
