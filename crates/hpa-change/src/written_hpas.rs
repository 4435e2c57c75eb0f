//! The HPAs of a manifest as written: what a decoder would drop without a word, and the lines of their fields.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
};

use anyhow::{anyhow, bail};
use hpa_engine::model::{ControllerConfig, Input};
use hpa_lint::{
    File, LintInput, LintSettings, Location, Manifest, ObjectRef, Reported, Severity, run,
};
use hpa_objects::{
    manifest::{ASSUMED_VERSION, ManifestError, Objects},
    recording::wire::Hpa,
};
use jiff::Timestamp;

use crate::{ChangeError, SpecChange};

/// The HPAs of a manifest. Where their fields are is read again when an error needs it: the trees of many thousands of
/// HPAs take too much memory.
pub struct WrittenHpas<'t> {
    file: String,
    text: &'t [u8],
    /// Namespaces and names.
    names: BTreeSet<String>,
}

/// Some documents of a file, in order.
struct FilePart {
    /// Number of lines before it.
    lines: usize,
    input: LintInput,
}

/// Mistakes of a file, of which the first are listed.
#[derive(Default)]
struct Mistakes {
    /// The first, with their lines, sorted.
    first: Vec<(usize, String)>,
    count: usize,
}

/// Reads the objects of a file. Fails where kubectl or the decoder refuses a chosen HPA, and where two documents or two
/// keys say different things about it. Mistakes in other HPAs are nothing to the reader.
pub fn read<'t>(
    text: &'t [u8],
    file: &str,
    now: Timestamp,
    mut is_chosen: impl FnMut(&Hpa) -> bool,
) -> anyhow::Result<(Objects, WrittenHpas<'t>)> {
    let mut others = BTreeSet::new();
    let mut is_chosen = |hpa: &Hpa| {
        let is_chosen = is_chosen(hpa);
        if !is_chosen {
            let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
            others.insert(name(namespace, &hpa.metadata.name));
        }
        is_chosen
    };
    let objects = match Objects::read(text, file, now, &mut is_chosen) {
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

impl<'t> WrittenHpas<'t> {
    fn read(text: &'t [u8], file: &str, others: &BTreeSet<String>) -> anyhow::Result<Self> {
        let mut settings = LintSettings::new(Input::assumed(ASSUMED_VERSION));
        settings.enabled = [UNKNOWN_FIELD].into();
        let mut written = Self {
            file: file.to_owned(),
            text,
            names: BTreeSet::new(),
        };
        let mut mistakes = Mistakes::default();
        let (mut lines, mut known) = (BTreeMap::new(), BTreeSet::new());
        for part in written.parts() {
            let report = run(&part.input, &settings);
            // A finding that `lint` accepts is still a field without effect.
            let accepted = report.suppressed.into_iter().map(|one| one.reported);
            let found = report.findings.into_iter().chain(accepted);
            let found =
                found.filter(|one| is_dropped(one) && !others.contains(&name_of(&one.object)));
            mistakes.add(found.filter_map(|one| {
                let line = part.line(one.location?);
                let finding = one.finding;
                Some((line, format!("{}\nhelp: {}", finding.message, finding.help)))
            }));
            mistakes.add(part.defined_twice(&mut lines, others));
            let manifests = part.input.manifests.iter();
            let names = manifests.map(|manifest| name_of(&manifest.object));
            known.extend(names);
        }
        if mistakes.count == 0 {
            written.names = known;
            return Ok(written);
        }
        let mut lines: Vec<String> = mistakes
            .first
            .iter()
            .map(|(line, mistake)| format!("{file}, line {line}: {mistake}"))
            .collect();
        if let Some(more) = mistakes.count.checked_sub(MOST).filter(|more| 0 < *more) {
            lines.push(format!("{more} more mistakes are in {file}"));
        }
        bail!(lines.join("\n"))
    }

    /// Fails if the API server would refuse the spec. The HPA of a snapshot comes from one, and is not checked.
    pub fn accept(&self, hpa: &Hpa, config: &ControllerConfig) -> anyhow::Result<()> {
        let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
        let own = name(namespace, &hpa.metadata.name);
        if !self.names.contains(&own) {
            return Ok(());
        }
        let refused = SpecChange::default().of(hpa, config).map(drop);
        refused.map_err(|mut error| {
            if let ChangeError::Invalid { violations, .. } = &mut error {
                self.with_manifest(
                    |object| name_of(object) == own,
                    |part, manifest| {
                        for violation in violations {
                            let line = part.line_of(manifest, &violation.field);
                            violation.problem.push_str(&line);
                        }
                    },
                );
            }
            anyhow!("{}: {error}", self.file)
        })
    }

    /// The same error with the line of its field.
    fn with_line(&self, mut error: ManifestError) -> ManifestError {
        if let ManifestError::Field { place, field } = &mut error {
            let is_it =
                |object: &ObjectRef| place.object == format!("{} {}", object.kind, name_of(object));
            self.with_manifest(is_it, |part, manifest| {
                let line = part.line_of(manifest, &field.path);
                field.problem.push_str(&line);
            });
        }
        error
    }

    /// Reads the file again up to the first such HPA, for `work`.
    fn with_manifest(
        &self,
        is_it: impl Fn(&ObjectRef) -> bool,
        work: impl FnOnce(&FilePart, &Manifest),
    ) {
        for part in self.parts() {
            let mut manifests = part.input.manifests.iter();
            if let Some(manifest) = manifests.find(|manifest| is_it(&manifest.object)) {
                work(&part, &manifest.manifest(&part.input.sources));
                return;
            }
        }
    }

    /// The documents of the file, some at a time.
    fn parts(&self) -> impl Iterator<Item = FilePart> {
        let mut lines = 0;
        parts(self.text).map(move |text| {
            let mut input = LintInput::default();
            let Ok(()) = input.add_files([Ok::<_, Infallible>(File {
                name: self.file.clone(),
                bytes: text.to_vec(),
                is_found: false,
                is_linted: true,
                is_rendered: false,
            })]);
            let part = FilePart { lines, input };
            lines += text.split(|byte| *byte == b'\n').skip(1).count();
            part
        })
    }
}

impl FilePart {
    /// The HPAs with the namespace and name of an earlier one, without `others`. `lines` has the lines of all before.
    fn defined_twice(
        &self,
        lines: &mut BTreeMap<String, usize>,
        others: &BTreeSet<String>,
    ) -> Vec<(usize, String)> {
        let mut twice = Vec::new();
        // Without a name the API server makes one; a kind of another API group is another object.
        let manifests = self.input.manifests.iter();
        let manifests = manifests.map(|kept| kept.manifest(&self.input.sources));
        let is_named = |manifest: &Manifest| {
            !manifest.object.name.is_empty()
                && !manifest.version().is_empty()
                && !others.contains(&name_of(&manifest.object))
        };
        for manifest in manifests.filter(is_named) {
            let name = name_of(&manifest.object);
            let Some(line) = self.line_at(&manifest, "metadata.name") else {
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
        let sources = &self.input.sources;
        self.lines + sources.line_and_column(location.file, location.start).0
    }
}

impl Mistakes {
    fn add(&mut self, mistakes: impl IntoIterator<Item = (usize, String)>) {
        for mistake in mistakes {
            self.count += 1;
            let place = self.first.partition_point(|known| *known <= mistake);
            self.first.insert(place, mistake);
            self.first.truncate(MOST);
        }
    }
}

/// Splits a text of many documents between them, into parts of about a mebibyte. Other texts are one part: JSON, other
/// encodings than UTF-8, and YAML with directives, which belong to the document after them.
fn parts(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_plain = std::str::from_utf8(text).is_ok()
        && !text.trim_ascii_start().starts_with(b"{")
        && !text.starts_with(b"%")
        && !text.windows(2).any(|pair| pair == b"\n%");
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = match rest.len() {
            0 => return None,
            length if length <= PART || !is_plain => length,
            length => {
                let end = next_document(&rest[PART..]);
                end.map_or(length, |end| PART + end)
            }
        };
        let (part, other) = rest.split_at(length);
        rest = other;
        Some(part)
    })
}

/// Where the next document starts, even in a text: `---` at the start of a line ends whatever is open.
fn next_document(text: &[u8]) -> Option<usize> {
    let mut starts = text.windows(5).enumerate().filter(|(_, five)| {
        five.starts_with(b"\n---") && matches!(five[4], b'\n' | b'\r' | b' ' | b'\t')
    });
    starts.next().map(|(newline, _)| newline + 1)
}

/// Bytes of the documents that are read at a time.
const PART: usize = 1 << 20;

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
