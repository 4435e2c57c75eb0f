//! The connection settings of a monitoring server, from the flags.

use std::{fmt, path::PathBuf, str::FromStr};

use http::{HeaderMap, HeaderName, HeaderValue, header::AUTHORIZATION};

use super::{MonitoringError, Place, selector::is_label_name};
use crate::PrometheusArgs;

/// The connection settings of a monitoring server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its location.
    pub place: Place,
    /// Headers of every request; their values are secrets.
    pub(super) headers: HeaderMap,
    /// A command line that prints a bearer token.
    pub(super) token_command: Option<String>,
    /// Labels that every series must have.
    pub(super) cluster_labels: Vec<(String, String)>,
    /// A file with the certificates of its authority.
    pub(super) certificate_authority: Option<PathBuf>,
    /// Whether its certificate is not verified.
    pub(super) is_insecure: bool,
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(hidden)")
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl Settings {
    /// Parses the flags. Errors quote no secrets.
    pub fn of(args: &PrometheusArgs) -> Result<Self, MonitoringError> {
        let place: Place = args
            .prometheus
            .0
            .parse()
            .map_err(MonitoringError::Settings)?;
        let is_url = matches!(place, Place::Url(_));
        let mut headers = HeaderMap::new();
        for (number, header) in (1..).zip(&args.headers) {
            let (name, value) = parse_header(&header.0)
                .and_then(|(name, value)| {
                    check_name(&name, is_url)?;
                    Ok((name, value))
                })
                .map_err(|why| {
                    let number = if args.headers.len() == 1 {
                        String::new()
                    } else {
                        format!(" number {number}")
                    };
                    MonitoringError::Settings(format!("invalid --prometheus-header{number}: {why}"))
                })?;
            headers.append(name, value);
        }
        if !is_url {
            for (flag, is_given) in [
                (
                    "--prometheus-token-command",
                    args.prometheus_token_command.is_some(),
                ),
                (
                    "--prometheus-certificate-authority",
                    args.prometheus_certificate_authority.is_some(),
                ),
                (
                    "--prometheus-insecure-skip-tls-verify",
                    args.prometheus_insecure_skip_tls_verify,
                ),
            ] {
                if is_given {
                    return Err(MonitoringError::Settings(format!(
                        "{flag} needs --prometheus https://HOST: {NO_CREDENTIALS}"
                    )));
                }
            }
        }
        if headers.contains_key(AUTHORIZATION) && args.prometheus_token_command.is_some() {
            return Err(MonitoringError::Settings(
                "--prometheus-token-command and an Authorization header exclude each other: use one of them"
                    .to_owned(),
            ));
        }
        Ok(Self {
            place,
            headers,
            token_command: args.prometheus_token_command.clone(),
            cluster_labels: args.cluster_labels.clone(),
            certificate_authority: args.prometheus_certificate_authority.clone(),
            is_insecure: args.prometheus_insecure_skip_tls_verify,
        })
    }
}

fn parse_header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = text.split_once(':').ok_or(HEADER_FORM)?;
    let name: HeaderName = name.trim().parse().map_err(|_| HEADER_FORM)?;
    let mut value: HeaderValue = value
        .trim()
        .parse()
        .map_err(|_| format!("the value of {name} has a character that no HTTP header can have"))?;
    if value.is_empty() {
        return Err(format!("the value of {name} is empty: {HEADER_FORM}"));
    }
    value.set_sensitive(true);
    Ok((name, value))
}

fn check_name(name: &HeaderName, is_url: bool) -> Result<(), String> {
    let name = name.as_str();
    if OF_THE_CONNECTION.contains(&name) {
        return Err(format!(
            "{name} belongs to the connection: leave this header out"
        ));
    }
    let is_of_the_cluster = matches!(name, "authorization" | "cookie")
        || name.starts_with("impersonate-")
        || name.starts_with("x-remote-");
    if is_of_the_cluster && !is_url {
        return Err(format!(
            "{name} needs --prometheus https://HOST: {NO_CREDENTIALS}"
        ));
    }
    Ok(())
}

/// A label that every series must have, in the form of `--cluster-label`.
pub(crate) fn parse_cluster_label(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
        .filter(|(name, value)| is_label_name(name) && !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "use LABEL=VALUE, such as cluster=prod-eu".to_owned())
}

const HEADER_FORM: &str = "use 'NAME: VALUE', such as 'X-Scope-OrgID: team-a'";
/// Why a Service cannot get credentials.
pub(super) const NO_CREDENTIALS: &str = "the API server passes no credentials on to a Service";
/// Headers that the user cannot set.
const OF_THE_CONNECTION: [&str; 11] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    fn settings(words: &[&str]) -> Result<Settings, String> {
        let command = PrometheusArgs::augment_args(Command::new("test"));
        let matches = command
            .try_get_matches_from(std::iter::once(&"test").chain(words))
            .map_err(|error| error.to_string())?;
        let args = PrometheusArgs::from_arg_matches(&matches).unwrap();
        assert!(!format!("{args:?}").contains("hunter2"), "{args:?}");
        Settings::of(&args).map_err(|error| error.to_string())
    }

    #[test]
    fn secrets_are_in_no_error_and_in_no_debug_output() {
        for words in [
            ["--prometheus=https://p", "--prometheus-header=hunter2"],
            [
                "--prometheus=https://p",
                "--prometheus-header=X-A: hunter2\n",
            ],
            ["--prometheus=https://p", "--prometheus-header=X A: hunter2"],
            [
                "--prometheus=https://p",
                "--prometheus-header=Host: hunter2",
            ],
            ["--prometheus=https://p", "--prometheus-header=X-A: hunter2"],
            [
                "--prometheus=auto",
                "--prometheus-header=Authorization: Bearer hunter2",
            ],
            ["--prometheus=https://a:hunter2@p", "--cluster-label=a=b"],
        ] {
            let written = format!("{:?}", settings(&words));
            assert!(!written.contains("hunter2"), "{written}");
        }
    }

    #[test]
    fn wrong_settings_say_what_to_write() {
        for (words, expected) in [
            (
                [
                    "--prometheus=https://p",
                    "--prometheus-header=X-Scope-OrgID",
                ],
                "invalid --prometheus-header: use 'NAME: VALUE', such as 'X-Scope-OrgID: team-a'",
            ),
            (
                [
                    "--prometheus=auto",
                    "--prometheus-token-command=oc whoami -t",
                ],
                "--prometheus-token-command needs --prometheus https://HOST: the API server passes no credentials on to a Service",
            ),
            (
                [
                    "--prometheus=auto",
                    "--prometheus-header=Impersonate-User: root",
                ],
                "invalid --prometheus-header: impersonate-user needs --prometheus https://HOST: the API server passes no credentials on to a Service",
            ),
            (
                ["--prometheus=auto", "--cluster-label=prod"],
                "use LABEL=VALUE, such as cluster=prod-eu",
            ),
        ] {
            let error = settings(&words).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn headers_and_labels_are_read() {
        let settings = settings(&[
            "--prometheus=service:mimir/gateway:80/prometheus",
            "--prometheus-header=X-Scope-OrgID:team-a",
            "--cluster-label=cluster=prod",
            "--cluster-label=region=eu",
        ])
        .unwrap();
        assert_eq!(settings.headers["x-scope-orgid"], "team-a");
        assert_eq!(settings.cluster_labels.len(), 2);
    }
}
