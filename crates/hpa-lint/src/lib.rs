//! Lint rules for HPAs, and the machinery that runs them. It serves the program `kubectl hpa` and changes without
//! notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};
use hpa_explain::{explain, learn};
use hpa_objects::{assessing, manifest, recording, sanitize};
use kubectl_hpa_yaml as yaml;

pub mod lint;
#[allow(
    rustdoc::invalid_codeblock_attributes,
    reason = "`kube=1.34` on an example of a rule is for its test"
)]
pub mod rules;
