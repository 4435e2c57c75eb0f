//! One of the two directions of `spec.behavior`.

use crate::model::{Observation, ScalingRules};

/// One of the two directions of `spec.behavior`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `scaleUp`.
    Up,
    /// `scaleDown`.
    Down,
}

impl Side {
    /// Both, in the order of the API.
    pub(super) const BOTH: [Self; 2] = [Self::Up, Self::Down];

    /// The API's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Up => "scaleUp",
            Self::Down => "scaleDown",
        }
    }

    /// The rules of this direction, if the HPA has any.
    pub(super) fn rules(self, observation: &Observation) -> Option<&ScalingRules> {
        let behavior = observation.hpa.spec.behavior.as_ref()?;
        match self {
            Self::Up => behavior.scale_up.as_ref(),
            Self::Down => behavior.scale_down.as_ref(),
        }
    }

    /// The rules of this direction, to be changed; made if there are none, as the API server does.
    pub(super) fn rules_mut(self, observation: &mut Observation) -> &mut ScalingRules {
        let behavior = observation.hpa.spec.behavior.get_or_insert_default();
        match self {
            Self::Up => behavior.scale_up.get_or_insert_default(),
            Self::Down => behavior.scale_down.get_or_insert_default(),
        }
    }
}
