//! Utilization, usage and usage ratio. Upstream: `metrics/utilization.go`.
//!
//! Upstream's comment says desired over actual; the code divides actual by target.

use crate::{
    engine::go_math,
    trace::{Milli, Pass, Percent, RatioFormula, Upstream, UsageRatio},
};

/// Percent of requests ÷ target percent. `samples` are usage and request of each pod with a known request. Upstream:
/// `GetResourceUtilizationRatio`.
pub(crate) fn utilization_ratio(
    pass: Pass,
    samples: impl Iterator<Item = (i64, i64)>,
    target: i32,
) -> Result<UsageRatio, String> {
    let (mut usage, mut requests, mut pods) = (0_i64, 0_i64, 0_usize);
    for (value, request) in samples {
        usage = usage.wrapping_add(value);
        requests = requests.wrapping_add(request);
        pods = pods.saturating_add(1);
    }
    if requests == 0 {
        return Err("no metrics returned matched known pods".to_owned());
    }
    let utilization = go_math::low_i32(go_math::quotient(usage.wrapping_mul(100), requests));
    let formula = RatioFormula::Utilization {
        usage: Milli(usage),
        requests: Milli(requests),
        pods,
        utilization: Percent(utilization),
        average: Milli(mean(usage, pods)),
        target: Percent(target),
    };
    let usage_ratio = f64::from(utilization) / f64::from(target);
    let upstream = Upstream::utilization("GetResourceUtilizationRatio");
    Ok(UsageRatio {
        pass,
        formula,
        usage_ratio,
        upstream,
    })
}

/// Mean over all samples ÷ target, including samples of unknown pods. Upstream: `GetMetricUsageRatio`.
pub(crate) fn pod_average_ratio(
    pass: Pass,
    samples: impl Iterator<Item = i64>,
    target: i64,
) -> UsageRatio {
    let (mut usage, mut pods) = (0_i64, 0_usize);
    for value in samples {
        usage = usage.wrapping_add(value);
        pods = pods.saturating_add(1);
    }
    let average = mean(usage, pods);
    let formula = RatioFormula::PodAverage {
        usage: Milli(usage),
        pods,
        average: Milli(average),
        target: Milli(target),
    };
    let usage_ratio = go_math::f64_of(average) / go_math::f64_of(target);
    let upstream = Upstream::utilization("GetMetricUsageRatio");
    UsageRatio {
        pass,
        formula,
        usage_ratio,
        upstream,
    }
}

/// The mean, truncated toward zero; 0 for no pods, which does not occur.
fn mean(sum: i64, pods: usize) -> i64 {
    go_math::quotient(sum, go_math::count(pods))
}
