//! Puts a trace into words, and links each step to the page that teaches it: no layout, no color. It serves the program `kubectl hpa`, and
//! changes without notice.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod afterwards;
mod agreement;
mod answer;
mod changed;
mod command;
mod containers;
mod context;
mod cx;
mod demand;
mod edge;
mod edited;
mod evidence;
mod facts;
mod failing_pods;
mod failure_cause;
mod fall;
mod field_name;
mod full_answer;
mod gauge;
mod inputs;
mod ladder;
mod metric_names;
mod next;
mod not_counted;
mod note;
mod overview;
mod page;
pub mod picture;
mod pods;
mod problems;
mod reach;
mod reaction;
mod reasons;
mod rule;
mod rules;
mod series;
mod setting;
mod short_answer;
mod situation;
mod spec_edits;
mod startup;
mod step_view;
mod steps_ahead;
mod sync_in_words;
mod trust;
mod unmet;
mod verdict;
mod well;
mod what_if;

pub use answer::Problem;
pub use context::impossible_sample;
pub use full_answer::FullAnswer;
pub use metric_names::{MetricName, metric_full_name, metric_names};
pub use next::needed_first;

pub use afterwards::{Afterwards, Known, SourceReport, by_known};
pub use changed::{ChangedStep, ChangedView, FieldChange, SpecEdit, StepOutcome};
pub use containers::ContainerView;
pub use context::{raise_memory, writer_name};
pub use cx::{ExplainContext, PageFile};
pub use edge::{threshold_milli, threshold_text};
pub use facts::{Facts, MetricFacts, is_target_missing};
pub use failure_cause::cause as failure_cause;
pub use field_name::name_of;
pub use gauge::{Gauge, GaugeReading, Level};
pub use inputs::InputView;
pub use ladder::ladder;
pub use next::NextView;
pub use note::{NoteTopic, NoteView, NoteWeight};
pub use overview::{Overview, OverviewMetric, OverviewState, Urgency};
pub use page::Page;
pub use picture::Picture;
pub use pods::PodView;
pub use reach::{highest as highest_usage, highest_ratio};
pub use reaction::DelayView;
pub use reasons::{confirming_command, hypothesis};
pub use rule::{Decider, Rule};
pub use short_answer::ShortAnswer;
pub use spec_edits::{edited, spec_edits};
pub use startup::StartupView;
pub use step_view::{StepKind, StepValue, StepView, Weight};
pub use sync_in_words::{RescaleReason, sync_in_words};
pub use trust::TrustView;
pub use unmet::Unmet;
pub use verdict::{Action, Verdict, replicas_in_a_cell};
pub use what_if::{EditView, UsageView, WhatIfView};

pub mod learn;

/// Where the pages of the project are: every address of a page starts with it.
pub const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");
