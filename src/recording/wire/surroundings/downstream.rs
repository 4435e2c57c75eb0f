//! What becomes of the replicas that an HPA asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// What limits the pods that the target asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Downstream {}

impl From<&Downstream> for model::Downstream {
    fn from(_: &Downstream) -> Self {
        Self {}
    }
}
