//! The past for a program that passes it to a model.

use anyhow::bail;
use hpa_history::Depth;
use hpa_prometheus::Settings;
use hpa_render::history as render;
use jiff::Timestamp;

use super::{
    check_what_if, is_many, many, page,
    past::{self, PlayRequest},
    read, report,
    span::{Span, flags_around},
    what_if, zone,
};
use crate::{
    cli::HistoryArgs,
    commands::{answer::Answer, clusters::ClusterAccess, explain::answer_of, runtime::finish},
};

/// Reads the past and answers: what was wrong, or the verdict of the sync of `--at` and how certain it is.
pub(in crate::commands) fn answer(args: &HistoryArgs) -> anyhow::Result<Answer> {
    let zone = zone(args)?;
    let now = Timestamp::now();
    let (span, at) = Span::of(args, now, &zone)?;
    if is_many(args) {
        if at.is_some() || !args.assignments.is_empty() || !args.variants.is_empty() {
            bail!("at, set and compare are about one HPA: set name");
        }
        let settings = Settings::of(&args.prometheus)?;
        let access = ClusterAccess::alone(&args.connection);
        let report = finish(many::read(args, &settings, span, &zone, &access))?;
        let output = render::overview_json(&report);
        return Answer::new(vec![output.answer.clone()], &output);
    }
    check_what_if(args)?;
    let depth = args.depth.map_or(Depth::default(), Depth::from);
    let read = read::one(args, depth, span)?;
    let request = PlayRequest {
        at,
        flags: flags_around(args, at, span, now)?,
        writer: None,
        stop: None,
    };
    let past = past::play(&read, request, &zone)?;
    if let Some(at) = at {
        let subject = page::found(&past, &read, at, &zone)?;
        let mut answer = answer_of(vec![subject.clone()], true, &zone)?;
        let afterwards = subject.afterwards.iter();
        answer
            .sentences
            .extend(afterwards.map(|one| one.text.clone()));
        return Ok(answer);
    }
    let what_if = what_if::what_if(args, &read, &past)?;
    let report = report::report(&read, past, what_if, (span, depth), &zone);
    let output = render::json(&report);
    Answer::new(vec![format!("{}: {}", report.hpa, output.answer)], &output)
}
