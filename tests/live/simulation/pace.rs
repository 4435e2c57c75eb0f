//! How fast time passes: five times as fast as with the controller's defaults, or as with them.

use std::{env, sync::LazyLock};

/// The controller's flags, in seconds, and how long everything takes.
pub(super) struct Pace {
    /// The folder of the cluster.
    pub(super) name: &'static str,
    /// `--horizontal-pod-autoscaler-sync-period`.
    pub(super) period: i32,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    pub(super) window: i32,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    pub(super) initialization: i32,
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub(super) delay: i32,
    /// How long each course lasts.
    pub(super) length: i32,
    /// All other times are as many times as long.
    pub(super) factor: i32,
}

/// `SIMULATION_REAL_TIME=1` gives the controller its default flags, and each course a quarter of an hour.
pub(super) static PACE: LazyLock<Pace> = LazyLock::new(|| {
    if env::var_os("SIMULATION_REAL_TIME").is_some() {
        Pace {
            name: "simulation-real-time",
            period: 15,
            window: 300,
            initialization: 300,
            delay: 30,
            length: 900,
            factor: 5,
        }
    } else {
        Pace {
            name: "simulation",
            period: 3,
            window: 20,
            initialization: 15,
            delay: 5,
            length: 150,
            factor: 1,
        }
    }
});

/// Seconds of a course, at its pace.
pub(super) fn seconds(count: i32) -> i32 {
    count * PACE.factor
}

/// How long each course lasts, in seconds.
pub(super) fn length() -> f64 {
    f64::from(PACE.length)
}
