//! Explanations for a program that passes them to a model.

use hpa_playback::ExplainSubject;
use jiff::tz::TimeZone;

use super::{is_one, live, output::Document};
use crate::{cli::ExplainArgs, commands::answer::Answer};

/// Reads the HPAs of a cluster and answers with their verdicts.
pub(crate) fn answer(args: &ExplainArgs) -> anyhow::Result<Answer> {
    let subjects = live::subjects(args)?;
    let is_one = is_one(args, subjects.len());
    answer_of(subjects, is_one, &TimeZone::system())
}

/// Answers for HPAs that were already read.
pub(crate) fn answer_of(
    subjects: Vec<ExplainSubject>,
    is_one: bool,
    zone: &TimeZone,
) -> anyhow::Result<Answer> {
    let verdict = |subject: &ExplainSubject| {
        let hpa = subject.input.observation.hpa.key().to_string();
        let (verdict, answer) = subject.verdict(zone);
        Answer::verdict(&hpa, &verdict, &answer)
    };
    let sentences = subjects.iter().map(verdict).collect();
    let subjects = &subjects.into();
    Answer::new(
        sentences,
        &Document {
            subjects,
            is_one,
            zone,
        },
    )
}
