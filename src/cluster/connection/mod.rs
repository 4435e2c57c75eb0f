//! From kubectl's flags and kubeconfig files to a client.

mod connect;
mod credentials;
mod kubeconfig;
mod proxy;
mod settings;
mod transport;

pub use connect::{connect, context_names};
