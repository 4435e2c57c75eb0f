//! The past of an HPA that was edited, on Kubernetes before 1.37: only its `managedFields` say when.

use std::path::Path;

use hpa_objects::recording::Snapshot;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::edited_series;
use super::history::{World, answer, series, today};

/// An HPA that was created before the first scrape and edited then.
fn edited_at(time: &str) -> World {
    let entry = |manager: &str, time: &str| {
        json!({
            "manager": manager, "operation": "Update", "time": time,
            "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:behavior": {}}},
        })
    };
    let mut hpa = today()["hpa"].take();
    let metadata = hpa["metadata"].as_object_mut().unwrap();
    metadata.remove("generation");
    let entries = [
        entry("helm", "2026-11-26T01:00:54Z"),
        entry("kubectl-edit", time),
    ];
    metadata.insert("managedFields".to_owned(), json!(entries));
    World::of(&hpa, |asked| {
        answer(series(), asked, &|labels, _, value| {
            let is_generation =
                labels["__name__"] == "kube_horizontalpodautoscaler_metadata_generation";
            Some(if is_generation { "0" } else { value }.to_owned())
        })
    })
}

#[test]
fn no_rescale_before_the_last_edit_is_certain_where_the_generation_shows_none() {
    let edit = "2026-11-26T01:05:50Z";
    let output = edited_at(edit).json();
    let rescales = output["rescales"].as_array().unwrap();
    let (before, after): (Vec<&Value>, Vec<&Value>) = rescales
        .iter()
        .partition(|one| one["time"].as_str().unwrap() < edit);
    assert_eq!((before.len(), after.len()), (4, 5), "{rescales:#?}");
    let is_doubted = |one: &&Value| {
        let doubts = one["doubts"].as_array().unwrap();
        doubts.contains(&json!("edited"))
    };
    assert!(before.iter().all(is_doubted), "{before:#?}");
    assert!(!after.iter().any(is_doubted), "{after:#?}");
    let is_certain = |one: &&Value| one["certainty"] == "certain";
    assert!(!before.iter().any(is_certain) && after.iter().any(is_certain));
}

#[test]
fn rescale_that_follows_from_an_edit_names_it() {
    const MAX: &str = "kube_horizontalpodautoscaler_spec_max_replicas";
    let rescales = |world: &World| world.json()["rescales"].as_array().unwrap().clone();
    let hpa = &today()["hpa"];
    let max = hpa["spec"]["maxReplicas"].as_i64().unwrap();
    let same = World::of(hpa, |asked| {
        answer(series(), asked, &|_, _, value| Some(value.to_owned()))
    });
    let all = rescales(&same);
    let edit = format!("The HPA was edited: max {} → {max}.", max - 1);
    let names_it = |one: &Value| {
        let sentence = one["sentence"].as_str();
        sentence.is_some_and(|sentence| sentence.starts_with(&edit))
    };
    assert!(!all.iter().any(names_it), "{all:#?}");
    let found = all.iter().rfind(|one| !one["sentence"].is_null()).unwrap();
    let time: Timestamp = found["time"].as_str().unwrap().parse().unwrap();
    let edited = World::of(hpa, move |asked| {
        answer(series(), asked, &|labels, at, value| {
            // Milliseconds are rounded.
            let is_before = at + 0.5 < time.as_duration().as_secs_f64();
            Some(if labels["__name__"] == MAX && is_before {
                (max - 1).to_string()
            } else {
                value.to_owned()
            })
        })
    });
    for one in rescales(&edited) {
        assert_eq!(names_it(&one), one["time"] == found["time"], "{one:#}");
    }
}

/// The HPA of the last of these syncs, edited shortly before `edited`, and all that Prometheus has of them.
fn right_after(syncs: &[Snapshot], edited: Timestamp) -> World {
    let mut hpa = serde_json::to_value(&syncs.last().unwrap().hpa).unwrap();
    let changes = [
        (
            "f:spec",
            "helm",
            syncs[0].time - SignedDuration::from_hours(1),
        ),
        ("f:spec", "kubectl-edit", edited),
    ];
    let entries = changes.map(|(field, manager, time)| {
        json!({
            "manager": manager, "operation": "Update", "time": time,
            "fieldsType": "FieldsV1", "fieldsV1": {field: {}},
        })
    });
    hpa["metadata"]["name"] = json!("web");
    hpa["metadata"]["namespace"] = json!("shop");
    hpa["metadata"]["managedFields"] = json!(entries);
    #[expect(clippy::cast_precision_loss, reason = "a time of a test")]
    let sample = |(at, value): &(i64, f64)| json!([*at as f64 / 1000.0, value.to_string()]);
    let series: Vec<Value> = edited_series::series(syncs)
        .iter()
        .map(|one| {
            let samples: Vec<Value> = one.samples.iter().map(sample).collect();
            json!({"metric": one.labels, "values": samples})
        })
        .collect();
    World::of(&hpa, move |asked| {
        answer(&series, asked, &|_, _, value| Some(value.to_owned()))
    })
}

#[test]
fn page_of_a_sync_after_an_edit_contains_what_the_controller_did() {
    let answers = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/hpa-history/tests/answers");
    let (mut pages, mut certain) = (0, 0);
    for syncs in edited_series::recordings(&answers) {
        let is_edit = |at: &usize| syncs[*at].hpa.spec != syncs[at - 1].hpa.spec;
        let edits: Vec<usize> = (1..syncs.len()).filter(is_edit).collect();
        for (number, edit) in edits.iter().enumerate() {
            let edited = syncs[*edit].time - SignedDuration::from_secs(3);
            let next = edits.get(number + 1).copied().unwrap_or(syncs.len());
            for at in *edit..next.min(edit + 3) {
                let world = right_after(&syncs[..=at], edited);
                let scraped = syncs[at].time + SignedDuration::from_secs(1);
                let [from, to] = [syncs[0].time, scraped + SignedDuration::from_secs(1)];
                let Some(page) = world.page_within(scraped, &from.to_string(), &to.to_string())
                else {
                    continue;
                };
                let history = &page["history"];
                let did = i64::from(syncs[at].outcome.as_ref().unwrap().status.desired_replicas);
                assert_eq!(history["decided"], did);
                let bound = |key: &str| history["range"][key].as_i64().unwrap();
                let contains = (bound("min")..=bound("max")).contains(&did);
                assert!(contains, "{edited}: {history:#}");
                pages += 1;
                if history["certainty"] == "certain" {
                    assert_eq!(page["verdict"]["to"], did, "{edited}: {page:#}");
                    certain += 1;
                }
            }
        }
    }
    assert!(10 < certain && certain < pages, "{certain} of {pages}");
}
