//! What stops a command from reading a cluster.

use std::path::PathBuf;

/// What stops a command from reading a cluster. What only makes a page poorer is data, not an error.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A kubeconfig file is not what it should be.
    #[error("cannot use kubeconfig {}: {why}", path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Kubeconfig files and flags lead to no server.
    #[error("{0}")]
    Settings(String),
    /// A certificate, a key or a token in the settings can't be used.
    #[error("cannot use the credentials for {server}: {why}")]
    Credentials {
        /// Address of the server.
        server: String,
        /// What is wrong.
        why: String,
    },
    /// The user did not want to wait for them.
    #[error("interrupted")]
    Interrupted,
    /// The server can't be reached, doesn't answer in time, or answers something else than the Kubernetes API.
    #[error("{0}")]
    Unreachable(String),
    /// The server refuses what the command cannot do without.
    #[error("cannot read {what}: {message}{}", remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default())]
    Refused {
        /// What was to be read.
        what: String,
        /// What the server says.
        message: String,
        /// What would help.
        remedy: Option<String>,
    },
    /// There is no HPA where the user looks; none was named.
    #[error("{0}")]
    NoHpa(String),
    /// What the user named isn't there.
    #[error("{0}")]
    NotFound(String),
}
