//! The context in which a rule runs.

use std::collections::BTreeMap;

use hpa_analysis::Assessment;
use hpa_engine::model::{ControllerConfig, Input, KubeVersion, Switches};
use hpa_objects::manifest::validation::Rules;
use jiff::SignedDuration;
use thin_vec::ThinVec;

use super::{
    Basis, Finding, FindingText, History, HpaSubject, Missing, Needs, Rule, Severity,
    refused::Refused,
    world::{PodTemplate, Workload, World},
};

/// The context in which a rule runs: one subject of type `S`, and everything around it.
#[derive(Debug)]
pub struct Cx<'a, S> {
    /// The running rule.
    pub rule: &'static Rule,
    /// The subject.
    pub subject: &'a S,
    /// The HPA's scale target, if known.
    pub workload: Option<&'a Workload>,
    /// All known objects.
    pub world: &'a World,
    /// Version, flags and gates.
    pub config: &'a ControllerConfig,
    /// The subject's file, as given. Empty: it is not from a file.
    pub file_name: &'a str,
    /// Whether an unknown object does not exist: the files are the complete desired state, or the input is a cluster.
    pub is_complete: bool,
    /// Whether HPA102 and similar rules are warnings.
    pub is_strict: bool,
    /// Thresholds that differ from the defaults, by code and name.
    pub thresholds: &'a BTreeMap<(&'static str, &'static str), f64>,
    /// What the API server rejects.
    pub refused: &'a Refused,
}

impl<S> Cx<'_, S> {
    /// A finding for a field of the subject, with the rule's severity.
    pub fn finding(&self, path: impl Into<FindingText>) -> Finding {
        Finding {
            path: path.into(),
            severity: self.rule.severity,
            message: FindingText::default(),
            help: FindingText::default(),
            basis: match self.rule.needs {
                Needs::Manifest => Basis::Manifest,
                Needs::Related if self.world.is_live() => Basis::Live,
                Needs::Related => Basis::RelatedManifest,
                Needs::Comparison | Needs::Live => Basis::Live,
                Needs::History => Basis::History,
            },
            related: ThinVec::new(),
            labels: ThinVec::new(),
            fix: ThinVec::new(),
            is_as_written: false,
        }
    }

    /// A threshold of the rule: the configured value, or the default.
    ///
    /// # Panics
    /// If the rule does not declare the threshold.
    pub fn threshold(&self, name: &str) -> f64 {
        let threshold = self
            .rule
            .thresholds
            .iter()
            .find(|threshold| threshold.name == name)
            .expect("a rule asks only for thresholds that it declares");
        let key = (self.rule.code, threshold.name);
        let configured = self.thresholds.get(&key).copied();
        configured.unwrap_or(threshold.default)
    }

    /// Version of Kubernetes.
    pub fn version(&self) -> KubeVersion {
        self.config.version.value
    }

    /// The behavior of that version's controller.
    pub fn switches(&self) -> Switches {
        Switches::of(self.version(), &self.config.feature_gates)
    }

    /// That version's validation rules of the API server.
    pub fn api_rules(&self) -> Rules<'_> {
        Rules {
            config: self.config,
            old: None,
        }
    }

    /// The severity for a missing object: an error only if everything is known.
    pub fn severity_of_missing(&self) -> Severity {
        if self.is_complete {
            Severity::Error
        } else {
            Severity::Warning
        }
    }
}

impl<'a> Cx<'a, HpaSubject> {
    /// The sync period of the HPA.
    pub fn sync_period(&self) -> Input<SignedDuration> {
        self.subject.spec.sync_period(self.config)
    }

    /// The HPA's scale target.
    pub fn workload(&self) -> Result<&'a Workload, Missing> {
        self.workload
            .ok_or_else(|| self.world.target_not_found(self.subject))
    }

    /// The workload that has the template of the target's pods: an Argo Rollout can reference another workload's
    /// template.
    pub fn template_workload(&self) -> Result<&'a Workload, Missing> {
        let workload = self.world.template_workload(self.workload()?)?;
        match self.world.patched_template(workload) {
            Some(patched) => Err(patched),
            None => Ok(workload),
        }
    }

    /// The template of the target's pods.
    pub fn pod_template(&self) -> Result<&'a PodTemplate, Missing> {
        self.template_workload()?.pod_template()
    }

    /// The workload that has the selector of the target's pods: an Argo Rollout can omit it if it references another
    /// workload's template.
    pub fn selector_workload(&self) -> Result<&'a Workload, Missing> {
        let own = self.workload()?;
        match own.selector {
            Some(_) => Ok(own),
            None => self.template_workload(),
        }
    }

    /// The labels of the target's pods.
    pub fn pod_labels(&self) -> Result<&'a BTreeMap<String, String>, Missing> {
        Ok(&self.pod_template()?.labels)
    }

    /// The HPA's assessment in a cluster.
    pub fn live(&self) -> Result<&'a Assessment, Missing> {
        self.subject.hpa.live.as_deref().ok_or(Missing::Cluster)
    }

    /// The HPA's history from a recording.
    pub fn history(&self) -> Result<&'a History, Missing> {
        self.subject
            .hpa
            .history
            .as_deref()
            .ok_or(Missing::Recording)
    }

    /// The HPA of the same name in the cluster, for comparison with the manifest.
    pub fn stored(&self) -> Result<&'a Assessment, Missing> {
        self.subject
            .hpa
            .stored
            .as_deref()
            .ok_or(Missing::Comparison)
    }
}
