//! Errors that stop a command from reading a cluster.

use std::path::PathBuf;

/// An error that stops a command from reading a cluster. Reads that only add detail are data, not errors.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A kubeconfig file is invalid.
    #[error("cannot use kubeconfig {}: {why}", path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Kubeconfig files and flags do not name a server.
    #[error("{0}")]
    Settings(String),
    /// A certificate, a key or a token in the settings cannot be used.
    #[error("cannot use the credentials for {server}: {why}")]
    Credentials {
        /// Address of the server.
        server: String,
        /// What is wrong.
        why: String,
    },
    /// The user interrupted the command while it waited for credentials.
    #[error("interrupted")]
    Interrupted,
    /// The server cannot be reached, does not answer in time, or is not the Kubernetes API.
    #[error("{0}")]
    Unreachable(String),
    /// The server rejects a read that the command requires.
    #[error("cannot read {what}: {message}{}", remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default())]
    Refused {
        /// What should have been read.
        what: String,
        /// What the server says.
        message: String,
        /// What would help.
        remedy: Option<String>,
    },
    /// There is no HPA in the selected namespaces, and the user named none.
    #[error("{0}")]
    NoHpa(String),
    /// What the user named does not exist.
    #[error("{0}")]
    NotFound(String),
}
