//! The page of a simulation, as one self-contained HTML file.

mod charts;
mod page;

pub use page::document;
