//! What watches know equals a fresh read, with the permissions of the manifest.

use std::{sync::Arc, time::Duration};

use hpa_cluster::{
    Client, GatherScope, InformerChange, Informers, Selection, SnapshotDetail, gather,
};
use serde_json::{Value, json};

use crate::{
    access::rules_of_the_manifest,
    manifest::{average, deployment, hpa},
    namespace::namespace,
};

/// Waits until both are equal, and returns what was reported until then.
async fn settle(
    informers: &mut Informers<'_>,
    client: &Client,
    selection: &Selection,
    is_so: impl Fn(&Value) -> bool,
) -> Vec<InformerChange> {
    let mut reported = Vec::new();
    let mut differences = Vec::new();
    for _ in 0..60 {
        let namespace = client.namespace().to_owned();
        let polled = informers.poll(&namespace).await;
        reported.extend(informers.take(polled));
        let anew = gather(
            client,
            selection,
            SnapshotDetail::Redacted,
            GatherScope::Decision,
        )
        .await
        .unwrap();
        let number = anew.len();
        differences = anew
            .into_iter()
            .flat_map(|mut anew| {
                // Watches keep only the conditions that count.
                for pod in &mut *anew.pods {
                    Arc::make_mut(pod).status.drop_unread_conditions();
                }
                let key = hpa_engine::model::HpaKey {
                    namespace: namespace.clone(),
                    name: anew.hpa.metadata.name.clone(),
                };
                let anew = comparable(serde_json::to_value(anew).unwrap());
                let known = informers.snapshot(&key);
                let known = comparable(serde_json::to_value(known).unwrap());
                if anew == known && is_so(&known) {
                    return Vec::new();
                }
                let fields = anew.as_object().unwrap().keys().cloned();
                let fields = fields.filter(|field| anew[field] != known[field]);
                fields
                    .map(|field| format!("{field}: {} instead of {}", known[&field], anew[&field]))
                    .chain([format!("that is {key}")])
                    .collect::<Vec<_>>()
            })
            .collect();
        // One that was deleted is not among those that were read.
        if differences.is_empty() && informers.hpas().len() == number {
            return reported;
        }
        // Changes arrive soon; maybe there are none.
        let next = tokio::time::timeout(Duration::from_secs(1), informers.next()).await;
        reported.extend(next.ok());
    }
    panic!("{differences:#?}, reported: {reported:?}");
}

/// Without what is different at each look.
fn comparable(mut value: Value) -> Value {
    if let Some(snapshot) = value.as_object_mut() {
        for field in ["time", "requests", "clockSkewSeconds"] {
            snapshot.remove(field);
        }
        // Watches give only those that select one of its pods: no others count.
        let own = snapshot["scale"]["status"]["selector"].clone();
        if let Some(others) = snapshot.get_mut("otherHpas").and_then(Value::as_array_mut) {
            others.retain(|other| other["selector"] == own);
            if others.is_empty() {
                snapshot.remove("otherHpas");
            }
        }
    }
    forget_times(&mut value);
    value
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("timestamp");
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

#[test]
fn watches_with_the_permissions_of_the_manifest_know_what_a_new_read_gives() {
    let namespace = namespace("informers");
    namespace.metrics(&json!({"external": [{"metric": "queue_depth", "value": "35"}]}));
    namespace.apply([
        deployment("web", 2).pods("cpu", "90m").object(),
        hpa("web").cpu(60).object(),
        deployment("queue", 2).pods("cpu", "50m").object(),
        hpa("queue").external("queue_depth", average("10")).object(),
    ]);
    namespace.explain_as_reader_of_the_cluster(&rules_of_the_manifest());
    let selection = Selection::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = namespace.client().await;
        let mut informers = Informers::start(&client, &selection).await.unwrap();
        let mut reported = settle(&mut informers, &client, &selection, |_| true).await;

        // The controller scales both, and says so in status, scale and events.
        namespace.pass();
        let has_scaled = |snapshot: &Value| {
            let replicas = &snapshot["scale"]["status"]["replicas"];
            (replicas == &json!(3) || replicas == &json!(4))
                && snapshot["pods"].as_array().unwrap().len() as u64 == replicas.as_u64().unwrap()
                && snapshot["kubernetesEvents"].is_array()
                && snapshot["target"]["intermediateOwners"].is_array()
        };
        reported.extend(settle(&mut informers, &client, &selection, has_scaled).await);

        // One that comes, and one that goes.
        namespace.apply([hpa("late")
            .target("apps/v1", "Deployment", "web")
            .cpu(60)
            .object()]);
        namespace.run(["delete", "hpa", "queue"]);
        reported.extend(settle(&mut informers, &client, &selection, |_| true).await);
        let names: Vec<String> = informers.hpas().into_iter().map(|hpa| hpa.name).collect();
        assert_eq!(names, ["late", "web"]);
        let fails = |change: &&InformerChange| matches!(change, InformerChange::Failing { .. });
        assert_eq!(
            reported.iter().find(fails),
            None,
            "the rights of the manifest are enough"
        );
    });
}
