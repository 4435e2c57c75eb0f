//! `kubectl hpa lint`.

mod files;
mod live;
mod output;

use std::io::Write as _;

use crate::{
    cli::{ColorChoice, LintArgs},
    exit_code::Status,
    lint::{self, Input, Settings, Severity},
    manifest::ASSUMED_VERSION,
    model, render,
};

/// Runs `kubectl hpa lint`.
pub(super) fn run(args: &LintArgs, color: ColorChoice) -> anyhow::Result<Status> {
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
    let view = render::lint::View {
        report: &report,
        input: &input,
        style: super::terminal::style(color),
        is_quiet: false,
        has_statistics: false,
    };
    let text = output::write(args.output, &view)?;
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(match report.worst() {
        Some(Severity::Error | Severity::Warning) => Status::Findings,
        _ => Status::Success,
    })
}
