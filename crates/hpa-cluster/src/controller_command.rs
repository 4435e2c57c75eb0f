//! The flags of kube-controller-manager, from the command line of its pod.

use std::collections::BTreeMap;

use hpa_engine::model::{
    ControllerConfig, FeatureGates, GateStage, Input, KubeVersion, SnapshotField, go_duration,
};
use hpa_objects::recording::wire::NotRead;
use serde::Deserialize;

/// A container of the controller's pod.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct ControllerContainer {
    pub(super) image: String,
    pub(super) command: Vec<String>,
    pub(super) args: Vec<String>,
}

/// The flags of a command line, each with all its values.
pub(super) struct Flags(BTreeMap<String, Vec<String>>);

impl ControllerContainer {
    /// Its flags. `None` if they are not visible, as with an image that starts the program by itself without an
    /// argument.
    pub(super) fn flags(&self) -> Option<Flags> {
        // A shell has the whole command in one word.
        let words: Vec<&str> = self
            .command
            .iter()
            .chain(&self.args)
            .flat_map(|word| {
                if is_program(word) {
                    word.split_whitespace().collect()
                } else {
                    vec![word.as_str()]
                }
            })
            .collect();
        let begin = match words.iter().position(|word| is_program(word)) {
            Some(program) => program + 1,
            None if words.first()?.starts_with("--") => 0,
            None => return None,
        };
        let mut flags: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut words = words[begin..].iter().peekable();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--") else {
                continue;
            };
            let (flag, value) = match flag.split_once('=') {
                Some((flag, value)) => (flag, value),
                None => (
                    flag,
                    *words.next_if(|word| !word.starts_with('-')).unwrap_or(&""),
                ),
            };
            let values = flags.entry(flag.replace('_', "-")).or_default();
            values.push(value.trim_matches(['"', '\'']).to_owned());
        }
        Some(Flags(flags))
    }
}

impl Flags {
    /// Applies the flags. A flag that is absent has its default, which counts as observed. A value that is not valid
    /// stays assumed, and is noted.
    pub(super) fn apply(&self, config: &mut ControllerConfig, notes: &mut Vec<NotRead>) {
        let durations = [
            ("sync-period", &mut config.sync_period),
            (
                "downscale-stabilization",
                &mut config.downscale_stabilization,
            ),
            (
                "cpu-initialization-period",
                &mut config.cpu_initialization_period,
            ),
            (
                "initial-readiness-delay",
                &mut config.initial_readiness_delay,
            ),
        ];
        for (name, input) in durations {
            self.set(name, input, notes, |text| go_duration::parse(text).ok());
        }
        let tolerance = &mut config.tolerance;
        self.set("tolerance", tolerance, notes, |text| text.parse().ok());
        self.set_gates(config, notes);
    }

    /// The last value of a flag, which takes precedence.
    fn last(&self, flag: &str) -> Option<&str> {
        self.0.get(flag)?.last().map(String::as_str)
    }

    fn set<T: Copy>(
        &self,
        name: &str,
        input: &mut Input<T>,
        notes: &mut Vec<NotRead>,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        let flag = format!("horizontal-pod-autoscaler-{name}");
        match self.last(&flag).map(|text| (text, parse(text))) {
            None => *input = Input::observed(input.value),
            Some((_, Some(value))) => *input = Input::observed(value),
            Some((text, None)) => notes.push(invalid_flag(&flag, text)),
        }
    }

    /// Mirrors `featureGate.Set` of component-base: all flags add up, and a gate that is named overrides a setting for
    /// its whole stage.
    fn set_gates(&self, config: &mut ControllerConfig, notes: &mut Vec<NotRead>) {
        let version = self.emulated().unwrap_or(config.version.value);
        let mut set: BTreeMap<&str, Option<bool>> = BTreeMap::new();
        let texts = self.0.get(GATES).into_iter().flatten();
        for entry in texts.flat_map(|text| text.split(',')) {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            let name = name.trim();
            // From 1.31 on a component may precede it, and this is the default.
            let name = name.strip_prefix("kube:").unwrap_or(name);
            if !name.is_empty() {
                set.insert(name, go_bool(value.trim()));
            }
        }
        let defaults = FeatureGates::defaults(version);
        for name in FeatureGates::NAMES {
            let of_stage = match FeatureGates::stage(name, version) {
                Some(GateStage::Alpha) => set.get("AllAlpha"),
                Some(GateStage::Beta) => set.get("AllBeta"),
                Some(GateStage::Stable) | None => None,
            };
            let (Some(gate), Some(default)) = (
                config.feature_gates.by_name_mut(name),
                defaults.by_name(name),
            ) else {
                continue;
            };
            *gate = match set.get(name).or(of_stage) {
                None => Input::observed(default.value),
                Some(Some(is_on)) => Input::observed(*is_on),
                Some(None) => Input::assumed(default.value),
            };
        }
        let is_ours = |name: &str| name.starts_with("All") || FeatureGates::NAMES.contains(&name);
        let unreadable = set
            .iter()
            .find(|(name, is_on)| is_on.is_none() && is_ours(name));
        if let Some((name, _)) = unreadable {
            notes.push(invalid_flag(GATES, &format!("{name}=…")));
        }
    }

    /// The version whose gates it uses, if it emulates an older one: `1.35` or `kube=1.35`.
    fn emulated(&self) -> Option<KubeVersion> {
        let text = self.last("emulated-version")?;
        text.rsplit(['=', ':']).next()?.parse().ok()
    }
}

fn invalid_flag(flag: &str, text: &str) -> NotRead {
    NotRead {
        what: SnapshotField::Controller,
        why: format!(
            "--{flag}={text} of kube-controller-manager is not valid; the default is assumed"
        ),
        remedy: None,
        is_forbidden: false,
    }
}

/// Whether this is the name of the program, or of a script that starts it, and not a file in a flag.
fn is_program(word: &str) -> bool {
    !word.starts_with('-') && word.contains("controller-manager")
}

/// Mirrors `strconv.ParseBool`.
fn go_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "T" | "TRUE" | "True" | "t" | "true" => Some(true),
        "0" | "F" | "FALSE" | "False" | "f" | "false" => Some(false),
        _ => None,
    }
}

const GATES: &str = "feature-gates";

#[cfg(test)]
mod tests {
    use hpa_engine::model::Provenance;
    use jiff::SignedDuration;

    use super::*;

    /// The configuration of a 1.36 controller with these words, and the number of notes.
    fn read(command: &[&str], args: &[&str]) -> (ControllerConfig, usize) {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let container = ControllerContainer {
            image: String::new(),
            command: words(command),
            args: words(args),
        };
        let version = "1.36".parse().unwrap();
        let mut config = ControllerConfig::defaults(Input::observed(version));
        let mut notes = Vec::new();
        if let Some(flags) = container.flags() {
            flags.apply(&mut config, &mut notes);
        }
        (config, notes.len())
    }

    #[test]
    fn gates_are_read_as_the_controller_reads_them() {
        for (flags, to_zero, tolerance) in [
            (&["--feature-gates=AllAlpha=true"][..], true, true),
            (&["--feature-gates=AllBeta=false"], false, false),
            (
                &["--feature-gates=HPAScaleToZero=false,AllAlpha=true"],
                false,
                true,
            ),
            (&["--feature-gates=HPAScaleToZero=True"], true, true),
            (&["--feature-gates=kube:HPAScaleToZero=1"], true, true),
            (
                &[
                    "--feature-gates=HPAScaleToZero=t",
                    "--feature-gates=HPAConfigurableTolerance=0",
                ],
                true,
                false,
            ),
            (&["--emulated-version=kube=1.34"], false, false),
        ] {
            let (config, notes) = read(&["kube-controller-manager"], flags);
            let gates = config.feature_gates;
            assert_eq!(
                (
                    gates.hpa_scale_to_zero,
                    gates.hpa_configurable_tolerance,
                    notes
                ),
                (Input::observed(to_zero), Input::observed(tolerance), 0),
                "{flags:?}"
            );
        }
    }

    #[test]
    fn flags_are_read_in_every_form_in_which_they_are_written() {
        let minute = Input::observed(SignedDuration::from_mins(1));
        for (command, args) in [
            (
                &["kube-controller-manager"][..],
                &["--horizontal-pod-autoscaler-sync-period", "1m"][..],
            ),
            (
                &["/usr/local/bin/kube-controller-manager"],
                &[
                    "--horizontal-pod-autoscaler-sync-period=30s",
                    "--horizontal_pod_autoscaler_sync_period=1m",
                ],
            ),
            (
                &[],
                &[
                    "--horizontal-pod-autoscaler-sync-period=60s",
                    "--kubeconfig=/etc/kubernetes/controller-manager.conf",
                ],
            ),
            (
                &["/bin/sh", "-c"],
                &[
                    "exec kube-controller-manager --v=2 --horizontal-pod-autoscaler-sync-period='1m' 2>&1",
                ],
            ),
        ] {
            let (config, notes) = read(command, args);
            assert_eq!((config.sync_period, notes), (minute, 0), "{args:?}");
            assert_eq!(config.tolerance, Input::observed(0.1), "{args:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_or_makes_no_sense_stays_assumed() {
        let (config, notes) = read(&[], &[]);
        assert_eq!(
            (config.tolerance.provenance, notes),
            (Provenance::Assumed, 0)
        );
        let (config, notes) = read(
            &["kube-controller-manager"],
            &[
                "--horizontal-pod-autoscaler-tolerance=$(TOLERANCE)",
                "--feature-gates=AllAlpha=$(ALPHA),Other=x",
            ],
        );
        assert_eq!(
            (config.tolerance.provenance, notes),
            (Provenance::Assumed, 2)
        );
        let gates = config.feature_gates;
        assert_eq!(gates.hpa_scale_to_zero, Input::assumed(false));
        assert_eq!(gates.pod_level_resources, Input::observed(true));
    }
}
