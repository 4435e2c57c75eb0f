//! The part of an HPA's past that alarms need, bounded.

use hpa_diagnosis::not_reconciled::due_field;
use hpa_engine::model::HpaStatus;
use jiff::Timestamp;

use crate::{Agreement, FieldDifference, SeenHpa};

/// The part of an HPA's past that alarms need.
#[derive(Clone, Debug, Default)]
pub(super) struct HpaLog {
    disagreement: Option<Disagreement>,
    status_changed_at: Option<Timestamp>,
    overdue_since: Option<Timestamp>,
    disabled_at: Option<Timestamp>,
}

/// The controller did something else than was recomputed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Disagreement {
    /// Time of the first of the successive syncs that differ.
    pub(super) since: Timestamp,
    /// The latest differences.
    pub(super) fields: Vec<FieldDifference>,
}

impl HpaLog {
    /// The current disagreement.
    pub(super) fn disagreement(&self) -> Option<&Disagreement> {
        self.disagreement.as_ref()
    }

    /// When the status was last observed to change.
    pub(super) fn status_changed_at(&self) -> Option<Timestamp> {
        self.status_changed_at
    }

    /// Since when another status is due; `None`: none is, as far as known.
    pub(super) fn overdue_since(&self) -> Option<Timestamp> {
        self.overdue_since
    }

    /// When the HPA was last observed at zero replicas. The controller does not update its conditions then.
    pub(super) fn disabled_at(&self) -> Option<Timestamp> {
        self.disabled_at
    }

    /// Resets the due status: another one may have been written and overwritten unobserved.
    pub(super) fn forget_overdue(&mut self) {
        self.overdue_since = None;
    }

    /// Records the comparison of the sync at `at`.
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

    /// Records a read; `before` is the previously observed status.
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
        let assessment = &seen.assessment;
        if due_field(&assessment.observation, &assessment.analysis.trace).is_none() {
            self.overdue_since = None;
        } else {
            self.overdue_since.get_or_insert(at);
        }
    }
}
