//! kubectl's connection flags.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser},
};

/// kubectl's connection flags, with kubectl's names and meaning. An empty text counts as not given.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Connection (as in kubectl)")]
pub struct ConnectionArgs {
    /// Path to the kubeconfig file (default: the files in $KUBECONFIG, or ~/.kube/config).
    #[arg(long, value_name = "FILE", value_parser = any_path())]
    pub kubeconfig: Option<PathBuf>,
    /// Name of the kubeconfig context to use.
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// Name of the kubeconfig cluster to use.
    #[arg(long, value_name = "NAME")]
    pub cluster: Option<String>,
    /// Name of the kubeconfig user to use.
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Namespace (default: the one of the context).
    #[arg(short, long, value_name = "NAME")]
    pub namespace: Option<String>,
    /// Address and port of the API server.
    #[arg(short, long, value_name = "URL")]
    pub server: Option<String>,
    /// Bearer token for the API server.
    #[arg(long, value_name = "TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// User name to impersonate.
    #[arg(long = "as", value_name = "USER")]
    pub as_user: Option<String>,
    /// Group to impersonate; may be repeated.
    #[arg(long = "as-group", value_name = "GROUP")]
    pub as_groups: Vec<String>,
    /// UID to impersonate.
    #[arg(long, value_name = "UID")]
    pub as_uid: Option<String>,
    /// Extra field of the user to impersonate; may be repeated.
    #[arg(long = "as-user-extra", value_name = "KEY=VALUE", value_parser = parse_extra)]
    pub as_user_extra: Vec<(String, String)>,
    /// Path to a certificate file of the certificate authority.
    #[arg(long, value_name = "FILE", value_parser = any_path())]
    pub certificate_authority: Option<PathBuf>,
    /// Path to a client certificate file for TLS.
    #[arg(long, value_name = "FILE", value_parser = any_path())]
    pub client_certificate: Option<PathBuf>,
    /// Path to a client key file for TLS.
    #[arg(long, value_name = "FILE", value_parser = any_path())]
    pub client_key: Option<PathBuf>,
    /// Do not check the server's certificate: the connection is not secure.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub insecure_skip_tls_verify: Option<bool>,
    /// Name that the server's certificate must have (default: the host of the server's address).
    #[arg(long, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// How long to wait for a response of the server, such as 5s; a bare number is seconds, 0 waits forever.
    #[arg(long, value_name = "DURATION")]
    pub request_timeout: Option<String>,
    /// Accepted as in kubectl, but ignored: nothing is cached.
    #[arg(long, value_name = "DIR", value_parser = any_path())]
    pub cache_dir: Option<PathBuf>,
    /// Do not request compressed responses.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub disable_compression: Option<bool>,
}

/// As in kubectl, an empty path is the same as none; clap refuses it otherwise.
fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

fn parse_extra(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| "use KEY=VALUE".to_owned())
}
