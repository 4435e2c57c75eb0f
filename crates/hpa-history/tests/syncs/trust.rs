//! How a past that is not recomputed as it was counts.

use hpa_history::TrustCounter;
use serde_json::json;

use super::{Scrape, each_sync, pods, queue, scrape, series, today};

/// The queue needs 6 replicas from the second sync on, and the HPA has these after that: early and invented changes.
fn early_and_invented(after: &[Scrape]) -> (u32, u32) {
    let scrapes = [&[scrape(0.0, 4, 4, 10.0), scrape(15.0, 4, 4, 15.0)], after].concat();
    let policies = json!([{"type": "Pods", "value": 10, "periodSeconds": 15}]);
    let spec = json!({"metrics": [queue()], "behavior": {"scaleUp": {"policies": policies}}});
    let today = today(Some(spec));
    let mut all = series(&scrapes, ("queue", "average"));
    all.extend(pods(
        &scrapes,
        &["a", "b", "c", "d"].map(|name| (name, -600, 0)),
    ));
    let mut trust = TrustCounter::new(today.sync_period().value);
    each_sync(all, &today, &[], |sync| trust.take(sync));
    let trust = trust.trust();
    (trust.early, trust.invented)
}

#[test]
fn change_that_the_controller_makes_in_the_next_sync_is_early_and_any_other_is_invented() {
    let stays = scrape(30.0, 4, 4, 10.0);
    assert_eq!(early_and_invented(&[scrape(30.0, 4, 6, 15.0)]), (1, 0));
    assert_eq!(early_and_invented(&[scrape(30.0, 4, 5, 12.5)]), (0, 1));
    assert_eq!(
        early_and_invented(&[stays, scrape(45.0, 4, 6, 15.0)]),
        (0, 1)
    );
    assert_eq!(early_and_invented(&[scrape(300.0, 4, 6, 15.0)]), (0, 1));
}
