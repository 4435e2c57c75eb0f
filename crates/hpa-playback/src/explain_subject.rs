//! One HPA to explain, from any source.

use hpa_engine::model::SyncInput;
use std::path::Path;

use hpa_analysis::{Analysis, CrossCheck, apply_inferred, infer_settings};
use hpa_explain::{
    Afterwards, ChangedView, ExplainContext, FullAnswer, Page, PageFile, SpecEdit, Verdict,
};
use hpa_objects::recording::{Converted, InvalidField, Outcome, Snapshot};
use hpa_words::clock::Clock;
use jiff::{Timestamp, tz::TimeZone};

use crate::{Phase, PointInTime, Reconcile, compared};

/// One HPA to explain, from any source.
#[derive(Clone, Debug)]
pub struct ExplainSubject {
    /// The input of its assessment.
    pub input: SyncInput,
    /// What the controller did in this very sync, if recorded.
    pub outcome: Option<Outcome>,
    /// The unchanged HPA, if this one has a changed spec.
    pub changed_from: Option<Box<ChangedFrom>>,
    /// Its source.
    pub origin: SubjectOrigin,
    /// How it is known, if it was recomputed afterwards.
    pub afterwards: Option<Afterwards>,
}

/// The source of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectOrigin {
    /// A cluster, or standard input: it can be compared with what the controller did.
    Seen,
    /// A file: the same.
    File(PageFile),
    /// A simulation that starts then: there is nothing to compare with.
    Simulated(Timestamp),
    /// The past, whose reliability is assessed elsewhere. `history` reads it again with these flags.
    Past(Vec<String>),
}

impl SubjectOrigin {
    /// A file at `path`, of which the sync at `at` is meant.
    pub fn of_file(path: &Path, at: Option<PointInTime>) -> Self {
        // Standard input and pipes cannot be read again.
        if path == Path::new("-") || path.starts_with("/dev") {
            return Self::Seen;
        }
        Self::File(PageFile {
            path: path.display().to_string(),
            at: at.map(|at| at.to_string()),
        })
    }

    /// The file.
    pub fn file(&self) -> Option<&PageFile> {
        match self {
            Self::File(file) => Some(file),
            _ => None,
        }
    }
}

/// The HPA as it is, and what is different in the spec that a subject is about.
#[derive(Clone, Debug)]
pub struct ChangedFrom {
    /// The unchanged HPA.
    today: ExplainSubject,
    /// The edit.
    edit: SpecEdit,
}

impl ExplainSubject {
    /// A single snapshot: the recommendation history is not known. `converted` caches data shared with other
    /// snapshots.
    pub fn of_snapshot(
        snapshot: &Snapshot,
        converted: &mut Converted,
    ) -> Result<Self, InvalidField> {
        Ok(Self {
            input: snapshot.sync_input(converted)?,
            outcome: snapshot.outcome.clone(),
            changed_from: None,
            origin: SubjectOrigin::Seen,
            afterwards: None,
        })
    }

    /// A sync of a recording, with the controller's history before it.
    pub fn of_reconcile(reconcile: Reconcile) -> Self {
        Self {
            input: SyncInput {
                observation: reconcile.observation,
                context: reconcile.context,
                memory: match reconcile.phase {
                    // For an inferred history, the page says itself how certain it is.
                    Phase::JoinedLate => None,
                    _ => reconcile.memories.into_iter().next(),
                },
                now: reconcile.time,
            },
            outcome: reconcile.recorded,
            changed_from: None,
            origin: SubjectOrigin::Seen,
            afterwards: None,
        }
    }

    /// The same HPA at the same time with another spec, and with the additional reads in `snapshot`. The controller's
    /// history stays: an edit does not clear it.
    pub fn with_change(self, snapshot: &Snapshot, edit: SpecEdit) -> Result<Self, InvalidField> {
        Ok(Self {
            input: SyncInput {
                memory: self.input.memory.clone(),
                now: self.input.now,
                ..snapshot.sync_input(&mut Converted::default())?
            },
            outcome: None,
            origin: self.origin.clone(),
            // That is about the sync as it was.
            afterwards: None,
            changed_from: Some(Box::new(ChangedFrom { today: self, edit })),
        })
    }

    /// Infers settings of the controller from what it did to all of these HPAs, which belong to one cluster.
    pub fn infer_settings(subjects: &mut [Self]) {
        let seen = subjects.iter().map(|one| {
            let one = one.changed_from.as_ref().map_or(one, |from| &from.today);
            (&one.input.observation, &one.input.context)
        });
        let settings = infer_settings(seen);
        for one in subjects {
            let today = one.changed_from.as_mut().map(|from| &mut from.today.input);
            for input in [&mut one.input].into_iter().chain(today) {
                apply_inferred(&mut input.observation, &mut input.context, &settings);
            }
        }
    }

    /// Recomputes, and passes the page and its context to `report`.
    pub fn report<T>(
        &self,
        zone: &TimeZone,
        report: impl FnOnce(&Page, &ExplainContext<'_>) -> T,
    ) -> T {
        let analysis = self.analysis();
        let clock = self.clock(zone);
        let cx = self.cx(&analysis, &clock);
        let mut page = Page::new(&cx);
        if let Some(from) = &self.changed_from {
            let today = from.today.page(zone);
            page.changed = Some(ChangedView::new(&today, &page, &cx, from.edit.clone()));
        }
        if let Some(afterwards) = &self.afterwards {
            page = page.with_afterwards(afterwards.clone());
        }
        report(&page, &cx)
    }

    /// The verdict and its sentences, without building the whole page.
    pub fn verdict(&self, zone: &TimeZone) -> (Verdict, FullAnswer) {
        let analysis = self.analysis();
        let clock = self.clock(zone);
        let cx = self.cx(&analysis, &clock);
        (Verdict::of(&cx), FullAnswer::of(&cx))
    }

    fn page(&self, zone: &TimeZone) -> Page {
        let analysis = self.analysis();
        let clock = self.clock(zone);
        Page::new(&self.cx(&analysis, &clock))
    }

    fn cx<'a>(&'a self, analysis: &'a Analysis, clock: &'a Clock) -> ExplainContext<'a> {
        let input = &self.input;
        let past = match &self.origin {
            SubjectOrigin::Past(flags) => Some(flags.as_slice()),
            _ => None,
        };
        let mut cx = ExplainContext::new(&input.observation, &input.context, analysis, clock);
        cx.past = past;
        cx.file = self.origin.file();
        cx
    }

    fn clock(&self, zone: &TimeZone) -> Clock {
        let now = self.input.now;
        match self.origin {
            SubjectOrigin::Simulated(start) => Clock::since(start, now),
            _ => Clock::new(zone.clone(), now),
        }
    }

    fn analysis(&self) -> Analysis {
        let input = &self.input;
        let mut analysis = match &self.changed_from {
            Some(from) => Analysis::of_changed_spec(input, &from.today.input.observation),
            None => Analysis::new(input),
        };
        if let SubjectOrigin::Past(_) | SubjectOrigin::Simulated(_) = self.origin {
            analysis.cross_check = CrossCheck::not_needed();
        }
        if let (Some(recorded), Some(predicted)) = (&self.outcome, &analysis.trace.outcome) {
            analysis.cross_check = compared(&predicted.into(), recorded);
        }
        analysis
    }
}
