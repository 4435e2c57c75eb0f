//! Scale-up and scale-down tolerance. Upstream: `Tolerances` in `replica_calculator.go`, `tolerancesForHpa` in
//! `horizontal.go`.

use crate::{
    engine::context::ReconcileContext,
    model::{Behavior, ControllerConfig, Direction, Input, Switches},
    trace::{Pass, ToleranceCheck, ToleranceForm},
};

/// The two tolerances in effect for one HPA.
#[derive(Clone, Copy, Debug)]
pub struct Tolerances {
    scale_down: Input<f64>,
    scale_up: Input<f64>,
    form: ToleranceForm,
}

impl Tolerances {
    /// The tolerances of the HPA in this sync.
    pub(crate) fn of(cx: &ReconcileContext<'_>) -> Self {
        let behavior = cx.hpa().spec.behavior.as_ref();
        Self::new(cx.controller(), cx.switches, behavior)
    }

    /// The flag for both directions, unless the HPA sets its own and this version reads it.
    pub fn new(
        controller: &ControllerConfig,
        switches: &Switches,
        behavior: Option<&Behavior>,
    ) -> Self {
        let flag = controller.tolerance;
        let behavior = behavior.filter(|_| switches.per_hpa_tolerance);
        let own = |direction| {
            behavior
                .and_then(|behavior| behavior.rules(direction)?.tolerance.as_ref())
                .map_or(flag, |tolerance| {
                    Input::observed(tolerance.approximate_f64())
                })
        };
        Self {
            scale_down: own(Direction::Down),
            scale_up: own(Direction::Up),
            form: if switches.tolerance_interval_form {
                ToleranceForm::Interval
            } else {
                ToleranceForm::Distance
            },
        }
    }

    /// The scale-down tolerance.
    pub fn scale_down(&self) -> Input<f64> {
        self.scale_down
    }

    /// The scale-up tolerance.
    pub fn scale_up(&self) -> Input<f64> {
        self.scale_up
    }

    /// Decides whether the ratio is within tolerance, both ends included. Upstream: `isWithin`.
    ///
    /// A NaN ratio is outside in the interval form and within in the distance form: up to 1.32 upstream asks whether
    /// the distance is *greater* than the tolerance. NaN comes only from zero usage over zero status replicas.
    pub(crate) fn check(self, pass: Pass, usage_ratio: f64) -> ToleranceCheck {
        let is_within = match self.form {
            ToleranceForm::Interval => {
                (1.0 - self.scale_down.value) <= usage_ratio
                    && usage_ratio <= (1.0 + self.scale_up.value)
            }
            ToleranceForm::Distance => {
                let distance = (1.0 - usage_ratio).abs();
                distance.is_nan() || distance <= self.scale_up.value
            }
        };
        ToleranceCheck {
            pass,
            usage_ratio,
            form: self.form,
            scale_down: self.scale_down,
            scale_up: self.scale_up,
            is_within,
        }
    }
}
