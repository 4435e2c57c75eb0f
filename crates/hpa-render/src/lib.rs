//! The output of `kubectl hpa`, one folder per format. It serves that program, and changes without notice.

use hpa_analysis::inference;
use hpa_engine::{model, trace};
use hpa_explain::{DOCS, explain, learn};
use hpa_history as history;
use hpa_lint::{lint, rules};
use hpa_objects::recording;
#[cfg(test)]
use hpa_playback::playback;
use hpa_simulation as simulation;
use hpa_watch::watch;
use kubectl_hpa_yaml as yaml;

pub mod render;
