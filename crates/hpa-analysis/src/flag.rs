//! Finds another value of one flag under which everything fits.
//!
//! Between two edges, such as two ages of pods, every value of a flag gives the same decision. So one value is tried
//! for each such span.

use hpa_engine::model::{ControllerConfig, Provenance, Setting};
use jiff::SignedDuration;

use super::{
    cause::{Cause, FlagSpan, Hypothesis},
    replay::Replay,
};

/// A flag with a number or a duration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    setting: Setting,
    /// Values that people and managed clusters set, the most usual first. Durations in seconds.
    usual: &'static [f64],
    is_duration: bool,
    set: fn(&mut ControllerConfig, f64),
    provenance: fn(&ControllerConfig) -> Provenance,
}

impl Flag {
    pub(super) const TOLERANCE: Self = Self {
        setting: Setting::Tolerance,
        usual: &[0.05, 0.15, 0.2, 0.01, 0.02, 0.03, 0.25, 0.3, 0.5, 0.0],
        is_duration: false,
        set: |controller, value| controller.tolerance.value = value,
        provenance: |controller| controller.tolerance.provenance,
    };
    pub(super) const WINDOW: Self = Self {
        setting: Setting::DownscaleStabilization,
        usual: &[
            60.0, 120.0, 180.0, 600.0, 30.0, 15.0, 10.0, 5.0, 900.0, 1800.0, 0.0,
        ],
        is_duration: true,
        set: |controller, value| controller.downscale_stabilization.value = seconds(value),
        provenance: |controller| controller.downscale_stabilization.provenance,
    };
    pub(super) const INITIALIZATION: Self = Self {
        setting: Setting::CpuInitializationPeriod,
        usual: &[60.0, 120.0, 30.0, 600.0, 180.0, 900.0, 0.0],
        is_duration: true,
        set: |controller, value| controller.cpu_initialization_period.value = seconds(value),
        provenance: |controller| controller.cpu_initialization_period.provenance,
    };
    pub(super) const READINESS: Self = Self {
        setting: Setting::InitialReadinessDelay,
        usual: &[10.0, 15.0, 60.0, 120.0, 180.0, 0.0],
        is_duration: true,
        set: |controller, value| controller.initial_readiness_delay.value = seconds(value),
        provenance: |controller| controller.initial_readiness_delay.provenance,
    };

    /// The flag of a setting, if it affects decisions.
    pub(super) fn of(setting: Setting) -> Option<Self> {
        [
            Self::TOLERANCE,
            Self::WINDOW,
            Self::INITIALIZATION,
            Self::READINESS,
        ]
        .into_iter()
        .find(|flag| flag.setting == setting)
    }

    /// Sets the flag to another value.
    pub(super) fn set(self, controller: &mut ControllerConfig, value: f64) {
        (self.set)(controller, value);
    }

    /// The values with which the replay fits, one for each span.
    pub(super) fn search(
        self,
        replay: &mut Replay<'_>,
        assumed: &ControllerConfig,
        mut edges: Vec<f64>,
    ) -> Vec<Hypothesis> {
        if edges.is_empty() || (self.provenance)(assumed) == Provenance::Observed {
            return Vec::new();
        }
        edges.retain(|edge| edge.is_finite() && 0.0 < *edge);
        edges.sort_by(f64::total_cmp);
        edges.dedup_by(|a, b| (*a - *b).abs() < EDGE);
        let is_crowded = MOST_EDGES < edges.len();
        let lows = std::iter::once(0.0).chain(edges.iter().copied());
        let highs = edges.iter().copied().map(Some).chain([None]);
        let mut found: Vec<(f64, FlagSpan)> = Vec::new();
        let mut did_fit = false;
        for (low, high) in lows.zip(highs) {
            let value = self.value_between(low, high, is_crowded);
            let fits = value.is_some_and(|value| {
                let mut controller = assumed.clone();
                (self.set)(&mut controller, value);
                controller != *assumed && replay.fits(&controller)
            });
            match (value.filter(|_| fits), found.last_mut()) {
                (Some(value), Some((chosen, span))) if did_fit => {
                    span.below = high;
                    if self.rank(value) < self.rank(*chosen) {
                        *chosen = value;
                    }
                }
                (Some(value), _) => found.push((
                    value,
                    FlagSpan {
                        from: (0.0 < low).then_some(low),
                        below: high,
                    },
                )),
                (None, _) => {}
            }
            did_fit = fits;
        }
        found.retain(|(_, span)| !self.is_coincidence(*span));
        found.sort_by_key(|(value, _)| self.rank(*value));
        found
            .into_iter()
            .map(|(value, span)| Hypothesis {
                cause: Cause::Flag(self.setting, value),
                fits: true,
                span: Some(span),
            })
            .collect()
    }

    /// The most usual value in a span, or else the roundest.
    fn value_between(self, low: f64, high: Option<f64>, only_usual: bool) -> Option<f64> {
        let is_inside = |value: f64| {
            (low + EDGE < value || (low == 0.0 && value == 0.0))
                && high.is_none_or(|high| value + EDGE < high)
        };
        let usual = self.usual.iter().copied().find(|value| is_inside(*value));
        if usual.is_some() || only_usual {
            return usual;
        }
        let steps: &[f64] = if self.is_duration {
            &[3600.0, 600.0, 60.0, 10.0, 1.0]
        } else {
            &[0.1, 0.01, 0.001, 0.0001, 0.00001]
        };
        steps
            .iter()
            .map(|step| ((low / step).floor() + 1.0) * step)
            .find(|value| is_inside(*value))
    }

    /// Times of the API have whole seconds, so a span of a second between two of them can be nothing but rounding.
    fn is_coincidence(self, span: FlagSpan) -> bool {
        let is_narrow = |(from, below)| below - from <= SECOND;
        self.is_duration && span.from.zip(span.below).is_some_and(is_narrow)
    }

    fn rank(self, value: f64) -> usize {
        let found = self
            .usual
            .iter()
            .position(|usual| (*usual - value).abs() < EDGE);
        found.unwrap_or(self.usual.len())
    }
}

/// `value` seconds, clamped to the longest duration.
pub fn seconds(value: f64) -> SignedDuration {
    SignedDuration::try_from_secs_f64(value).unwrap_or(SignedDuration::MAX)
}

/// Values closer than this count as equal.
const EDGE: f64 = 1e-9;

/// The resolution of times in seconds, with a margin for the subtraction.
const SECOND: f64 = 1.0 + EDGE;

/// With more edges, only usual values are tried.
const MOST_EDGES: usize = 12;
