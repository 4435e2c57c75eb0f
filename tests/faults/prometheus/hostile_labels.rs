//! Labels of another's series are texts of the cluster: none begins a line of a report.

use serde_json::{Value, json};

use super::history::{FROM, TO, World, answer, series, today};

/// Short, because a long line may be broken at its blanks.
const FORGED: &str = "x\nFORGED\r\n::FORGED";

/// The recorded past, and for each series one more with this label changed.
fn world(label: &'static str) -> World {
    World::of(&today()["hpa"], move |asked| {
        let mut all = series().clone();
        let mut more: Vec<Value> = all.clone();
        more.retain_mut(|one| {
            let known = one["metric"].get(label).is_some();
            one["metric"][label] = json!(FORGED);
            known
        });
        all.extend(more);
        answer(&all, asked, &|_, _, value| Some(value.to_owned()))
    })
}

#[test]
fn no_label_of_a_series_begins_a_line() {
    for label in [
        "scaletargetref_name",
        "scaletargetref_kind",
        "condition",
        "pod",
    ] {
        let world = world(label);
        for words in [
            &["-o", "text"][..],
            &["-o", "wide"],
            &["-o", "json"],
            &["-o", "csv"],
        ] {
            let words = [&["--from", FROM, "--to", TO], words].concat();
            let run = world.history(&words);
            let printed = format!("{}\n{}", run.stdout, run.stderr);
            let forged = printed
                .lines()
                .find(|line| line.trim_start().starts_with("FORGED"));
            assert_eq!(forged, None, "{label} {words:?}: {printed}");
            let command = printed
                .lines()
                .find(|line| line.trim_start().starts_with("::"));
            assert_eq!(command, None, "{label} {words:?}: {printed}");
        }
    }
    let run = world("scaletargetref_name").history(&["--from", FROM, "--to", TO]);
    assert!(run.stdout.contains("FORGED"), "the label is named: {run:?}");
}
