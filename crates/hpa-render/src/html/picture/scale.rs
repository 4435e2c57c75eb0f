//! Maps replicas to pixels, and chooses the numbers below the line.

use hpa_explain::picture::ReplicaAxis;

use super::measure::width;
use crate::html::round::round_numbers;

/// Maps replicas to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplicaScale {
    pub(super) axis: ReplicaAxis,
    /// Left end in pixels.
    pub(super) left: f64,
    /// Right end in pixels.
    pub(super) right: f64,
}

impl ReplicaScale {
    /// The position of `replicas`; `None` beyond the right end.
    pub(super) fn at(self, replicas: i32) -> Option<f64> {
        let place = self.axis.place(replicas)?;
        Some(self.left + place * (self.right - self.left))
    }

    /// The position of `replicas`, or the right end.
    pub(super) fn at_most(self, replicas: i32) -> f64 {
        self.at(replicas).unwrap_or(self.right)
    }

    /// Round numbers along the axis whose labels do not overlap.
    pub(super) fn ticks(self, size: f64) -> Vec<i32> {
        let (low, high) = (i64::from(self.axis.low), i64::from(self.axis.high));
        let broadest =
            width(&self.axis.high.to_string(), size).max(width(&self.axis.low.to_string(), size));
        let room = self.right - self.left;
        let fits = |step: &i64| {
            let number = i32::try_from((high - low) / step + 1).unwrap_or(i32::MAX);
            f64::from(number) * (broadest + GAP) <= room || high - low < *step
        };
        let step = round_numbers().find(fits).unwrap_or(high - low);
        let first = low + (step - low.rem_euclid(step)) % step;
        let number = (high - first).div_euclid(step) + 1;
        (0..number)
            .filter_map(|index| i32::try_from(first + index * step).ok())
            .collect()
    }
}

/// Minimum pixels between two labels.
const GAP: f64 = 14.0;
