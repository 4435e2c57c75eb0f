//! The settings of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::AtomicBool},
};

use hpa_engine::model::{ControllerConfig, Input, KnownKind, KubeVersion};

use super::{FileId, Rule, RuleSelector, Severity, world::World};

/// The settings of a run: flags and configuration files combined.
#[derive(Clone, Debug)]
pub struct LintSettings {
    /// Version, flags and gates to lint for; one for each declared version.
    pub configs: Vec<ControllerConfig>,
    /// Whether the given files are the complete desired state.
    pub is_complete: bool,
    /// Codes of the rules that run.
    pub enabled: BTreeSet<&'static str>,
    /// Severities that differ from the rules', by code.
    pub severities: BTreeMap<&'static str, Severity>,
    /// Thresholds that differ from the defaults, by code and name.
    pub thresholds: BTreeMap<(&'static str, &'static str), f64>,
    /// Whether HPA102 and similar rules are warnings.
    pub is_strict: bool,
    /// Rules whose findings are accepted, with the reasons.
    pub ignored: Vec<(RuleSelector, Option<String>)>,
    /// Codes of machinery rules whose findings and notes are dropped.
    pub silenced: BTreeSet<&'static str>,
    /// Settings for some of the files: only their severities, thresholds and ignored rules apply.
    pub profiles: Vec<LintSettings>,
    /// The profile of each file, as an index.
    pub profile_of: BTreeMap<FileId, usize>,
    /// Once it is set, objects are no longer checked: the report is not complete.
    pub is_stopped: Arc<AtomicBool>,
}

impl LintSettings {
    /// The defaults: every rule that is not opt-in, for a controller of this version.
    pub fn new(version: Input<KubeVersion>) -> Self {
        Self {
            configs: vec![ControllerConfig::defaults(version)],
            is_complete: false,
            enabled: crate::rules::catalogue()
                .filter(|rule| !rule.is_opt_in)
                .map(|rule| rule.code)
                .collect(),
            severities: BTreeMap::new(),
            thresholds: BTreeMap::new(),
            is_strict: false,
            ignored: Vec::new(),
            silenced: BTreeSet::new(),
            profiles: Vec::new(),
            profile_of: BTreeMap::new(),
            is_stopped: Arc::default(),
        }
    }

    /// Whether what is not in the input does not exist.
    pub(super) fn is_complete_for(&self, world: &World) -> bool {
        self.is_complete || world.is_live()
    }

    /// Leaves out the rules that never report an error, but for those that replace an error of another rule.
    pub fn keep_errors(&mut self) {
        let reports = |rule: &&'static Rule| rule.worst() == Severity::Error;
        let replacing = crate::rules::catalogue().filter(reports);
        let replacing: BTreeSet<&str> =
            replacing.flat_map(|rule| rule.yields_to).copied().collect();
        let is_kept = |rule: &&'static Rule| reports(rule) || replacing.contains(rule.code);
        let kept = crate::rules::catalogue().filter(is_kept);
        let kept: BTreeSet<&str> = kept.map(|rule| rule.code).collect();
        self.enabled.retain(|code| kept.contains(code));
    }

    /// Whether, in a cluster, a rule that reports errors uses objects of a kind.
    pub fn errors_need(kind: &str) -> bool {
        let known = KnownKind::of(kind);
        let is_rare = known.has_template() && (!known.has_replicas() || known.has_plain_selector());
        !is_rare
            && !matches!(
                kind,
                "GRPCRoute"
                    | "HTTPRoute"
                    | "Ingress"
                    | "Node"
                    | "PodDisruptionBudget"
                    | "PrometheusRule"
                    | "ResourceQuota"
                    | "Route"
                    | "Service"
                    | "TCPRoute"
                    | "TLSRoute"
            )
    }

    /// Whether a rule is enabled.
    pub fn is_enabled(&self, rule: &Rule) -> bool {
        self.enabled.contains(rule.code)
    }

    /// The settings for the objects of a file. None: the object is from a cluster.
    pub fn of_file(&self, file: Option<FileId>) -> &Self {
        let profile = file.and_then(|file| self.profile_of.get(&file));
        profile.map_or(self, |profile| &self.profiles[*profile])
    }
}
