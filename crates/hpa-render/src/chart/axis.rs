//! Round times and values along the axes of a chart.

use hpa_simulation::Millis;

use hpa_simulation::{LoadUnit, PerPodUnit};

/// What a value axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueUnit {
    /// A number of pods or replicas.
    Count,
    /// A value per pod.
    PerPod(PerPodUnit),
    /// A load.
    Load(LoadUnit),
}

/// Steps of a value axis.
pub(super) const STEPS: usize = 4;

/// A tick on an axis and its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisTick {
    /// Its position: milliseconds, or the value.
    pub(super) at: f64,
    /// Its label.
    pub(super) text: String,
    /// A date below the label, if the date changes here.
    pub(super) below: Option<String>,
}

impl ValueUnit {
    /// Ticks from 0 up to `top`, at most `most` steps.
    pub(super) fn ticks(self, top: f64, most: usize) -> Vec<AxisTick> {
        let (size, suffix) = self.scale(top);
        let step = self.step(top, most);
        let count = (top / size / step + 1e-9).floor().clamp(0.0, 50.0) as u32;
        (0..=count)
            .map(|index| {
                let value = f64::from(index) * step;
                AxisTick {
                    at: value * size,
                    text: format!("{}{suffix}", decimal(value, step)),
                    below: None,
                }
            })
            .collect()
    }

    /// The first tick at or above `top`.
    pub(super) fn round_up(self, top: f64, most: usize) -> f64 {
        let step = self.step(top, most) * self.scale(top).0;
        let rounded = (top / step - 1e-9).ceil() * step;
        if rounded.is_finite() { rounded } else { top }
    }

    /// The distance between ticks, in the unit of the labels.
    fn step(self, top: f64, most: usize) -> f64 {
        let step = round_step(top / self.scale(top).0 / most.max(1) as f64);
        if self == Self::Count {
            step.max(1.0)
        } else {
            step
        }
    }

    /// The size of the label's unit, and the suffix of the number.
    fn scale(self, top: f64) -> (f64, &'static str) {
        match self {
            Self::PerPod(PerPodUnit::PercentOfRequest) => (1.0, "%"),
            Self::PerPod(PerPodUnit::Value(unit)) => Self::Load(unit).scale(top),
            Self::Load(LoadUnit::Cores) if top <= 1.0 => (0.001, "m"),
            Self::Count | Self::Load(LoadUnit::Number | LoadUnit::Cores) => (1.0, ""),
            Self::Load(LoadUnit::Bytes) => {
                let units = [
                    (1_073_741_824.0, " GiB"),
                    (1_048_576.0, " MiB"),
                    (1024.0, " KiB"),
                ];
                let found = units.into_iter().find(|(size, _)| *size <= top);
                found.unwrap_or((1.0, " B"))
            }
        }
    }
}

/// Round times from start to end, with at most `most` steps.
pub(super) fn time_ticks(length: Millis, most: usize) -> Vec<AxisTick> {
    const SECOND: f64 = 1000.0;
    const MINUTE: f64 = 60.0 * SECOND;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    let length = length as f64;
    let (unit, suffix, steps): (f64, &str, &[f64]) = if length <= 3.0 * MINUTE {
        (SECOND, "s", &[1.0, 5.0, 10.0, 15.0, 30.0, 60.0])
    } else if length <= 2.0 * HOUR {
        (MINUTE, "min", &[0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0])
    } else if length <= 2.0 * DAY {
        (HOUR, "h", &[0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 12.0, 24.0])
    } else {
        (DAY, "d", &[0.5, 1.0, 2.0, 7.0, 14.0, 28.0, 56.0, 112.0])
    };
    let fits = |step: &&f64| length / (**step * unit) <= most.max(1) as f64;
    let step = steps.iter().find(fits).copied();
    let step = step.unwrap_or_else(|| steps.last().copied().unwrap_or(1.0));
    let count = (length / (step * unit) + 1e-9).floor() as u32;
    (0..=count)
        .map(|index| {
            let value = f64::from(index) * step;
            AxisTick {
                at: value * unit,
                text: match index {
                    0 => "0".to_owned(),
                    _ => format!("{} {suffix}", decimal(value, step)),
                },
                below: None,
            }
        })
        .collect()
}

/// 1, 2 or 5 times a power of ten, at least `least`.
fn round_step(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let mut power = 1.0;
    while power * 10.0 <= least {
        power *= 10.0;
    }
    while least < power {
        power /= 10.0;
    }
    let fits = |factor: &&f64| least <= **factor * power * (1.0 + 1e-9);
    let factor = [1.0, 2.0, 5.0].iter().find(fits).copied();
    factor.unwrap_or(10.0) * power
}

/// The value with as many decimals as the step has.
fn decimal(value: f64, step: f64) -> String {
    let mut digits = 0;
    let mut rest = step;
    while digits < 6 && 1e-9 < (rest - rest.round()).abs() {
        rest *= 10.0;
        digits += 1;
    }
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[AxisTick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.text.as_str()).collect()
    }

    #[test]
    fn times_are_in_the_unit_that_fits_the_length() {
        for (minutes, most, expected) in [
            (2, 6, &["0", "30 s", "60 s", "90 s", "120 s"][..]),
            (20, 5, &["0", "5 min", "10 min", "15 min", "20 min"]),
            (
                60,
                6,
                &[
                    "0", "10 min", "20 min", "30 min", "40 min", "50 min", "60 min",
                ],
            ),
            (180, 4, &["0", "1 h", "2 h", "3 h"]),
            (1440, 4, &["0", "6 h", "12 h", "18 h", "24 h"]),
            (
                10_080,
                8,
                &["0", "1 d", "2 d", "3 d", "4 d", "5 d", "6 d", "7 d"],
            ),
        ] {
            let ticks = time_ticks(minutes * 60_000, most);
            assert_eq!(texts(&ticks), expected, "{minutes} min");
        }
    }

    #[test]
    fn values_have_round_steps_and_units() {
        let cores = ValueUnit::Load(LoadUnit::Cores);
        let percent = ValueUnit::PerPod(PerPodUnit::PercentOfRequest);
        let bytes = ValueUnit::Load(LoadUnit::Bytes);
        assert_eq!(texts(&ValueUnit::Count.ticks(2.4, 5)), ["0", "1", "2"]);
        assert_eq!(
            texts(&ValueUnit::Count.ticks(20.0, 4)),
            ["0", "5", "10", "15", "20"]
        );
        assert_eq!(
            texts(&percent.ticks(200.0, 4)),
            ["0%", "50%", "100%", "150%", "200%"]
        );
        assert_eq!(
            texts(&cores.ticks(0.8, 4)),
            ["0m", "200m", "400m", "600m", "800m"]
        );
        assert_eq!(texts(&cores.ticks(5.0, 2)), ["0", "5"]);
        assert_eq!(
            texts(&bytes.ticks(3.0 * 1_073_741_824.0, 3)),
            ["0 GiB", "1 GiB", "2 GiB", "3 GiB"]
        );
    }

    #[test]
    fn strange_tops_give_few_ticks() {
        for top in [0.0, 1e-12, 1e300, f64::INFINITY, f64::NAN] {
            for unit in [ValueUnit::Count, ValueUnit::Load(LoadUnit::Bytes)] {
                assert!(unit.ticks(top, 4).len() <= 51, "{top}");
            }
        }
    }
}
