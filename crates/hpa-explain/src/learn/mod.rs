//! How the HPA decides, one page per function of the controller that decides something.
//!
//! A page is Markdown: `docs/algorithm` has it as a file and `kubectl hpa explain --learn ID` in the terminal. Its
//! pictures and its worked numbers are what the engine decides on small situations while the page is made, so they
//! cannot differ from what `explain` says.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod case;
mod catalogue;
mod example;
mod page;
mod picture;
mod pod_case;
mod topic;
mod topics;

pub use catalogue::{find, plumbing, topic_of_step, topics, topics_of_rule};
pub use page::{address, index, page, page_name};
pub use topic::{Chapter, Input, Topic};
