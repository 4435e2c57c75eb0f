//! The documentation is true: transcripts, pictures, schemas, examples and pages match the program.

mod algorithm;
mod book;
mod examples;
mod export;
mod generated;
mod history;
mod learn;
mod pictures;
mod questions;
mod readme;
mod simulation;
