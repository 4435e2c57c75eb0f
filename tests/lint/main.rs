//! What `lint` reads and how it runs.

mod input;
mod kubectl_yaml;
mod properties;
mod runs;
