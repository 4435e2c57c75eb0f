//! When limits held containers back: then what they used is less than they needed.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    names,
    series::{Millis, Series, growth},
    sources::{Sources, pods_of},
    usage::of_containers,
};

/// When limits held the containers of the target back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldBack {
    /// The share of CPU periods in which the kernel throttled a container. None: not seen.
    pub throttled: Option<f64>,
    /// How long containers used nearly all that their limits allow; of CPU only if throttling is not seen.
    pub at_limits: Millis,
    /// The steps in which containers were held back, by number.
    steps: BTreeSet<Millis>,
}

impl HeldBack {
    /// Reads the series between `from` and `to`.
    pub fn new(sources: &Sources<'_>, from: Millis, to: Millis) -> Self {
        let pods = pods_of(sources);
        let is_own = |series: &&Series| pods.has(series.label("pod"));
        let within =
            |samples: &mut Shares| samples.retain(|step, _| (from..to).contains(&(step * STEP)));
        let mut periods = Shares::new();
        let mut add = |name: &str, part: fn(&mut (f64, f64)) -> &mut f64| {
            for series in of_containers(sources.set, name).filter(is_own) {
                for (before, after) in pairs(series) {
                    *part(periods.entry(after.0.div_euclid(STEP)).or_default()) +=
                        growth(before.1, after.1);
                }
            }
        };
        add(names::THROTTLED, |share| &mut share.0);
        add(names::PERIODS, |share| &mut share.1);
        within(&mut periods);
        let all = periods
            .values()
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        // Periods alone do not show how many of them were throttled.
        let is_seen = 0.0 < all.1 && !sources.set.of(names::THROTTLED).is_empty();
        let throttled = is_seen.then(|| all.0 / all.1);

        let limits = Limits::new(sources);
        let mut at_limit = Shares::new();
        let mut count = |series: &Series, resource: &'static str, at: Millis, used: f64| {
            if let Some(limit) = limits.of(series, resource) {
                let share = at_limit.entry(at.div_euclid(STEP)).or_default();
                share.0 += f64::from(u8::from(NEARLY * limit <= used));
                share.1 += 1.0;
            }
        };
        if throttled.is_none() {
            for series in of_containers(sources.set, names::CPU).filter(is_own) {
                for (before, after) in pairs(series).filter(|(before, after)| before.1 <= after.1) {
                    let rate = (after.1 - before.1) * 1000.0 / (after.0 - before.0) as f64;
                    count(series, "cpu", after.0, rate);
                }
            }
        }
        for series in of_containers(sources.set, names::MEMORY).filter(is_own) {
            for (at, used) in &series.samples {
                count(series, "memory", *at, *used);
            }
        }
        within(&mut at_limit);
        let held = |shares: Shares| -> BTreeSet<Millis> {
            let held = shares
                .into_iter()
                .filter(|(_, (part, whole))| MANY * whole < *part);
            held.map(|(step, _)| step).collect()
        };
        let (periods, at_limit) = (held(periods), held(at_limit));
        Self {
            throttled,
            at_limits: at_limit.iter().map(|_| STEP).sum(),
            steps: &periods | &at_limit,
        }
    }

    /// Whether containers were held back at a time.
    pub fn at(&self, time: Millis) -> bool {
        self.steps.contains(&time.div_euclid(STEP))
    }
}

/// A part and the whole in each step.
type Shares = BTreeMap<Millis, (f64, f64)>;

/// The limits of containers, by pod, container and resource. They hardly ever change while a container runs.
struct Limits<'a>(BTreeMap<(&'a str, &'a str, &'a str), f64>);

impl<'a> Limits<'a> {
    fn new(sources: &Sources<'a>) -> Self {
        let series = sources.set.of(names::LIMITS).iter();
        let limits = series.filter_map(|one| {
            let key = (
                one.label("pod"),
                one.label("container"),
                one.label("resource"),
            );
            Some((key, one.samples.last()?.1))
        });
        Self(limits.collect())
    }

    fn of(&self, series: &Series, resource: &str) -> Option<f64> {
        let key = (series.label("pod"), series.label("container"), resource);
        self.0.get(&key).copied().filter(|limit| 0.0 < *limit)
    }
}

/// Neighboring samples that are not too far apart to know when the counter grew.
fn pairs(series: &Series) -> impl Iterator<Item = ((Millis, f64), (Millis, f64))> {
    let pairs = series.samples.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.filter(|(before, after)| (1..=2 * STEP).contains(&(after.0 - before.0)))
}

/// The length of a step.
const STEP: Millis = 60_000;

/// Containers that use this share of their limit are held back by it.
const NEARLY: f64 = 0.95;

/// A larger share of periods or containers is enough to hide a part of the load.
const MANY: f64 = 0.05;
