//! All inputs of the texts.

use std::cell::OnceCell;

use hpa_analysis::{
    Analysis, Assessment, Comparison, ComparisonOutcome, CrossCheck, TippingPoints, Today,
    UnreportedRescale, unreported_rescale,
};
use hpa_diagnosis::{
    duplicate_metric::{DuplicateMetric, duplicate_metrics},
    not_reconciled::not_reconciled,
};
use hpa_engine::model::{Context, Direction, Observation};
use hpa_words::clock::Clock;

use crate::{Decider, Facts, NoteView, Rule};

/// All inputs of the texts about one HPA.
#[derive(Clone, Debug)]
pub struct ExplainContext<'a> {
    /// The trace with its observation.
    pub facts: Facts<'a>,
    /// What was derived from them.
    pub analysis: &'a Analysis,
    /// The recomputation compared with what the controller wrote.
    pub cross_check: &'a CrossCheck,
    /// Objects around the HPA that the controller does not read.
    pub context: &'a Context,
    /// The reader's time zone and the instant that the page describes.
    pub clock: &'a Clock,
    /// The rule that decides.
    pub rule: Rule,
    /// The flags with which `kubectl hpa history` reads the page again, if it is about the past.
    pub past: Option<&'a [String]>,
    /// Of a page of a file: where that is.
    pub file: Option<&'a PageFile>,
    /// What stands around the decision, once somebody asked.
    pub(super) notes: OnceCell<Vec<NoteView>>,
}

/// The file that a page is from, for commands that are about the same page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// Its path.
    pub path: String,
    /// The value of `--at`; none: the page is about the last sync.
    pub at: Option<String>,
}

impl<'a> ExplainContext<'a> {
    /// The context for the page of an assessment.
    pub fn of(assessment: &'a Assessment, clock: &'a Clock) -> Self {
        let Assessment {
            observation,
            context,
            analysis,
            ..
        } = assessment;
        Self::new(observation, context, analysis, clock)
    }

    /// Builds the context from its parts.
    pub fn new(
        observation: &'a Observation,
        context: &'a Context,
        analysis: &'a Analysis,
        clock: &'a Clock,
    ) -> Self {
        let facts = Facts::new(observation, &analysis.trace);
        Self {
            rule: Rule::binding(&facts),
            facts,
            analysis,
            cross_check: &analysis.cross_check,
            context,
            clock,
            past: None,
            file: None,
            notes: OnceCell::new(),
        }
    }

    /// The values at which the metrics would ask for another number of replicas.
    pub fn tipping_points(&self) -> &'a TippingPoints {
        self.analysis.tipping_points(self.facts.observation)
    }

    /// The baseline of counterfactuals.
    pub fn today(&self) -> Today<'a> {
        Today {
            observation: self.facts.observation,
            context: self.context,
            analysis: self.analysis,
        }
    }

    /// Whether the controller has not synced the HPA for several sync periods: nothing that it decides happens.
    pub fn is_not_synced(&self) -> bool {
        let Facts {
            observation, trace, ..
        } = &self.facts;
        not_reconciled(observation, self.context, trace, self.clock.now).is_some()
    }

    /// Whether the status belongs to this spec, and not to the spec before a hypothetical change.
    pub(super) fn has_status_of_spec(&self) -> bool {
        self.cross_check.agreement != ComparisonOutcome::SpecChanged
    }

    /// The desired replicas that the controller wrote, if the recomputation came to another number.
    pub(super) fn written_instead(&self) -> Option<i32> {
        self.differing_replicas().map(|_| self.written())
    }

    /// The desired replicas that the controller wrote, where the recomputation certainly comes to others.
    pub fn contradiction(&self) -> Option<i32> {
        self.disagreement().map(|_| self.written())
    }

    /// The desired replicas as written and as recomputed, where only an edit since the last sync, which does not show,
    /// explains the difference.
    fn may_be_edited(&self) -> Option<&'a Comparison> {
        let mut hypotheses = self.cross_check.hypotheses.iter();
        let is_possible = self.is_edit_unknown() && !hypotheses.any(|one| one.fits);
        self.disagreement().filter(|_| is_possible)
    }

    /// Whether nothing shows if the HPA was edited since the last sync.
    pub(super) fn is_edit_unknown(&self) -> bool {
        let edit = self.context.hpa_edited_by.as_ref();
        let is_dated =
            edit.and_then(|edit| edit.time).is_some() && self.context.hpa_status_written.is_some();
        !is_dated && self.facts.observation.hpa.is_observed().is_none()
    }

    /// The desired replicas as written and as recomputed, where these certainly differ.
    pub(super) fn disagreement(&self) -> Option<&'a Comparison> {
        let differs = self.cross_check.agreement == ComparisonOutcome::Differs;
        self.differing_replicas().filter(|_| differs)
    }

    fn differing_replicas(&self) -> Option<&'a Comparison> {
        self.cross_check.differing_replicas()
    }

    /// The desired replicas as written and as recomputed, where inputs may have changed in between.
    pub(super) fn may_have_moved(&self) -> Option<&'a Comparison> {
        let agreement = self.cross_check.agreement;
        self.differing_replicas()
            .filter(|_| agreement == ComparisonOutcome::MayHaveMoved)
    }

    /// The desired replicas that the controller wrote, where the recomputation comes to others and it is not known that
    /// only inputs that have changed make the difference.
    pub fn kept_instead(&self) -> Option<i32> {
        let differs = self.disagreement().or_else(|| self.may_have_moved());
        differs.map(|_| self.written())
    }

    /// The fewest and the most replicas that may result: by the recommendation history, or by inputs or a spec that may
    /// have changed.
    pub fn range(&self) -> Option<(i32, i32)> {
        let range = self.analysis.range;
        let decided = self.analysis.trace.decision.replicas();
        let differs = self.may_have_moved().or_else(|| self.may_be_edited());
        let (Some(_), Some(decided)) = (differs, decided) else {
            return range;
        };
        let (low, high) = range.unwrap_or((decided, decided));
        Some((low.min(self.written()), high.max(self.written())))
    }

    /// Whether a limit of one step keeps the HPA from what the metrics ask for.
    pub(super) fn is_stepwise(&self) -> bool {
        matches!(
            self.rule.decider(),
            Decider::StepLimit | Decider::Policy(Direction::Up)
        )
    }

    /// A rescale of the controller that its status does not have.
    pub(super) fn unreported(&self) -> Option<UnreportedRescale> {
        unreported_rescale(self.facts.observation, self.context)
    }

    /// `Deployment/web`.
    pub(super) fn target(&self) -> String {
        self.facts.observation.hpa.spec.scale_target.to_string()
    }

    fn written(&self) -> i32 {
        self.facts.observation.hpa.status.desired_replicas
    }

    /// `Remove metric 2: it measures the same as metric 1.`; none: every metric may decide.
    pub(super) fn remove_duplicate(&self) -> Option<String> {
        let all = duplicate_metrics(&self.facts.observation.hpa.spec);
        let DuplicateMetric { index, counts } = all.first()?;
        let (one, other) = (index.saturating_add(1), counts.saturating_add(1));
        Some(format!(
            "Remove metric {one}: it measures the same as metric {other}."
        ))
    }

    /// What the other metrics ask for that may decide, at the start of a sentence: `Memory asks for 3, hits asks for 2`;
    /// `None` if there are no others.
    pub(super) fn others(&self) -> Option<String> {
        let winner = self.facts.choice?.winner?;
        let duplicates = duplicate_metrics(&self.facts.observation.hpa.spec);
        let is_duplicate = |index| duplicates.iter().any(|one| one.index == index);
        let others: Vec<String> = self
            .facts
            .metrics
            .iter()
            .filter(|metric| metric.evaluation.index != winner)
            .filter(|metric| !is_duplicate(metric.evaluation.index))
            .filter_map(|metric| {
                let replicas = metric.replicas()?;
                Some((metric, replicas))
            })
            .enumerate()
            .map(|(place, (metric, replicas))| {
                let name = if place == 0 {
                    metric.subject()
                } else {
                    metric.in_prose()
                };
                format!("{name} asks for {replicas}")
            })
            .collect();
        (!others.is_empty()).then(|| others.join(", "))
    }
}
