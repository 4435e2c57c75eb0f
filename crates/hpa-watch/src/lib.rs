//! What happened to HPAs over time, and which alarms follow. It serves the program `kubectl hpa`, and changes without notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};
use hpa_explain::explain;

pub mod watch;
