//! Time limits for opening connections: a silent server must not block a command. Upstream: `TLSHandshakeTimeout` and
//! the dialer timeout of client-go's transport.

use std::{io, sync::Arc, time::Duration};

use futures::{FutureExt as _, future::BoxFuture};
use http::Uri;
use tokio::sync::Notify;
use tower::{BoxError, Service, ServiceExt as _, service_fn, util::BoxCloneSyncService};

tokio::task_local! {
    /// Notified when the connection is open and TLS begins.
    static CONNECTED: Arc<Notify>;
}

/// Opens connections without TLS, through a proxy or not.
pub(super) fn connecting<C, S: 'static>(connector: C) -> BoxCloneSyncService<Uri, S, BoxError>
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Into<S> + Send,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    BoxCloneSyncService::new(service_fn(move |server: Uri| {
        let connector = connector.clone();
        async move {
            let connected = tokio::time::timeout(CONNECTION, connector.oneshot(server));
            let late = |_| io::Error::from(io::ErrorKind::TimedOut);
            let connection = connected.await.map_err(late)?.map_err(Into::into)?;
            let _ = CONNECTED.try_with(|connected| connected.notify_one());
            Ok(connection.into())
        }
        .boxed()
    }))
}

/// Opens connections with TLS, whose handshake takes at most `limit`.
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

/// A connection that is being opened.
type Opening<T> = BoxFuture<'static, Result<T, BoxError>>;

/// Longest time for a handshake.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(15);
/// Longest time to reach a server, or a proxy and through it a server.
const CONNECTION: Duration = Duration::from_secs(30);
