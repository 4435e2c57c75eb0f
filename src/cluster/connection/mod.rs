//! From kubectl's flags and kubeconfig files to a client.

mod connect;
mod credentials;
mod kubeconfig;
mod names;
mod proxy;
mod settings;
mod transport;

pub use connect::{connect, context_names};
pub use names::{KubeconfigNames, kubeconfig_names};
