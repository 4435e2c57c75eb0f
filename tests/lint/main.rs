//! What `lint` reads and how it runs.

mod kubectl_yaml;
