//! What alarms ask of the past of an HPA, bounded.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::{
    model::HpaStatus,
    watch::{Agreement, FieldDifference, SeenHpa, alarm::overdue_field},
};

/// What alarms ask of the past of an HPA.
#[derive(Clone, Debug, Default)]
pub(super) struct HpaLog {
    rescalings: VecDeque<Rescaling>,
    foreign_writes: VecDeque<LoggedWrite>,
    disagreement: Option<Disagreement>,
    status_changed_at: Option<Timestamp>,
    overdue_since: Option<Timestamp>,
    disabled_at: Option<Timestamp>,
}

/// A change of the replicas by the HPA.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rescaling {
    /// When.
    pub(super) at: Timestamp,
    /// Replicas before.
    pub(super) from: i32,
    /// Replicas afterwards.
    pub(super) to: i32,
    /// The metric that led there, if there was one.
    pub(super) why: Option<String>,
}

/// A change of the replicas by somebody else.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LoggedWrite {
    /// When.
    pub(super) at: Timestamp,
    /// Replicas before.
    pub(super) from: i32,
    /// Replicas afterwards.
    pub(super) to: i32,
    /// Who, if that is known.
    pub(super) by: Option<String>,
}

/// The controller did something else than was recomputed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Disagreement {
    /// Time of the first reconcile in a row that differs.
    pub(super) since: Timestamp,
    /// What differed last.
    pub(super) fields: Vec<FieldDifference>,
}

impl HpaLog {
    /// The HPA's rescalings, oldest first.
    pub(super) fn rescalings(&self) -> impl Iterator<Item = &Rescaling> {
        self.rescalings.iter()
    }

    /// What others changed, oldest first.
    pub(super) fn foreign_writes(&self) -> impl Iterator<Item = &LoggedWrite> {
        self.foreign_writes.iter()
    }

    /// The disagreement that lasts.
    pub(super) fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    /// When the status was seen to change last.
    pub(super) fn status_changed_at(&self) -> Option<Timestamp> {
        self.status_changed_at
    }

    /// Since when another status should have been written; none: nothing is to be written, as far as that is known.
    pub(super) fn overdue_since(&self) -> Option<Timestamp> {
        self.overdue_since
    }

    /// When the HPA was last seen at zero replicas. The controller leaves its conditions then as they are.
    pub(super) fn disabled_at(&self) -> Option<Timestamp> {
        self.disabled_at
    }

    /// Another status may have been written and overwritten, unseen.
    pub(super) fn forget_overdue(&mut self) {
        self.overdue_since = None;
    }

    pub(super) fn rescaled(&mut self, rescaling: Rescaling) {
        push(&mut self.rescalings, rescaling);
    }

    pub(super) fn written(&mut self, write: LoggedWrite) {
        push(&mut self.foreign_writes, write);
    }

    /// Takes what became known of the reconcile at `at`.
    pub(super) fn compared(&mut self, at: Timestamp, agreement: &Agreement) {
        match agreement {
            Agreement::Agrees | Agreement::AgreesOtherwise => self.disagreement = None,
            Agreement::Differs(fields) => {
                let since = self.disagreement.as_ref().map_or(at, |known| known.since);
                self.disagreement = Some(Disagreement {
                    since,
                    fields: fields.clone(),
                });
            }
            Agreement::Open | Agreement::Unclear(_) => {}
        }
    }

    /// Takes a look into account; `before` is the status that was seen before it.
    pub(super) fn note_preview(
        &mut self,
        seen: &SeenHpa,
        at: Timestamp,
        before: Option<&HpaStatus>,
    ) {
        let is_changed =
            before.is_some_and(|before| *before != seen.assessment.observation.hpa.status);
        if is_changed {
            self.status_changed_at = Some(at);
            self.overdue_since = None;
        }
        let conditions = &seen.assessment.observation.hpa.status.conditions;
        if conditions.iter().any(|one| one.reason == "ScalingDisabled") {
            self.disabled_at = Some(at);
        }
        if overdue_field(seen).is_none() {
            self.overdue_since = None;
        } else {
            self.overdue_since.get_or_insert(at);
        }
    }
}

fn push<T>(list: &mut VecDeque<T>, one: T) {
    if list.len() == MOST {
        list.pop_front();
    }
    list.push_back(one);
}

/// More are of no use: at a sync period of fifteen seconds that is a quarter of an hour of changes in every sync.
const MOST: usize = 64;
