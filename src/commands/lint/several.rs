//! Several clusters in one run.

use std::path::PathBuf;

use hpa_engine::model::ControllerConfig;
use hpa_lint::{Baseline, LintInput, Report, compare_contexts};

use crate::{
    cli::LintArgs,
    commands::clusters::{ClusterOutcome, Unread},
    linting::{baseline_file, config_file::ConfigFile, lint_run::LintRun, settings},
};

/// Lints each cluster separately, and compares their HPAs. A cluster that cannot be read does not stop the others;
/// `None` if none could be read.
pub(super) fn lint(
    args: &LintArgs,
    config: Option<&ConfigFile>,
    baseline: Option<&(PathBuf, Baseline)>,
    remarks: Vec<String>,
    reads: Vec<(String, ClusterOutcome<(LintInput, ControllerConfig)>)>,
) -> Option<LintRun> {
    let unread = Unread::of(&reads);
    unread.report();
    let mut outcome = LintRun {
        report: Report::default(),
        input: LintInput::default(),
        remarks,
        to_stderr: false,
        is_whole: !unread.has_failed,
    };
    let (mut clusters, mut configs) = (Vec::new(), Vec::new());
    for (name, read) in reads {
        if let ClusterOutcome::Read((input, observed)) = read {
            clusters.push((name, input));
            configs.push(observed);
        }
    }
    compare_contexts(&mut clusters);
    let has_any = !clusters.is_empty();
    for ((name, input), observed) in clusters.into_iter().zip(configs) {
        let read = (input, observed);
        let report = one(args, config, baseline, &name, read, &mut outcome.remarks);
        outcome.report.append(report);
    }
    has_any.then_some(outcome)
}

fn one(
    args: &LintArgs,
    config: Option<&ConfigFile>,
    baseline: Option<&(PathBuf, Baseline)>,
    name: &str,
    (input, observed): (LintInput, ControllerConfig),
    remarks: &mut Vec<String>,
) -> Report {
    let mut outputs = Vec::new();
    let settings = settings::settings(args, config, Some(&observed), &input, &mut outputs);
    let mut report = hpa_lint::run(&input, &settings);
    report.set_context(name);
    if let Some((path, baseline)) = baseline {
        let baseline = (path.clone(), baseline.of_context(name));
        let resolved = baseline_file::apply(&baseline, &input, &settings, &mut report);
        outputs.extend(resolved.map(|resolved| format!("context {name}: {resolved}")));
    }
    // Unknown rule names are the same in every context.
    outputs.retain(|remark| !remarks.contains(remark));
    remarks.extend(outputs);
    report
}
