//! The HPAs of a manifest as written: what a decoder would drop without a word, and the lines of their fields.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    sync::Arc,
};

use anyhow::{anyhow, bail};
use jiff::Timestamp;

use crate::{
    change::{ChangeError, SpecChange},
    lint::{
        File, LintInput, LintSettings, Location, Manifest, ObjectRef, Reported, Severity, Sources,
        run,
    },
    manifest::{ASSUMED_VERSION, ManifestError, Objects},
    model::{ControllerConfig, Input},
    recording::wire::Hpa,
};

/// The HPAs of a manifest, with their positions.
pub(super) struct WrittenHpas {
    file: String,
    sources: Sources,
    /// By namespace and name, the first of each.
    manifests: BTreeMap<String, Arc<Manifest>>,
}

/// Reads the objects of a file. Fails where kubectl or the decoder refuses a chosen HPA, and where two documents or two
/// keys say different things about it. Mistakes in other HPAs are nothing to the reader.
pub(super) fn read(
    text: &[u8],
    file: &str,
    mut is_chosen: impl FnMut(&Hpa) -> bool,
) -> anyhow::Result<(Objects, WrittenHpas)> {
    let mut others = BTreeSet::new();
    let mut is_chosen = |hpa: &Hpa| {
        let is_chosen = is_chosen(hpa);
        if !is_chosen {
            let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
            others.insert(name(namespace, &hpa.metadata.name));
        }
        is_chosen
    };
    let objects = match Objects::read(text, file, Timestamp::now(), &mut is_chosen) {
        // A text that is too large for one reader is too large for the other.
        Err(error) if !matches!(error, ManifestError::Field { .. }) => bail!("{error}"),
        objects => objects,
    };
    for hpa in objects.iter().flat_map(Objects::hpas) {
        is_chosen(hpa);
    }
    // A misspelled field says more than the missing field that follows from it.
    let written = WrittenHpas::read(text, file, &others)?;
    let objects = objects.map_err(|error| written.with_line(error))?;
    Ok((objects, written))
}

impl WrittenHpas {
    fn read(text: &[u8], file: &str, others: &BTreeSet<String>) -> anyhow::Result<Self> {
        let mut input = LintInput::default();
        let Ok(()) = input.add_files([Ok::<_, Infallible>(File {
            name: file.to_owned(),
            bytes: text.to_vec(),
            is_found: false,
            is_linted: true,
            is_rendered: false,
        })]);
        let mut settings = LintSettings::new(Input::assumed(ASSUMED_VERSION));
        settings.enabled = [UNKNOWN_FIELD].into();
        let report = run(&input, &settings);
        let mut written = Self {
            file: file.to_owned(),
            sources: input.sources,
            manifests: BTreeMap::new(),
        };
        // A finding that `lint` accepts is still a field without effect.
        let accepted = report.suppressed.into_iter().map(|one| one.reported);
        let found = report.findings.into_iter().chain(accepted);
        let mut mistakes: Vec<(usize, String)> = found
            .filter(|one| is_dropped(one) && !others.contains(&name_of(&one.object)))
            .filter_map(|one| {
                let line = written.line(one.location?);
                let finding = one.finding;
                Some((line, format!("{}\nhelp: {}", finding.message, finding.help)))
            })
            .chain(written.defined_twice(&input.manifests, others))
            .collect();
        mistakes.sort();
        if mistakes.is_empty() {
            for manifest in input.manifests {
                let name = name_of(&manifest.object);
                written.manifests.entry(name).or_insert(manifest);
            }
            return Ok(written);
        }
        let mut lines: Vec<String> = mistakes
            .iter()
            .take(MOST)
            .map(|(line, mistake)| format!("{file}, line {line}: {mistake}"))
            .collect();
        if let Some(more) = mistakes.len().checked_sub(MOST).filter(|more| 0 < *more) {
            lines.push(format!("{more} more mistakes are in {file}"));
        }
        bail!(lines.join("\n"))
    }

    /// Fails if the API server would refuse the spec. The HPA of a snapshot comes from one, and is not checked.
    pub(super) fn accept(&self, hpa: &Hpa, config: &ControllerConfig) -> anyhow::Result<()> {
        let Some(manifest) = self.manifest(hpa) else {
            return Ok(());
        };
        let refused = SpecChange::default().of(hpa, config).map(drop);
        refused.map_err(|mut error| {
            if let ChangeError::Invalid { violations, .. } = &mut error {
                for violation in violations {
                    let line = self.line_of(manifest, &violation.field);
                    violation.problem.push_str(&line);
                }
            }
            anyhow!("{}: {error}", self.file)
        })
    }

    /// The HPAs with the namespace and name of an earlier one, without `others`.
    fn defined_twice(
        &self,
        manifests: &[Arc<Manifest>],
        others: &BTreeSet<String>,
    ) -> Vec<(usize, String)> {
        let mut lines = BTreeMap::new();
        let mut twice = Vec::new();
        // Without a name the API server makes one; a kind of another API group is another object.
        let is_named = |manifest: &&Arc<Manifest>| {
            !manifest.object.name.is_empty()
                && !manifest.version().is_empty()
                && !others.contains(&name_of(&manifest.object))
        };
        for manifest in manifests.iter().filter(is_named) {
            let name = name_of(&manifest.object);
            let Some(line) = self.line_at(manifest, "metadata.name") else {
                continue;
            };
            if let Some(first) = lines.insert(name.clone(), line) {
                twice.push((
                    line,
                    format!(
                        "HPA {name} is also defined in line {first}, and only one of the two can apply\n\
                         help: remove one of the two, or give it another name or namespace"
                    ),
                ));
            }
        }
        twice
    }

    fn manifest(&self, hpa: &Hpa) -> Option<&Manifest> {
        let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
        let manifest = self.manifests.get(&name(namespace, &hpa.metadata.name))?;
        Some(manifest)
    }

    /// The same error with the line of its field.
    fn with_line(&self, mut error: ManifestError) -> ManifestError {
        if let ManifestError::Field { place, field } = &mut error {
            let is_it = |manifest: &&Arc<Manifest>| {
                place.object == format!("{} {}", manifest.object.kind, name_of(&manifest.object))
            };
            if let Some(manifest) = self.manifests.values().find(is_it) {
                let line = self.line_of(manifest, &field.path);
                field.problem.push_str(&line);
            }
        }
        error
    }

    /// The line of a field or of its nearest parent, in parentheses.
    fn line_of(&self, manifest: &Manifest, path: &str) -> String {
        let line = self.line_at(manifest, path);
        line.map_or_else(String::new, |line| format!(" (line {line})"))
    }

    fn line_at(&self, manifest: &Manifest, path: &str) -> Option<usize> {
        let origin = manifest.object.origin?;
        Some(self.line(Location::new(origin.file, manifest.locate(path))))
    }

    fn line(&self, location: Location) -> usize {
        self.sources
            .line_and_column(location.file, location.start)
            .0
    }
}

/// Whether a decoder would drop a part of an HPA without an error: a field that does not exist, or the first of two.
fn is_dropped(reported: &Reported) -> bool {
    let is_hpa = reported.object.kind == "HorizontalPodAutoscaler";
    // The decoder refuses what this rule calls an error.
    let is_repeated =
        reported.rule.code == NOT_READ_AS_WRITTEN && reported.finding.severity == Severity::Warning;
    is_hpa && (reported.rule.code == UNKNOWN_FIELD || is_repeated)
}

fn name_of(object: &ObjectRef) -> String {
    name(&object.namespace, &object.name)
}

/// `namespace/name`, with kubectl's default.
fn name(namespace: &str, name: &str) -> String {
    let namespace = match namespace {
        "" => "default",
        namespace => namespace,
    };
    format!("{namespace}/{name}")
}

/// The rule about fields that the API version does not have.
const UNKNOWN_FIELD: &str = "HPA010";

/// The rule about documents that are not read as they are written.
const NOT_READ_AS_WRITTEN: &str = "HPA012";

/// Maximum number of mistakes to list.
const MOST: usize = 10;
