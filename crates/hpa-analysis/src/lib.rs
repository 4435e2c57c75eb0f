//! What follows from one observation of an HPA, computed with the engine. It serves the program `kubectl hpa` and
//! changes without notice.

use hpa_engine::{engine, model, trace};

pub mod inference;
