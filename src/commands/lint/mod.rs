//! `kubectl hpa lint`.

#[cfg(feature = "mcp")]
pub(crate) mod answer;
mod collected;
mod destinations;
mod fixes;
mod live;
mod output;
mod several;

use std::io::{BufWriter, Write};

use anyhow::bail;
use destinations::Destinations;
use hpa_engine::model::ControllerConfig;
use hpa_lint::{LintInput, Report, Severity, config::FailOn};
use hpa_render::Style;
use hpa_words::sanitize::{lines, one_line};

use super::{
    clusters::{Clusters, Reads},
    named_file,
};
use crate::{
    cli::{ColorChoice, LintArgs},
    exit_code::ExitStatus,
    linting::{baseline_file, config_file, files, lint_run::LintRun, recordings, settings},
    process::until_closed::UntilClosed,
};

#[cfg(feature = "mcp")]
pub(crate) use answer::answer;
pub(super) use collected::Collected;

/// Runs `kubectl hpa lint`.
pub(crate) fn run(args: &LintArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if args.lsp {
        return crate::lsp::run(args);
    }
    files::ensure_stdin(&args.files)?;
    let destinations = destinations::of(args)?;
    let mut remarks = Vec::new();
    let config = config_file::find(args, &mut remarks)?;
    let baseline = baseline_file::read(args, config.as_ref())?;
    remarks.extend(
        config
            .iter()
            .flat_map(|config| config.remarks.iter().cloned()),
    );
    if args.files.render {
        let outcome = crate::rendering::lint(args, config.as_ref(), baseline.as_ref(), remarks)?;
        return finish(args, &destinations, color, config.as_ref(), outcome);
    }
    let (mut input, linted, observed) = if args.files.paths.is_empty() {
        named_file::refuse(&args.selection.names, true)?;
        let clusters = Clusters::of(&args.contexts, &args.connection)?;
        match clusters.read(async |access| live::read(args, access).await)? {
            Reads::One((input, observed)) => (input, 0, Some(observed)),
            Reads::Several(reads) => {
                let config = config.as_ref();
                return match several::lint(args, config, baseline.as_ref(), remarks, reads) {
                    Some(outcome) => finish(args, &destinations, color, config, outcome),
                    None => Ok(ExitStatus::Failure),
                };
            }
        }
    } else {
        from_files(args)?
    };
    let settings = settings::settings(
        args,
        config.as_ref(),
        observed.as_ref(),
        &input,
        &mut remarks,
    );
    let mut to_stderr = false;
    if args.changes.fix || args.changes.diff {
        ensure_something(args, input.manifests.len() + input.scaled_objects.len())?;
        let fixes = fixes::fix(input, linted, &args.files, &settings);
        remarks.extend_from_slice(&fixes.remarks);
        if args.changes.diff {
            warn_unless_quiet(args, &remarks);
            let has_changes = fixes.has_changes();
            let diff = fixes.into_diff();
            print(|out| out.write_all(diff.as_bytes()))?;
            return Ok(if has_changes {
                ExitStatus::Findings
            } else {
                ExitStatus::Success
            });
        }
        fixes.write()?;
        to_stderr = fixes.has_stdin();
        if !args.report.quiet {
            say(&format!("{} fixed", fixes.fixed));
        }
        input = fixes.input;
    }
    let mut report = hpa_lint::run(&input, &settings);
    if let Some(baseline) = &baseline {
        remarks.extend(baseline_file::apply(
            baseline,
            &input,
            &settings,
            &mut report,
        ));
    }
    let outcome = LintRun {
        report,
        input,
        remarks,
        to_stderr,
        is_whole: true,
    };
    finish(args, &destinations, color, config.as_ref(), outcome)
}

fn finish(
    args: &LintArgs,
    destinations: &Destinations,
    color: ColorChoice,
    config: Option<&config_file::ConfigFile>,
    outcome: LintRun,
) -> anyhow::Result<ExitStatus> {
    let LintRun {
        mut report,
        input,
        mut remarks,
        to_stderr,
        is_whole,
    } = outcome;
    report.configuration = config.and_then(|config| settings::effect(args, config));
    remarks.extend(remarks_of(&report.remarks, &input));
    warn_unless_quiet(args, &remarks);
    if args.rules.report_unused_suppressions {
        warn(&remarks_of(&report.unused_suppressions, &input));
    }
    let found = report.hpas + report.scaled_objects;
    if let Some(path) = &args.changes.write_baseline {
        if !is_whole {
            bail!("no baseline is written: it would lack what could not be read");
        }
        ensure_something(args, found)?;
        say(&output::write_baseline(path, &report)?);
        return Ok(ExitStatus::Success);
    }
    write(args, destinations, color, &report, &input, to_stderr)?;
    if !args.report.quiet && !destinations.have_notes() {
        // Notes about whole objects that were not checked: without them that would look like a pass.
        for note in report.notes.iter().filter(|note| note.rules.is_empty()) {
            say(&format!("note[{}]: {}", note.code, note.message));
        }
        if let Some(configuration) = &report.configuration {
            say(&format!("note: {}", configuration.in_words()));
        }
    }
    ensure_something(args, found)?;
    let status = if is_whole {
        status(args, settings::fail_on(args, config), &report)
    } else {
        ExitStatus::Failure
    };
    Ok(status)
}

/// The content of the files, how many of them to lint, and version, flags and gates of the controller if a recording
/// or the compared cluster has them.
fn from_files(args: &LintArgs) -> anyhow::Result<(LintInput, usize, Option<ControllerConfig>)> {
    let files = &args.files;
    if args.connection.namespace.is_some() && !files.compare {
        bail!("-n cannot be combined with -f: the namespace is in the manifest");
    }
    let mut input = LintInput::default();
    let (recorded, paths): (Vec<_>, Vec<_>) = files
        .paths
        .iter()
        .cloned()
        .partition(|path| recordings::is_recording(path));
    files::read(&paths, files, files::Use::of(args), &mut input)?;
    let linted = input.sources.iter().count();
    let mut observed = None;
    for path in &recorded {
        observed = Some(recordings::read(
            path,
            &live::controller_args(args),
            &mut input,
        )?);
    }
    if (args.changes.fix || args.changes.diff) && !recorded.is_empty() {
        bail!("--fix and --diff need manifests: a recording cannot be changed");
    }
    if linted == 0 && recorded.is_empty() {
        bail!(
            "no .yaml, .yml or .json files in the given directories: add -R for their subdirectories"
        );
    }
    files::read(&files.with, files, files::Use::Related, &mut input)?;
    if files.compare {
        observed = Some(live::compare(args, &mut input)?);
    }
    if observed.is_none() {
        let live = input.hpas.iter().find_map(|hpa| hpa.live.as_deref());
        observed = live.map(|live| live.observation.controller.clone());
    }
    Ok((input, linted, observed))
}

/// Fails if there is nothing to lint and the flags forbid that.
fn ensure_something(args: &LintArgs, found: usize) -> anyhow::Result<()> {
    if args.report.fail_if_no_objects_found && found == 0 {
        bail!(
            "no HPA and no ScaledObject found (--fail-if-no-objects-found): check the paths and what renders the manifests"
        );
    }
    Ok(())
}

fn write(
    args: &LintArgs,
    destinations: &Destinations,
    color: ColorChoice,
    report: &Report,
    input: &LintInput,
    to_stderr: bool,
) -> anyhow::Result<()> {
    let view = |style| hpa_render::lint::LintView {
        report,
        input,
        style,
        is_quiet: args.report.quiet,
        has_statistics: args.report.statistics,
    };
    // Standard output is written even if a file cannot be.
    let mut written = Ok(());
    for (path, format) in &destinations.files {
        let write =
            |file: &mut dyn Write| output::write(*format, &view(Style::plain()), false, file);
        written = written.and(output::to_file(path, write));
    }
    let Some(format) = destinations.stdout else {
        return written;
    };
    let view = view(crate::process::terminal::style(color));
    let write = |out: &mut dyn Write| {
        output::write(format, &view, crate::process::workflow::is_workflow(), out)
    };
    if to_stderr {
        let mut out = BufWriter::new(anstream::stderr());
        write(&mut out)?;
        out.flush()?;
        return written;
    }
    print(write)?;
    written
}

fn print(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(UntilClosed::new(std::io::stdout().lock()));
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

fn status(args: &LintArgs, fail_on: FailOn, report: &Report) -> ExitStatus {
    let has_unused =
        args.rules.report_unused_suppressions && !report.unused_suppressions.is_empty();
    let unused = has_unused.then_some(Severity::Warning);
    match report.worst().max(unused) {
        Some(worst) if fail_on.includes(worst) => ExitStatus::Findings,
        _ => ExitStatus::Success,
    }
}

fn remarks_of(remarks: &[hpa_lint::Remark], input: &LintInput) -> Vec<String> {
    let place = |location: hpa_lint::Location| {
        let (line, column) = input.sources.line_and_column(location.file, location.start);
        let source = input.sources.get(location.file);
        let name = hpa_render::lint::display_name(&source.name, source.is_rendered);
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

fn warn_unless_quiet(args: &LintArgs, remarks: &[String]) {
    if !args.report.quiet {
        warn(remarks);
    }
}

fn warn(remarks: &[String]) {
    for remark in remarks {
        say(&format!("warning: {}", one_line(remark)));
    }
}

/// Prints a message about the run to standard error.
fn say(text: &str) {
    crate::process::workflow::say(&lines(text));
}
