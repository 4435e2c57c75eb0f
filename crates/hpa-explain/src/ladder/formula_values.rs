//! The operands of a ratio as values for JSON.

use hpa_engine::trace::{Milli, RatioFormula};

use crate::StepView;

impl StepView {
    /// Adds the operands of a ratio.
    pub(super) fn with_formula_values(self, formula: &RatioFormula) -> Self {
        match *formula {
            RatioFormula::AveragePerReplica {
                usage: Milli(usage),
                target: Milli(target),
                status_replicas,
                average: Milli(average),
            } => self
                .value("usageMilli", usage)
                .value("targetMilli", target)
                .value("statusReplicas", status_replicas)
                .value("averageMilli", average),
            RatioFormula::PodAverage {
                usage: Milli(usage),
                pods,
                average: Milli(average),
                target: Milli(target),
            } => self
                .value("usageMilli", usage)
                .value("pods", pods)
                .value("averageMilli", average)
                .value("targetMilli", target),
            RatioFormula::Utilization {
                usage: Milli(usage),
                requests: Milli(requests),
                pods,
                utilization,
                average: Milli(average),
                target,
            } => self
                .value("usageMilli", usage)
                .value("requestsMilli", requests)
                .value("pods", pods)
                .value("utilizationPercent", utilization.0)
                .value("averageMilli", average)
                .value("targetPercent", target.0),
            RatioFormula::Value {
                usage: Milli(usage),
                target: Milli(target),
            } => self.value("usageMilli", usage).value("targetMilli", target),
        }
    }
}
