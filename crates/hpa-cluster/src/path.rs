//! Paths of the Kubernetes API.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// A path below `/api` or `/apis`, built segment by segment.
#[derive(Clone, Debug)]
pub(super) struct ApiPath {
    text: String,
    has_query: bool,
}

impl ApiPath {
    /// `/api/VERSION` for the core group (empty), else `/apis/GROUP/VERSION`.
    pub(super) fn new(group: &str, version: &str) -> Self {
        let text = if group.is_empty() {
            "/api".to_owned()
        } else {
            "/apis".to_owned()
        };
        let path = Self {
            text,
            has_query: false,
        };
        let path = if group.is_empty() {
            path
        } else {
            path.segment(group)
        };
        path.segment(version)
    }

    /// Appends `namespaces/NAME`.
    pub(super) fn namespace(self, name: &str) -> Self {
        self.segment("namespaces").segment(name)
    }

    /// Appends `namespaces/NAME`, or nothing for all namespaces: the empty name.
    pub(super) fn namespace_or_all(self, name: &str) -> Self {
        if name.is_empty() {
            self
        } else {
            self.namespace(name)
        }
    }

    /// Appends a segment.
    pub(super) fn segment(mut self, segment: &str) -> Self {
        self.text.push('/');
        self.text.extend(utf8_percent_encode(segment, SEGMENT));
        self
    }

    /// Appends a query parameter.
    pub(super) fn query(mut self, key: &str, value: &str) -> Self {
        self.text.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        self.text.push_str(key);
        self.text.push('=');
        self.text.extend(utf8_percent_encode(value, QUERY));
        self
    }

    /// Appends a query parameter unless its value is empty.
    pub(super) fn query_unless_empty(self, key: &str, value: &str) -> Self {
        if value.is_empty() {
            self
        } else {
            self.query(key, value)
        }
    }

    /// Path and query.
    pub(super) fn into_string(self) -> String {
        self.text
    }
}

/// Whether a path of the Kubernetes API leads to Secrets or ConfigMaps, or below one: those are never read.
pub(super) fn is_confidential(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let (["api", _, "namespaces", _, resource, ..] | ["api", _, resource, ..]) = segments[..]
    else {
        return false;
    };
    matches!(resource, "secrets" | "configmaps")
}

/// The characters that are escaped in a query value.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The characters that are escaped in a segment; `*` means all objects in the custom metrics API.
const SEGMENT: &AsciiSet = &QUERY.remove(b'*').remove(b':').remove(b'@');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_selectors_cannot_leave_their_place() {
        let path = ApiPath::new("metrics.k8s.io", "v1beta1")
            .namespace("a/../b")
            .segment("pods")
            .query("labelSelector", "app=web,tier in (a b)&x=1")
            .query_unless_empty("limit", "")
            .into_string();
        assert_eq!(
            path,
            "/apis/metrics.k8s.io/v1beta1/namespaces/a%2F..%2Fb/pods?labelSelector=app%3Dweb%2Ctier%20in%20%28a%20b%29%26x%3D1"
        );
        assert_eq!(
            ApiPath::new("", "v1").segment("pods").into_string(),
            "/api/v1/pods"
        );
    }

    #[test]
    fn secrets_and_config_maps_are_recognized_by_their_place_in_a_path() {
        for (path, expected) in [
            ("/api/v1/secrets?limit=500", true),
            ("/api/v1/namespaces/shop/secrets", true),
            ("/api/v1/namespaces/shop/secrets/db-password", true),
            ("/api/v1/namespaces/shop/configmaps/web/scale", true),
            ("/api/v1/namespaces/secrets", false),
            ("/api/v1/namespaces/secrets/pods", false),
            ("/api/v1/namespaces/shop/pods/secrets", false),
            ("/apis/example.com/v1/namespaces/shop/secrets", false),
            ("/version", false),
        ] {
            assert_eq!(is_confidential(path), expected, "{path}");
        }
    }
}
