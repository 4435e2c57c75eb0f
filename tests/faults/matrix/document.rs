//! The table of the results of every fault at every read, in `docs/dev/reliability.md`.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use super::{
    COMMANDS,
    fault::Fault,
    outcome::{Outcome, Result},
};

const PAGE: &str = "docs/dev/reliability.md";
const BEGIN: &str = "<!-- faults -->\n";
const END: &str = "<!-- end of faults -->\n";

/// Compares the page with the results, or rewrites it.
pub(super) fn check(outcomes: &[Outcome]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let made = format!(
        "\n{}\n{}\n{}\n",
        sum(outcomes),
        faults(outcomes),
        reads(outcomes)
    );
    let expected = format!("{before}{BEGIN}{made}{END}{after}");
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        assert!(
            page == expected,
            "{PAGE} is out of date: run FAULTS=all UPDATE_GENERATED=1 cargo test --test faults matrix; it would have\n{made}"
        );
    }
}

fn sum(outcomes: &[Outcome]) -> String {
    let of = |result: Result| {
        outcomes
            .iter()
            .filter(|outcome| outcome.result == result)
            .count()
    };
    let reads: BTreeSet<_> = outcomes.iter().map(|outcome| &outcome.read).collect();
    format!(
        "{} runs: {} reads of {} commands, as far as each makes them, with {} faults each. {} gave the report and said what is missing and why, \
         {} gave a report to which it makes no difference or which has its own words for it, {} went on watching, {} ended with an error that says why.\n",
        outcomes.len(),
        reads.len(),
        COMMANDS.len(),
        Fault::ALL.len(),
        of(Result::Reported),
        of(Result::Untold),
        of(Result::GoesOn),
        of(Result::Error),
    )
}

/// Each fault with the message of a capture that could not read the pods.
fn faults(outcomes: &[Outcome]) -> String {
    let mut table =
        "| the server answers with | a capture says of its pods |\n| --- | --- |\n".to_owned();
    for fault in Fault::ALL {
        let of_pods = outcomes.iter().find(|outcome| {
            outcome.fault == fault
                && outcome.command == "capture"
                && outcome.read.name() == "list `pods`"
        });
        let why = of_pods
            .and_then(|outcome| outcome.why.clone())
            .unwrap_or_default();
        table += &format!(
            "| {} | {} |\n",
            fault.name(),
            why.replace('|', "\\|").replace('<', "&lt;")
        );
    }
    table
}

/// Each read with its results, by command.
fn reads(outcomes: &[Outcome]) -> String {
    let mut cells: BTreeMap<(&str, &str), Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        let cell = (outcome.read.name(), outcome.command);
        cells.entry(cell).or_default().push(outcome);
    }
    let names: BTreeSet<&str> = cells.keys().map(|(read, _)| *read).collect();
    let mut table = "| read |".to_owned();
    for command in &COMMANDS {
        table += &format!(" {} |", command.name);
    }
    table += &format!("\n| --- |{}\n", " --- |".repeat(COMMANDS.len()));
    for read in names {
        table += &format!("| {read} |");
        for command in &COMMANDS {
            let cell = cells.get(&(read, command.name));
            table += &format!(" {} |", cell.map(|cell| summary(cell)).unwrap_or_default());
        }
        table.push('\n');
    }
    table
}

/// The most frequent result, and the others with their faults.
fn summary(cell: &[&Outcome]) -> String {
    let mut by_result: BTreeMap<Result, Vec<Fault>> = BTreeMap::new();
    for outcome in cell {
        by_result
            .entry(outcome.result)
            .or_default()
            .push(outcome.fault);
    }
    let mut results: Vec<(Result, Vec<Fault>)> = by_result.into_iter().collect();
    results.sort_by_key(|(result, faults)| (std::cmp::Reverse(faults.len()), *result));
    let mut parts = results.iter_mut().map(|(result, faults)| {
        faults.sort();
        let names: Vec<&str> = faults.iter().map(|fault| fault.name()).collect();
        (result.name(), names.join(", "))
    });
    let (most, _) = parts.next().unwrap();
    let rest: Vec<String> = parts
        .map(|(name, faults)| format!("{name}: {faults}"))
        .collect();
    if rest.is_empty() {
        most.to_owned()
    } else {
        format!("{most} ({})", rest.join("; "))
    }
}
