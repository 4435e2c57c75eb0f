//! Overrides a snapshot's controller settings with the user's.

use hpa_engine::model::{
    ControllerConfig, FeatureGates, GateStage, Input, Provenance, SnapshotField,
};
use hpa_objects::recording::{InvalidField, ReadError, RecordingLine, Snapshot};

use super::{ControllerArgs, ControllerFlagArgs};

impl ControllerArgs {
    /// Applies the flags to the snapshot. Gates that are not set explicitly follow the version.
    pub(crate) fn apply(&self, snapshot: &mut Snapshot) -> Result<(), InvalidField> {
        let mut config = snapshot.controller.to_model()?;
        self.override_config(&mut config);
        if let Some(problem) = self.flags.locked(&config) {
            return Err(InvalidField::here(problem));
        }
        snapshot.controller = (&config).into();
        if self.kube_version.is_some() {
            snapshot
                .not_read
                .retain(|not_read| not_read.what != SnapshotField::ControllerVersion);
        }
        Ok(())
    }

    /// Applies the flags to a line of a recording.
    pub(crate) fn apply_to_line(
        &self,
        mut line: RecordingLine,
    ) -> Result<RecordingLine, ReadError> {
        self.apply(&mut line.snapshot)
            .map_err(|field| ReadError::Field {
                line: line.number,
                field,
            })?;
        Ok(line)
    }

    /// Applies the flags. Gates that are not set explicitly follow the version.
    pub(crate) fn override_config(&self, config: &mut ControllerConfig) {
        let flags = &self.flags;
        if let Some(version) = self.kube_version {
            config.version = Input::given(version);
            let defaults = FeatureGates::defaults(version);
            for name in FeatureGates::NAMES {
                if let (Some(gate), Some(default)) = (
                    config.feature_gates.by_name_mut(name),
                    defaults.by_name(name),
                ) && gate.provenance == Provenance::Assumed
                {
                    *gate = *default;
                }
            }
        }
        for setting in &flags.feature_gates {
            if let Some(gate) = config.feature_gates.by_name_mut(&setting.name) {
                *gate = Input::given(setting.is_on);
            }
        }
        set(&mut config.tolerance, flags.assume_tolerance);
        set(
            &mut config.downscale_stabilization,
            flags.assume_downscale_stabilization,
        );
        set(
            &mut config.cpu_initialization_period,
            flags.assume_cpu_initialization_period,
        );
        set(
            &mut config.initial_readiness_delay,
            flags.assume_initial_readiness_delay,
        );
        set(&mut config.sync_period, flags.assume_sync_period);
        set(&mut config.architecture, flags.assume_architecture);
    }
}

impl ControllerFlagArgs {
    /// A gate that a flag switches off although it is always on in the version; `None` if there is none.
    pub(crate) fn locked(&self, config: &ControllerConfig) -> Option<String> {
        let version = config.version.value;
        let is_locked = |name| FeatureGates::stage(name, version) == Some(GateStage::Stable);
        let mut gates = self.feature_gates.iter();
        let gate = gates.find(|gate| !gate.is_on && is_locked(&gate.name))?;
        Some(format!(
            "--feature-gate {}=false: the gate is always on in Kubernetes {version}; leave the flag out",
            gate.name
        ))
    }
}

fn set<T>(input: &mut Input<T>, given: Option<T>) {
    if let Some(value) = given {
        *input = Input::given(value);
    }
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::KubeVersion;

    use super::*;

    #[test]
    fn a_gate_that_is_always_on_cannot_be_switched_off() {
        let flags = |gate: &str| ControllerFlagArgs {
            feature_gates: vec![gate.parse().unwrap()],
            ..ControllerFlagArgs::default()
        };
        let config =
            |minor| ControllerConfig::defaults(Input::observed(KubeVersion { minor, patch: None }));
        let off = flags("HPAConfigurableTolerance=false");
        assert_eq!(off.locked(&config(36)), None);
        assert_eq!(
            off.locked(&config(37)).unwrap(),
            "--feature-gate HPAConfigurableTolerance=false: the gate is always on in Kubernetes 1.37; leave the flag out"
        );
        assert_eq!(
            flags("HPAConfigurableTolerance=true").locked(&config(37)),
            None
        );
        assert_eq!(flags("HPAScaleToZero=false").locked(&config(37)), None);
    }

    #[test]
    fn gates_move_with_the_version_unless_they_are_set() {
        let version = |minor| KubeVersion { minor, patch: None };
        let mut config = ControllerConfig::defaults(Input::inferred(version(36)));
        config.feature_gates.hpa_generation = Input::observed(true);
        let args = ControllerArgs {
            kube_version: Some(version(33)),
            flags: ControllerFlagArgs {
                feature_gates: vec!["HPAScaleToZero=true".parse().unwrap()],
                assume_tolerance: Some(0.2),
                ..ControllerFlagArgs::default()
            },
        };
        args.override_config(&mut config);
        assert_eq!(config.version, Input::given(version(33)));
        let gates = config.feature_gates;
        assert_eq!(gates.hpa_configurable_tolerance, Input::assumed(false));
        assert_eq!(gates.hpa_generation, Input::observed(true));
        assert_eq!(gates.hpa_scale_to_zero, Input::given(true));
        assert_eq!(config.tolerance, Input::given(0.2));
        assert_eq!(config.sync_period.provenance, Provenance::Assumed);
    }
}
