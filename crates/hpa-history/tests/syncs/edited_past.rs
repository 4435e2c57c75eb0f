//! Asked right after an edit, when today's spec is the edited one, what is certain is what the controller did.

use std::path::Path;

use hpa_history::{Certainty, PastSync, Recomputed, SeriesSet, Sources, follow};
use hpa_objects::recording::Snapshot;
use jiff::{SignedDuration, Timestamp};

use super::edited_series::{recordings, series};

/// The recomputed last sync of these, whose spec is today's since `edited`.
fn last(syncs: &[Snapshot], edited: Timestamp) -> Option<Recomputed> {
    let today = syncs.last()?.observation().unwrap();
    let sources = Sources {
        set: &SeriesSet::new(series(syncs)),
        today: &today,
        courses: &[],
        edited: Some(edited),
    };
    let mut recomputed = None;
    follow(&sources, &mut |sync: &PastSync<'_>| {
        recomputed = sync.recomputed.cloned();
    });
    recomputed
}

#[test]
fn what_is_certain_after_an_edit_is_what_the_controller_did() {
    let (mut all, mut certain, mut outside) = (0, 0, Vec::new());
    let answers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers");
    for syncs in recordings(&answers) {
        let edits = (1..syncs.len()).filter(|at| syncs[*at].hpa.spec != syncs[at - 1].hpa.spec);
        let edits: Vec<usize> = edits.collect();
        for (number, edit) in edits.iter().enumerate() {
            let until = edits.get(number + 1).copied().unwrap_or(syncs.len());
            let edited = syncs[*edit].time - SignedDuration::from_secs(3);
            for at in *edit..until {
                let Some(found) = last(&syncs[..=at], edited) else {
                    continue;
                };
                all += 1;
                let is_certain = found.certainty == Certainty::Certain;
                certain += usize::from(is_certain);
                let did = syncs[at].outcome.as_ref().unwrap().status.desired_replicas;
                let (least, most) = found.range;
                if !(least..=most).contains(&did) || is_certain && found.likely != did {
                    let (name, time) = (&syncs[at].metadata.name, syncs[at].time);
                    outside.push(format!("{name} {time} {}: {did}, {found:?}", at - edit));
                }
            }
        }
    }
    println!(
        "{all} syncs after an edit, {certain} certain, {} outside",
        outside.len()
    );
    assert!(50 < all && all < certain * 4);
    assert!(outside.is_empty(), "{outside:#?}");
}
