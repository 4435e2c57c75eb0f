//! Credentials that are renewed when they are old or no longer accepted. kube renews those whose expiry is known; a token file that
//! ends with a line feed, and a token that the server refuses early, are left to us. Upstream: client-go's `cachingTokenSource` and
//! `exec.Authenticator`.

use std::{
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use kube::{
    Config,
    client::{ConfigExt as _, middleware::AuthLayer},
};
use tokio::sync::Mutex;
use tower::BoxError;

/// What proves who asks.
pub(super) struct Credentials {
    config: Config,
    state: Mutex<State>,
}

/// How a request is given its credentials; none: the connection has them, or there are none.
pub(super) type Authorization = Option<Arc<AuthLayer>>;

struct State {
    current: Authorization,
    made: Instant,
    /// Whether the server does not accept the current ones.
    are_refused: bool,
    /// When they were renewed last because of that.
    renewed: Option<Instant>,
}

impl Credentials {
    /// Reads the token file, or runs the credential plugin.
    pub(super) fn new(config: &Config) -> Result<Self, BoxError> {
        Ok(Self {
            state: Mutex::new(State {
                current: make(config)?,
                made: Instant::now(),
                are_refused: false,
                renewed: None,
            }),
            config: config.clone(),
        })
    }

    /// Whether requests are given any.
    pub(super) fn are_given(&mut self) -> bool {
        self.state.get_mut().current.is_some()
    }

    /// Those for the next request, renewed if they are due. If that fails, the old ones.
    pub(super) async fn current(&self) -> Authorization {
        // Held while renewing: whoever sends a request then waits for the new ones.
        let mut state = self.state.lock().await;
        if self.is_due(&mut state) {
            state.made = Instant::now();
            state.are_refused = false;
            let config = self.config.clone();
            // A plugin may take its time.
            let made = tokio::task::spawn_blocking(move || make(&config)).await;
            if let Ok(Ok(Some(new))) = made {
                state.current = Some(new);
            }
        }
        state.current.clone()
    }

    /// Takes note that the server does not accept `used`.
    pub(super) async fn refuse(&self, used: &Authorization) {
        let mut state = self.state.lock().await;
        if let (Some(used), Some(current)) = (used, &state.current)
            && Arc::ptr_eq(used, current)
        {
            state.are_refused = true;
        }
    }

    fn is_due(&self, state: &mut State) -> bool {
        if state.current.is_none() {
            return false;
        }
        let may_help = state
            .renewed
            .is_none_or(|renewed| BETWEEN_RENEWALS <= renewed.elapsed());
        if state.are_refused && may_help {
            state.renewed = Some(Instant::now());
            return true;
        }
        self.config.auth_info.token_file.is_some() && TOKEN_FILE_AGE <= state.made.elapsed()
    }
}

fn make(config: &Config) -> Result<Authorization, BoxError> {
    let mut config = config.clone();
    let user = &mut config.auth_info;
    if user.token.is_none()
        && let Some(token) = user
            .token_file
            .as_ref()
            .and_then(|path| fs::read_to_string(path).ok())
    {
        user.token = Some(token.trim().to_owned().into());
    }
    Ok(config.auth_layer()?.map(Arc::new))
}

/// How long what a token file said counts.
const TOKEN_FILE_AGE: Duration = Duration::from_secs(60);
/// Least time between two renewals that a refusal causes: a user who is not let in any more does not run the plugin all the time.
const BETWEEN_RENEWALS: Duration = Duration::from_secs(10);
