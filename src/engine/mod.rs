//! stub
mod switches;
pub use switches::Switches;
