//! Answers that do not come from the Prometheus API: from the API server in between, a login page, or something else.

use hpa_cluster::{Fetched, Permission};
use hpa_words::sanitize::one_line;
use serde::Deserialize;

use super::{
    answer::{self, Outcome},
    error::MonitoringError,
    place::ServicePlace,
};

/// The answering server.
#[derive(Clone, Debug)]
pub(super) struct Respondent {
    /// Its name in messages.
    pub(super) name: String,
    /// The Service, if it is one.
    pub(super) service: Option<ServicePlace>,
    /// Whether its API is below a path prefix.
    pub(super) has_prefix: bool,
}

/// A `metav1.Status` of the API server.
#[derive(Deserialize)]
struct Status {
    kind: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    code: u16,
}

impl Respondent {
    /// Returns the body of a usable answer, or why it is not usable.
    pub(super) fn check(&self, fetched: Fetched) -> Result<Vec<u8>, MonitoringError> {
        let server = self.name.clone();
        let status = fetched.status.as_u16();
        if fetched.status.is_redirection() {
            return Err(MonitoringError::Redirected {
                server,
                to: brief(&fetched.location),
            });
        }
        if fetched.status.is_success() {
            if fetched.body.trim_ascii_start().starts_with(b"{") {
                return Ok(fetched.body);
            }
            return Err(self.not_prometheus(&fetched));
        }
        // An error of the Prometheus API is recognized by its body, even behind proxies.
        if let Ok(Outcome::<serde::de::IgnoredAny>::Failed(error_type, message)) =
            answer::read(&fetched.body)
            && self.of_api_server(&fetched).is_none()
        {
            if matches!(status, 401 | 403) {
                return Err(self.unauthorized(status, brief(&message)));
            }
            return Err(MonitoringError::Refused {
                server,
                status,
                error_type: brief(&error_type),
                message: brief(&message),
            });
        }
        if let Some(error) = self.of_api_server(&fetched) {
            return Err(error);
        }
        Err(match status {
            401 | 403 => self.unauthorized(status, text_of(&fetched)),
            413 | 429 | 500.. => MonitoringError::Refused {
                server,
                status,
                error_type: fetched
                    .status
                    .canonical_reason()
                    .unwrap_or_default()
                    .to_owned(),
                message: text_of(&fetched),
            },
            _ => self.not_prometheus(&fetched),
        })
    }

    /// The API server's error if it cannot reach the Service.
    fn of_api_server(&self, fetched: &Fetched) -> Option<MonitoringError> {
        let service = self.service.as_ref()?;
        let status: Status = serde_json::from_slice(&fetched.body).ok()?;
        if status.kind != "Status" {
            return None;
        }
        let server = self.name.clone();
        let message = brief(&status.message);
        let code = if status.code == 0 {
            fetched.status.as_u16()
        } else {
            status.code
        };
        Some(match code {
            401 => MonitoringError::Unauthorized {
                server: "the API server".to_owned(),
                status: 401,
                help: "log in again, or use another kubeconfig user",
            },
            403 => {
                let permission = Permission {
                    verb: "get",
                    group: "",
                    resource: "services/proxy",
                    namespace: &service.namespace,
                };
                MonitoringError::Forbidden {
                    server,
                    message,
                    rule: permission.rule(),
                }
            }
            404 => MonitoringError::NotProxied {
                server,
                message,
                help_text: "List the Services: kubectl get services --all-namespaces",
            },
            _ if message.contains("does not look like a TLS handshake") => {
                MonitoringError::NotProxied {
                    server,
                    message,
                    help_text: "Leave https: out: service:NAMESPACE/NAME:PORT",
                }
            }
            _ => MonitoringError::NotProxied {
                server,
                message,
                help_text: "Check the pods of the Service and its port",
            },
        })
    }

    fn unauthorized(&self, status: u16, message: String) -> MonitoringError {
        // Mimir's words for a request without a tenant. The header that names one reaches a Service as well.
        if status == 401 && message.contains("no org id") {
            return MonitoringError::NoTenant {
                server: self.name.clone(),
                status,
                message,
            };
        }
        MonitoringError::Unauthorized {
            server: self.name.clone(),
            status,
            help: if self.service.is_some() {
                "the API server passes no credentials on to a Service. Use --prometheus https://HOST with --prometheus-token-command or --prometheus-header"
            } else {
                "use --prometheus-token-command or --prometheus-header 'Authorization: …'"
            },
        }
    }

    fn not_prometheus(&self, fetched: &Fetched) -> MonitoringError {
        let text = String::from_utf8_lossy(&fetched.body);
        let help_text = if text.contains("HTTP request to an HTTPS server") {
            if self.service.is_some() {
                "Write https: before the name: service:NAMESPACE/https:NAME:PORT"
            } else {
                "Use https:// instead of http://"
            }
        } else if fetched.status == 404 && self.has_prefix {
            "Check the path, such as /prometheus or /select/0/prometheus"
        } else if fetched.status == 404 {
            "If its API is below a path, add it, such as /prometheus or /select/0/prometheus"
        } else if self.service.is_none() && is_page(fetched) {
            "If it is a login page, use --prometheus-token-command or --prometheus-header"
        } else {
            ""
        };
        MonitoringError::NotPrometheus {
            server: self.name.clone(),
            what: what_of(fetched),
            help_text,
        }
    }

    /// Why an answer that starts as JSON cannot be parsed.
    pub(super) fn broken(&self, error: &serde_json::Error, length: usize) -> MonitoringError {
        let server = self.name.clone();
        if error.is_data() && error.to_string().starts_with("missing field `status`") {
            return MonitoringError::NotPrometheus {
                server,
                what: "JSON without a status".to_owned(),
                help_text: "",
            };
        }
        let why = if error.is_eof() {
            format!("it ends early, after {length} bytes")
        } else {
            brief(&error.to_string())
        };
        MonitoringError::Broken { server, why }
    }
}

fn is_page(fetched: &Fetched) -> bool {
    fetched.content_type.starts_with("text/html")
        || fetched.body.trim_ascii_start().starts_with(b"<")
}

/// An answer in a few words.
fn what_of(fetched: &Fetched) -> String {
    let status = fetched.status.as_u16();
    let status = if status == 200 {
        String::new()
    } else {
        format!("{status} ")
    };
    if is_page(fetched) {
        return format!("{status}with an HTML page");
    }
    let text = text_of(fetched);
    if text.is_empty() {
        format!("{status}with nothing")
    } else {
        format!("{status}{text:?}")
    }
}

fn text_of(fetched: &Fetched) -> String {
    if is_page(fetched) {
        return "an HTML page".to_owned();
    }
    let start = &fetched.body[..fetched.body.len().min(MOST_LETTERS)];
    brief(String::from_utf8_lossy(start).trim())
}

/// A server's message on one line, shortened.
pub(super) fn brief(text: &str) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{} …", one_line(text[..end].trim_end())),
        None => one_line(text).into_owned(),
    }
}

/// Most letters of a repeated message.
const MOST_LETTERS: usize = 500;
