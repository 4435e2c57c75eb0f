//! The past of an HPA that was edited, on Kubernetes before 1.37: only its `managedFields` say when.

use serde_json::{Value, json};

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
