//! Builds a client from kubectl's flags and kubeconfig files.

mod complaint;
mod connect;
mod contact;
mod credentials;
mod flags;
mod handshake;
mod kubeconfig;
mod names;
mod plugin;
mod proxy;
mod settings;
mod transport;
mod unusable;
mod versions;

pub use complaint::without_secrets;
pub use connect::{Elsewhere, connect, connect_elsewhere, context_names};
pub use flags::ConnectionArgs;
pub use names::{KubeconfigNames, kubeconfig_names};
pub(super) use {contact::Contact, transport::Transport};
