//! Why settings cannot be used, without quoting them: kube's own messages quote tokens, keys and lines of files.

use std::path::Path;

use hpa_words::sanitize::file_name;
use kube::{
    client::{AuthError, RustlsTlsError, oidc_errors},
    config::{KubeconfigError, LoadDataError},
};

use crate::bounded::innermost;

/// Why these settings do not lead to a connection.
pub(super) fn connection(error: &kube::Error) -> String {
    match error {
        kube::Error::Auth(error) => authentication(error),
        kube::Error::InferKubeconfig(error) => certificate(error),
        kube::Error::RustlsTls(error) => tls(error),
        kube::Error::HttpError(_) => {
            "the user or group to impersonate has a character that no HTTP header can have"
                .to_owned()
        }
        _ => UNKNOWN.to_owned(),
    }
}

/// Why there is no token.
pub(super) fn authentication(error: &AuthError) -> String {
    let AuthError::Oidc(error) = error else {
        return match error {
            AuthError::InvalidBearerToken(_) => NOT_A_HEADER.to_owned(),
            _ => UNKNOWN.to_owned(),
        };
    };
    match error {
        oidc_errors::Error::IdTokenMissing => "auth-provider oidc: id-token is missing".to_owned(),
        oidc_errors::Error::IdToken(_) => {
            "auth-provider oidc: id-token is not a valid token (JWT)".to_owned()
        }
        oidc_errors::Error::RefreshInit(error) => {
            format!("auth-provider oidc: id-token has expired and cannot be refreshed: {error}")
        }
        oidc_errors::Error::Refresh(error) => {
            format!(
                "auth-provider oidc: id-token has expired and cannot be refreshed: {}",
                refresh(error)
            )
        }
    }
}

fn refresh(error: &oidc_errors::RefreshError) -> String {
    use oidc_errors::RefreshError;
    match error {
        RefreshError::InvalidURI(_) => "idp-issuer-url is not a URL".to_owned(),
        RefreshError::HyperError(error) => innermost(error),
        RefreshError::HyperUtilError(error) => innermost(error),
        RefreshError::InvalidMetadata(_) | RefreshError::InvalidTokenResponse(_) => {
            "the identity provider answers something unexpected".to_owned()
        }
        RefreshError::RequestFailed(status) => format!("the identity provider answers {status}"),
        RefreshError::AuthorizationFailure => {
            "the identity provider refuses the client-secret or the refresh-token".to_owned()
        }
        RefreshError::NoIdTokenReceived => "the identity provider sends no id-token".to_owned(),
        RefreshError::HttpError(_) => UNKNOWN.to_owned(),
    }
}

/// Why a certificate or a key cannot be loaded.
pub(super) fn certificate(error: &KubeconfigError) -> String {
    let (name, error) = match error {
        KubeconfigError::LoadCertificateAuthority(error) => ("certificate-authority", error),
        KubeconfigError::LoadClientCertificate(error) => ("client-certificate", error),
        KubeconfigError::LoadClientKey(error) => ("client-key", error),
        _ => return UNKNOWN.to_owned(),
    };
    match error {
        LoadDataError::DecodeBase64(_) => format!("{name}-data is not valid base64"),
        LoadDataError::ReadFile(error, path) => {
            format!("cannot read {name} {}: {error}", file(path))
        }
        LoadDataError::NoBase64DataOrFile => {
            format!("{name} is missing: a client certificate needs its key")
        }
    }
}

fn tls(error: &RustlsTlsError) -> String {
    match error {
        RustlsTlsError::InvalidIdentityPem(_) => {
            "the client certificate or its key is not valid PEM"
        }
        RustlsTlsError::MissingCertificate => "the client certificate has no PEM certificate",
        RustlsTlsError::MissingPrivateKey | RustlsTlsError::UnknownPrivateKeyFormat => {
            "the client key has no private key in PEM (PKCS #8, PKCS #1 or SEC 1)"
        }
        RustlsTlsError::InvalidPrivateKey(_) => {
            "the client key cannot be used with the client certificate"
        }
        RustlsTlsError::AddRootCertificate(_) => {
            "a certificate of the certificate authority cannot be used"
        }
        RustlsTlsError::NoValidNativeRootCA(_) => {
            "the system has no certificate authorities: --certificate-authority names a file"
        }
        RustlsTlsError::InvalidServerName(_) => "the TLS server name is not a host name",
    }
    .to_owned()
}

/// The name of a file in the settings, unless it looks like the content of the file.
pub(super) fn file(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy());
    let is_content = name.is_some_and(|name| {
        name.contains(['\n', '\r']) || name.contains("-----") || name.starts_with("eyJ")
    });
    if is_content {
        return "(its content is in the place of its name)".to_owned();
    }
    file_name(path)
}

/// What is wrong with a token.
pub(super) const NOT_A_HEADER: &str =
    "the token has a line break or another character that no HTTP header can have";
const UNKNOWN: &str = "they are of a kind that is not known here";
