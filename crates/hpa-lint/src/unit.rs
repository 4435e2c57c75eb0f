//! Runs all rules on one object.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_engine::model::ControllerConfig;
use hpa_objects::manifest::validation::Rules;
use kubectl_hpa_yaml::Span;

use super::{
    Check, Cx, Finding, Fingerprint, ForScaledObject, HpaSubject, KedaHpa, KeptHpa, KeptObject,
    LintInput, LintSettings, Location, Manifest, Missing, ObjectOrigin, ObjectRef, Reported, Rule,
    RuleOutcome, ScaledObjectSubject, Undecodable,
    accepted::accepted,
    of_versions::{FindingOfVersion, merge},
    patch::{is_patch_of_another, is_patched, patched_fields, withhold_insertion},
    refused::Refused,
    world::{ScaledObject, Workload},
};
use crate::rules;

/// An object with its data. Its findings do not depend on findings of other objects.
#[derive(Debug, Default)]
pub(super) struct CheckedObject<'a> {
    manifest: Option<&'a KeptObject>,
    hpa: Option<&'a KeptHpa>,
    scaled_object: Option<&'a KeptObject>,
    undecodable: Vec<&'a Undecodable>,
}

/// The result of all rules on one object.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    pub findings: Vec<Reported>,
    /// Why rules could not run, for reasons of the whole run.
    of_run: Arc<[NotRun]>,
    /// The same for reasons of this object.
    of_object: Box<[NotRun]>,
}

/// Why rules could not run, each reason once, and the sorted codes of the rules.
type NotRun = (Missing, Codes);

/// Codes of rules. Thousands of objects have the same list and share it.
pub(super) type Codes = Arc<[&'static str]>;

/// What objects share.
#[derive(Debug, Default)]
pub(super) struct SharedLists {
    codes: BTreeSet<Codes>,
    of_run: BTreeSet<Arc<[NotRun]>>,
}

/// All objects of the input.
pub(super) fn units(input: &LintInput) -> Vec<CheckedObject<'_>> {
    let mut by_origin: BTreeMap<ObjectOrigin, Vec<&Undecodable>> = BTreeMap::new();
    let mut units = Vec::new();
    let kustomize = &input.world.kustomize;
    let counts =
        |one: &&Undecodable| !one.is_text_to_kustomize || !kustomize.is_built(one.origin.file);
    for undecodable in input.undecodable.iter().filter(counts) {
        match undecodable.object.origin {
            Some(origin) => by_origin.entry(origin).or_default().push(undecodable),
            None => units.push(CheckedObject {
                undecodable: vec![undecodable],
                ..CheckedObject::default()
            }),
        }
    }
    let mut undecodable_of = |object: &ObjectRef| {
        let origin = object.origin.as_ref();
        let undecodable = origin.and_then(|origin| by_origin.remove(origin));
        undecodable.unwrap_or_default()
    };
    let mut hpas = input.hpas.iter().peekable();
    units.extend(input.manifests.iter().map(|manifest| CheckedObject {
        manifest: Some(manifest),
        // HPAs are in the order of their manifests, but some manifests cannot be decoded.
        hpa: hpas.next_if(|hpa| Arc::ptr_eq(&hpa.manifest, manifest)),
        scaled_object: None,
        undecodable: undecodable_of(&manifest.object),
    }));
    units.retain(|unit| {
        let mut manifest = unit.manifest.into_iter();
        !manifest.any(|manifest| is_patch_of_another(manifest, &input.world))
    });
    units.extend(input.scaled_objects.iter().map(|subject| CheckedObject {
        scaled_object: Some(subject),
        undecodable: undecodable_of(&subject.object),
        ..CheckedObject::default()
    }));
    // No rule runs on objects of other kinds.
    units.extend(by_origin.into_values().map(|undecodable| CheckedObject {
        undecodable,
        ..CheckedObject::default()
    }));
    units
}

impl<'a> CheckedObject<'a> {
    /// The object. None: it is a document that cannot be parsed.
    pub(super) fn object(&self) -> Option<&'a Arc<ObjectRef>> {
        Some(&self.manifest.or(self.scaled_object)?.object)
    }

    /// Whether it is an HPA.
    pub(super) fn is_hpa(&self) -> bool {
        self.manifest.is_some()
    }

    /// Whether it is an HPA that the API server can decode but the engine does not support.
    pub(super) fn is_refused(&self) -> bool {
        let kept = self.manifest.or(self.scaled_object);
        kept.is_some_and(|one| one.is_refused)
    }

    /// Runs the rules on it.
    pub(super) fn say(
        &self,
        rules: &[&'static Rule],
        input: &'a LintInput,
        settings: &'a LintSettings,
        known: &mut SharedLists,
    ) -> Diagnostics {
        let origin = self.object().and_then(|object| object.origin);
        let configs = &settings.configs;
        let settings = settings.of_file(origin.map(|origin| origin.file));
        let mut diagnostics = Diagnostics::default();
        for undecodable in &self.undecodable {
            diagnostics.undecodable(undecodable, input, settings);
        }
        let decoded = |manifest: &KeptObject| manifest.decoded(&input.sources);
        let (manifest, spec) = self.manifest.map(decoded).unzip();
        let manifest = manifest.as_ref();
        let hpa = self.hpa.zip(manifest).zip(spec.flatten());
        let hpa = hpa.map(|((kept, manifest), spec)| kept.subject(Arc::clone(manifest), spec));
        let scaled_object = self.scaled_object.map(|kept| {
            let source = kept.source(&input.sources);
            let scaled = ScaledObject::of(&source);
            ScaledObjectSubject::of(Arc::clone(&kept.object), source, scaled)
        });
        let scaled_object = scaled_object.as_ref();
        let written = manifest.map(|manifest| &manifest.source);
        let written = written.or(scaled_object.map(|subject| &subject.source));
        let any_hpa = hpa.as_ref();
        let any_hpa = any_hpa.or_else(|| scaled_object?.made.hpa.as_ref());
        let mut speaker = RuleRun {
            unit: self,
            manifest: manifest.map(|manifest| &**manifest),
            hpa: hpa.as_ref(),
            scaled_object,
            workload: any_hpa.and_then(|hpa| input.world.workload_of(hpa)),
            file_name: origin.map_or("", |origin| &input.sources.get(origin.file).name),
            input,
            configs,
            settings,
            refused: Vec::new(),
            accepted: Vec::new(),
            patched: written.map_or_else(Vec::new, |one| patched_fields(one, &input.world)),
            missing: Vec::new(),
            diagnostics,
        };
        speaker.refused = configs.iter().map(|one| speaker.refused(one)).collect();
        speaker.accepted = speaker.accepted(any_hpa);
        for rule in rules {
            speaker.rule(rule);
        }
        let RuleRun {
            diagnostics,
            missing,
            ..
        } = speaker;
        let missing = missing.into_iter();
        let missing = missing.map(|(why, codes)| (why, shared(&mut known.codes, codes)));
        let (mut of_run, mut of_object): (Vec<NotRun>, Vec<NotRun>) =
            missing.partition(|(why, _)| why.is_of_run());
        of_run.sort();
        of_object.sort();
        let mut findings = diagnostics.findings;
        findings.shrink_to_fit();
        Diagnostics {
            findings,
            of_run: shared(&mut known.of_run, of_run),
            of_object: of_object.into(),
        }
    }
}

struct RuleRun<'a, 'u> {
    unit: &'u CheckedObject<'a>,
    /// The HPA's manifest, decoded.
    manifest: Option<&'u Manifest>,
    hpa: Option<&'u HpaSubject>,
    scaled_object: Option<&'u ScaledObjectSubject>,
    /// The HPA's scale target, which many rules need.
    workload: Option<&'a Workload>,
    file_name: &'a str,
    input: &'a LintInput,
    configs: &'a [ControllerConfig],
    settings: &'a LintSettings,
    /// What each version's API server rejects.
    refused: Vec<Refused>,
    /// The HPA with values that each version's API server accepts, where it rejects some.
    accepted: Vec<Option<HpaSubject>>,
    /// Fields that a patch overwrites.
    patched: Vec<&'a str>,
    missing: Vec<(Missing, Vec<&'static str>)>,
    diagnostics: Diagnostics,
}

impl<'a, 'u> RuleRun<'a, 'u> {
    /// The HPA that KEDA makes of a ScaledObject.
    fn made(&self) -> Option<&'u KedaHpa> {
        self.scaled_object.map(|subject| &subject.made)
    }

    fn rule(&mut self, rule: &'static Rule) {
        let configs = self.configs;
        let mut findings_of_version = Vec::with_capacity(configs.len());
        for (index, config) in configs.iter().enumerate() {
            match self.outcome(rule, config, index) {
                Some(Ok(mut findings)) => {
                    self.keep_what_holds(rule, config, index, &mut findings);
                    findings_of_version.push(FindingOfVersion {
                        version: config.version.value,
                        findings,
                    });
                }
                Some(Err(why)) => note(&mut self.missing, why, rule.code),
                None => return,
            }
        }
        for finding in merge(findings_of_version, configs.len()) {
            self.report(rule, finding);
        }
    }

    /// The position of a finding's field in the text.
    fn locate(&self, finding: &Finding) -> Span {
        let path = &finding.path;
        match (self.manifest, self.scaled_object) {
            (Some(manifest), _) if finding.is_as_written => manifest.source.node.locate(path),
            (Some(manifest), _) => manifest.locate(path),
            (None, Some(subject)) => subject.source.node.locate(path),
            (None, None) => Span::default(),
        }
    }

    /// What the API server of a version rejects in it.
    fn refused(&self, config: &ControllerConfig) -> Refused {
        let rules = Rules { config, old: None };
        match (self.manifest, self.made()) {
            (Some(manifest), _) => Refused::of(manifest, &self.unit.undecodable, rules),
            (None, Some(made)) => Refused::of(&made.manifest, &[], rules),
            (None, None) => Refused::default(),
        }
    }

    /// The HPA with accepted values, for each version.
    fn accepted(&self, hpa: Option<&HpaSubject>) -> Vec<Option<HpaSubject>> {
        let of_version = |refused| accepted(hpa?, refused);
        self.refused.iter().map(of_version).collect()
    }

    /// Drops findings that describe what a rejected value would do. The rules about rejections report the value.
    fn keep_what_holds(
        &self,
        rule: &'static Rule,
        config: &ControllerConfig,
        index: usize,
        findings: &mut Vec<Finding>,
    ) {
        let refused = &self.refused[index];
        // Its findings have the paths of a ScaledObject.
        let is_of_scaled_object = matches!(rule.check, Check::ScaledObject(_))
            || self.scaled_object.is_some()
                && matches!(rule.for_scaled_object, ForScaledObject::Itself(_));
        if rule.reports_rejections || is_of_scaled_object || refused.is_empty() {
            return;
        }
        findings.retain(|finding| !refused.is_about_rejected(finding));
        if let (Check::Hpa(check), Some(accepted)) = (rule.check, &self.accepted[index]) {
            let still = check(&self.cx(rule, config, index, accepted)).unwrap_or_default();
            findings.retain(|finding| {
                let mut still = still.iter();
                still.any(|one| one.path == finding.path && one.message == finding.message)
            });
        }
    }

    /// The rule's result under one version. None: the rule does not apply to such objects.
    fn outcome(
        &self,
        rule: &'static Rule,
        config: &ControllerConfig,
        index: usize,
    ) -> Option<RuleOutcome> {
        // The HPA of a ScaledObject is checked as if it were written.
        let made = match rule.for_scaled_object {
            ForScaledObject::Nothing => None,
            ForScaledObject::ItsHpa => self.made(),
            ForScaledObject::Itself(check) => {
                if let Some(subject) = self.scaled_object {
                    return Some(check(&self.cx(rule, config, index, subject)));
                }
                None
            }
        };
        match rule.check {
            Check::Manifest(check) => self
                .manifest
                .or(made.map(|made| &*made.manifest))
                .map(|subject| check(&self.cx(rule, config, index, subject))),
            Check::Hpa(check) => self
                .hpa
                .or_else(|| made?.hpa.as_ref())
                .map(|subject| check(&self.cx(rule, config, index, subject))),
            Check::ScaledObject(check) => self
                .scaled_object
                .map(|subject| check(&self.cx(rule, config, index, subject))),
            Check::Machinery => None,
        }
    }

    fn cx<'c, S>(
        &'c self,
        rule: &'static Rule,
        config: &'c ControllerConfig,
        index: usize,
        subject: &'c S,
    ) -> Cx<'c, S>
    where
        'a: 'c,
    {
        Cx {
            rule,
            subject,
            workload: self.workload,
            world: &self.input.world,
            config,
            file_name: self.file_name,
            is_complete: self.settings.is_complete_for(&self.input.world),
            is_strict: self.settings.is_strict,
            thresholds: &self.settings.thresholds,
            refused: &self.refused[index],
        }
    }

    fn report(&mut self, rule: &'static Rule, mut finding: Finding) {
        let Some(object) = self.unit.object() else {
            return;
        };
        if let (Some(subject), ForScaledObject::ItsHpa) =
            (self.scaled_object, rule.for_scaled_object)
        {
            subject.made.translate(&mut finding, &subject.source.node);
        }
        let mut paths = finding.labels.iter().map(|(path, _)| path);
        if is_patched(&finding.path, &self.patched)
            || paths.any(|path| is_patched(path, &self.patched))
        {
            return;
        }
        debug_assert!(
            finding.severity <= rule.worst(),
            "{}: {finding:?}",
            rule.code
        );
        if let Some(severity) = self.settings.severities.get(rule.code) {
            finding.severity = *severity;
        }
        if let Some(manifest) = self.manifest {
            withhold_insertion(&mut finding, manifest, &self.input.world);
        }
        finding.shrink_to_fit();
        let location = object
            .origin
            .map(|origin| Location::new(origin.file, self.locate(&finding)));
        self.diagnostics.findings.push(Reported {
            rule,
            object: Arc::clone(object),
            finding: Box::new(finding),
            location,
            fingerprint: Fingerprint::default(),
        });
    }
}

/// The known list that is equal, or this one from now on.
fn shared<T: Ord>(known: &mut BTreeSet<Arc<[T]>>, list: Vec<T>) -> Arc<[T]> {
    if let Some(known) = known.get(&*list) {
        return Arc::clone(known);
    }
    let list: Arc<[T]> = list.into();
    known.insert(Arc::clone(&list));
    list
}

/// Records why a rule could not run. Rules come in the order of their codes.
fn note(missing: &mut Vec<(Missing, Vec<&'static str>)>, why: Missing, code: &'static str) {
    match missing.iter_mut().find(|(one, _)| *one == why) {
        Some((_, codes)) if codes.last() == Some(&code) => {}
        Some((_, codes)) => codes.push(code),
        None => missing.push((why, vec![code])),
    }
}

impl Diagnostics {
    /// Why rules could not run: each reason once, with the sorted codes of the rules.
    pub(super) fn missing(&self) -> impl Iterator<Item = (&Missing, &Codes)> {
        let all = self.of_run.iter().chain(&self.of_object);
        all.map(|(missing, codes)| (missing, codes))
    }

    fn undecodable(
        &mut self,
        undecodable: &Undecodable,
        input: &LintInput,
        settings: &LintSettings,
    ) {
        let rule = rules::undecodable();
        let cx = Cx {
            rule,
            subject: &(),
            workload: None,
            world: &input.world,
            config: &settings.configs[0],
            file_name: "",
            is_complete: settings.is_complete_for(&input.world),
            is_strict: settings.is_strict,
            thresholds: &settings.thresholds,
            refused: &Refused::default(),
        };
        let severity = settings.severities.get(rule.code).copied();
        let finding = cx
            .finding(undecodable.path.clone())
            .severity(severity.unwrap_or(undecodable.severity))
            .message(undecodable.message.clone())
            .help(undecodable.help.clone());
        self.findings.push(Reported {
            rule,
            object: Arc::new(undecodable.object.clone()),
            finding: Box::new(finding),
            location: Some(Location::new(undecodable.origin.file, undecodable.span)),
            fingerprint: Fingerprint::default(),
        });
    }
}
