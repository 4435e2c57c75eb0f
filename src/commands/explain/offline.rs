//! HPAs from files: snapshots, recordings and ordinary objects.

use std::{cell::RefCell, collections::VecDeque, path::Path, slice};

use anyhow::{Context as _, anyhow, bail};
use hpa_change::{SpecChange, written_hpas};
use hpa_cluster::ChosenHpas;
use hpa_engine::model::{KubeVersion, Selector, label_selector::Wording};
use hpa_objects::{
    manifest::{self, Objects, Opened},
    recording::{Converted, ReadError, Snapshot, name_of, wire::Hpa},
};
use hpa_playback::{
    ExplainSubject, HpaSync, LatestAt, Player, PointInTime, Session, SubjectOrigin,
};
use hpa_render::history::how_recorded;
use jiff::{Timestamp, tz::TimeZone};

use super::{
    changed,
    found::{FoundSubject, FoundSubjects, ObjectsOfFile, ObjectsRead},
};
use crate::{
    cli::{ControllerArgs, ExplainArgs, SelectionArgs},
    process::workflow::note,
};

/// Which HPAs of a file to read, and at which time.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct FileSelection<'a> {
    /// The file; `-` is standard input.
    pub(in crate::commands) path: &'a Path,
    /// Names and labels.
    pub(in crate::commands) selection: &'a SelectionArgs,
    /// Their namespace; none: all.
    pub(in crate::commands) namespace: Option<&'a str>,
    /// The requested time; none: the last sync of each HPA.
    pub(in crate::commands) at: Option<PointInTime>,
    /// Settings of the controller.
    pub(in crate::commands) controller: &'a ControllerArgs,
}

/// The HPAs in a file.
pub(in crate::commands) struct HpasOfFile<T> {
    /// What is kept of each HPA.
    pub(in crate::commands) hpas: Vec<T>,
    /// All objects, if the file has objects.
    pub(in crate::commands) objects: Option<Box<Objects>>,
    converted: Converted,
}

impl<T> HpasOfFile<T> {
    /// What was kept of each HPA, and the objects of the file, to make them again.
    pub(in crate::commands) fn split(
        self,
        file: FileSelection<'_>,
        zone: &TimeZone,
    ) -> (Vec<T>, Option<ObjectsOfFile>) {
        let converted = self.converted.into();
        let objects = self.objects.map(|objects| ObjectsOfFile {
            objects,
            converted,
            read: ObjectsRead::of(file, zone),
        });
        (self.hpas, objects)
    }
}

/// An HPA of a file.
pub(in crate::commands) struct HpaOfFile {
    /// What is to be explained.
    pub(in crate::commands) subject: ExplainSubject,
    /// The snapshot, if snapshots are needed.
    pub(in crate::commands) snapshot: Option<Box<Snapshot>>,
    /// Its index in the snapshots of the objects, if the file has objects.
    pub(in crate::commands) index: Option<usize>,
}

/// The HPAs to explain, with a changed spec if requested.
pub(super) fn subjects(
    path: &Path,
    args: &ExplainArgs,
    zone: &TimeZone,
) -> anyhow::Result<FoundSubjects> {
    let change = changed::requested(args)?;
    let selection = FileSelection {
        path,
        selection: &args.selection,
        namespace: args.connection.namespace.as_deref(),
        at: args.at,
        controller: &args.controller,
    };
    let Some(change) = change else {
        let found = of_file(selection, false, zone, FoundSubject::of)?;
        let (hpas, objects) = found.split(selection, zone);
        return Ok(FoundSubjects::of(hpas, objects));
    };
    // Only a changed spec needs the snapshots.
    let found = of_file(selection, true, zone, Box::new)?;
    let mut subjects = Vec::new();
    for hpa in found.hpas {
        let HpaOfFile {
            subject, snapshot, ..
        } = *hpa;
        let snapshot = snapshot.context("an HPA has no snapshot")?;
        let mut subject = with_change(&change, subject, &snapshot, found.objects.as_deref())?;
        // A file may have HPAs of several clusters.
        ExplainSubject::infer_settings(slice::from_mut(&mut subject));
        subjects.push(subject);
    }
    Ok(FoundSubjects::from(subjects))
}

/// The HPAs of the file; for a recording the last sync of each, or the last one up to `--at`.
///
/// Keeps only what `keep` returns: thousands of HPAs take too much memory.
pub(in crate::commands) fn of_file<T>(
    file: FileSelection<'_>,
    needs_snapshots: bool,
    zone: &TimeZone,
    keep: impl Fn(HpaOfFile) -> T,
) -> anyhow::Result<HpasOfFile<T>> {
    let path = file.path;
    let text = file.selection.selector.as_deref().unwrap_or_default();
    let selector = Selector::parse(text, Wording::of(KubeVersion::NEWEST))
        .with_context(|| format!("--selector {text:?}"))?;
    let mut chosen_hpas = ChosenHpas::new(file.namespace, file.selection.named());
    let mut is_selected =
        |hpa: &Hpa| chosen_hpas.takes(hpa) && selector.matches(&hpa.metadata.labels);
    let mut chosen = LatestAt::new(file.at, zone);
    let mut offer = |recording: String, mut hpa: HpaOfFile| {
        hpa.subject.origin = SubjectOrigin::of_file(path, file.at);
        let input = &hpa.subject.input;
        let observed = &input.observation.hpa;
        let key = (recording, observed.namespace.clone(), observed.name.clone());
        let sync = HpaSync {
            time: input.now,
            period: input.observation.sync_period().value,
            created: observed.created,
        };
        chosen.offer(key, sync, keep(hpa));
    };
    let place = |line: u64| format!("{}, line {line}", name_of(path));
    let mut objects = None;
    let mut converted = Converted::default();
    let mut ended_hpas = Vec::new();
    let mut is_empty = true;
    match manifest::open(path)? {
        Opened::Recording(reader) => {
            // Syncs are returned in order, some of them only lines later.
            let snapshots = RefCell::new(VecDeque::new());
            let histories = RefCell::new(VecDeque::new());
            let ended = RefCell::new(Vec::new());
            let lines = reader
                .map(|line| file.controller.apply_to_line(line?))
                .filter(|line| {
                    line.as_ref()
                        .map_or(true, |line| is_selected(&line.snapshot.hpa))
                })
                .inspect(|line| {
                    let Ok(line) = line else {
                        return;
                    };
                    if let Some(deleted) = line.snapshot.hpa_deleted {
                        let hpa = &line.snapshot.hpa.metadata;
                        let namespace = hpa.namespace.clone().unwrap_or_default();
                        let recording = Session::recording_of(&line.snapshot);
                        let key = (recording, namespace, hpa.name.clone());
                        ended.borrow_mut().push((key, deleted));
                        return;
                    }
                    let mut histories = histories.borrow_mut();
                    histories.push_back(line.snapshot.history.clone());
                    if needs_snapshots {
                        let snapshot = Box::new(line.snapshot.clone());
                        snapshots.borrow_mut().push_back(snapshot);
                    }
                });
            for reconcile in Player::new(lines) {
                match reconcile {
                    Ok(reconcile) => {
                        is_empty = false;
                        let snapshot = snapshots.borrow_mut().pop_front();
                        let recording = reconcile.recording.clone();
                        let history = histories.borrow_mut().pop_front().flatten();
                        let subject = ExplainSubject {
                            afterwards: history.map(|history| how_recorded(&history)),
                            ..ExplainSubject::of_reconcile(reconcile)
                        };
                        let index = None;
                        offer(
                            recording,
                            HpaOfFile {
                                subject,
                                snapshot,
                                index,
                            },
                        );
                    }
                    Err(error @ ReadError::Interrupted { .. }) if !is_empty => {
                        note(&format!("{}: {error}", name_of(path)));
                    }
                    Err(ReadError::Field { line, field }) => {
                        return Err(field).with_context(|| place(line));
                    }
                    Err(error) => return Err(error).with_context(|| name_of(path)),
                }
            }
            ended_hpas = ended.into_inner();
        }
        Opened::Objects(text) => {
            let (found, written) =
                written_hpas::read(&text, &name_of(path), Timestamp::now(), &mut is_selected)?;
            let read = ObjectsRead::of(file, zone);
            for (index, mut snapshot) in found.snapshots().enumerate() {
                if !is_selected(&snapshot.hpa) {
                    continue;
                }
                let subject = read.subject(&mut snapshot, &mut converted)?;
                written.accept(&snapshot.hpa, &subject.input.observation.controller)?;
                is_empty = false;
                let recording = snapshot.metadata.name.clone();
                let snapshot = needs_snapshots.then(|| Box::new(snapshot));
                let index = Some(index);
                offer(
                    recording,
                    HpaOfFile {
                        subject,
                        snapshot,
                        index,
                    },
                );
            }
            objects = Some(Box::new(found));
        }
    }
    let in_file = |problem: String| anyhow!("{}: {problem}", name_of(path));
    chosen_hpas.all_found().map_err(in_file)?;
    if is_empty {
        let what = match chosen_hpas.seen() {
            0 => "no HPAs in it".to_owned(),
            _ => format!("no HPA in it has labels that match {text:?}"),
        };
        bail!("{}: {what}", name_of(path));
    }
    for (key, deleted) in &ended_hpas {
        chosen.end(key, *deleted);
    }
    let hpas = chosen.chosen().map_err(in_file)?.collect();
    Ok(HpasOfFile {
        hpas,
        objects,
        converted,
    })
}

/// The HPA with a changed spec, using the data in the file.
fn with_change(
    change: &SpecChange,
    today: ExplainSubject,
    snapshot: &Snapshot,
    objects: Option<&Objects>,
) -> anyhow::Result<ExplainSubject> {
    let changed = changed::changed(change, snapshot)?;
    let assembled = objects.and_then(|objects| objects.with_spec(snapshot, &changed.spec));
    let snapshot = assembled.unwrap_or_else(|| {
        let (mut snapshot, missing) = snapshot.with_spec(changed.spec);
        let why = "the recording has nothing about it: the HPA did not ask for it then";
        snapshot.note_missing(&missing, why);
        snapshot
    });
    Ok(today.with_change(&snapshot, changed.edit)?)
}
