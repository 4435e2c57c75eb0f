//! The location of a monitoring server: `--prometheus`.

use std::{fmt, str::FromStr};

use hpa_cluster::redacted;
use hpa_words::sanitize::one_line;
use http::Uri;

/// The location of a monitoring server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To be found in the cluster.
    Auto,
    /// A Service of the cluster, reached through the API server.
    Service(ServicePlace),
    /// Reached directly.
    Url(UrlPlace),
}

/// A port of a Service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServicePlace {
    /// Its protocol.
    pub scheme: Scheme,
    /// Namespace of the Service.
    pub namespace: String,
    /// Name of the Service.
    pub name: String,
    /// Number or name of its port.
    pub port: String,
    /// Path before `/api/v1`, such as `/prometheus`; may be empty.
    pub prefix: String,
}

/// The protocol at a port of a Service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP.
    #[default]
    Http,
    /// HTTP over TLS.
    Https,
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPlace {
    uri: Uri,
}

impl UrlPlace {
    /// Scheme, host, port and the path before `/api/v1`.
    pub fn uri(&self) -> &Uri {
        &self.uri
    }
}

impl fmt::Display for ServicePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            namespace,
            name,
            port,
            prefix,
            ..
        } = self;
        write!(formatter, "{namespace}/{name}:{port}{prefix}")
    }
}

impl fmt::Display for UrlPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.uri.to_string().trim_end_matches('/'))
    }
}

/// In the form of `--prometheus`.
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => formatter.write_str("auto"),
            Self::Service(place) => {
                let ServicePlace {
                    scheme,
                    namespace,
                    name,
                    port,
                    prefix,
                } = place;
                let scheme = match scheme {
                    Scheme::Http => "",
                    Scheme::Https => "https:",
                };
                write!(
                    formatter,
                    "service:{namespace}/{scheme}{name}:{port}{prefix}"
                )
            }
            Self::Url(place) => place.fmt(formatter),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let written = || one_line(&redacted(text)).into_owned();
        let wrong = |why: &str| format!("invalid --prometheus {:?}: {why}", written());
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if let Some(service) = text.strip_prefix("service:") {
            return service_place(service)
                .map(Self::Service)
                .map_err(|why| wrong(&why));
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return url_place(text).map(Self::Url).map_err(|why| wrong(&why));
        }
        Err(wrong(FORMS))
    }
}

fn service_place(text: &str) -> Result<ServicePlace, String> {
    let (namespace, rest) = text.split_once('/').ok_or(SERVICE_FORM)?;
    let (address, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (scheme, address) = match address.split_once(':') {
        Some(("http", rest)) => (Scheme::Http, rest),
        Some(("https", rest)) => (Scheme::Https, rest),
        _ => (Scheme::Http, address),
    };
    let (name, port) = address.split_once(':').ok_or(SERVICE_FORM)?;
    for (what, value) in [("namespace", namespace), ("name", name), ("port", port)] {
        if !is_label(value) {
            return Err(format!("its {what} {value:?} is not valid: {SERVICE_FORM}"));
        }
    }
    Ok(ServicePlace {
        scheme,
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        port: port.to_owned(),
        prefix: prefix_of(prefix)?,
    })
}

fn url_place(text: &str) -> Result<UrlPlace, String> {
    if text.contains(['?', '#']) {
        return Err("use a URL without query: https://HOST/PATH".to_owned());
    }
    let uri: Uri = text.parse().map_err(|_| URL_FORM)?;
    let host = uri.host().filter(|host| !host.is_empty()).ok_or(URL_FORM)?;
    let authority = uri.authority().ok_or(URL_FORM)?;
    if authority.as_str().contains('@') {
        return Err(
            "use a URL without user and password, and --prometheus-header 'Authorization: Basic …'"
                .to_owned(),
        );
    }
    if authority.as_str() != host && uri.port_u16().is_none() {
        return Err(URL_FORM.to_owned());
    }
    let scheme = uri.scheme_str().unwrap_or("https");
    let prefix = prefix_of(uri.path())?;
    let uri = format!("{scheme}://{authority}{prefix}");
    let uri = uri.parse().map_err(|_| URL_FORM)?;
    Ok(UrlPlace { uri })
}

/// The path before `/api/v1`, without a trailing slash. Pages of the server's user interface are accepted as the
/// server.
fn prefix_of(path: &str) -> Result<String, String> {
    let mut path = path.trim_end_matches('/');
    for page in ["/api/v1/query", "/api/v1", "/graph", "/vmui"] {
        if let Some(rest) = path.strip_suffix(page) {
            path = rest.trim_end_matches('/');
            break;
        }
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~:@".contains(letter);
    let is_segment =
        |segment: &str| !matches!(segment, "" | "." | "..") && segment.chars().all(is_plain);
    if path.is_empty() || path.split('/').skip(1).all(is_segment) {
        return Ok(path.to_owned());
    }
    Err(format!(
        "its path {path:?} has a part that no server uses: write it as /prometheus or /select/0/prometheus"
    ))
}

/// Whether it is a valid name of a namespace, of a Service or of a port.
fn is_label(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
    !text.is_empty() && text.len() <= 253 && text.chars().all(is_letter) && !text.contains("..")
}

const FORMS: &str = "use auto, service:NAMESPACE/NAME:PORT or https://HOST";
const SERVICE_FORM: &str =
    "use service:NAMESPACE/NAME:PORT, such as service:monitoring/prometheus-operated:9090";
const URL_FORM: &str = "use https://HOST, https://HOST:PORT or https://HOST/PATH";

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        match text.parse() {
            Ok(Place::Auto) => "auto".to_owned(),
            Ok(Place::Service(place)) => format!("{:?} {place}", place.scheme),
            Ok(Place::Url(place)) => place.to_string(),
            Err(why) => why,
        }
    }

    #[test]
    fn places_are_read() {
        for (text, expected) in [
            ("auto", "auto"),
            (
                "service:monitoring/prometheus-operated:9090",
                "Http monitoring/prometheus-operated:9090",
            ),
            (
                "service:mimir/mimir-query-frontend:http-metrics/prometheus/",
                "Http mimir/mimir-query-frontend:http-metrics/prometheus",
            ),
            (
                "service:vm/https:vmselect:8481/select/0/prometheus",
                "Https vm/vmselect:8481/select/0/prometheus",
            ),
            ("https://prom.example.com", "https://prom.example.com"),
            (
                "https://prom.example.com/prometheus/api/v1/",
                "https://prom.example.com/prometheus",
            ),
            ("http://[::1]:9090/graph", "http://[::1]:9090"),
        ] {
            assert_eq!(written(text), expected);
            // Its text form can be parsed again.
            let place: Place = text.parse().unwrap();
            assert_eq!(place.to_string().parse(), Ok(place));
        }
    }

    #[test]
    fn wrong_places_say_what_to_write() {
        for (text, expected) in [
            (
                "prometheus:9090",
                "invalid --prometheus \"prometheus:9090\": use auto, service:NAMESPACE/NAME:PORT or https://HOST",
            ),
            (
                "service:monitoring/prometheus",
                "invalid --prometheus \"service:monitoring/prometheus\": use service:NAMESPACE/NAME:PORT, such as service:monitoring/prometheus-operated:9090",
            ),
            (
                "service:a/b:9090/../../secrets",
                "invalid --prometheus \"service:a/b:9090/../../secrets\": its path \"/../../secrets\" has a part that no server uses: write it as /prometheus or /select/0/prometheus",
            ),
            (
                "https://eve:hunter2@prom",
                "invalid --prometheus \"https://prom\": use a URL without user and password, and --prometheus-header 'Authorization: Basic …'",
            ),
            (
                "https://prom/?token=hunter2",
                "invalid --prometheus \"https://prom/\": use a URL without query: https://HOST/PATH",
            ),
            (
                "https://",
                "invalid --prometheus \"https://\": use https://HOST, https://HOST:PORT or https://HOST/PATH",
            ),
        ] {
            assert_eq!(written(text), expected);
        }
    }
}
