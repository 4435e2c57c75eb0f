//! The pages that explain how the HPA decides, one per function of the controller that decides something.
//!
//! A page is a file in `docs/algorithm`, and `kubectl hpa explain --learn ID` prints it. This module ties pages to
//! steps, functions and rules.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod catalogue;
mod topic;
mod topics;

pub use catalogue::{address, find, page_name, topic_of_step, topics, topics_of_rule};
pub use topic::{Chapter, Topic};
