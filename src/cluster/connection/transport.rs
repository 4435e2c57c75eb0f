//! The HTTP client below everything: TLS, credentials, impersonation, compression, proxy.
//!
//! It is put together from kube's own layers rather than taken whole, because kube's stack runs an exec credential plugin three times
//! (a second each with some clouds), retries 503 and logs to a subscriber that we don't have.

use std::sync::Arc;

use futures::FutureExt as _;
use http::{Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper_util::{
    client::{
        legacy::{
            Builder,
            connect::{
                Connection, HttpConnector,
                proxy::{SocksV5, Tunnel},
            },
        },
        proxy::matcher::Intercept,
    },
    rt::{TokioExecutor, TokioTimer},
};
use kube::{
    Config,
    client::{Body, ConfigExt as _},
};
use tower::{
    BoxError, Layer as _, Service, ServiceBuilder, ServiceExt as _, service_fn,
    util::{BoxCloneService, BoxService},
};
use tower_http::decompression::DecompressionLayer;

use super::credentials::{Authorization, Credentials};
use crate::cluster::path::is_confidential;

/// Makes the client. Certificates are read and an exec plugin runs, once, but no connection is opened.
pub(super) fn open(
    mut config: Config,
    proxy: Option<&Intercept>,
) -> Result<kube::Client, BoxError> {
    let mut auth = Credentials::new(&config)?;
    if auth.are_given() {
        // The plugin gave a token, so it has no client certificate to ask for.
        config.auth_info.exec = None;
    }
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(config.connect_timeout);
    let Some(proxy) = proxy else {
        return stack(&config, auth, tcp);
    };
    match proxy.uri().scheme_str() {
        Some("http") => stack(&config, auth, tunnel(proxy, tcp)),
        Some("https") => {
            let tls = config.rustls_https_connector_with_connector(tcp)?;
            stack(&config, auth, tunnel(proxy, tls))
        }
        Some("socks5" | "socks5h") => {
            let mut socks = SocksV5::new(proxy.uri().clone(), tcp);
            if let Some((user, password)) = proxy.raw_auth() {
                socks = socks.with_auth(user.to_owned(), password.to_owned());
            }
            stack(&config, auth, socks)
        }
        _ => Err(format!(
            "the proxy {} is not of a known kind (known: http, https, socks5)",
            proxy.uri()
        )
        .into()),
    }
}

fn tunnel<C>(proxy: &Intercept, connector: C) -> Tunnel<C> {
    let tunnel = Tunnel::new(proxy.uri().clone(), connector);
    match proxy.basic_auth() {
        Some(value) => tunnel.with_auth(value.clone()),
        None => tunnel,
    }
}

fn stack<C>(
    config: &Config,
    credentials: Credentials,
    connector: C,
) -> Result<kube::Client, BoxError>
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Connection + hyper::rt::Read + hyper::rt::Write + Send + Unpin + 'static,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    let https = config.rustls_https_connector_with_connector(connector)?;
    let http = Builder::new(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .build(https);
    let anonymous = ServiceBuilder::new()
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(http);
    let anonymous = BoxCloneService::new(anonymous);
    let credentials = Arc::new(credentials);
    let prefix = config.cluster_url.path().trim_end_matches('/').to_owned();
    let authorized = service_fn(move |request: Request<Body>| {
        let (credentials, anonymous) = (Arc::clone(&credentials), anonymous.clone());
        let refusal = refusal(&request, &prefix);
        async move {
            if let Some(refusal) = refusal {
                return Err(BoxError::from(refusal));
            }
            let used = credentials.current().await;
            let response = with(&used, anonymous).oneshot(request).await?;
            if response.status() == StatusCode::UNAUTHORIZED {
                credentials.refuse(&used).await;
            }
            Ok::<_, BoxError>(response)
        }
        .boxed()
    });
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(DecompressionLayer::new().gzip(!config.disable_compression))
        .service(authorized);
    Ok(kube::Client::new(service, config.default_namespace.clone()))
}

/// Why a request is not sent, whoever wants it; none: it is a read of what may be read. `prefix` is the path of the server's address.
fn refusal(request: &Request<Body>, prefix: &str) -> Option<&'static str> {
    if request.method() != Method::GET {
        return Some(NOT_A_READ);
    }
    let path = request.uri().path();
    is_confidential(path.strip_prefix(prefix).unwrap_or(path)).then_some(CONFIDENTIAL)
}

/// What sends a request with these credentials.
fn with(
    authorization: &Authorization,
    anonymous: BoxCloneService<Request<Body>, Response<Incoming>, BoxError>,
) -> BoxService<Request<Body>, Response<Incoming>, BoxError> {
    match authorization {
        Some(authorization) => BoxService::new(authorization.layer(anonymous)),
        None => BoxService::new(anonymous),
    }
}

/// What comes of anything that would not only read, whoever wants to send it.
const NOT_A_READ: &str = "nothing but reads is sent to a cluster";
/// The same of a read of what nobody needs to know.
const CONFIDENTIAL: &str = "no Secret and no ConfigMap is read";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_reads_leaves_the_client() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            // Nobody listens there: whatever is sent is refused by the system.
            let config = Config::new(Uri::from_static("http://127.0.0.1:1"));
            let client = open(config, None).unwrap();
            for method in [
                Method::POST,
                Method::PUT,
                Method::PATCH,
                Method::DELETE,
                Method::HEAD,
                Method::OPTIONS,
                Method::GET,
            ] {
                let is_read = method == Method::GET;
                let request = Request::builder().method(method).uri("/api/v1/pods");
                let error = client.send(request.body(Body::empty()).unwrap()).await;
                let error = crate::cluster::bounded::innermost(&error.unwrap_err());
                assert_eq!(error != NOT_A_READ, is_read, "{error}");
            }
        });
    }

    #[test]
    fn no_secret_and_no_config_map_is_asked_for() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            for (server, path, is_sent) in [
                ("http://127.0.0.1:1", "/api/v1/secrets?watch=true", false),
                (
                    "http://127.0.0.1:1/k8s/api/",
                    "/api/v1/namespaces/shop/secrets/db-password",
                    false,
                ),
                (
                    "http://127.0.0.1:1/k8s",
                    "/api/v1/namespaces/shop/configmaps/web/scale",
                    false,
                ),
                (
                    "http://127.0.0.1:1/k8s",
                    "/api/v1/namespaces/secrets/pods/secrets",
                    true,
                ),
            ] {
                let client = open(Config::new(Uri::from_static(server)), None).unwrap();
                let request = Request::get(path).body(Body::empty()).unwrap();
                let error = client.send(request).await.unwrap_err();
                let error = crate::cluster::bounded::innermost(&error);
                assert_eq!(error != CONFIDENTIAL, is_sent, "{server}{path}: {error}");
            }
        });
    }
}
