//! Findings for a program that passes them to a model.

use std::cmp::Reverse;

use anyhow::bail;
use hpa_lint::{File, LintInput, Severity};
use hpa_render::{
    Style,
    lint::{LintView, json},
};
use hpa_words::amount::count;

use super::{live, remarks_of, settings};
use crate::{
    cli::LintArgs,
    commands::{answer::Answer, clusters::ClusterAccess},
    process::{
        call::{CANCELLED, Call},
        runtime::finish,
    },
};

/// Lints the text of manifests, else HPAs of a cluster, and answers: the counts, problems of the run, and the findings,
/// errors first. It reads no configuration file and no baseline.
pub(crate) fn answer(args: &LintArgs, text: Option<String>) -> anyhow::Result<Answer> {
    let (input, observed) = if let Some(text) = text {
        (of_text(text)?, None)
    } else {
        let access = ClusterAccess::alone(&args.connection);
        let (input, observed) = finish(live::read(args, &access))?;
        (input, Some(observed))
    };
    let mut remarks = Vec::new();
    let mut settings = settings::settings(args, None, observed.as_ref(), &input, &mut remarks);
    let call = Call::served().unwrap_or_default();
    settings.is_stopped = call.flag();
    call.note("checking the rules");
    let mut report = hpa_lint::run(&input, &settings);
    if call.is_cancelled() {
        bail!(CANCELLED);
    }
    // Stable, so that places stay in order.
    report
        .findings
        .sort_by_key(|one| Reverse(one.finding.severity));
    remarks.extend(remarks_of(&report.remarks, &input));
    let view = LintView {
        report: &report,
        input: &input,
        style: Style::plain(),
        is_quiet: false,
        has_statistics: false,
    };
    let of = |severity| report.count(severity);
    let mut sentences = vec![format!(
        "{}, {}: {}, {}, {} of severity info.",
        count(report.hpas, "HPA"),
        count(report.scaled_objects, "ScaledObject"),
        count(of(Severity::Error), "error"),
        count(of(Severity::Warning), "warning"),
        of(Severity::Info)
    )];
    // Whole objects that were not checked: without them that would look like a pass.
    let notes = report.notes.iter().filter(|note| note.rules.is_empty());
    sentences.extend(notes.map(|note| format!("note[{}]: {}", note.code, note.message)));
    sentences.extend(
        remarks
            .into_iter()
            .map(|remark| format!("warning: {remark}")),
    );
    Answer::new(sentences, &json(&view))
}

fn of_text(text: String) -> anyhow::Result<LintInput> {
    let mut input = LintInput::default();
    input.add_files([anyhow::Ok(File {
        name: "<text>".to_owned(),
        bytes: text.into_bytes(),
        is_found: false,
        is_linted: true,
        is_rendered: false,
    })])?;
    Ok(input)
}
