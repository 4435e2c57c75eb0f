//! What `explain` prints: the usual situations with numbers that a reader can check, every rule from recordings of the
//! real controller, and the output for programs.
#![expect(clippy::unwrap_used, reason = "test code")]

mod advice;
mod autoscalers;
mod changed;
mod downstream;
mod failing_pods;
mod first_lines;
mod gone_pods;
mod hostile;
mod html;
mod inference;
mod json;
mod markdown;
mod markup;
mod past;
mod pipeline;
mod printed_thresholds;
mod rules;
mod schema;
mod settings;
mod simulation;
mod situations;
mod styles;
mod under_way;
mod what_if;
mod whole_words;
mod world;
mod writers;
