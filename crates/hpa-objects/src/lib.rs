//! Kubernetes objects from files and recordings. It serves the program `kubectl hpa` and changes without notice.

use hpa_analysis::inference;
use hpa_engine::{model, trace};
use kubectl_hpa_yaml as yaml;

pub mod assessing;
pub mod manifest;
pub mod output_file;
pub mod recording;
pub mod sanitize;
