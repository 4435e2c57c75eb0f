//! A server with the series of several clusters, and a `--cluster-label` that none of them has.

use serde_json::{Value, json};

use super::history::{FROM, TO, World, answer, series, today};
use crate::plugin::Run;

/// A past whose series are those of two clusters.
fn two_clusters() -> World {
    let of = |cluster: &'static str| {
        series().iter().cloned().map(move |mut one: Value| {
            one["metric"]["cluster"] = json!(cluster);
            one
        })
    };
    let all: Vec<Value> = of("prod-eu").chain(of("prod-us")).collect();
    World::of(&today()["hpa"], move |asked| {
        let query = &asked.query["query"];
        answer(&all, asked, &|labels, _, value| {
            let is_of = |label: &str| {
                let value = labels[label].as_str().unwrap_or_default();
                !query.contains(&format!("{label}=\""))
                    || query.contains(&format!("{label}=\"{value}\""))
            };
            let is_asked = is_of("cluster") && is_of("region");
            is_asked.then(|| value.to_owned())
        })
    })
}

#[test]
fn cluster_label_that_no_series_has_is_an_error_that_lists_those_that_they_have() {
    let world = two_clusters();
    let url = world.url();
    let history = |names: &[&str], label: &str| -> Run {
        let words = ["--prometheus", &url, "--from", FROM, "--to", TO];
        let words = [&["history"], names, &words, &["--cluster-label", label]].concat();
        world.plugin.run(&words)
    };
    for (names, of) in [(&["web"][..], "shop/web"), (&[], "these HPAs")] {
        let run = history(names, "cluster=wrong");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        let expected = format!(
            " has series of {of}, but none with --cluster-label cluster=wrong: they have cluster=prod-eu, or cluster=prod-us\n"
        );
        assert!(run.stderr.ends_with(&expected), "{run:?}");
    }
    let run = history(&["web"], "cluster=prod-eu");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let run = history(&["web"], "region=eu");
    assert!(
        run.stderr.ends_with(": they have no label region\n"),
        "{run:?}"
    );
}
