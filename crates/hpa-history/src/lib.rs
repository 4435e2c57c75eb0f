//! Reconstructs the past of a HorizontalPodAutoscaler from Prometheus series. It serves the program
//! `kubectl hpa history` and changes without notice.
//!
//! kube-state-metrics exports the status of the controller's last sync before each scrape: the replicas and metric
//! values that it read, and what it decided. [`follow`] runs the controller's algorithm on these, under every
//! possibility for what else the controller read and remembered. If all possibilities lead to one decision, the
//! decision is certain.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "series have floats; those of whole numbers are exact"
)]

mod advice;
mod advising;
mod answer;
mod case;
mod certainty;
mod confirmation;
mod containers;
mod course;
mod decided;
mod demand;
mod edits;
mod follow;
mod frame;
mod held_back;
mod in_the_model;
mod input_sources;
mod metric_course;
mod metric_values;
mod names;
mod observe;
mod observer;
mod overview;
mod overview_report;
mod past;
mod past_sync;
mod pod_metrics;
mod pods;
mod possible;
mod read_times;
mod report;
mod reporting;
mod rescale_memory;
mod sample_age;
mod sampled;
mod scrape;
mod series;
mod sources;
mod sync_times;
#[cfg(test)]
mod tests;
mod trust;
mod usage;
mod values;

pub use advice::Advice;
pub use answer::{
    NOT_TRUSTED, SHORT, answer, censored, hidden, left_out, pod_cpu, shows_trouble, startup, trust,
};
pub use certainty::{Certainty, Doubt, Recomputed, certainty, doubt, doubt_key, how_sure};
pub use confirmation::Confirmation;
pub use containers::requested;
pub use course::{Course, FAILURES, Interval, IntervalKind, PastRescale, Point, interval_key};
pub use demand::demand;
pub use follow::follow_until;
pub use held_back::HeldBack;
pub use in_the_model::{STEP, loads, mean_pod_cpu, sources, what_if};
pub use input_sources::Inputs;
pub use metric_course::{CourseValues, MetricCourse, Samples};
pub use metric_values::{MetricValues, ValueSource, scaled_object, trigger};
pub use names::{
    About, CONDITION, CURRENT, DESIRED, Depth, Exporter, KEDA_VALUE, MAX, NAMES, Name, POD_DELETED,
    can_own_replica_sets, first_version, names_of, replicas,
};
pub use overview::{OVERVIEW_CONDITIONS, overview};
pub use overview_report::{
    KINDS, OverviewContext, OverviewReport, OverviewRow, how_long, overview_answer,
};
pub use past::{Past, PlayRequest, ReadPast, RequestedSync, play};
pub use past_sync::{Details, PastSync, follow};
pub use pods::{needs_replica_set_owners, selects_by_name};
pub use possible::{ImpossibleSamples, Possible};
pub use report::{
    Censored, HistoryReport, MetricReport, PodCpu, SeriesReport, WhatIfReport, WhatIfRow,
    WhatIfStartup, spacing,
};
pub use reporting::report;
pub use sampled::{
    had_other_scale_target, is_known, is_sampled, other_scale_targets, scale_target_at,
};
pub use scrape::Scrape;
pub use series::{Millis, Series, SeriesSet};
pub use sources::{Sources, has_pods, has_times_of_kubelet, mean_request, startups};
pub use trust::{Trust, TrustCounter};
pub use usage::Bounded;
