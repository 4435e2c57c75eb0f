//! What an edit of the HPA means for the syncs before it: their windows and policies may have been others than today's.

use hpa_history::{Certainty, Doubt, PastSync, Series, SeriesSet, Sources, follow};
use jiff::Timestamp;
use serde_json::json;

use super::{START, Scrape, pods, queue, scrape, series, today};

/// The doubts about each sync of an HPA whose replicas stay, except the first, which has nothing before it. Scrapes
/// show these values of `metadata.generation`; `now` is today's. By `managedFields`, the last edit is this many seconds
/// after the start.
fn doubts(shown: [Option<i32>; 6], now: Option<i64>, edited: Option<i64>) -> Vec<Vec<Doubt>> {
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
    let sources = Sources {
        set: &SeriesSet::new(series),
        today: &today,
        courses: &[],
        edited: edited.map(|at| Timestamp::from_second(START / 1000 + at).unwrap()),
    };
    let mut doubts = Vec::new();
    follow(&sources, &mut |sync: &PastSync<'_>| {
        let recomputed = sync.recomputed.unwrap();
        let is_certain = recomputed.certainty == Certainty::Certain;
        assert_eq!(is_certain, recomputed.doubts.is_empty(), "{recomputed:?}");
        doubts.push(recomputed.doubts.clone());
    });
    doubts.split_off(1)
}

#[test]
fn syncs_before_an_edit_are_less_than_certain_and_say_why() {
    let edited = || vec![Doubt::Edited];
    // The third was between a scrape before the edit and one after it.
    assert_eq!(
        doubts([1, 1, 1, 2, 2, 2].map(Some), Some(2), None),
        [edited(), edited(), edited(), vec![], vec![]]
    );
}

#[test]
fn edit_after_the_last_scrape_concerns_the_whole_past() {
    assert_eq!(doubts([Some(1); 6], Some(2), None), [[Doubt::Edited]; 5]);
}

/// Kubernetes before 1.37 does not count edits, and kube-state-metrics then exports 0, or the series is missing.
#[test]
fn without_a_generation_the_last_edit_is_that_of_the_managed_fields() {
    let edited = || vec![Doubt::Edited];
    for (shown, now) in [(Some(0), None), (None, None), (None, Some(2))] {
        let doubts = |edited| doubts([shown; 6], now, edited);
        // Its time is of a whole second, so the scrape at 45 s may be from before.
        for at in [44, 45] {
            let expected = [edited(), edited(), edited(), vec![], vec![]];
            let later = [edited(), edited(), edited(), edited(), vec![]];
            let expected = if at == 45 { later } else { expected };
            assert_eq!(doubts(Some(at)), expected, "{at}: {shown:?}, {now:?}");
        }
        // Nothing is known of an edit, or it was before the first scrape.
        let nothing: [Doubt; 0] = [];
        for edited in [None, Some(-600)] {
            assert_eq!(
                doubts(edited),
                [nothing; 5],
                "{edited:?}: {shown:?}, {now:?}"
            );
        }
    }
}

/// `managedFields` also have the time of a change of labels.
#[test]
fn generation_that_stays_shows_that_a_later_write_did_not_edit_the_spec() {
    let nothing: [Doubt; 0] = [];
    assert_eq!(doubts([Some(1); 6], Some(1), Some(45)), [nothing; 5]);
}
