//! The history of HPAs over time, and the alarms that follow from it. It serves the program `kubectl hpa`, and changes
//! without notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};
use hpa_explain::explain;

pub mod watch;
