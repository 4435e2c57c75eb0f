//! The repository keeps its own rules, its pages are true, and a release has what it promises.

mod project;
mod release;
mod tidy;
