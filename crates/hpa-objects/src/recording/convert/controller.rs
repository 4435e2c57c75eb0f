//! Converts version, flags and gates of the controller, in both directions.

use hpa_engine::model::{
    Architecture, ControllerConfig, FeatureGates, Input, KubeVersion, Provenance,
};

use super::{InvalidField, Within as _, duration, wire};

impl wire::Controller {
    /// Converts to the model. Absent values are the version's defaults, assumed.
    pub fn to_model(&self) -> Result<ControllerConfig, InvalidField> {
        let version: KubeVersion = self
            .version
            .parse()
            .map_err(InvalidField::here)
            .within("version")?;
        let mut config = ControllerConfig::defaults(self.input("version", version)?);
        if let Some(text) = &self.architecture {
            let architecture = architecture(text).within("architecture")?;
            config.architecture = self.input("architecture", architecture)?;
        }
        if let Some(tolerance) = self.tolerance {
            config.tolerance = self.input("tolerance", tolerance)?;
        }
        let durations = [
            (
                "syncPeriodSeconds",
                self.sync_period_seconds,
                &mut config.sync_period,
            ),
            (
                "downscaleStabilizationSeconds",
                self.downscale_stabilization_seconds,
                &mut config.downscale_stabilization,
            ),
            (
                "cpuInitializationPeriodSeconds",
                self.cpu_initialization_period_seconds,
                &mut config.cpu_initialization_period,
            ),
            (
                "initialReadinessDelaySeconds",
                self.initial_readiness_delay_seconds,
                &mut config.initial_readiness_delay,
            ),
        ];
        for (field, seconds, input) in durations {
            if let Some(seconds) = seconds {
                let duration = duration(seconds).within(field)?;
                *input = self.input(field, duration)?;
            }
        }
        for (name, is_on) in &self.feature_gates {
            // A gate of another component is not an error: flags are often copied as a whole.
            if let Some(gate) = config.feature_gates.by_name_mut(name) {
                *gate = self.input(name, *is_on)?;
            }
        }
        Ok(config)
    }

    fn input<T>(&self, field: &str, value: T) -> Result<Input<T>, InvalidField> {
        let provenance = match self.provenance.get(field) {
            Some(text) => provenance(text).within(field).within("provenance")?,
            None => Provenance::Given,
        };
        Ok(Input { value, provenance })
    }
}

fn architecture(text: &str) -> Result<Architecture, InvalidField> {
    match text {
        "amd64" => Ok(Architecture::Amd64),
        "arm64" => Ok(Architecture::Arm64),
        _ => Err(InvalidField::here(format_args!(
            "unknown architecture {text:?}: use amd64 or arm64"
        ))),
    }
}

fn provenance(text: &str) -> Result<Provenance, InvalidField> {
    [
        Provenance::Assumed,
        Provenance::Given,
        Provenance::Inferred,
        Provenance::Observed,
    ]
    .into_iter()
    .find(|provenance| provenance.as_str() == text)
    .ok_or_else(|| {
        InvalidField::here(format_args!(
            "invalid provenance {text:?}: use assumed, given, inferred or observed"
        ))
    })
}

impl From<&ControllerConfig> for wire::Controller {
    /// Writes every flag with its provenance, and the gates that are not assumed defaults.
    fn from(config: &ControllerConfig) -> Self {
        let mut controller = Self {
            version: config.version.value.to_string(),
            architecture: Some(config.architecture.value.as_str().to_owned()),
            sync_period_seconds: Some(config.sync_period.value.as_secs_f64()),
            downscale_stabilization_seconds: Some(
                config.downscale_stabilization.value.as_secs_f64(),
            ),
            tolerance: Some(config.tolerance.value),
            cpu_initialization_period_seconds: Some(
                config.cpu_initialization_period.value.as_secs_f64(),
            ),
            initial_readiness_delay_seconds: Some(
                config.initial_readiness_delay.value.as_secs_f64(),
            ),
            ..Self::default()
        };
        let mut provenances = vec![
            ("version", config.version.provenance),
            ("architecture", config.architecture.provenance),
            ("syncPeriodSeconds", config.sync_period.provenance),
            (
                "downscaleStabilizationSeconds",
                config.downscale_stabilization.provenance,
            ),
            ("tolerance", config.tolerance.provenance),
            (
                "cpuInitializationPeriodSeconds",
                config.cpu_initialization_period.provenance,
            ),
            (
                "initialReadinessDelaySeconds",
                config.initial_readiness_delay.provenance,
            ),
        ];
        let defaults = FeatureGates::defaults(config.version.value);
        for name in FeatureGates::NAMES {
            if let Some(gate) = config.feature_gates.by_name(name)
                && defaults.by_name(name) != Some(gate)
            {
                controller.feature_gates.insert(name.to_owned(), gate.value);
                provenances.push((name, gate.provenance));
            }
        }
        controller.provenance = provenances
            .into_iter()
            .filter(|(_, provenance)| *provenance != Provenance::Given)
            .map(|(field, provenance)| (field.to_owned(), provenance.as_str().to_owned()))
            .collect();
        controller
    }
}
