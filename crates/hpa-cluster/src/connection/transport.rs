//! The HTTP client: TLS, credentials, impersonation, compression, proxy.
//!
//! It combines kube's own layers instead of kube's whole stack, because that runs an exec credential plugin three
//! times (a second each with some clouds), retries 503 and logs to a subscriber that we do not have.

use std::{sync::Arc, time::Duration};

use futures::FutureExt as _;
use http::{Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper_rustls::{
    FixedServerNameResolver, HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream,
};
use hyper_util::{
    client::{
        legacy::connect::{
            HttpConnector,
            proxy::{SocksV5, Tunnel},
        },
        proxy::matcher::Intercept,
    },
    rt::TokioIo,
};
use kube::{
    Config,
    client::{AuthError, Body, ConfigExt as _},
};
use tokio::{net::TcpStream, sync::watch};
use tower::{
    BoxError, Layer as _, ServiceBuilder, ServiceExt as _, service_fn,
    util::{BoxCloneService, BoxCloneSyncService, BoxService},
};
use tower_http::decompression::DecompressionLayer;

use super::{
    contact::Contact,
    credentials::{Authorization, Credentials, are_same},
    handshake::{HANDSHAKE, connecting, within},
    unusable,
    versions::{self, Connectors},
};
use crate::{address::of_server, path::is_confidential};

/// The HTTP client, and the state of its credentials and contact.
pub(crate) struct Transport {
    /// Sends requests.
    pub(crate) http: kube::Client,
    /// Why the credentials are not renewed; empty: they are.
    pub(crate) credential_failures: watch::Receiver<String>,
    /// The contact with the server.
    pub(crate) contact: Contact,
}

/// Opens connections to the server or to a proxy, over TLS or not. It is one type for all, so that what is above it is
/// compiled once.
type Connector = BoxCloneSyncService<Uri, MaybeHttpsStream<TokioIo<TcpStream>>, BoxError>;

/// Builds the client. It reads certificates and runs an exec plugin once, but opens no connection.
pub(super) async fn open(
    mut config: Config,
    proxy: Option<&Intercept>,
    patience: Option<Duration>,
) -> Result<Transport, String> {
    let credentials = Credentials::new(&mut config, patience).await?;
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(config.connect_timeout);
    let Some(proxy) = proxy else {
        return stack(&config, credentials, connecting(tcp));
    };
    let connector = match proxy.uri().scheme_str() {
        Some("http") => connecting(tunnel(proxy, tcp)),
        Some("https") => {
            let tls = config.rustls_https_connector_with_connector(tcp);
            let tls = tls.map_err(|error| unusable::connection(&error))?;
            connecting(tunnel(proxy, tls))
        }
        Some("socks5" | "socks5h") => {
            let mut socks = SocksV5::new(proxy.uri().clone(), tcp);
            if let Some((user, password)) = proxy.raw_auth() {
                socks = socks.with_auth(user.to_owned(), password.to_owned());
            }
            connecting(socks)
        }
        _ => {
            return Err(format!(
                "the proxy {} is not of a known kind (known: http, https, socks5)",
                of_server(proxy.uri())
            ));
        }
    };
    stack(&config, credentials, connector)
}

fn tunnel<C>(proxy: &Intercept, connector: C) -> Tunnel<C> {
    let tunnel = Tunnel::new(proxy.uri().clone(), connector);
    match proxy.basic_auth() {
        Some(value) => tunnel.with_auth(value.clone()),
        None => tunnel,
    }
}

fn stack(
    config: &Config,
    credentials: Credentials,
    connector: Connector,
) -> Result<Transport, String> {
    let unusable = |error| unusable::connection(&error);
    let both = over_tls(config, connector.clone(), true)?;
    let http1 = over_tls(config, connector, false)?;
    let contact = Contact::default();
    let server = config.cluster_url.clone();
    let http = contact.reopening(move || {
        versions::sending(
            &server,
            Connectors {
                both: within(HANDSHAKE, both.clone()),
                http1: within(HANDSHAKE, http1.clone()),
            },
        )
    });
    let anonymous = ServiceBuilder::new()
        .layer(config.extra_headers_layer().map_err(unusable)?)
        .service(http);
    let anonymous = BoxCloneService::new(anonymous);
    let credential_failures = credentials.credential_failures();
    let credentials = Arc::new(credentials);
    let prefix = config.cluster_url.path().trim_end_matches('/').to_owned();
    let authorized = service_fn(move |request: Request<Body>| {
        let (credentials, anonymous) = (Arc::clone(&credentials), anonymous.clone());
        let refusal = refusal(&request, &prefix);
        async move {
            if let Some(refusal) = refusal {
                return Err(BoxError::from(refusal));
            }
            // A read has no body, so it can be sent again.
            let again = request.map(|_| ());
            let used = credentials.current().await;
            let service = with(&used, anonymous.clone());
            let response = service.oneshot(again.clone().map(|()| Body::empty())).await;
            let response = response.map_err(without_values)?;
            if response.status() != StatusCode::UNAUTHORIZED {
                return Ok(response);
            }
            credentials.refuse(&used).await;
            let renewed = credentials.current().await;
            if are_same(&used, &renewed) {
                return Ok(response);
            }
            let service = with(&renewed, anonymous);
            let response = service.oneshot(again.map(|()| Body::empty())).await;
            response.map_err(without_values)
        }
        .boxed()
    });
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(DecompressionLayer::new().gzip(!config.disable_compression))
        .service(authorized);
    let service = contact.listening(service);
    Ok(Transport {
        http: kube::Client::new(service, config.default_namespace.clone()),
        credential_failures,
        contact,
    })
}

/// TLS over the connections of `connector`, as in kube; `offers_http2` offers HTTP/2 besides HTTP/1.1.
fn over_tls(
    config: &Config,
    connector: Connector,
    offers_http2: bool,
) -> Result<HttpsConnector<Connector>, String> {
    let tls = config
        .rustls_client_config()
        .map_err(|error| unusable::connection(&error))?;
    let mut builder = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http();
    if let Some(name) = &config.tls_server_name {
        let name = name.clone().try_into();
        let name = name
            .map_err(|_| format!("tls-server-name {:?} is not a name", config.tls_server_name))?;
        builder = builder.with_server_name_resolver(FixedServerNameResolver::new(name));
    }
    let builder = builder.enable_http1();
    Ok(if offers_http2 {
        builder.enable_http2().wrap_connector(connector)
    } else {
        builder.wrap_connector(connector)
    })
}

/// An error as it is, except that errors of credentials may quote them.
fn without_values(error: BoxError) -> BoxError {
    match error.downcast::<AuthError>() {
        Ok(error) => unusable::authentication(&error).into(),
        Err(error) => error,
    }
}

/// Why a request must not be sent; `None` if it is an allowed read. `prefix` is the path of the server's address.
fn refusal(request: &Request<Body>, prefix: &str) -> Option<&'static str> {
    if request.method() != Method::GET {
        return Some(NOT_A_READ);
    }
    let path = request.uri().path();
    is_confidential(path.strip_prefix(prefix).unwrap_or(path)).then_some(CONFIDENTIAL)
}

/// A service that sends a request with these credentials.
fn with(
    authorization: &Authorization,
    anonymous: BoxCloneService<Request<Body>, Response<Incoming>, BoxError>,
) -> BoxService<Request<Body>, Response<Incoming>, BoxError> {
    match authorization {
        Some(authorization) => BoxService::new(authorization.layer(anonymous)),
        None => BoxService::new(anonymous),
    }
}

/// The error for any request that is not a read.
const NOT_A_READ: &str = "only reads are sent to a cluster";
/// The error for a read of confidential objects.
const CONFIDENTIAL: &str = "Secrets and ConfigMaps are never read";

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
            // Port 1 is closed: the system rejects every connection.
            let config = Config::new(Uri::from_static("http://127.0.0.1:1"));
            let client = open(config, None, None).await.unwrap().http;
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
                let error = crate::bounded::innermost(&error.unwrap_err());
                assert_eq!(error != NOT_A_READ, is_read, "{error}");
            }
        });
    }

    #[test]
    fn no_secret_and_no_config_map_is_requested() {
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
                let client = open(Config::new(Uri::from_static(server)), None, None)
                    .await
                    .unwrap()
                    .http;
                let request = Request::get(path).body(Body::empty()).unwrap();
                let error = client.send(request).await.unwrap_err();
                let error = crate::bounded::innermost(&error);
                assert_eq!(error != CONFIDENTIAL, is_sent, "{server}{path}: {error}");
            }
        });
    }
}
