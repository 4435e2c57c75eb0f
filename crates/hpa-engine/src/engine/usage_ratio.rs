//! Utilization, usage and usage ratio. Upstream: `metrics/utilization.go`.
//!
//! Upstream's comment says desired over actual; the code divides actual by target.

use crate::{
    engine::go_math,
    model::quantity::Overflow,
    trace::{Milli, Pass, Percent, RatioFormula, Upstream, UsageRatio},
};

/// Percent of requests ÷ target percent. `samples` are usage and request of each pod with a known request. Upstream:
/// `GetResourceUtilizationRatio`, from 1.38 on with exact sums.
pub(crate) fn utilization_ratio(
    sums: Overflow,
    pass: Pass,
    samples: impl Iterator<Item = (i64, i64)>,
    target: i32,
) -> Result<UsageRatio, String> {
    let (mut usage, mut requests) = (Sum::of(sums), Sum::of(sums));
    for (value, request) in samples {
        usage.add(value);
        requests.add(request);
    }
    if requests.is_zero() {
        return Err("no metrics returned matched known pods".to_owned());
    }
    let utilization = usage.percent_of(&requests);
    let formula = RatioFormula::Utilization {
        usage: Milli(usage.nearest()),
        requests: Milli(requests.nearest()),
        pods: usage.terms,
        utilization: Percent(utilization),
        average: Milli(usage.mean()),
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

/// Mean over all samples ÷ target, including samples of unknown pods. Upstream: `GetMetricUsageRatio`, from 1.38 on with an
/// exact sum.
pub(crate) fn pod_average_ratio(
    sums: Overflow,
    pass: Pass,
    samples: impl Iterator<Item = i64>,
    target: i64,
) -> UsageRatio {
    let mut usage = Sum::of(sums);
    for value in samples {
        usage.add(value);
    }
    let average = usage.mean();
    let formula = RatioFormula::PodAverage {
        usage: Milli(usage.nearest()),
        pods: usage.terms,
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

/// A sum of milli-units: exact (`math/big`, from 1.38 on), or int64 that wraps. So many int64 that i128 could not hold their
/// sum fit no memory.
struct Sum {
    overflow: Overflow,
    total: i128,
    terms: usize,
}

impl Sum {
    fn of(overflow: Overflow) -> Self {
        Self {
            overflow,
            total: 0,
            terms: 0,
        }
    }

    fn add(&mut self, value: i64) {
        let sum = self.total.saturating_add(value.into());
        self.total = match self.overflow {
            Overflow::Saturate => sum,
            Overflow::Wrap => go_math::low_i64(sum).into(),
        };
        self.terms = self.terms.saturating_add(1);
    }

    fn is_zero(&self) -> bool {
        self.total == 0
    }

    /// Percent of `whole`, which is not zero, truncated: the nearest int32 if sums are exact, otherwise the low bits.
    fn percent_of(&self, whole: &Self) -> i32 {
        let hundredfold = self.total.saturating_mul(100);
        match self.overflow {
            Overflow::Saturate => {
                let percent = hundredfold.checked_div(whole.total).unwrap_or_default();
                go_math::nearest_i32_of(percent)
            }
            Overflow::Wrap => {
                let hundredfold = go_math::low_i64(hundredfold);
                go_math::low_i32(go_math::quotient(hundredfold, whole.nearest()))
            }
        }
    }

    /// The mean, truncated toward zero; 0 for no terms, which does not occur.
    fn mean(&self) -> i64 {
        let terms = i128::try_from(self.terms).unwrap_or(i128::MAX);
        go_math::nearest_i64_of(self.total.checked_div(terms).unwrap_or_default())
    }

    fn nearest(&self) -> i64 {
        go_math::nearest_i64_of(self.total)
    }
}
