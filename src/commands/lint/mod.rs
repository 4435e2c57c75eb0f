//! `kubectl hpa lint`.

mod files;
mod live;

use std::io::Write as _;

use crate::{
    cli::{ColorChoice, LintArgs},
    exit_code::Status,
    lint::{self, Input, Settings, Severity},
    manifest::ASSUMED_VERSION,
    model, render,
};

/// Runs `kubectl hpa lint`.
pub(super) fn run(args: &LintArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    let (mut input, observed) = if args.files.is_empty() {
        let (input, config) = live::read(args)?;
        (input, Some(config))
    } else {
        (Input::default(), None)
    };
    files::read(&args.files, args.recursive, true, &mut input)?;
    files::read(&args.with, args.recursive, false, &mut input)?;
    let version = args
        .controller
        .kube_version
        .map_or(model::Input::assumed(ASSUMED_VERSION), model::Input::given);
    let mut settings = Settings::new(version);
    if let Some(observed) = observed {
        settings.configs = vec![observed];
    }
    settings.is_complete = args.complete;
    settings.is_strict = args.strict;
    let report = lint::run(&input, &settings);
    let text = render::lint::text(&report, &input);
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(match report.worst() {
        Some(Severity::Error | Severity::Warning) => Status::Findings,
        _ => Status::Success,
    })
}
