//! The past for a program that passes it to a model.

use anyhow::{Error, bail};
use hpa_history::{Depth, report};
use hpa_prometheus::Settings;
use hpa_render::history as render;
use jiff::Timestamp;

use super::{
    check_what_if, is_many, many, page,
    played::Played,
    read,
    span::{Span, flags_around},
    what_if, zone,
};
use crate::{
    cli::HistoryArgs,
    commands::{answer::Answer, clusters::ClusterAccess, explain::answer_of},
    process::runtime::finish,
};

/// Reads the past and answers: what was wrong, or the verdict of the sync of `--at` and how certain it is.
pub(crate) fn answer(args: &HistoryArgs) -> anyhow::Result<Answer> {
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
    let flags = flags_around(args, at, span, now)?;
    let played = Played::of(&read, at, (None, None), &zone)?;
    if let Some(at) = at {
        let found = played.past.found(&read.past.server, at, &zone);
        let subject = page::subject(found.map_err(Error::msg)?, flags);
        let mut answer = answer_of(vec![subject.clone()], true, &zone)?;
        let afterwards = subject.afterwards.iter();
        answer
            .sentences
            .extend(afterwards.map(|one| one.text.clone()));
        return Ok(answer);
    }
    let what_if = what_if::what_if(args, &read, &played)?;
    let range = (span.from, span.to, depth);
    let report = report(&read.past, played.past, what_if, range, &zone);
    let output = render::json(&report);
    Answer::new(vec![format!("{}: {}", report.hpa, output.answer)], &output)
}
