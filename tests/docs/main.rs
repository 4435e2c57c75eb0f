//! The documentation is true: transcripts, pictures, schemas, examples and pages match the program.
#![cfg(feature = "cli")]

mod algorithm;
mod book;
mod examples;
mod export;
mod generated;
mod learn;
mod pictures;
mod questions;
mod readme;
mod simulation;
