//! Which values a series can have. What cannot be is no sample: a number of replicas that is no int32 would be cut to
//! one, and the past would show what never was.

use crate::{
    names::{self, About, Depth, NAMES},
    series::{Millis, Series},
};

/// Samples of a series name that no exporter of a cluster writes, and that are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpossibleSamples {
    /// The name of the series.
    pub name: String,
    /// The namespace and the name of the HPA, if it is about one.
    pub hpa: Option<(String, String)>,
    /// How many.
    pub count: usize,
    /// The first one.
    pub value: f64,
    /// What is possible.
    pub possible: Possible,
    /// When they are from.
    pub(crate) times: Vec<Millis>,
}

/// The values that a series can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    /// Whole numbers from 0 to the highest int32.
    Int32,
    /// Whole numbers from 0 on.
    Whole,
    /// 0 or 1.
    Flag,
    /// Seconds since 1970.
    Time,
    /// Numbers from 0 on that fit a quantity.
    Amount,
    /// Numbers that fit a quantity.
    Number,
}

impl Possible {
    /// The values that a series can have, by its name and labels.
    pub(crate) fn of(series: &Series) -> Self {
        let name = series.name();
        match name {
            names::DESIRED | names::CURRENT | names::MIN | names::MAX => return Self::Int32,
            names::VALUES | names::TARGETS => {
                return match series.label("metric_target_type") {
                    "utilization" => Self::Int32,
                    _ => Self::Number,
                };
            }
            names::POD_PHASE | names::POD_READY => return Self::Flag,
            _ => {}
        }
        let about = NAMES.iter().find(|one| one.name == name);
        match about.map(|one| one.about) {
            Some(About::Replicas) => Self::Int32,
            Some(About::Edits) => Self::Whole,
            Some(About::Conditions | About::ScaleTarget | About::Pods | About::ReplicaSets) => {
                Self::Flag
            }
            Some(About::Readiness | About::Starts) => Self::Time,
            Some(
                About::Requests
                | About::Sidecars
                | About::Limits
                | About::Usage
                | About::Throttling
                | About::Tolerances,
            ) => Self::Amount,
            _ => Self::Number,
        }
    }

    /// Whether a value is one of them.
    pub fn has(self, value: f64) -> bool {
        let whole = |most: f64| (0.0..=most).contains(&value) && value.fract() == 0.0;
        match self {
            Self::Int32 => whole(f64::from(i32::MAX)),
            Self::Whole => whole(MOST_WHOLE),
            Self::Flag => value == 0.0 || value == 1.0,
            Self::Time => (0.0..=MOST_SECONDS).contains(&value),
            Self::Amount => (0.0..=MOST).contains(&value),
            Self::Number => (-MOST..=MOST).contains(&value),
        }
    }

    /// The values in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Int32 => "a whole number from 0 to 2147483647",
            Self::Whole => "a whole number from 0 on",
            Self::Flag => "0 or 1",
            Self::Time => "a time in seconds since 1970",
            Self::Amount => "a number from 0 to 9e15",
            Self::Number => "a number from -9e15 to 9e15",
        }
    }
}

/// The most that fits an int64 in thousandths, in which the controller computes.
const MOST: f64 = 9e15;
/// Floats have all whole numbers up to here.
const MOST_WHOLE: f64 = 9e15;
/// The year 5138.
const MOST_SECONDS: f64 = 1e11;

/// Whether a sample of this name is part of what a scrape shows of an HPA: one that cannot be makes the scrape unusable,
/// because an older sample would take its place.
pub(crate) fn is_of_scrape(name: &str) -> bool {
    let known = NAMES.iter().find(|one| one.name == name);
    known.is_some_and(|one| one.depth == Depth::Hpa)
}

/// Drops the samples of a series that cannot be.
pub(crate) fn retain_possible(series: &mut Series) -> Option<ImpossibleSamples> {
    let possible = Possible::of(series);
    let is_impossible = |(_, value): &&(i64, f64)| !possible.has(*value);
    let first = series.samples.iter().find(is_impossible)?.1;
    let impossible = series.samples.iter().filter(is_impossible);
    let times: Vec<Millis> = impossible.map(|(at, _)| *at).collect();
    series.samples.retain(|(_, value)| possible.has(*value));
    let hpa = match series.label("horizontalpodautoscaler") {
        "" => None,
        hpa => Some((series.label("namespace").to_owned(), hpa.to_owned())),
    };
    Some(ImpossibleSamples {
        name: series.name().to_owned(),
        hpa,
        count: times.len(),
        value: first,
        possible,
        times,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_no_exporter_writes_are_left_out_of_every_series() {
        let impossible = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1e308,
            -1e308,
            1e300,
        ];
        for name in NAMES {
            let mut series = Series::named(name.name, &[], &[]);
            series.samples = (0..).zip(impossible).chain([(9, 1.0)]).collect();
            let found = retain_possible(&mut series).unwrap();
            assert_eq!(series.samples, [(9, 1.0)], "{name:?}");
            assert_eq!(found.count, impossible.len(), "{name:?}");
            assert_eq!(retain_possible(&mut series), None);
        }
    }

    #[test]
    fn number_of_replicas_is_an_int32_from_0_on() {
        for name in [
            names::DESIRED,
            names::CURRENT,
            names::MIN,
            names::MAX,
            "kube_deployment_spec_replicas",
            "kube_statefulset_status_replicas",
        ] {
            let samples = [-5.0, 3.7, 2_147_483_648.0, 0.0, 2_147_483_647.0];
            let samples: Vec<(i64, f64)> = (0..).zip(samples).collect();
            let mut series = Series::named(name, &[], &samples);
            let found = retain_possible(&mut series).unwrap();
            assert_eq!(series.samples, samples[3..], "{name}");
            assert_eq!((found.count, found.value), (3, -5.0));
        }
    }
}
