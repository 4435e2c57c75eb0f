//! What would be decided if one thing were different, in words.

mod change;
mod relevance;
mod result;
mod view;

pub use change::{EditView, UsageView};
pub use view::WhatIfView;

pub(super) use view::{all_what_ifs, deciding_what_ifs, page_line};
