//! Addresses without credentials, safe to show.

use hyper::Uri;

/// A URL without user, password, query and fragment, which can contain secrets. If a malformed URL may continue with a
/// password, the result rather shows a wrong host than the password.
pub fn redacted(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => (format!("{scheme}://"), rest),
        _ => (String::new(), url),
    };
    let query_at = rest.find(['?', '#']).unwrap_or(rest.len());
    let (address, query) = rest.split_at(query_at);
    let (authority, path) = address.split_at(address.find('/').unwrap_or(address.len()));
    let is_whole = is_host(authority);
    if !is_whole && !authority.is_empty() && !authority.contains('@') && query.contains('@') {
        // What looks like a query is the rest of a password.
        return scheme + "…";
    }
    if is_whole || !path.contains('@') {
        let host = authority.rsplit('@').next().unwrap_or_default();
        return scheme + host + path;
    }
    scheme + address.rsplit('@').next().unwrap_or_default()
}

/// An address for messages: without credentials and without a trailing slash.
pub(super) fn of_server(server: &Uri) -> String {
    let redacted = redacted(&server.to_string());
    redacted.trim_end_matches('/').to_owned()
}

fn is_scheme(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char))
}

/// Whether this is a name or an IP address, with or without a port.
fn is_host(authority: &str) -> bool {
    let (host, rest) = match authority.split_once(']') {
        Some((host, rest)) => (host.strip_prefix('[').unwrap_or_default(), rest),
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_bracketed = authority.starts_with('[');
    !host.is_empty()
        && host.chars().all(|char| {
            char.is_ascii_alphanumeric()
                || "-._".contains(char)
                || is_bracketed && ":%".contains(char)
        })
        && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_password_and_query_are_left_out() {
        for (url, expected) in [
            (
                "https://eve:hunter2@kube.example.com:6443/prefix",
                "https://kube.example.com:6443/prefix",
            ),
            (
                "https://kube.example.com/login?token=hunter2#hunter2",
                "https://kube.example.com/login",
            ),
            ("eve:hunter2@kube.example.com", "kube.example.com"),
            ("https://eve:hunt@er2@[::1]:6443", "https://[::1]:6443"),
            (
                "https://kube.example.com/a@b",
                "https://kube.example.com/a@b",
            ),
            ("/login?token=hunter2", "/login"),
            ("/login?token=hunt@er2", "/login"),
            (
                "https://[fe80::1%25eth0]:6443/a@b",
                "https://[fe80::1%25eth0]:6443/a@b",
            ),
        ] {
            assert_eq!(redacted(url), expected);
        }
    }

    #[test]
    fn password_of_a_malformed_address_is_left_out() {
        for (url, expected) in [
            ("https://eve:hun/ter2@kube:1", "https://kube:1"),
            ("https://eve:hun@t/er2@kube:1", "https://kube:1"),
            ("https://eve:hun?ter2@kube:1", "https://…"),
            ("https://eve:hun#ter2@kube:1/a", "https://…"),
            ("https:/eve:hunter2@kube", "kube"),
            ("http://https:/eve:hunter2@kube", "http://kube"),
            ("https:///eve:hunter2@kube", "https://kube"),
            ("//eve:hunter2@127.0.0.1:9", "127.0.0.1:9"),
            ("http:eve:hunter2@kube", "kube"),
            ("eve:hunter2://a@kube", "kube"),
            ("https:\\\\eve:hunter2@kube", "kube"),
        ] {
            assert_eq!(redacted(url), expected, "{url}");
        }
    }
}
