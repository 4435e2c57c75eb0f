//! The version of the API server.

use serde::Deserialize;

use super::{
    api_error::ResourceName,
    client::{Client, ClientError, Get, brief},
};

/// The answer of `/version`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServerVersion {
    /// The version, such as `v1.36.3`.
    pub git_version: String,
    /// Minor version that it emulates, such as `34`; empty if the server does not support emulation.
    pub emulation_minor: String,
    /// Operating system and architecture that the server was built for, such as `linux/amd64`.
    pub platform: String,
}

impl Client {
    /// Reads the version of the API server.
    pub async fn server_version(&self) -> Result<ServerVersion, super::ClusterError> {
        self.read_version().await.map_err(|error| match error {
            ClientError::Status(status) if status.code != 401 => super::ClusterError::Refused {
                what: "the version of the server".to_owned(),
                message: brief(&status.message),
                remedy: None,
            },
            error => error.into(),
        })
    }

    pub(super) async fn read_version(&self) -> Result<ServerVersion, ClientError> {
        self.get(&Get {
            what: "version of the server",
            path: "/version".to_owned(),
            about: ResourceName::default(),
            patience: None,
        })
        .await
    }
}
