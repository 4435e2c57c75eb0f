//! The only code that talks to Kubernetes. It only reads.
//!
//! `connection` turns kubectl's flags and kubeconfig files into a client, `client` sends one request and says what came of it, and
//! `gather` puts all reads about an HPA together into one `recording::Snapshot`.

mod api_error;
mod client;
mod clock;
mod connection;
mod error;
mod version;

pub use client::Client;
pub use connection::connect;
pub use error::Error;
pub use version::ServerVersion;
