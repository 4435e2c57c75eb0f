//! Running the rules.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Check, Cx, FileId, Finding, HpaSubject, Input, Location, Manifest, Missing, Note, ObjectRef,
    Outcome, Report, Reported, Rule, ScaledObjectSubject, Settings, fingerprint, suppress,
};
use crate::{model::ControllerConfig, rules, yaml::Span};

/// Runs every enabled rule on every subject, for every declared version.
pub fn run(input: &Input, settings: &Settings) -> Report {
    let mut runner = Runner {
        input,
        settings,
        report: Report {
            hpas: input.manifests.len(),
            scaled_objects: input.scaled_objects.len(),
            ..Report::default()
        },
        not_checked: BTreeMap::new(),
    };
    for undecodable in &input.undecodable {
        runner.undecodable(undecodable);
    }
    for rule in rules::catalogue().filter(|rule| settings.is_enabled(rule)) {
        for config in &settings.configs {
            runner.rule(rule, config);
        }
    }
    runner.finish()
}

struct Runner<'a> {
    input: &'a Input,
    settings: &'a Settings,
    report: Report,
    not_checked: BTreeMap<(Option<ObjectRef>, Missing), BTreeSet<&'static str>>,
}

impl<'a> Runner<'a> {
    fn rule(&mut self, rule: &'static Rule, config: &'a ControllerConfig) {
        let input = self.input;
        match rule.check {
            Check::Manifest(check) => {
                for subject in &input.manifests {
                    let subject: &Manifest = subject;
                    let outcome = check(&self.cx(rule, config, subject));
                    self.take(rule, &subject.object, outcome, |path| subject.locate(path));
                }
            }
            Check::Hpa(check) => {
                for subject in &input.hpas {
                    let outcome = check(&self.cx(rule, config, subject));
                    let manifest: &Manifest = &subject.manifest;
                    self.take(rule, &manifest.object, outcome, |path| {
                        manifest.locate(path)
                    });
                }
            }
            Check::ScaledObject(check) => {
                for subject in &input.scaled_objects {
                    let outcome = check(&self.cx(rule, config, subject));
                    let node = &subject.source.node;
                    self.take(rule, &subject.object, outcome, |path| node.locate(path));
                }
            }
            Check::Machinery => {}
        }
    }

    fn cx<S: Subject>(
        &self,
        rule: &'static Rule,
        config: &'a ControllerConfig,
        subject: &'a S,
    ) -> Cx<'a, S> {
        Cx {
            rule,
            subject,
            world: &self.input.world,
            config,
            settings: self.settings.of_file(subject.file()),
        }
    }

    fn take(
        &mut self,
        rule: &'static Rule,
        object: &ObjectRef,
        outcome: Outcome,
        locate: impl Fn(&str) -> Span,
    ) {
        match outcome {
            Ok(findings) => {
                for finding in findings {
                    self.report(rule, object, finding, &locate);
                }
            }
            Err(missing) => {
                let object = (!missing.is_of_run()).then(|| object.clone());
                let codes = self.not_checked.entry((object, missing)).or_default();
                codes.insert(rule.code);
            }
        }
    }

    fn report(
        &mut self,
        rule: &'static Rule,
        object: &ObjectRef,
        mut finding: Finding,
        locate: impl Fn(&str) -> Span,
    ) {
        let file = object.origin.map(|origin| origin.file);
        let severities = &self.settings.of_file(file).severities;
        if let Some(severity) = severities.get(rule.code) {
            finding.severity = *severity;
        }
        let location = object
            .origin
            .map(|origin| Location::new(origin.file, locate(&finding.path)));
        let is_known = self.report.findings.iter().any(|known| {
            known.rule.code == rule.code
                && known.object == *object
                && known.finding.path == finding.path
                && (self.settings.configs.len() > 1 || known.finding == finding)
        });
        if !is_known {
            self.report.findings.push(Reported {
                rule,
                object: object.clone(),
                finding,
                location,
                fingerprint: String::new(),
            });
        }
    }

    fn undecodable(&mut self, undecodable: &super::input::Undecodable) {
        let rule = rules::undecodable();
        let cx = Cx {
            rule,
            subject: &(),
            world: &self.input.world,
            config: &self.settings.configs[0],
            settings: self.settings,
        };
        let finding = cx
            .finding("")
            .message(format!(
                "document {} cannot be read as a HorizontalPodAutoscaler: {}",
                undecodable.origin.document, undecodable.problem
            ))
            .help("put the document right; all others are checked");
        self.report.findings.push(Reported {
            rule,
            object: undecodable.object.clone(),
            finding,
            location: Some(Location::new(undecodable.origin.file, undecodable.span)),
            fingerprint: String::new(),
        });
    }

    /// Takes away what a more specific rule says of the same field, or of one round it or in it.
    fn yield_to_specific(&mut self) {
        let said: BTreeSet<(ObjectRef, &str, String)> = self
            .report
            .findings
            .iter()
            .map(|one| (one.object.clone(), one.rule.code, one.finding.path.clone()))
            .collect();
        self.report.findings.retain(|one| {
            !one.rule.yields_to.iter().any(|code| {
                let from = (one.object.clone(), *code, String::new());
                said.range(from..)
                    .take_while(|(object, said_by, _)| *object == one.object && said_by == code)
                    .any(|(_, _, path)| {
                        path.starts_with(&one.finding.path) || one.finding.path.starts_with(path)
                    })
            })
        });
    }

    /// In a cluster the flags of the controller can seldom be read; with files nobody expects it.
    fn assumed_flags(&mut self) {
        let rule = rules::flags_assumed();
        if self.input.world.is_live() && self.settings.is_enabled(rule) {
            let notes = self.settings.configs.iter();
            let notes = notes.filter_map(rules::assumed_flags).map(|message| Note {
                code: rule.code,
                object: None,
                rules: Vec::new(),
                message,
            });
            self.report.notes.extend(notes);
        }
    }

    fn finish(mut self) -> Report {
        self.yield_to_specific();
        self.assumed_flags();
        for ((object, missing), codes) in once_for_all(self.not_checked) {
            let codes: Vec<&str> = codes.into_iter().collect();
            self.report.notes.push(Note {
                code: "HPA013",
                object,
                message: format!("{} not checked: {}", codes.join(", "), missing.reason()),
                rules: codes,
            });
        }
        self.report.findings.sort_by(|one, other| {
            let key = |reported: &Reported| {
                (
                    reported.location,
                    reported.object.clone(),
                    reported.rule.code,
                )
            };
            key(one).cmp(&key(other))
        });
        fingerprint::assign(&mut self.report.findings);
        self.report
            .findings
            .retain(|one| !self.settings.silenced.contains(one.rule.code));
        self.report
            .notes
            .retain(|note| !self.settings.silenced.contains(note.code));
        suppress::apply(self.input, self.settings, &mut self.report);
        self.report
    }
}

/// What several objects are missing alike is told once.
fn once_for_all(
    not_checked: BTreeMap<(Option<ObjectRef>, Missing), BTreeSet<&'static str>>,
) -> BTreeMap<(Option<ObjectRef>, Missing), BTreeSet<&'static str>> {
    let mut objects: BTreeMap<Missing, usize> = BTreeMap::new();
    for (_, missing) in not_checked.keys() {
        *objects.entry(missing.clone()).or_default() += 1;
    }
    let mut merged: BTreeMap<_, BTreeSet<&'static str>> = BTreeMap::new();
    for ((object, missing), codes) in not_checked {
        let is_alike = matches!(missing, Missing::NotRead { .. }) && 1 < objects[&missing];
        let key = (object.filter(|_| !is_alike), missing);
        merged.entry(key).or_default().extend(codes);
    }
    merged
}

/// What a rule can look at.
trait Subject {
    /// The file that it is from.
    fn file(&self) -> Option<FileId>;
}

impl Subject for HpaSubject {
    fn file(&self) -> Option<FileId> {
        self.manifest.file()
    }
}

impl Subject for Manifest {
    fn file(&self) -> Option<FileId> {
        self.object.origin.map(|origin| origin.file)
    }
}

impl Subject for ScaledObjectSubject {
    fn file(&self) -> Option<FileId> {
        self.object.origin.map(|origin| origin.file)
    }
}
