//! The pages on the algorithm: their prose is in `docs/algorithm`, and what the engine computes for them is here.

mod case;
mod computed;
mod example;
mod page;
mod picture;
mod recipes;
mod topics;

pub(crate) use page::{index, page};
