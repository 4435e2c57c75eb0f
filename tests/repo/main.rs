//! The repository keeps its own rules, its pages say what is so, and a release has what it promises.

mod project;
mod release;
mod tidy;
