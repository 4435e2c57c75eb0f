//! The input of a run.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    iter,
    sync::Arc,
    thread,
};

use hpa_analysis::Assessment;
use hpa_objects::{
    manifest,
    recording::{Converted, InvalidField, Snapshot, wire},
};
use jiff::Timestamp;
use kubectl_hpa_yaml::{Decoded, YamlNode, decode};

use super::{
    FileId, History, KeptHpa, KeptObject, LeftOut, Object, Sources, Undecodable, is_kustomization,
    parallel,
    prepare::{FileOrigin, FileRole, Linted, Prepared, PreparedObject, prepare, read},
    same_namespace,
    world::{ChartTemplate, ObjectPart, World},
};

/// A file to lint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path as given; `<stdin>` for standard input.
    pub name: String,
    /// The whole content.
    pub bytes: Vec<u8>,
    /// Whether it was found in a directory and not named. A file in a directory may be something other than a manifest.
    pub is_found: bool,
    /// Whether its objects are linted, and not only referenced by others.
    pub is_linted: bool,
    /// Whether the bytes are a program's output for the file: they contain only complete objects.
    pub is_rendered: bool,
}

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub struct LintInput {
    /// The texts of the files.
    pub sources: Sources,
    /// Manifests of HPAs, readable or not.
    pub manifests: Vec<Arc<KeptObject>>,
    /// HPAs, in the same order.
    pub hpas: Vec<KeptHpa>,
    /// ScaledObjects.
    pub scaled_objects: Vec<KeptObject>,
    /// Documents that cannot be parsed, and HPAs that cannot be decoded.
    pub undecodable: Vec<Undecodable>,
    /// Objects that no rule checks and that have such a mistake, for what suppresses it.
    pub(super) rejected: Vec<Object>,
    /// Folders with a `Chart.yaml`.
    pub charts: BTreeSet<String>,
    /// Broken documents in directories that are not meant for the linter.
    pub left_out: Vec<LeftOut>,
    /// Number of objects in files, of any kind.
    pub objects: usize,
    /// All known objects.
    pub world: World,
    /// Whether the world has the HPAs that are added.
    knows_all: bool,
    /// The first HPA of each name and namespace, by name, of those that were there when one was looked for.
    hpas_by_name: BTreeMap<String, Vec<usize>>,
    /// Their number.
    indexed: usize,
    /// Bytes of the files.
    bytes: usize,
}

impl LintInput {
    /// Adds the objects of a text. Objects of `--with` are not linted themselves.
    pub fn add_text(&mut self, name: &str, text: &str, is_linted: bool) {
        if self.take_chart_template(name, text) {
            self.sources.add(name, text);
            return;
        }
        let given = FileOrigin {
            is_linted,
            is_found: false,
            role: self.role(name),
            before: self.bytes,
        };
        self.bytes += text.len();
        let file = self.sources.next_id();
        let prepared = prepare(file, text, &[], given);
        self.sources.add(name, text);
        self.take(file, prepared);
    }

    /// Reads the same files again, some with a new text. The first `linted` files are linted. Drops the old contents
    /// first, so that they are not in memory twice.
    #[must_use]
    pub fn read_again(mut self, mut texts: BTreeMap<FileId, String>, linted: usize) -> Self {
        let sources = std::mem::take(&mut self.sources);
        drop(self);
        let again = sources.into_iter().map(|(file, source)| Unread {
            name: source.name,
            content: FileContent::Text(Decoded {
                text: texts.remove(&file).unwrap_or_else(|| source.text.into()),
                replaced: source.replaced.map(|some| *some).unwrap_or_default(),
                is_utf16: source.is_utf16,
            }),
            is_found: source.is_found,
            is_linted: (file.0 as usize) < linted,
            is_rendered: source.is_rendered,
        });
        let mut again = again.peekable();
        let mut input = Self::default();
        while let Some(file) = again.peek() {
            // A kustomization must be read before the files that it lists.
            let are_kustomizations = is_kustomization(&file.name);
            let alike = |file: &Unread| is_kustomization(&file.name) == are_kustomizations;
            let Ok(()) = input.add_unread(iter::from_fn(|| {
                again.next_if(alike).map(Ok::<_, Infallible>)
            }));
        }
        input
    }

    /// Adds the objects of files, reading on all cores. Stops at the first error of `files`.
    pub fn add_files<E>(
        &mut self,
        files: impl IntoIterator<Item = Result<File, E>>,
    ) -> Result<(), E> {
        let files = files.into_iter();
        self.add_unread(files.map(|file| {
            file.map(|file| Unread {
                name: file.name.into(),
                content: FileContent::Bytes(file.bytes),
                is_found: file.is_found,
                is_linted: file.is_linted,
                is_rendered: file.is_rendered,
            })
        }))
    }

    fn add_unread<E>(&mut self, files: impl Iterator<Item = Result<Unread, E>>) -> Result<(), E> {
        self.sources.reserve(files.size_hint().0);
        let mut files = files.peekable();
        let mut next_id = self.sources.next_id();
        let mut result = Ok(());
        thread::scope(|scope| {
            let mut under_way = std::collections::VecDeque::new();
            loop {
                let mut batch = Vec::new();
                while batch.iter().map(size).sum::<usize>() < BATCH && result.is_ok() {
                    match files.next() {
                        Some(Ok(file)) => {
                            let role = if file.is_rendered {
                                FileRole::Whole
                            } else {
                                self.role(&file.name)
                            };
                            let before = self.bytes;
                            self.bytes += length(&file);
                            batch.push((next_id, role, before, file));
                            next_id = FileId(next_id.0 + 1);
                        }
                        Some(Err(error)) => result = Err(error),
                        None => break,
                    }
                }
                let is_last = batch.is_empty();
                if under_way.is_empty() && files.peek().is_none() {
                    // One thread is enough and reuses its own freed memory, so rounds of fixes take less memory.
                    for read in batch.into_iter().map(read_file) {
                        self.take_read(read);
                    }
                } else if !is_last {
                    under_way.push_back(
                        scope.spawn(move || batch.into_iter().map(read_file).collect::<Vec<_>>()),
                    );
                }
                while under_way.len() > if is_last { 0 } else { parallel::cores() } {
                    let batch = under_way.pop_front().map(parallel::join);
                    for read in batch.into_iter().flatten() {
                        self.take_read(read);
                    }
                }
                if is_last {
                    break;
                }
            }
        });
        result
    }

    fn take_read(&mut self, read: ReadFile) {
        let ReadFile {
            name,
            decoded,
            is_found,
            is_rendered,
            prepared,
        } = read;
        if is_rendered {
            self.world
                .kustomize
                .know_rendered(&name, self.sources.next_id());
            self.sources.add_decoded(name, decoded, is_found, true);
            self.take_objects(prepared);
            return;
        }
        self.take_chart_template(&name, &decoded.text);
        let file = self.sources.add_decoded(name, decoded, is_found, false);
        self.take(file, prepared);
    }

    /// Adds the objects of a cluster at one time: snapshots, or the output of
    /// `kubectl get hpa,deploy,pods,podmetrics -o yaml`. `now` is the time if the objects contain no times.
    pub fn add_observed(
        &mut self,
        name: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<(), manifest::ManifestError> {
        self.add_text(name, text, true);
        self.world.set_live();
        for snapshot in manifest::read(text.as_bytes(), name, now)? {
            self.add_snapshot(&snapshot)
                .map_err(|field| manifest::ManifestError::Document {
                    file: name.to_owned(),
                    document: 1,
                    problem: field.to_string(),
                })?;
        }
        Ok(())
    }

    /// Adds an HPA from a cluster: to the manifest with the same name, or as a separate HPA.
    pub fn add_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
        self.add_live(
            Box::new(Assessment::new(
                snapshot.sync_input(&mut Converted::default())?,
            )),
            &snapshot.hpa,
        )
    }

    /// Adds the assessment of an HPA in a cluster, in the same way.
    pub fn add_live(
        &mut self,
        mut live: Box<Assessment>,
        hpa: &wire::Hpa,
    ) -> Result<(), InvalidField> {
        // No rule reads it.
        live.drop_outcome();
        let (namespace, name) = (&live.observation.hpa.namespace, &live.observation.hpa.name);
        let known = self.place_of(namespace, name);
        if let Some(subject) = known.and_then(|index| self.hpas.get_mut(index)) {
            subject.live = Some(live.into());
            return Ok(());
        }
        self.add(of_cluster(hpa)?);
        if let Some(subject) = self.hpas.last_mut() {
            subject.live = Some(live.into());
        }
        Ok(())
    }

    /// Adds an HPA of a cluster to the world, but not to what is linted. Once all are known, some of them at a time can be
    /// added and linted: the assessments of thousands of HPAs take too much memory.
    pub fn know(&mut self, hpa: &wire::Hpa) -> Result<(), InvalidField> {
        self.world.take(ObjectPart::of(&of_cluster(hpa)?));
        self.knows_all = true;
        Ok(())
    }

    /// Drops what was linted, but not the world.
    pub fn forget_linted(&mut self) {
        self.manifests.clear();
        self.hpas.clear();
        self.hpas_by_name.clear();
        self.indexed = 0;
        self.scaled_objects.clear();
        self.undecodable.clear();
        self.rejected.clear();
        self.left_out.clear();
    }

    /// Adds the history of the snapshot's HPA from a recording, with its last snapshot as the live state.
    pub fn add_history(&mut self, history: History, last: &Snapshot) -> Result<(), InvalidField> {
        self.add_snapshot(last)?;
        let metadata = &last.hpa.metadata;
        let namespace = metadata.namespace.as_deref().unwrap_or_default();
        let known = self.place_of(namespace, &metadata.name);
        if let Some(subject) = known.and_then(|index| self.hpas.get_mut(index)) {
            subject.history = Some(Arc::new(history));
        }
        Ok(())
    }

    /// The first HPA with this name that can be in the namespace.
    pub(super) fn place_of(&mut self, namespace: &str, name: &str) -> Option<usize> {
        for (place, hpa) in self.hpas.iter().enumerate().skip(self.indexed) {
            let called = self.hpas_by_name.entry(hpa.name().to_owned()).or_default();
            let mut known = called.iter().map(|place| self.hpas[*place].namespace());
            if known.all(|known| known != hpa.namespace()) {
                called.push(place);
            }
        }
        self.indexed = self.hpas.len();
        let called = self.hpas_by_name.get(name)?;
        let mut places = called.iter().copied();
        places.find(|place| same_namespace(self.hpas[*place].namespace(), namespace))
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) {
        self.take_object(read(object));
    }

    /// Adds a file if it is a Helm chart template. Returns whether it is.
    fn take_chart_template(&mut self, name: &str, text: &str) -> bool {
        let is_one = ChartTemplate::is_one(name, text);
        if is_one {
            let template = ChartTemplate::of(name, text);
            self.world.chart_templates.push(template);
        }
        is_one
    }

    /// What a file is, from its name and the files read before it.
    fn role(&self, name: &str) -> FileRole {
        if is_kustomization(name) {
            FileRole::Kustomization
        } else if self.world.kustomize.lists(name) {
            FileRole::Patch
        } else if name == STDIN || self.world.kustomize.is_empty() {
            FileRole::Whole
        } else {
            FileRole::Objects
        }
    }

    fn take(&mut self, file: FileId, mut prepared: Prepared) {
        let name = &self.sources.get(file).name;
        if name.rsplit(['/', '\\']).next() == Some("Chart.yaml") {
            let folder = name.strip_suffix("Chart.yaml").unwrap_or_default();
            let folder = folder.trim_end_matches(['/', '\\']);
            let folder = if folder.is_empty() { "." } else { folder };
            self.charts.insert(folder.to_owned());
            self.world.kustomize.know_chart(folder);
        }
        if prepared.is_found_template && self.charts.contains(&ChartTemplate::chart_of(name)) {
            return;
        }
        let kustomize = &mut self.world.kustomize;
        kustomize.know(name, file);
        for document in std::mem::take(&mut prepared.kustomizations) {
            kustomize.add(name, file, &document);
        }
        let patches = std::mem::take(&mut prepared.patches);
        if !patches.is_empty() {
            kustomize.add_patches(name, patches);
        }
        for patch in std::mem::take(&mut prepared.partial) {
            kustomize.add_partial(patch);
        }
        self.take_objects(prepared);
    }

    fn take_objects(&mut self, prepared: Prepared) {
        self.objects += prepared.objects.len() + prepared.without_kind;
        self.undecodable.extend(prepared.undecodable);
        self.rejected.extend(prepared.rejected);
        self.left_out.extend(prepared.left_out);
        let is_hpa = |one: &&PreparedObject| matches!(one.linted, Some(Linted::Hpa(..)));
        let hpas = prepared.objects.iter().filter(is_hpa).count();
        make_room(&mut self.hpas, hpas);
        make_room(&mut self.manifests, hpas);
        make_room(&mut self.world.hpas, hpas);
        for object in prepared.objects {
            self.take_object(object);
        }
    }

    fn take_object(&mut self, object: PreparedObject) {
        if !self.knows_all {
            self.world.take(object.part);
        }
        match object.linted {
            Some(Linted::Hpa(manifest, read)) => {
                let manifest = Arc::new(manifest);
                if read.is_supported {
                    self.hpas.push(KeptHpa::of_manifest(Arc::clone(&manifest)));
                }
                self.manifests.push(manifest);
            }
            Some(Linted::ScaledObject(kept, _)) => self.scaled_objects.push(kept),
            None => {}
        }
    }
}

/// An HPA of a cluster.
fn of_cluster(hpa: &wire::Hpa) -> Result<Object, InvalidField> {
    let value = serde_json::to_value(hpa);
    let value = value.map_err(|error| InvalidField::at("hpa", error.to_string()))?;
    Ok(Object {
        origin: None,
        api_version: "autoscaling/v2".into(),
        kind: "HorizontalPodAutoscaler".into(),
        node: YamlNode::from_json(value),
        comments: Arc::default(),
        is_linted: true,
    })
}

/// Makes room for the HPAs of a file. A file with most of them gets exactly what it needs, and not up to twice as much.
fn make_room<T>(all: &mut Vec<T>, more: usize) {
    if all.len() < more {
        all.reserve_exact(more);
    }
}

/// The name of standard input.
const STDIN: &str = "<stdin>";

/// Bytes of files that one core reads at a time; small enough to keep all cores busy.
const BATCH: usize = 256 * 1024;

/// A file whose objects have not been read yet.
struct Unread {
    name: Arc<str>,
    content: FileContent,
    is_found: bool,
    is_linted: bool,
    is_rendered: bool,
}

enum FileContent {
    Bytes(Vec<u8>),
    Text(Decoded),
}

/// A file to read, with its number, its role and the bytes of the files before it.
type Next = (FileId, FileRole, usize, Unread);

fn size((.., file): &Next) -> usize {
    // Empty files also cost something.
    length(file) + 64
}

fn length(file: &Unread) -> usize {
    match &file.content {
        FileContent::Bytes(bytes) => bytes.len(),
        FileContent::Text(decoded) => decoded.text.len(),
    }
}

/// A file whose objects have been read.
struct ReadFile {
    name: Arc<str>,
    decoded: Decoded,
    is_found: bool,
    is_rendered: bool,
    prepared: Prepared,
}

fn read_file((id, role, before, file): Next) -> ReadFile {
    let decoded = match file.content {
        FileContent::Bytes(bytes) => decode(bytes),
        FileContent::Text(decoded) => decoded,
    };
    let given = FileOrigin {
        is_linted: file.is_linted,
        is_found: file.is_found,
        role: if file.is_rendered {
            role
        } else {
            role.or_template(ChartTemplate::is_one(&file.name, &decoded.text))
        },
        before,
    };
    let prepared = prepare(id, &decoded.text, &decoded.replaced, given);
    ReadFile {
        name: file.name,
        decoded,
        is_found: file.is_found,
        is_rendered: file.is_rendered,
        prepared,
    }
}
