//! Runs the rules.

use std::{cmp::Ordering, collections::BTreeSet, sync::atomic};

use hpa_engine::model::SnapshotField;

use super::{
    LintInput, LintSettings, Report, ReportNote, Reported, Rule, fingerprint, notes, parallel,
    specific::{keep_most_specific, keep_one_of_copies},
    suppress,
    unit::{CheckedObject, Diagnostics, SharedLists, units},
};
use crate::rules;

/// Runs every enabled rule on every subject, for every declared version, on all cores.
pub fn run(input: &LintInput, settings: &LintSettings) -> Report {
    let rules: Vec<&'static Rule> = rules::catalogue()
        .filter(|rule| settings.is_enabled(rule))
        .collect();
    let units = units(input);
    let diagnostics = parallel::shares(&units, |_, share| {
        let mut known = SharedLists::default();
        let diagnostics = |unit: &CheckedObject<'_>| {
            if settings.is_stopped.load(atomic::Ordering::Relaxed) {
                return Diagnostics::default();
            }
            let mut diagnostics = unit.say(&rules, input, settings, &mut known);
            sort(&mut diagnostics.findings);
            diagnostics
        };
        share.iter().map(diagnostics).collect::<Vec<Diagnostics>>()
    });
    let diagnostics: Vec<Diagnostics> = diagnostics.into_iter().flatten().collect();
    let mut report = Report {
        hpas: units.iter().filter(|unit| unit.is_hpa()).count(),
        scaled_objects: input.scaled_objects.len(),
        notes: notes::of(input, &units, &diagnostics),
        ..Report::default()
    };
    report.notes.extend(assumed_flags(input, settings));
    let all = diagnostics.iter().map(|one| one.findings.len()).sum();
    report.findings.reserve_exact(all);
    for diagnostics in diagnostics {
        report.findings.extend(diagnostics.findings);
    }
    sort(&mut report.findings);
    fingerprint::assign(&mut report.findings);
    let is_silenced = |code: &str| settings.silenced.contains(code);
    report.findings.retain(|one| !is_silenced(one.rule.code));
    report.notes.retain(|note| !is_silenced(note.code));
    suppress::apply(input, settings, &mut report);
    keep_most_specific(&mut report.findings);
    keep_one_of_copies(&mut report.findings, &input.world);
    report.shorten();
    report
}

/// Sorts by file and location, then by object, then by code, and keeps the order of a rule otherwise. That takes half as
/// much memory again, so it is spared where all are in order.
fn sort(findings: &mut [Reported]) {
    if !findings.is_sorted_by(|one, next| order(one, next).is_le()) {
        findings.sort_by(order);
    }
}

fn order(one: &Reported, other: &Reported) -> Ordering {
    one.location
        .cmp(&other.location)
        .then_with(|| one.object.cmp(&other.object))
        .then_with(|| one.rule.code.cmp(other.rule.code))
}

/// A note for clusters, where the controller's flags are rarely readable. With files that is expected.
fn assumed_flags(input: &LintInput, settings: &LintSettings) -> Vec<ReportNote> {
    let rule = rules::flags_assumed();
    if !input.world.is_live() || !settings.is_enabled(rule) {
        return Vec::new();
    }
    let configs = settings.configs.iter();
    configs
        .filter_map(rules::assumed_flags)
        .chain(unknown_versions(input))
        .map(|message| ReportNote {
            code: rule.code,
            object: None,
            context: None,
            rules: Vec::new(),
            message,
        })
        .collect()
}

/// Why the controllers of these clusters are not those that are recomputed, once each.
fn unknown_versions(input: &LintInput) -> BTreeSet<String> {
    let read = input.hpas.iter().filter_map(|hpa| hpa.live.as_ref());
    read.flat_map(|live| &live.context.not_read)
        .filter(|not_read| not_read.what == SnapshotField::ControllerVersion)
        .map(|not_read| not_read.why.clone())
        .collect()
}
