//! Which program answers, and the parameters that make it return all its data.

use std::fmt;

use super::answer::BuildInfo;

/// The program that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Prometheus.
    Prometheus,
    /// Thanos Querier.
    Thanos,
    /// VictoriaMetrics, single or as a cluster.
    VictoriaMetrics,
    /// Grafana Mimir or Cortex.
    Mimir,
    /// It does not identify itself.
    Unknown,
    /// The same, and it rejects unknown parameters.
    Strict,
}

impl Kind {
    /// Determined from its build information. `is_victoria`: its answers have a header that only VictoriaMetrics
    /// sends.
    pub(super) fn of(info: &BuildInfo, is_victoria: bool) -> Self {
        let application = info.application.to_lowercase();
        if is_victoria || info.revision.is_empty() && info.version == "2.24.0" {
            Self::VictoriaMetrics
        } else if application.contains("mimir") || application.contains("cortex") {
            Self::Mimir
        } else if info.version.trim_start_matches('v').starts_with("0.") {
            Self::Thanos
        } else if info.version.is_empty() {
            Self::Unknown
        } else {
            Self::Prometheus
        }
    }

    /// Parameters of every query, each with `&` before it.
    pub(super) fn parameters(self) -> &'static str {
        match self {
            Self::Prometheus | Self::Mimir | Self::Strict => "",
            Self::Thanos => "&dedup=true&partial_response=false&max_source_resolution=0s",
            Self::VictoriaMetrics => "&nocache=1&deny_partial_response=1",
            Self::Unknown => {
                "&dedup=true&partial_response=false&max_source_resolution=0s&nocache=1"
            }
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Prometheus => "Prometheus",
            Self::Thanos => "Thanos",
            Self::VictoriaMetrics => "VictoriaMetrics",
            Self::Mimir => "Mimir",
            Self::Unknown | Self::Strict => "Prometheus API",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_distinguished_by_what_they_say_of_themselves() {
        for (body, is_victoria, expected) in [
            (
                r#"{"version":"3.1.0","revision":"abc"}"#,
                false,
                Kind::Prometheus,
            ),
            (
                r#"{"version":"2.24.0","revision":"abc"}"#,
                false,
                Kind::Prometheus,
            ),
            (r#"{"version":"2.24.0"}"#, false, Kind::VictoriaMetrics),
            (r#"{"version":"2.99.0"}"#, true, Kind::VictoriaMetrics),
            (
                r#"{"version":"0.37.2","revision":"abc"}"#,
                false,
                Kind::Thanos,
            ),
            (
                r#"{"application":"Grafana Mimir","version":"2.14.0"}"#,
                false,
                Kind::Mimir,
            ),
            ("{}", false, Kind::Unknown),
        ] {
            let info: BuildInfo = serde_json::from_str(body).unwrap();
            assert_eq!(Kind::of(&info, is_victoria), expected, "{body}");
        }
    }
}
