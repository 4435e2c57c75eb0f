//! Several clusters in one run.

use std::{collections::BTreeSet, path::PathBuf};

use super::{LintRun, baseline_file, config_file::ConfigFile, live, say, settings};
use crate::{
    cli::LintArgs,
    cluster,
    lint::{self, Baseline, LintInput, Report},
    model::ControllerConfig,
    render::sanitize::one_line,
};

/// Reads the clusters of all contexts that are meant, and judges each by itself. The error of one is told and stops
/// none of the others; none: not one could be read.
pub(super) fn compare(
    args: &LintArgs,
    config: Option<&ConfigFile>,
    baseline: Option<&(PathBuf, Baseline)>,
    remarks: Vec<String>,
) -> anyhow::Result<Option<LintRun>> {
    let names = names(args)?;
    let mut outcome = LintRun {
        report: Report::default(),
        input: LintInput::default(),
        remarks,
        to_stderr: false,
        is_whole: true,
    };
    let mut has_any = false;
    for (name, read) in names.iter().zip(live::read_contexts(args, &names)?) {
        match read {
            Ok(read) => {
                has_any = true;
                let report = one(args, config, baseline, name, read, &mut outcome.remarks);
                outcome.report.append(report);
            }
            Err(error) => {
                outcome.is_whole = false;
                say(&format!("error: context {}: {error:#}", one_line(name)));
            }
        }
    }
    Ok(has_any.then_some(outcome))
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
    let mut report = lint::run(&input, &settings);
    report.set_context(name);
    if let Some((path, baseline)) = baseline {
        let baseline = (path.clone(), baseline.of_context(name));
        let resolved = baseline_file::apply(&baseline, &input, &settings, &mut report);
        outputs.extend(resolved.map(|resolved| format!("context {name}: {resolved}")));
    }
    // Names of rules that there are not are the same in every context.
    outputs.retain(|remark| !remarks.contains(remark));
    remarks.extend(outputs);
    report
}

/// The contexts that are meant, each once.
fn names(args: &LintArgs) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for name in &args.contexts {
        if name == "*" {
            names.extend(cluster::context_names(&args.connection)?);
        } else {
            names.push(name.clone());
        }
    }
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    anyhow::ensure!(
        !names.is_empty(),
        "--contexts '*': the kubeconfig has no context"
    );
    Ok(names)
}
