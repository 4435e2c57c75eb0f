//! Merges flags and configuration file; flags take precedence.

use std::path::Path;

use hpa_engine::model::{self, ControllerConfig};
use hpa_lint::{
    LintInput, LintSettings, RuleSelection, RuleSelector, Versions,
    config::{ConfigEffect, FailOn, apply_paths},
};
use hpa_objects::manifest::ASSUMED_VERSION;

use super::config_file::ConfigFile;
use crate::cli::{ControllerArgs, FailOnArg, LintArgs};

/// The settings of the run. Unknown rule names are reported in `remarks`.
pub(crate) fn settings(
    args: &LintArgs,
    file: Option<&ConfigFile>,
    observed: Option<&ControllerConfig>,
    input: &LintInput,
    remarks: &mut Vec<String>,
) -> LintSettings {
    let mut settings = LintSettings::new(model::Input::assumed(ASSUMED_VERSION));
    if let Some(file) = file {
        file.config.apply(&mut settings);
    }
    settings.configs = configs(args, file, observed);
    // With several versions a gate may be set for those that have it.
    if let [config] = settings.configs.as_slice() {
        remarks.extend(args.controller.locked(config));
    }
    settings.is_complete |= args.files.complete;
    settings.is_strict |= args.rules.strict;
    let selection = selection(args, remarks);
    settings.enabled = selection.apply(&settings.enabled);
    settings.silenced.extend(selection.silenced());
    if let Some(file) = file
        && !file.config.paths.is_empty()
    {
        let paths: Vec<_> = input
            .sources
            .iter()
            .map(|(id, source)| (id, seen_from(&file.folder, &source.name)))
            .collect();
        let files = paths.iter().map(|(id, path)| (*id, path.as_str()));
        apply_paths(&file.config.paths, files, &mut settings);
    }
    settings
}

/// What the configuration file takes away from the run.
pub(crate) fn effect(args: &LintArgs, file: &ConfigFile) -> Option<ConfigEffect> {
    // What is wrong with the flags is reported elsewhere.
    let flags = selection(args, &mut Vec::new());
    let is_fail_on_given = args.report.exit_zero || args.report.fail_on.is_some();
    ConfigEffect::of(file.name.clone(), &file.config, &flags, is_fail_on_given)
}

/// The lowest severity that makes the exit code 1.
pub(crate) fn fail_on(args: &LintArgs, file: Option<&ConfigFile>) -> FailOn {
    if args.report.exit_zero {
        return FailOn::Never;
    }
    let configured = file.and_then(|file| file.config.fail_on);
    match args.report.fail_on {
        Some(FailOnArg::Error) => FailOn::Error,
        Some(FailOnArg::Warning) => FailOn::Warning,
        Some(FailOnArg::Info) => FailOn::Info,
        Some(FailOnArg::Never) => FailOn::Never,
        None => configured.unwrap_or(FailOn::Warning),
    }
}

/// The controller settings for the declared versions, else for the observed one, else for the newest stable one.
fn configs(
    args: &LintArgs,
    file: Option<&ConfigFile>,
    observed: Option<&ControllerConfig>,
) -> Vec<ControllerConfig> {
    let base = || {
        observed
            .cloned()
            .unwrap_or_else(|| ControllerConfig::defaults(model::Input::assumed(ASSUMED_VERSION)))
    };
    let versions = versions(args, file).map_or_else(
        || vec![None],
        |versions| versions.as_slice().iter().copied().map(Some).collect(),
    );
    versions
        .into_iter()
        .map(|kube_version| {
            let mut config = base();
            let controller = ControllerArgs {
                kube_version,
                flags: args.controller.clone(),
            };
            controller.override_config(&mut config);
            config
        })
        .collect()
}

fn versions<'a>(args: &'a LintArgs, file: Option<&'a ConfigFile>) -> Option<&'a Versions> {
    let configured = || file.and_then(|file| file.config.kube_version.as_ref());
    args.kube_version.as_ref().or_else(configured)
}

fn selection(args: &LintArgs, remarks: &mut Vec<String>) -> RuleSelection {
    let mut parse = |flag: &str, names: &[String]| {
        let mut selectors = Vec::new();
        for name in names.iter().map(|name| name.trim()) {
            match RuleSelector::parse(name) {
                Ok(selector) => selectors.push(selector),
                Err(unknown) => remarks.push(format!("{flag}: {unknown}")),
            }
        }
        selectors
    };
    let rules = &args.rules;
    RuleSelection {
        select: rules
            .select
            .as_deref()
            .map(|names| parse("--select", names)),
        extend_select: parse("--extend-select", &rules.extend_select),
        ignore: parse("--ignore", &rules.ignore),
    }
}

/// A file's path relative to a folder, with slashes; outside of it the whole path. The name of standard input may be
/// that of a file that does not exist yet.
fn seen_from(folder: &Path, name: &str) -> String {
    let name = Path::new(name);
    let known = name.ancestors().find_map(|above| {
        let nearest = if above.as_os_str().is_empty() {
            Path::new(".")
        } else {
            above
        };
        let rest = name.strip_prefix(above).ok()?;
        let mut known = dunce::canonicalize(nearest).ok()?;
        known.extend(rest);
        Some(known)
    });
    let path = known.unwrap_or_else(|| name.to_owned());
    let path = path.strip_prefix(folder).unwrap_or(&path);
    path.to_string_lossy().replace('\\', "/")
}
