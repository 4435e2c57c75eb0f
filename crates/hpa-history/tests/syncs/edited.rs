//! What an edit of the HPA means for the syncs before it: their windows and policies may have been others than today's.

use hpa_history::{Certainty, Doubt, Series};
use serde_json::json;

use super::{Scrape, each_sync, pods, queue, scrape, series, today};

/// The doubts about each sync of an HPA whose replicas stay, except the first, which has nothing before it. Scrapes
/// show these values of `metadata.generation`; `now` is today's.
fn doubts(shown: [Option<i32>; 6], now: Option<i64>) -> Vec<Vec<Doubt>> {
    let scrapes: Vec<Scrape> = (0..6)
        .map(|sync| scrape(f64::from(sync) * 15.0, 4, 4, 10.0))
        .collect();
    let mut series = series(&scrapes, ("queue", "average"));
    series.extend(pods(
        &scrapes,
        &["a", "b", "c", "d"].map(|pod| (pod, -600, 0)),
    ));
    // The bounds have the same labels and times.
    let bounds = series
        .iter()
        .find(|one| one.name().ends_with("spec_min_replicas"))
        .unwrap();
    let mut labels = bounds.labels.clone();
    let name = "kube_horizontalpodautoscaler_metadata_generation";
    labels.insert("__name__".to_owned(), name.to_owned());
    let samples = bounds.samples.iter().zip(shown);
    let samples = samples.filter_map(|((at, _), shown)| Some((*at, f64::from(shown?))));
    let samples = samples.collect();
    series.push(Series { labels, samples });
    let mut today = today(Some(json!({"metrics": [queue()]})));
    today.hpa.generation = now;
    let mut doubts = each_sync(series, &today, &[], |sync| {
        let recomputed = sync.recomputed.unwrap();
        let is_certain = recomputed.certainty == Certainty::Certain;
        assert_eq!(is_certain, recomputed.doubts.is_empty(), "{recomputed:?}");
        recomputed.doubts.clone()
    });
    doubts.split_off(1)
}

#[test]
fn syncs_before_an_edit_are_less_than_certain_and_say_why() {
    let edited = || vec![Doubt::Edited];
    // The third was between a scrape before the edit and one after it.
    assert_eq!(
        doubts([1, 1, 1, 2, 2, 2].map(Some), Some(2)),
        [edited(), edited(), edited(), vec![], vec![]]
    );
}

#[test]
fn edit_after_the_last_scrape_concerns_the_whole_past() {
    assert_eq!(doubts([Some(1); 6], Some(2)), [[Doubt::Edited]; 5]);
}

#[test]
fn no_edit_is_invented_where_none_is_shown() {
    let nothing: [Doubt; 0] = [];
    for (shown, now) in [
        ([Some(1); 6], Some(1)),
        // Kubernetes before 1.37 does not count edits.
        ([Some(0); 6], None),
        // The series is not exported.
        ([None; 6], Some(2)),
    ] {
        assert_eq!(doubts(shown, now), [nothing; 5], "{shown:?}, {now:?}");
    }
}
