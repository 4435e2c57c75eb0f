//! Puts a trace into words: no layout, no color.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod agreement;
pub mod amount;
mod answer;
mod around;
mod changed;
pub mod clock;
mod containers;
mod cx;
mod edge;
mod evidence;
mod facts;
mod failing_pods;
mod gauge;
mod inputs;
mod ladder;
mod named_pods;
mod next;
mod overview;
mod page;
pub mod picture;
mod pods;
mod reach;
mod reaction;
mod reasons;
mod rule;
mod setting;
mod situation;
mod startup;
mod step_view;
mod verdict;
mod what_if;

use agreement::status_text;

pub use answer::cause as failure_cause;
pub use around::impossible_sample;
pub use facts::metric_full_name;
pub use next::needed_first;
pub use verdict::{sentences, short_verdict};

pub use agreement::TrustView;
pub use amount::MetricUnit;
pub use around::{NoteTopic, NoteView, NoteWeight};
pub use around::{writer_is_autoscaler, writer_name};
pub use changed::{ChangedStep, ChangedView, FieldChange, SpecEdit, StepOutcome};
pub use clock::Clock;
pub use containers::ContainerView;
pub use cx::ExplainContext;
pub use edge::{threshold_milli, threshold_text};
pub use facts::{Facts, MetricFacts};
pub use gauge::{Gauge, GaugeReading, Level};
pub use inputs::InputView;
pub use ladder::ladder;
pub use next::NextView;
pub use overview::{Overview, OverviewMetric, OverviewState, Unmet, Urgency};
pub use page::Page;
pub use page::name_of;
pub use picture::Picture;
pub use pods::PodView;
pub use reaction::DelayView;
pub use reasons::{confirm, hypothesis};
pub use rule::Rule;
pub use startup::StartupView;
pub use step_view::{StepKind, StepValue, StepView, Weight};
pub use verdict::{Action, Verdict};
pub use what_if::{EditView, UsageView, WhatIfView};
