//! Credentials that are renewed when they expire or are rejected. Upstream: client-go's `cachingTokenSource` and
//! `exec.Authenticator`.
//!
//! Token files and plugins are handled here, and kube only gets the result: it treats a token that is not a valid
//! header as a bug and panics. Only OIDC is left to kube.

use std::{
    fs::File,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use hpa_objects::recording::read_at_most;
use http::HeaderValue;
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use kube::{
    Config,
    client::{ConfigExt as _, middleware::AuthLayer},
    config::AuthInfo,
};
use secrecy::ExposeSecret as _;
use tokio::sync::{Mutex, watch};

use super::{
    plugin::{self, Bounds},
    unusable,
};

/// The credentials of the user.
pub(super) struct Credentials {
    config: Config,
    patience: Option<Duration>,
    state: Mutex<CredentialState>,
    credential_failures: watch::Sender<String>,
}

/// The layer that adds credentials to a request; `None`: the connection has them, or there are none.
pub(super) type Authorization = Option<Arc<AuthLayer>>;

/// Whether both come from the same read of the token file, or run of the plugin.
pub(super) fn are_same(one: &Authorization, other: &Authorization) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

struct CredentialState {
    current: Authorization,
    made: Instant,
    expires: Option<Timestamp>,
    /// Whether the server rejects the current ones.
    are_refused: bool,
    /// When they were last renewed.
    renewed: Option<Instant>,
}

impl Credentials {
    /// Reads the token file, or runs the credential plugin. Afterwards `config` contains the result.
    pub(super) async fn new(
        config: &mut Config,
        patience: Option<Duration>,
    ) -> Result<Self, String> {
        let settings = config.clone();
        let bounds = Bounds {
            patience,
            may_ask: true,
        };
        let (user, expires) = resolved(&settings.auth_info, bounds).await?;
        config.auth_info = user;
        let state = CredentialState {
            current: authorization(config)?,
            made: Instant::now(),
            expires,
            are_refused: false,
            renewed: None,
        };
        Ok(Self {
            config: settings,
            patience,
            state: Mutex::new(state),
            credential_failures: watch::Sender::default(),
        })
    }

    /// Why the credentials are not renewed, for the user; empty: renewal works.
    pub(super) fn credential_failures(&self) -> watch::Receiver<String> {
        self.credential_failures.subscribe()
    }

    /// The credentials for the next request, renewed if due. If renewal fails, the old ones.
    pub(super) async fn current(self: &Arc<Self>) -> Authorization {
        {
            // Locked during renewal: concurrent requests then wait for the new credentials.
            let state = self.state.lock().await;
            if !self.is_due(&state) {
                return state.current.clone();
            }
        }
        let this = Arc::clone(self);
        // Continues even if the caller is dropped.
        let _ = tokio::spawn(async move { this.renew().await }).await;
        self.state.lock().await.current.clone()
    }

    async fn renew(&self) {
        let mut state = self.state.lock().await;
        if !self.is_due(&state) {
            return;
        }
        state.made = Instant::now();
        state.renewed = Some(Instant::now());
        state.are_refused = false;
        let credential_failures = match self.made().await {
            Ok((new, expires)) => {
                state.current = new;
                state.expires = expires;
                String::new()
            }
            Err(why) => {
                format!("the credentials cannot be renewed, and the old ones are used: {why}")
            }
        };
        self.credential_failures.send_if_modified(|old| {
            let is_new = *old != credential_failures;
            *old = credential_failures;
            is_new
        });
    }

    async fn made(&self) -> Result<(Authorization, Option<Timestamp>), String> {
        let bounds = Bounds {
            patience: Some(self.patience.unwrap_or(PATIENCE)),
            may_ask: false,
        };
        let mut config = self.config.clone();
        let (user, expires) = resolved(&config.auth_info, bounds).await?;
        config.auth_info = user;
        match authorization(&config)? {
            Some(new) => Ok((Some(new), expires)),
            None => Err("the token is gone".to_owned()),
        }
    }

    /// Records that the server rejects `used`.
    pub(super) async fn refuse(&self, used: &Authorization) {
        let mut state = self.state.lock().await;
        if used.is_some() && are_same(used, &state.current) {
            state.are_refused = true;
        }
    }

    fn is_due(&self, state: &CredentialState) -> bool {
        let is_old =
            self.config.auth_info.token_file.is_some() && TOKEN_FILE_AGE <= state.made.elapsed();
        let has_expired = state
            .expires
            .is_some_and(|expires| expires <= Timestamp::now() + BEFORE_EXPIRY);
        let may_help = state
            .renewed
            .is_none_or(|renewed| BETWEEN_RENEWALS <= renewed.elapsed());
        // Without a token, the connection itself has the plugin's certificate.
        state.current.is_some()
            && self.can_be_renewed()
            && may_help
            && (is_old || has_expired || state.are_refused)
    }

    /// Whether they come from a file or a plugin, which may return others by now.
    fn can_be_renewed(&self) -> bool {
        let user = &self.config.auth_info;
        let is_constant = user.auth_provider.is_some() || wins(user);
        !is_constant && (user.token_file.is_some() || user.exec.is_some())
    }
}

/// The user with the token, or the certificate and key, from the settings, and when they expire.
async fn resolved(
    settings: &AuthInfo,
    bounds: Bounds,
) -> Result<(AuthInfo, Option<Timestamp>), String> {
    let mut user = settings.clone();
    let (file, exec) = (user.token_file.take(), user.exec.take());
    let mut expires = None;
    if let Some(provider) = &user.auth_provider {
        check_provider(&provider.name)?;
        return Ok((user, None));
    }
    if wins(&user) {
        // Neither the file is read nor the plugin run.
    } else if let Some(file) = file {
        user.token = Some(token_in(&file)?.into());
    } else if let Some(exec) = exec {
        let given = plugin::run(&exec, bounds).await?;
        expires = given.expires;
        user.token = given.token.map(Into::into);
        if let Some((certificate, key)) = given.certificate {
            user.client_certificate_data = Some(base64(certificate));
            user.client_key_data = Some(base64(key).into());
        }
    }
    if let Some(token) = &user.token {
        HeaderValue::try_from(format!("Bearer {}", token.expose_secret()))
            .map_err(|_| unusable::NOT_A_HEADER)?;
    }
    Ok((user, expires))
}

/// Whether the user has a token or a password, which take precedence over file and plugin.
fn wins(user: &AuthInfo) -> bool {
    user.username.is_some() && user.password.is_some() || user.token.is_some()
}

/// An error for an auth provider: those that were once built into kubectl are plugins today, with other commands.
fn check_provider(name: &str) -> Result<(), String> {
    let plugin = match name {
        "oidc" => return Ok(()),
        "gcp" => {
            "gke-gcloud-auth-plugin (gcloud container clusters get-credentials writes it into the kubeconfig)"
        }
        "azure" => "kubelogin (kubelogin convert-kubeconfig writes it into the kubeconfig)",
        _ => "a credential plugin (users[].user.exec)",
    };
    Err(format!(
        "auth-provider {name:?} is not supported, as in kubectl: use {plugin}"
    ))
}

fn token_in(file: &str) -> Result<String, String> {
    let name = || unusable::file(file.as_ref());
    let text = File::open(file)
        .and_then(|file| read_at_most(file, 1))
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
        .map_err(|error| format!("cannot read tokenFile {}: {error}", name()))?;
    match text.trim() {
        "" => Err(format!("tokenFile {} is empty", name())),
        token => Ok(token.to_owned()),
    }
}

fn base64(pem: String) -> String {
    match serde_json::to_value(ByteString(pem.into_bytes())) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

fn authorization(config: &Config) -> Result<Authorization, String> {
    let layer = config.auth_layer();
    let layer = layer.map_err(|error| unusable::connection(&error))?;
    Ok(layer.map(Arc::new))
}

/// How long the content of a token file is valid.
const TOKEN_FILE_AGE: Duration = Duration::from_mins(1);
/// Credentials are renewed this long before they expire.
const BEFORE_EXPIRY: SignedDuration = SignedDuration::from_secs(10);
/// Least time between two renewals, so that a rejected user does not run the plugin all the time.
const BETWEEN_RENEWALS: Duration = Duration::from_secs(10);
/// Longest time for a renewal, as requests wait for it.
const PATIENCE: Duration = Duration::from_mins(1);
