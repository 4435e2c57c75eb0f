//! Shared by all kinds of sources: what they read and give, the read with its step, and the wrapping of errors.

use crate::{
    engine::{
        context::{ReconcileContext, SelectedPods},
        replica_calculator::{Calculator, NoProposal},
        samples::{self, NoSamples, Samples},
    },
    model::{LabelSelector, MetricStatus, NotRead, Scale, Selector},
    trace::{MetricFailure, MetricStep, Milli, ReadMetric, Upstream},
};

/// What all metrics of one sync share.
pub(crate) struct MetricContext<'c, 'a> {
    pub(crate) cx: &'c ReconcileContext<'a>,
    pub(crate) scale: &'c Scale,
    pub(crate) selector: &'c Selector,
    /// The pods that the selector matches, or why they are not known here.
    pub(crate) pods: &'c Result<SelectedPods<'a>, NotRead>,
}

/// A valid metric: its proposal, its name and its entry in the status.
pub(super) struct Valid {
    pub(super) replicas: i32,
    pub(super) name: String,
    pub(super) status: MetricStatus,
}

/// Why a metric gives no proposal.
pub(super) enum Invalid {
    /// The controller crashes.
    Crash(MetricFailure),
    Failure(MetricFailure),
    NotRead(NotRead),
}

pub(super) fn read_resource<'a>(
    context: &MetricContext<'_, 'a>,
    calculator: &mut Calculator<'_, 'a>,
    resource: &str,
    container: Option<&str>,
) -> Result<Samples<'a>, NoProposal> {
    let read = samples::resource_samples(context.cx, context.selector, resource, container);
    note_read(
        calculator,
        samples::RESOURCE,
        read.as_ref().map(Samples::len),
        None,
    );
    prefix(read, |error| {
        format!("unable to get metrics for resource {resource}: {error}")
    })
}

pub(super) fn note_read(
    calculator: &mut Calculator<'_, '_>,
    upstream: Upstream,
    items: Result<usize, &NoSamples>,
    total: Option<&i64>,
) {
    let error = match items {
        Err(NoSamples::Error { api_error, .. }) => api_error.clone(),
        Ok(_) | Err(NoSamples::NotRead(_)) => None,
    };
    calculator.steps.push(MetricStep::ReadMetric(ReadMetric {
        items: items.unwrap_or_default(),
        total: total.copied().map(Milli),
        error,
        upstream,
    }));
}

/// Wraps the error of a read in the caller's words.
pub(super) fn prefix<T>(
    read: Result<T, NoSamples>,
    words: impl FnOnce(&str) -> String,
) -> Result<T, NoProposal> {
    read.map_err(|no_samples| match NoProposal::from(no_samples) {
        NoProposal::Error(error) => NoProposal::Error(words(&error)),
        NoProposal::NotRead(not_read) => NoProposal::NotRead(not_read),
    })
}

pub(super) fn invalid(
    words: impl FnOnce(&str) -> MetricFailure,
) -> impl FnOnce(NoProposal) -> Invalid {
    move |failure| match failure {
        NoProposal::Error(error) => Invalid::Failure(words(&error)),
        NoProposal::NotRead(not_read) => Invalid::NotRead(not_read),
    }
}

pub(super) fn check_selector(
    cx: &ReconcileContext<'_>,
    selector: Option<&LabelSelector>,
) -> Result<(), NoProposal> {
    match selector.map(|selector| selector.to_selector(cx.wording)) {
        Some(Err(error)) => Err(NoProposal::Error(error.to_string())),
        Some(Ok(_)) | None => Ok(()),
    }
}
