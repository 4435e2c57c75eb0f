//! Plays recordings in order, recomputing and comparing each sync. It serves the program `kubectl hpa`, and changes
//! without notice.

use hpa_analysis::inference;
use hpa_engine::{engine, model, trace};
use hpa_objects::{assessing, recording};
use hpa_watch::watch;

pub mod playback;
