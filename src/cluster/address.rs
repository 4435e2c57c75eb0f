//! Addresses as they may be shown: without what proves who asks.

/// A URL without user, password, query and fragment, in which secrets stand.
pub(super) fn shown(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}{host}{path}")
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
        ] {
            assert_eq!(shown(url), expected);
        }
    }
}
