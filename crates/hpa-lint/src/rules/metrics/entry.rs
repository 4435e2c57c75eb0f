//! The metrics of an HPA, for rules.

use hpa_diagnosis::duplicate_metric::is_value;
use hpa_engine::model::{HpaSpec, MetricIdentifier, MetricSpec, MetricTarget};

/// One entry of `spec.metrics`.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct MetricEntry<'a> {
    /// Its index.
    pub(super) index: usize,
    /// The entry.
    pub(super) metric: &'a MetricSpec,
}

/// A target in percent of requests that is in effect: with `averageValue` next to it, it is not.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Utilization<'a> {
    /// The metric.
    pub(in crate::rules) entry: MetricEntry<'a>,
    /// Name of the resource.
    pub(in crate::rules) resource: &'a str,
    /// The container, for a ContainerResource metric.
    pub(in crate::rules) container: Option<&'a str>,
    /// `averageUtilization`.
    pub(in crate::rules) target: i32,
}

impl<'a> MetricEntry<'a> {
    /// All metrics, including the API server's default.
    pub(super) fn all(spec: &'a HpaSpec) -> impl Iterator<Item = Self> {
        let metrics = spec.metrics.iter().enumerate();
        metrics.map(|(index, metric)| Self { index, metric })
    }

    /// `spec.metrics[0]`.
    pub(in crate::rules) fn path(self) -> String {
        format!("spec.metrics[{}]", self.index)
    }

    /// A field of the source, such as `spec.metrics[0].resource.target`.
    pub(super) fn field(self, field: &str) -> String {
        match self.metric.field() {
            Some(source) => format!("{}.{source}.{field}", self.path()),
            None => self.path(),
        }
    }

    /// The metric target.
    pub(super) fn target(self) -> Option<&'a MetricTarget> {
        self.metric.target()
    }

    /// Name of the resource and of the container, for a resource metric.
    pub(super) fn resource(self) -> Option<(&'a str, Option<&'a str>)> {
        Some((self.metric.resource()?, self.metric.container()))
    }

    /// The resource that its name means, if it is in another case, such as `cpu` for `CPU`. No pod has requests or usage
    /// by that name.
    pub(super) fn meant_resource(self) -> Option<&'static str> {
        let (name, _) = self.resource()?;
        let mut known = ["cpu", "memory"].into_iter();
        known.find(|known| *known != name && known.eq_ignore_ascii_case(name.trim()))
    }

    /// Name and selector of a custom or external metric.
    pub(super) fn identifier(self) -> Option<&'a MetricIdentifier> {
        self.metric.identifier()
    }

    /// Its target in percent of requests, if in effect. None if its name only means a resource: HPA230 reports that.
    pub(super) fn utilization(self) -> Option<Utilization<'a>> {
        let (resource, container) = self.resource()?;
        let target = self.target()?;
        if target.average_value.is_some() || self.meant_resource().is_some() {
            return None;
        }
        Some(Utilization {
            entry: self,
            resource,
            container,
            target: target.average_utilization?,
        })
    }

    /// Whether it is one number for all pods, multiplied by the ready pods. For Object metrics the type decides; for
    /// others an average takes precedence.
    pub(super) fn is_value(self) -> bool {
        is_value(self.metric)
    }
}

impl MetricEntry<'_> {
    /// Whether it is one number for all pods, divided by the replicas.
    pub(super) fn is_divided_by_pods(&self) -> bool {
        let target = self.target().filter(|_| self.metric.is_total());
        target.is_some_and(|target| {
            let is_chosen = self.metric.is_external() || target.target_type == "AverageValue";
            is_chosen && target.average_value.is_some()
        })
    }
}

/// All targets in percent of requests that are in effect.
pub(in crate::rules) fn utilizations(spec: &HpaSpec) -> Vec<Utilization<'_>> {
    MetricEntry::all(spec)
        .filter_map(MetricEntry::utilization)
        .collect()
}
