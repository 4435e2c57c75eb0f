//! `--render`: charts and kustomizations of the given files, rendered by programs in the `PATH`.
//!
//! Each rendering is linted separately, like one `apply`: two overlays of one base are not two HPAs with one name. The
//! other files are linted together, and may refer to what was rendered.

mod chart;
mod kustomization;
mod merged;
mod program;
mod projects;

use std::{collections::BTreeSet, path::PathBuf};

use anyhow::bail;
use hpa_cluster::ClusterError;
use hpa_lint::{Baseline, File, LintInput, Report, is_kustomization};
use hpa_words::sanitize::{file_name, one_line};
use projects::{Project, Projects};

use crate::{
    cli::{LintArgs, LintFileArgs},
    linting::{
        baseline_file,
        config_file::ConfigFile,
        files,
        lint_run::LintRun,
        recordings, settings,
        walk::{self, WalkOptions},
    },
    process::workflow::say,
};

/// Renders, lints every rendering and the other files, and merges the reports.
pub(crate) fn lint(
    args: &LintArgs,
    config: Option<&ConfigFile>,
    baseline: Option<&(PathBuf, Baseline)>,
    mut remarks: Vec<String>,
) -> anyhow::Result<LintRun> {
    let files = &args.files;
    if args.connection.namespace.is_some() {
        bail!("-n cannot be combined with -f: the namespace is in the manifest");
    }
    if let Some(path) = files
        .paths
        .iter()
        .find(|path| recordings::is_recording(path))
    {
        bail!(
            "--render is for manifests, and {} is a recording",
            file_name(path)
        );
    }
    let given = walk::whole(&files.paths);
    let projects = Projects::of(&given, files.recursive)?;
    if projects.roots.is_empty() {
        remarks.push(
            "--render: the given paths have no Chart.yaml and no kustomization.yaml (-R looks into their folders)"
                .to_owned(),
        );
    }
    let mut groups = Vec::new();
    let mut errors = Vec::new();
    for project in &projects.roots {
        let rendered = match project {
            Project::Chart(folder) => chart::render(folder, &files.values),
            Project::Kustomization(folder) => kustomization::render(folder),
        };
        match rendered {
            Ok(group) => groups.push(group),
            Err(error) if is_interrupted(&error) => return Err(error),
            Err(error) => errors.push(error),
        }
    }
    let others = others(&given, files, &projects)?;
    if groups.is_empty()
        && others.is_empty()
        && let Some(last) = errors.pop()
    {
        report(&errors);
        return Err(last);
    }
    report(&errors);
    let with = with(files)?;
    let rendered: Vec<File> = groups.iter().flatten().map(related).collect();
    let mut inputs: Vec<(Vec<File>, Vec<File>)> = Vec::new();
    for group in groups {
        let beside = others.iter().map(related).chain(with.iter().cloned());
        inputs.push((group, beside.collect()));
    }
    if !others.is_empty() {
        inputs.push((others, rendered.into_iter().chain(with).collect()));
    }
    let mut whole = Whole::default();
    for (linted, beside) in inputs {
        whole.run(args, config, linted, beside, &mut remarks)?;
    }
    Ok(LintRun {
        is_whole: errors.is_empty(),
        ..whole.finish(args, config, baseline, remarks)
    })
}

/// Says which folders could not be rendered. The others are linted nevertheless.
fn report(errors: &[anyhow::Error]) {
    for error in errors {
        say(&format!("error: {}", one_line(&format!("{error:#}"))));
    }
}

fn is_interrupted(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClusterError::Interrupted))
}

/// The merged result of all runs so far.
#[derive(Default)]
struct Whole {
    /// The texts of all runs, and the linted objects.
    input: LintInput,
    report: Report,
    /// The report if no run has anything to lint.
    empty: Option<Report>,
}

impl Whole {
    fn run(
        &mut self,
        args: &LintArgs,
        config: Option<&ConfigFile>,
        linted: Vec<File>,
        beside: Vec<File>,
        remarks: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        // Includes the texts of earlier runs, so that a location means the same text in all reports.
        let mut input = LintInput::default();
        input.sources = std::mem::take(&mut self.input.sources);
        files::add(linted.into_iter().chain(beside).map(Ok), &mut input)?;
        let mut messages = Vec::new();
        let settings = settings::settings(args, config, None, &input, &mut messages);
        let report = hpa_lint::run(&input, &settings);
        messages.retain(|message| !remarks.contains(message));
        remarks.extend(messages);
        let LintInput {
            sources,
            manifests,
            scaled_objects,
            undecodable,
            left_out,
            ..
        } = input;
        self.input.sources = sources;
        if manifests.is_empty()
            && scaled_objects.is_empty()
            && undecodable.is_empty()
            && left_out.is_empty()
        {
            self.empty.get_or_insert(report);
            return Ok(());
        }
        self.input.manifests.extend(manifests);
        self.input.scaled_objects.extend(scaled_objects);
        self.report.append(report);
        Ok(())
    }

    fn finish(
        mut self,
        args: &LintArgs,
        config: Option<&ConfigFile>,
        baseline: Option<&(PathBuf, Baseline)>,
        mut remarks: Vec<String>,
    ) -> LintRun {
        let is_empty = self.input.manifests.is_empty() && self.input.scaled_objects.is_empty();
        if let Some(report) = self
            .empty
            .filter(|_| is_empty && self.report.findings.is_empty())
        {
            self.report.append(report);
        }
        // What no run could check is one note.
        let mut seen = BTreeSet::new();
        self.report.notes.retain(|note| seen.insert(note.clone()));
        if let Some(baseline) = baseline {
            let settings = settings::settings(args, config, None, &self.input, &mut Vec::new());
            remarks.extend(baseline_file::apply(
                baseline,
                &self.input,
                &settings,
                &mut self.report,
            ));
        }
        // A baseline accepts what is found in one rendering.
        if args.changes.write_baseline.is_none() {
            merged::merge(&mut self.report.findings, &self.input);
        }
        LintRun {
            report: self.report,
            input: self.input,
            remarks,
            to_stderr: false,
            is_whole: true,
        }
    }
}

/// The files that are not part of a rendering.
fn others(
    given: &[PathBuf],
    args: &LintFileArgs,
    projects: &Projects,
) -> anyhow::Result<Vec<File>> {
    let mut known = BTreeSet::new();
    let mut found = walk::files(given, options(args), &mut known)?;
    found.extend(walk::kustomizations_above(&found, &mut known));
    found.sort_by_key(|found| !is_kustomization(&found.path.to_string_lossy()));
    let found = found
        .iter()
        .filter(|found| found.is_stdin || !projects.cover(&found.path));
    found.map(|found| files::file(found, true)).collect()
}

/// The files of `--with`.
fn with(args: &LintFileArgs) -> anyhow::Result<Vec<File>> {
    let found = walk::files(&args.with, options(args), &mut BTreeSet::new())?;
    found
        .iter()
        .map(|found| files::file(found, false))
        .collect()
}

fn options(args: &LintFileArgs) -> WalkOptions<'_> {
    WalkOptions {
        is_recursive: args.recursive,
        is_lenient: false,
        stdin: args.stdin_filename.as_deref(),
    }
}

/// The same file, as one that others refer to.
fn related(file: &File) -> File {
    File {
        is_linted: false,
        ..file.clone()
    }
}
