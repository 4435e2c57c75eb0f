//! The HPAs to explain. Those of objects in a file are made one after another, because a file can have many thousands.

use std::{borrow::Cow, cell::RefCell, path::PathBuf, slice};

use anyhow::Context as _;
use hpa_engine::model::SnapshotField;
use hpa_objects::{
    manifest::Objects,
    recording::{Converted, Snapshot, name_of, wire::Hpa},
};
use hpa_playback::{ExplainSubject, PointInTime, SubjectOrigin, point};
use jiff::{Timestamp, tz::TimeZone};

use super::offline::{FileSelection, HpaOfFile};
use crate::cli::ControllerArgs;

/// The HPAs to explain.
pub(super) struct FoundSubjects {
    all: Vec<FoundSubject>,
    /// The objects of the file, if it has any.
    objects: Option<ObjectsOfFile>,
}

/// The objects of a file, of which HPAs are made.
pub(in crate::commands) struct ObjectsOfFile {
    /// The objects.
    pub(super) objects: Box<Objects>,
    /// What HPAs share.
    pub(super) converted: RefCell<Converted>,
    /// How they are read.
    pub(super) read: ObjectsRead,
}

impl ObjectsOfFile {
    /// The HPA at this index of the snapshots, and its object.
    pub(in crate::commands) fn hpa(&self, index: usize) -> anyhow::Result<(ExplainSubject, Hpa)> {
        let snapshot = self.objects.snapshot(index);
        let mut snapshot = snapshot.context("an HPA has no snapshot")?;
        let converted = &mut self.converted.borrow_mut();
        let mut subject = self.read.subject(&mut snapshot, converted)?;
        subject.origin = SubjectOrigin::of_file(&self.read.path, self.read.at);
        // A file may have HPAs of several clusters.
        ExplainSubject::infer_settings(slice::from_mut(&mut subject));
        Ok((subject, snapshot.hpa))
    }
}

/// An HPA to explain.
pub(super) enum FoundSubject {
    /// Its index in the snapshots of the objects.
    OfObjects(usize),
    /// As it is.
    Whole(Box<ExplainSubject>),
}

/// How the objects of a file are read.
pub(super) struct ObjectsRead {
    /// The file.
    pub(super) path: PathBuf,
    /// The time of the read, if requested.
    pub(super) at: Option<PointInTime>,
    /// The zone of that time.
    pub(super) zone: TimeZone,
    /// Settings of the controller.
    pub(super) controller: ControllerArgs,
}

impl FoundSubject {
    /// What is kept of an HPA.
    pub(super) fn of(hpa: HpaOfFile) -> Self {
        match hpa.index {
            Some(index) => Self::OfObjects(index),
            None => Self::Whole(Box::new(hpa.subject)),
        }
    }
}

impl FoundSubjects {
    /// What was kept of the HPAs of a file.
    pub(super) fn of(mut all: Vec<FoundSubject>, objects: Option<ObjectsOfFile>) -> Self {
        for one in &mut all {
            if let FoundSubject::Whole(subject) = one {
                // A file may have HPAs of several clusters.
                ExplainSubject::infer_settings(slice::from_mut(subject));
            }
        }
        Self { all, objects }
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Each of them, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = anyhow::Result<Cow<'_, ExplainSubject>>> {
        self.all.iter().map(|one| self.subject(one))
    }

    fn subject<'a>(&'a self, one: &'a FoundSubject) -> anyhow::Result<Cow<'a, ExplainSubject>> {
        let index = match one {
            FoundSubject::Whole(subject) => return Ok(Cow::Borrowed(subject)),
            FoundSubject::OfObjects(index) => *index,
        };
        let file = self.objects.as_ref().context("the file has no objects")?;
        let (subject, _) = file.hpa(index)?;
        Ok(Cow::Owned(subject))
    }
}

impl From<Vec<ExplainSubject>> for FoundSubjects {
    fn from(subjects: Vec<ExplainSubject>) -> Self {
        let whole = |subject| FoundSubject::Whole(Box::new(subject));
        Self {
            all: subjects.into_iter().map(whole).collect(),
            objects: None,
        }
    }
}

impl ObjectsRead {
    /// Of a file from which these are selected.
    pub(super) fn of(file: FileSelection<'_>, zone: &TimeZone) -> Self {
        Self {
            path: file.path.to_owned(),
            at: file.at,
            zone: zone.clone(),
            controller: file.controller.clone(),
        }
    }

    /// The HPA of a snapshot, with the requested time and settings.
    pub(super) fn subject(
        &self,
        snapshot: &mut Snapshot,
        converted: &mut Converted,
    ) -> anyhow::Result<ExplainSubject> {
        if let Some(at) = self.at {
            set_time(snapshot, at, &self.zone);
        }
        let mut read = || -> anyhow::Result<ExplainSubject> {
            self.controller.apply(snapshot)?;
            Ok(ExplainSubject::of_snapshot(snapshot, converted)?)
        };
        read().with_context(|| name_of(&self.path))
    }
}

/// Sets the time of objects to the user's, because objects do not contain the time of the read.
fn set_time(snapshot: &mut Snapshot, at: PointInTime, zone: &TimeZone) {
    let instant = point(Some(at), snapshot.time, zone);
    snapshot.time = instant.unwrap_or_else(Timestamp::now);
    snapshot
        .not_read
        .retain(|not_read| not_read.what != SnapshotField::Time);
}
