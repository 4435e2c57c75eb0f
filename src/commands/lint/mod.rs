//! `kubectl hpa lint`.

mod config_file;
mod files;
mod live;
mod output;
mod settings;
mod whole_file;

use std::io::Write as _;

use anyhow::bail;

use crate::{
    cli::{ColorChoice, LintArgs},
    exit_code::Status,
    lint::{self, Input, Report, Severity, config::FailOn},
    render::{self, Style, sanitize::lines},
};

/// Runs `kubectl hpa lint`.
pub(super) fn run(args: &LintArgs, color: ColorChoice) -> anyhow::Result<Status> {
    let config = config_file::find(args)?;
    let mut remarks = config
        .as_ref()
        .map_or_else(Vec::new, |config| config.remarks.clone());
    let (input, observed) = if args.files.paths.is_empty() {
        let (input, observed) = live::read(args)?;
        (input, Some(observed))
    } else {
        (from_files(args)?, None)
    };
    let settings = settings::settings(
        args,
        config.as_ref(),
        observed.as_ref(),
        &input,
        &mut remarks,
    );
    let report = lint::run(&input, &settings);
    if !args.report.quiet {
        remarks.extend(remarks_of(&report.remarks, &input));
        warn(&remarks);
    }
    if args.rules.report_unused_suppressions {
        warn(&remarks_of(&report.unused_suppressions, &input));
    }
    write(args, color, &report, &input)?;
    let fail_on = settings::fail_on(args, config.as_ref());
    Ok(status(args, fail_on, &report))
}

fn from_files(args: &LintArgs) -> anyhow::Result<Input> {
    let files = &args.files;
    if args.connection.namespace.is_some() && !files.compare {
        bail!("-n is for a cluster, and -f lints files; a manifest says its namespace itself");
    }
    let is_stdin = |path: &&std::path::PathBuf| path.as_os_str() == "-";
    if files
        .paths
        .iter()
        .chain(&files.with)
        .filter(is_stdin)
        .count()
        > 1
    {
        bail!("standard input (-) can be read only once");
    }
    let mut input = Input::default();
    files::read(
        &files.paths,
        files.recursive,
        files::Use::of(args),
        &mut input,
    )?;
    if input.sources.iter().next().is_none() {
        bail!(
            "there is no .yaml, .yml or .json file in the given directories; -R goes into theirs, too"
        );
    }
    files::read(
        &files.with,
        files.recursive,
        files::Use::Related,
        &mut input,
    )?;
    Ok(input)
}

fn write(
    args: &LintArgs,
    color: ColorChoice,
    report: &Report,
    input: &Input,
) -> anyhow::Result<()> {
    let style = match args.report.output_file {
        Some(_) => Style::plain(),
        None => super::terminal::style(color),
    };
    let view = render::lint::View {
        report,
        input,
        style,
        is_quiet: args.report.quiet,
        has_statistics: args.report.statistics,
    };
    let text = output::write(args.report.output, &view)?;
    if let Some(path) = &args.report.output_file {
        return whole_file::write(path, &text);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn status(args: &LintArgs, fail_on: FailOn, report: &Report) -> Status {
    let has_unused =
        args.rules.report_unused_suppressions && !report.unused_suppressions.is_empty();
    let unused = has_unused.then_some(Severity::Warning);
    match report.worst().max(unused) {
        Some(worst) if fail_on.includes(worst) => Status::Findings,
        _ => Status::Success,
    }
}

fn remarks_of(remarks: &[lint::Remark], input: &Input) -> Vec<String> {
    let place = |location: lint::Location| {
        let (line, column) = input.sources.line_and_column(location.file, location.start);
        let name = &input.sources.get(location.file).name;
        format!("{name}:{line}:{column}: ")
    };
    remarks
        .iter()
        .map(|remark| {
            let place = remark.location.map(place).unwrap_or_default();
            format!("{place}{}", remark.message)
        })
        .collect()
}

/// Says on standard error what is odd about the run. Nothing is left to do if that is closed.
fn warn(remarks: &[String]) {
    for remark in remarks {
        let _ = writeln!(anstream::stderr(), "warning: {}", lines(remark));
    }
}
