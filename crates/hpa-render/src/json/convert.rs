//! Converts a page and its context to JSON.

use hpa_analysis::{CheckBasis, ComparisonOutcome};
use hpa_engine::model::Direction;
use hpa_explain::{
    ExplainContext, FullAnswer, Page, StepValue, StepView, Weight, confirming_command, hypothesis,
    learn::topic_of_step, threshold_milli,
};

use super::{
    BlockedDirection, Range, Verdict,
    explanation::{
        Afterwards, Compared, CrossCheck, Explanation, Hypothesis, Input, Line, Next, NotRead,
        Note, ObjectName, ProvenanceItem, SCHEMA_VERSION, ScaleTarget, Step, Threshold,
        UpstreamFunction,
    },
    what_if::what_ifs,
};

impl Explanation {
    /// Converts a page and the context that it was built from.
    pub fn new(page: &Page, cx: &ExplainContext<'_>) -> Self {
        let hpa = &cx.facts.observation.hpa;
        Self {
            schema_version: SCHEMA_VERSION,
            hpa: ObjectName {
                namespace: hpa.namespace.clone(),
                name: hpa.name.clone(),
            },
            scale_target: ScaleTarget {
                kind: hpa.spec.scale_target.kind.clone(),
                name: hpa.spec.scale_target.name.clone(),
                min_replicas: hpa.spec.min_replicas(),
                max_replicas: hpa.spec.max_replicas,
            },
            at: cx.clock.now,
            verdict: Verdict::new(&page.verdict, &page.answer),
            predicted: cx.analysis.trace.outcome.as_ref().map(Into::into),
            steps: page.steps.iter().map(Into::into).collect(),
            pods: page.pods.iter().map(Into::into).collect(),
            inputs: page.inputs.iter().map(Into::into).collect(),
            next: next(page, cx),
            what_if: what_ifs(page, cx),
            around: page.around.iter().map(Into::into).collect(),
            reaction: page.reaction.iter().map(Into::into).collect(),
            cross_check: cross_check(cx),
            not_read: cx
                .context
                .not_read
                .iter()
                .map(|one| NotRead {
                    what: one.what.to_string(),
                    why: one.why.clone(),
                    remedy: one.remedy.clone(),
                })
                .collect(),
            changed: page.changed.as_ref().map(Into::into),
            history: page.afterwards.as_ref().map(Into::into),
        }
    }
}

impl Verdict {
    /// The verdict, with its sentences in one paragraph.
    pub(crate) fn new(verdict: &hpa_explain::Verdict, answer: &FullAnswer) -> Self {
        Self {
            action: verdict.action,
            from: verdict.from,
            to: verdict.to,
            range: verdict.range.map(|(min, max)| Range { min, max }),
            rule: verdict.rule.as_str().to_owned(),
            headline: verdict.headline.clone(),
            due: verdict.due.clone(),
            due_by: verdict.due_by,
            blocked: verdict.blocked.iter().map(|one| (*one).into()).collect(),
            sentence: answer.text(),
            command: answer.command.clone(),
        }
    }
}

impl From<Direction> for BlockedDirection {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Self::Up,
            Direction::Down => Self::Down,
        }
    }
}

impl From<&StepView> for Step {
    fn from(step: &StepView) -> Self {
        Self {
            kind: step.kind.as_str().to_owned(),
            metric: step.metric,
            title: step.title.clone(),
            outcome: step.outcome.clone(),
            how: step.how.clone(),
            formula: step.formula.map(str::to_owned),
            notes: step.notes.clone(),
            values: step
                .values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), json(value)))
                .collect(),
            upstream: step.upstream.map(|upstream| UpstreamFunction {
                file: upstream.file.to_owned(),
                function: upstream.function.to_owned(),
            }),
            learn: topic_of_step(step).map(|topic| topic.id.to_owned()),
            deciding: step.is_deciding,
            failed: step.weight == Weight::Error,
        }
    }
}

/// A float that JSON cannot hold, such as infinity, becomes null.
fn json(value: &StepValue) -> serde_json::Value {
    match value {
        StepValue::Bool(value) => (*value).into(),
        StepValue::Float(value) => (*value).into(),
        StepValue::Integer(value) => (*value).into(),
        StepValue::List(values) => values.iter().map(json).collect(),
        StepValue::Null => serde_json::Value::Null,
        StepValue::Text(value) => value.as_str().into(),
    }
}

impl From<&hpa_explain::Afterwards> for Afterwards {
    fn from(afterwards: &hpa_explain::Afterwards) -> Self {
        Self {
            certainty: afterwards.certainty.clone(),
            text: afterwards.text.clone(),
            range: afterwards.range.map(|(min, max)| Range { min, max }),
            decided: afterwards.decided,
            doubts: afterwards.doubts.clone(),
            provenance: afterwards
                .sources
                .as_ref()
                .map(|sources| sources.iter().map(Into::into).collect()),
        }
    }
}

impl From<&hpa_explain::SourceReport> for ProvenanceItem {
    fn from(source: &hpa_explain::SourceReport) -> Self {
        Self {
            input: source.key.to_owned(),
            provenance: source.known.as_str().to_owned(),
            words: source.words.clone(),
        }
    }
}

impl From<&hpa_explain::NoteView> for Note {
    fn from(note: &hpa_explain::NoteView) -> Self {
        Self {
            topic: note.topic.as_str().to_owned(),
            title: note.title.to_owned(),
            text: note.text.clone(),
            weight: note.weight.as_str().to_owned(),
        }
    }
}

impl From<&hpa_explain::InputView> for Input {
    fn from(input: &hpa_explain::InputView) -> Self {
        Self {
            name: input.name.clone(),
            value: input.value.clone(),
            source: input.provenance.as_str().to_owned(),
            evidence: input.evidence.clone(),
            remedy: input.remedy.clone(),
            matters: input.matters,
        }
    }
}

fn next(page: &Page, cx: &ExplainContext<'_>) -> Next {
    let side = |side: fn(&hpa_analysis::Thresholds) -> Option<&hpa_analysis::Threshold>| {
        let of = |thresholds: &hpa_analysis::Thresholds| {
            let threshold = side(thresholds)?;
            let (name, value) = hpa_explain::threshold_text(cx, thresholds.index, threshold)?;
            Some(Threshold {
                metric: thresholds.index,
                name,
                total_milli: threshold_milli(threshold),
                value,
                replicas: threshold.replicas,
            })
        };
        cx.tipping_points()
            .thresholds
            .iter()
            .filter_map(of)
            .collect()
    };
    Next {
        up: side(|thresholds| thresholds.up.as_ref()),
        down: side(|thresholds| thresholds.down.as_ref()),
        changes: cx.analysis.timeline.clone(),
        earliest: cx.analysis.first_change.and_then(|first| first.earliest),
        latest: cx.analysis.first_change.map(|first| first.latest),
        sentences: page
            .next
            .iter()
            .map(|line| Line {
                title: line.title.to_owned(),
                text: line.text.clone(),
            })
            .collect(),
    }
}

fn cross_check(cx: &ExplainContext<'_>) -> CrossCheck {
    let check = cx.cross_check;
    CrossCheck {
        basis: match check.basis {
            CheckBasis::Outcome => "outcome",
            CheckBasis::Status => "status",
        }
        .to_owned(),
        agreement: check.agreement.as_str().to_owned(),
        agrees: match check.agreement {
            ComparisonOutcome::Agrees | ComparisonOutcome::Moved => Some(true),
            ComparisonOutcome::Differs => Some(false),
            ComparisonOutcome::MayHaveMoved
            | ComparisonOutcome::NothingWritten
            | ComparisonOutcome::NotRecomputed
            | ComparisonOutcome::Torn
            | ComparisonOutcome::SpecChanged
            | ComparisonOutcome::SpecEdited => None,
        },
        compared: check
            .compared
            .iter()
            .map(|one| Compared {
                field: one.what.path(),
                written: one.written.clone(),
                recomputed: one.recomputed.clone(),
                agrees: one.agrees(),
            })
            .collect(),
        hypotheses: check
            .hypotheses
            .iter()
            .map(|one| Hypothesis {
                text: hypothesis(cx, one),
                fits: one.fits,
                confirm: confirming_command(cx, &one.cause),
            })
            .collect(),
    }
}
