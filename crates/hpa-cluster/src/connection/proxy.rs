//! The proxy for requests, if any.
//!
//! As in Go's `net/http`: a `proxy-url` in the kubeconfig always counts; else `HTTPS_PROXY` or, for a plain server,
//! `HTTP_PROXY`, unless `NO_PROXY` names the server or the server is on this machine. (kube itself compares `NO_PROXY`
//! with the proxy's address.)

use std::{env, net::IpAddr};

use http::Uri;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};

use crate::address;

/// The proxy for `server`, if there is one.
pub(super) fn for_server(
    server: &Uri,
    proxy_url: Option<&str>,
) -> Result<Option<Intercept>, String> {
    if let Some(url) = proxy_url.filter(|url| !url.is_empty()) {
        return Matcher::builder()
            .all(url)
            .build()
            .intercept(server)
            .map(Some)
            .ok_or_else(|| {
                let url = address::redacted(url);
                format!("invalid proxy-url {url:?} in the kubeconfig")
            });
    }
    if is_local(server) {
        return Ok(None);
    }
    Ok(Matcher::builder()
        .https(variable(["HTTPS_PROXY", "https_proxy"]))
        .http(variable(["HTTP_PROXY", "http_proxy"]))
        .no(variable(["NO_PROXY", "no_proxy"]))
        .build()
        .intercept(server))
}

fn is_local(server: &Uri) -> bool {
    let host = server.host().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn variable(names: [&str; 2]) -> String {
    names
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_on_this_machine_need_no_proxy() {
        for (server, expected) in [
            ("https://localhost:6443", true),
            ("https://127.0.0.1:6443", true),
            ("https://[::1]:6443", true),
            ("https://10.0.0.1:6443", false),
            ("https://kube.example.com", false),
        ] {
            assert_eq!(is_local(&server.parse().unwrap()), expected, "{server}");
        }
    }

    #[test]
    fn proxy_of_the_kubeconfig_counts_for_every_server() {
        let server = "https://127.0.0.1:6443".parse().unwrap();
        let proxy = for_server(&server, Some("http://user:pass@proxy.example.com:3128"))
            .unwrap()
            .unwrap();
        assert_eq!(proxy.uri().host(), Some("proxy.example.com"));
        assert!(proxy.basic_auth().is_some());
    }
}
