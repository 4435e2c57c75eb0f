//! What follows from one look at an HPA, worked out by asking the engine. It serves the program `kubectl hpa`, and changes without notice.

use hpa_engine::{engine, model, trace};

pub mod inference;
