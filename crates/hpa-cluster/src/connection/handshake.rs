//! Connections that come about in time: a server that says nothing must not keep anybody waiting. Upstream: `TLSHandshakeTimeout` and the
//! dialer's time of client-go's transport.

use std::{io, sync::Arc, time::Duration};

use futures::{FutureExt as _, future::BoxFuture};
use http::Uri;
use tokio::sync::Notify;
use tower::{BoxError, Service, ServiceExt as _, service_fn};

tokio::task_local! {
    /// Told when the connection is there on which TLS begins.
    static CONNECTED: Arc<Notify>;
}

/// What connects without TLS, through a proxy or not.
pub(super) fn connecting<C>(
    connector: C,
) -> impl Service<Uri, Response = C::Response, Error = BoxError, Future = Opening<C::Response>>
+ Clone
+ Send
+ Sync
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Send,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    service_fn(move |server: Uri| {
        let connector = connector.clone();
        async move {
            let connected = tokio::time::timeout(CONNECTION, connector.oneshot(server));
            let late = |_| io::Error::from(io::ErrorKind::TimedOut);
            let connection = connected.await.map_err(late)?.map_err(Into::into)?;
            let _ = CONNECTED.try_with(|connected| connected.notify_one());
            Ok(connection)
        }
        .boxed()
    })
}

/// The same with TLS, which takes no longer than `limit`.
pub(super) fn within<C>(
    limit: Duration,
    connector: C,
) -> impl Service<Uri, Response = C::Response, Error = BoxError, Future = Opening<C::Response>>
+ Clone
+ Send
+ Sync
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Send,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    service_fn(move |server: Uri| {
        let connector = connector.clone();
        async move {
            let connected = Arc::new(Notify::new());
            let opened = CONNECTED.scope(Arc::clone(&connected), connector.oneshot(server));
            let late = async {
                connected.notified().await;
                tokio::time::sleep(limit).await;
            };
            tokio::select! {
                opened = opened => opened.map_err(Into::into),
                () = late => Err("TLS handshake timeout".into()),
            }
        }
        .boxed()
    })
}

/// A connection that is not there yet.
type Opening<T> = BoxFuture<'static, Result<T, BoxError>>;

/// How long a handshake takes at most.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(15);
/// How long it takes to reach a server, or a proxy and through it a server.
const CONNECTION: Duration = Duration::from_secs(30);
