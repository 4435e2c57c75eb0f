//! The user's settings of the controller: version, flags, gates.

use std::str::FromStr;

use clap::Args;
use hpa_engine::model::{Architecture, FeatureGates, KubeVersion, go_duration};
use jiff::SignedDuration;

/// What the user says of the controller. Nothing of it can be read from a cluster with certainty.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Controller")]
pub struct ControllerArgs {
    /// Version of kube-controller-manager, such as 1.36 (default: the API server's).
    #[arg(long, value_name = "VERSION", value_parser = parse_version)]
    pub kube_version: Option<KubeVersion>,
    /// Its flags and gates.
    #[command(flatten)]
    pub flags: ControllerFlagArgs,
}

impl ControllerArgs {
    /// The first of these flags that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        self.given().first().map(|(flag, _)| *flag)
    }

    /// The flags that are given, with their values.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        let Self {
            kube_version,
            flags,
        } = self;
        let ControllerFlagArgs {
            feature_gates,
            assume_tolerance,
            assume_downscale_stabilization,
            assume_cpu_initialization_period,
            assume_initial_readiness_delay,
            assume_sync_period,
            assume_architecture,
        } = flags;
        let version = kube_version.map(|version| ("--kube-version", version.to_string()));
        let gates = feature_gates.iter();
        let gates = gates.map(|gate| ("--feature-gate", format!("{}={}", gate.name, gate.is_on)));
        let tolerance = assume_tolerance.map(|one| ("--assume-tolerance", one.to_string()));
        let durations = [
            (
                "--assume-downscale-stabilization",
                assume_downscale_stabilization,
            ),
            (
                "--assume-cpu-initialization-period",
                assume_cpu_initialization_period,
            ),
            (
                "--assume-initial-readiness-delay",
                assume_initial_readiness_delay,
            ),
            ("--assume-sync-period", assume_sync_period),
        ];
        let durations = durations
            .into_iter()
            .filter_map(|(flag, duration)| Some((flag, go_duration::to_string((*duration)?))));
        let architecture = assume_architecture;
        let architecture =
            architecture.map(|one| ("--assume-architecture", one.as_str().to_owned()));
        let flags = version.into_iter().chain(gates).chain(tolerance);
        flags.chain(durations).chain(architecture).collect()
    }
}

/// Flags and gates of the controller, as the user says they are.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Controller")]
pub struct ControllerFlagArgs {
    /// Feature gate of kube-controller-manager; may be repeated.
    #[arg(long = "feature-gate", value_name = "NAME=BOOL", value_delimiter = ',')]
    pub feature_gates: Vec<GateSetting>,
    /// Value of --horizontal-pod-autoscaler-tolerance, such as 0.1.
    #[arg(long, value_name = "NUMBER", value_parser = parse_tolerance, allow_hyphen_values = true)]
    pub assume_tolerance: Option<f64>,
    /// Value of --horizontal-pod-autoscaler-downscale-stabilization, such as 5m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    pub assume_downscale_stabilization: Option<SignedDuration>,
    /// Value of --horizontal-pod-autoscaler-cpu-initialization-period, such as 5m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    pub assume_cpu_initialization_period: Option<SignedDuration>,
    /// Value of --horizontal-pod-autoscaler-initial-readiness-delay, such as 30s.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    pub assume_initial_readiness_delay: Option<SignedDuration>,
    /// Value of --horizontal-pod-autoscaler-sync-period, such as 15s.
    #[arg(long, value_name = "DURATION", value_parser = parse_period, allow_hyphen_values = true)]
    pub assume_sync_period: Option<SignedDuration>,
    /// Processor architecture of the controller: amd64 or arm64.
    #[arg(long, value_name = "ARCH", value_parser = parse_architecture)]
    pub assume_architecture: Option<Architecture>,
}

/// A feature gate and whether it is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateSetting {
    /// Its name.
    pub name: String,
    /// Whether it is on.
    pub is_on: bool,
}

impl FromStr for GateSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| "use NAME=true or NAME=false".to_owned())?;
        if !FeatureGates::NAMES.contains(&name) {
            return Err(format!(
                "the HPA controller has no feature gate {name:?}: use {}",
                FeatureGates::NAMES.join(", ")
            ));
        }
        let is_on = value
            .parse()
            .map_err(|_| format!("invalid value {value:?}: use true or false"))?;
        Ok(Self {
            name: name.to_owned(),
            is_on,
        })
    }
}

fn parse_version(text: &str) -> Result<KubeVersion, String> {
    let version: KubeVersion = text.parse().map_err(|error| format!("{error}"))?;
    if version.minor < KubeVersion::OLDEST.minor || KubeVersion::NEWEST.minor < version.minor {
        return Err(format!(
            "Kubernetes {version} is not supported: use {} to {}",
            KubeVersion::OLDEST,
            KubeVersion::NEWEST
        ));
    }
    Ok(version)
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|tolerance: &f64| (0.0..=1e6).contains(tolerance))
        .ok_or_else(|| "use a number from 0 to 1000000, such as 0.1 for 10%".to_owned())
}

fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    go_duration::parse(text)
        .map_err(|error| error.to_string())
        .and_then(|duration| {
            if duration.is_negative() {
                Err("a duration cannot be negative".to_owned())
            } else {
                Ok(duration)
            }
        })
}

/// Parses a duration above zero.
pub(super) fn parse_period(text: &str) -> Result<SignedDuration, String> {
    parse_duration(text).and_then(|period| {
        if period.is_zero() {
            Err("a period cannot be 0".to_owned())
        } else {
            Ok(period)
        }
    })
}

fn parse_architecture(text: &str) -> Result<Architecture, String> {
    match text {
        "amd64" => Ok(Architecture::Amd64),
        "arm64" | "ppc64le" | "s390x" => Ok(Architecture::Arm64),
        _ => Err("use amd64 or arm64".to_owned()),
    }
}
