//! Rounds of fixes, until nothing is left to fix.

use std::collections::BTreeSet;

use super::round;
use crate::{FileId, LintInput, LintSettings, Report, run};

/// The result of rounds of fixes.
pub struct FixedInput {
    /// The fixed files.
    pub input: LintInput,
    /// Number of fixed findings.
    pub fixed: usize,
    /// Files that have fixes but were not changed.
    pub left: BTreeSet<FileId>,
    /// Problems.
    pub remarks: Vec<String>,
}

/// Fixes all files except `leave`, until nothing is left to fix. Only the first `linted` files are linted.
pub fn rounds(
    input: LintInput,
    linted: usize,
    settings: &LintSettings,
    leave: &BTreeSet<FileId>,
) -> FixedInput {
    let mut now = input;
    let mut fixed = 0;
    let mut left = BTreeSet::new();
    let mut remarks = Vec::new();
    for before in 0.. {
        let mut report = run(&now, settings);
        left.append(&mut without_fixes(leave, &mut report));
        let done = round(&now, &report);
        if done.texts.is_empty() {
            let refused = done.refused.iter();
            remarks.extend(refused.map(|refused| {
                let (code, object, why) = (refused.code, &refused.object, &refused.why);
                format!("{code} of {object} is not fixed: {why}")
            }));
            break;
        }
        if before == MOST_ROUNDS {
            remarks.push(format!(
                "the fixes do not come to an end; stopped after {MOST_ROUNDS} rounds"
            ));
            break;
        }
        fixed += done.fixed;
        drop(report);
        now = now.read_again(done.texts, linted);
    }
    FixedInput {
        input: now,
        fixed,
        left,
        remarks,
    }
}

/// Removes the fixes of some files from the report; returns the files that had any.
fn without_fixes(files: &BTreeSet<FileId>, report: &mut Report) -> BTreeSet<FileId> {
    let mut left = BTreeSet::new();
    for reported in &mut report.findings {
        if let Some(origin) = reported.object.origin
            && files.contains(&origin.file)
            && !reported.finding.fix.is_empty()
        {
            reported.finding.fix.clear();
            left.insert(origin.file);
        }
    }
    left
}

/// More rounds than any object has fixable findings.
const MOST_ROUNDS: usize = 100;
