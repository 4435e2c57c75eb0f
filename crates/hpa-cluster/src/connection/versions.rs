//! HTTP/2 if the server supports it: then one connection carries all requests, including those sent before it is open.
//!
//! hyper's pool opens a connection for each request until the first handshake has negotiated the version. So the first
//! connection is opened before any request is sent, and goes to the pool of its version.

use std::{
    error::Error as StdError,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use http::{Request, Response, Uri, uri::Scheme};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{Builder, Client, connect::Connection},
    rt::{TokioExecutor, TokioTimer},
};
use kube::client::Body;
use tower::{BoxError, Service, ServiceExt as _, service_fn, util::BoxCloneSyncService};

/// Two connectors: one offers HTTP/2 and HTTP/1.1, the other only HTTP/1.1.
pub(super) struct Connectors<C> {
    pub(super) both: C,
    pub(super) http1: C,
}

/// Opens the first connection to `server`, and sends requests over it, and over further ones if needed.
pub(super) fn sending<C>(
    server: &Uri,
    connectors: Connectors<C>,
) -> BoxCloneSyncService<Request<Body>, Response<Incoming>, BoxError>
where
    C: Service<Uri, Error = BoxError> + Clone + Send + Sync + 'static,
    C::Response: Connection + hyper::rt::Read + hyper::rt::Write + Send + Unpin + 'static,
    C::Future: Send + 'static,
{
    let Connectors { both, http1 } = connectors;
    let opened = Opened::default();
    let http1 = builder().build(opened.first(http1));
    let http2 = builder().http2_only(true).build(opened.first(both.clone()));
    // Without TLS there is no negotiation.
    let is_plain = server.scheme() != Some(&Scheme::HTTPS);
    let plain = || async { Ok(Version::Http1) }.boxed().shared();
    let first: Arc<Mutex<Option<First>>> = Arc::new(Mutex::new(is_plain.then(plain)));
    let server = server.clone();
    BoxCloneSyncService::new(service_fn(move |request: Request<Body>| {
        let known = {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            let has_failed = |first: &First| matches!(first.peek(), Some(Err(_)));
            if let Some(known) = first.as_ref().filter(|first| !has_failed(first)) {
                known.clone()
            } else {
                let opening = opened.clone().open(both.clone(), server.clone());
                first.insert(opening.boxed().shared()).clone()
            }
        };
        let (http1, http2) = (http1.clone(), http2.clone());
        async move {
            Ok(match known.await? {
                Version::Http1 => http1.request(request).await?,
                Version::Http2 => http2.request(request).await?,
            })
        }
    }))
}

/// The version of the first connection; all requests that wait for it share it.
type First = Shared<BoxFuture<'static, Result<Version, NotOpened>>>;

#[derive(Clone, Copy)]
enum Version {
    Http1,
    Http2,
}

/// Why the first connection is not open.
#[derive(Clone, Debug, thiserror::Error)]
#[error("client error (Connect)")]
struct NotOpened(#[source] Arc<Cause>);

/// A cause that several requests share.
#[derive(Debug)]
struct Cause(BoxError);

impl std::fmt::Display for Cause {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl StdError for Cause {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.0)
    }
}

/// The first connection, until a pool takes it.
struct Opened<T>(Arc<Mutex<Option<T>>>);

impl<T> Clone for Opened<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Opened<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: Connection + Send + 'static> Opened<T> {
    /// Opens a connection, and returns its version.
    async fn open<C>(self, connector: C, server: Uri) -> Result<Version, NotOpened>
    where
        C: Service<Uri, Response = T, Error = BoxError>,
    {
        let opened = connector.oneshot(server).await;
        let connection = opened.map_err(|error| NotOpened(Arc::new(Cause(error))))?;
        let version = if connection.connected().is_negotiated_h2() {
            Version::Http2
        } else {
            Version::Http1
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
        Ok(version)
    }

    /// Returns the open connection first, then what `connector` opens.
    fn first<C>(
        &self,
        connector: C,
    ) -> impl Service<
        Uri,
        Response = T,
        Error = BoxError,
        Future = BoxFuture<'static, Result<T, BoxError>>,
    > + Clone
    + Send
    + Sync
    + 'static
    where
        C: Service<Uri, Response = T, Error = BoxError> + Clone + Send + Sync + 'static,
        C::Future: Send + 'static,
    {
        let opened = self.clone();
        service_fn(move |server| {
            let mut waiting = opened.0.lock().unwrap_or_else(PoisonError::into_inner);
            match waiting.take() {
                Some(connection) => async move { Ok(connection) }.boxed(),
                None => connector.clone().oneshot(server).boxed(),
            }
        })
    }
}

fn builder() -> Builder {
    let mut builder = Client::<(), ()>::builder(TokioExecutor::new());
    builder
        .pool_timer(TokioTimer::new())
        .timer(TokioTimer::new())
        // Each of about ten watches keeps what it read last; by default this grows to 400 KiB and more.
        .http1_max_buf_size(HTTP1_BUFFER)
        // A list of many MiB does not wait for a window update at each 64 KiB.
        .http2_initial_stream_window_size(WINDOW)
        .http2_initial_connection_window_size(4 * WINDOW)
        .http2_keep_alive_interval(IDLE)
        .http2_keep_alive_timeout(PING);
    builder
}

const HTTP1_BUFFER: usize = 64 << 10;

const WINDOW: u32 = 4 << 20;

/// As client-go: a connection that is silent for this long gets a ping.
const IDLE: Duration = Duration::from_secs(30);

/// The time to answer the ping. Upstream: `HTTP2_PING_TIMEOUT_SECONDS`.
const PING: Duration = Duration::from_secs(15);
