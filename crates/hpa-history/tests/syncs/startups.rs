//! How long pods took to start, as their series show it.

use hpa_history::{SeriesSet, Sources, startups};

use super::{START, labeled, pods, scrape, series, today};

#[test]
fn pods_that_are_new_show_how_long_they_took_to_start_and_others_do_not() {
    let scrapes: Vec<_> = (0..5)
        .map(|at| scrape(f64::from(at) * 15.0, 3, 3, 50.0))
        .collect();
    let names = ["a", "b", "c", "d"].map(|end| format!("web-5c9f8d7b6c-{end}"));
    let names = names.each_ref().map(String::as_str);
    let mut all = series(&scrapes, ("cpu", "utilization"));
    // The first existed before; nobody knows whether it got ready for the first time then. The third is not ready. The
    // last was created before a scrape that does not have it yet.
    all.extend(pods(
        &scrapes,
        &[
            (names[0], -600, 0),
            (names[1], 20, 2),
            (names[2], 20, 2),
            (names[3], 14, 2),
        ],
    ));
    for (name, ready) in [(names[0], -300), (names[1], 26), (names[3], 34)] {
        let times = (2..5).map(|at| (at * 15_000, (START / 1000 + ready) as f64));
        all.push(labeled(
            "kube_pod_status_ready_time",
            &[("pod", name)],
            times,
        ));
    }
    let today = today(None);
    let set = SeriesSet::new(all);
    let sources = Sources {
        set: &set,
        today: &today,
        courses: &[],
        edited: None,
    };
    assert_eq!(startups(&sources), [6_000, 20_000]);
}
