//! What lists in protobuf have in common with lists in JSON, and what they are refused for.

use std::sync::Arc;

use hpa_objects::recording::wire;
use prost::Message as _;
use serde_json::{Value, json};

use super::*;
use crate::replica_sets::ReplicaSet;

/// A pod with every field that is read: no real one has them all.
fn whole_pod() -> (pod::PodMessage, Value) {
    let json = json!({
        "metadata": {
            "name": "web-1",
            "namespace": "shop",
            "generation": 2,
            "creationTimestamp": "2027-01-15T08:00:00Z",
            "deletionTimestamp": "2027-01-15T09:00:00Z",
            "labels": {"app": "web", "tier": "front"},
            "annotations": {"helm.sh/hook": "test", "secret": "left out"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": "web-5d", "controller": true}]
        },
        "spec": {
            "containers": [{
                "name": "main",
                "resources": {"limits": {"memory": "1Gi"}, "requests": {"cpu": "100m", "memory": "200Mi"}},
                "readinessProbe": {"initialDelaySeconds": 3, "periodSeconds": 5},
                "restartPolicy": "Never"
            }],
            "initContainers": [{
                "name": "mesh",
                "resources": {"limits": {"memory": "2Gi"}, "requests": {"cpu": "5m"}},
                "readinessProbe": {"initialDelaySeconds": 1, "periodSeconds": 2},
                "restartPolicy": "Always"
            }],
            "overhead": {"cpu": "10m"},
            "resources": {"limits": {"cpu": "2"}, "requests": {"cpu": "1"}}
        },
        "status": {
            "phase": "Running",
            "startTime": "2027-01-15T08:00:01Z",
            "conditions": [{
                "type": "Ready",
                "status": "False",
                "lastTransitionTime": "2027-01-15T08:00:02Z",
                "reason": "ContainersNotReady",
                "message": "containers with unready status: [main]"
            }],
            "initContainerStatuses": [{
                "name": "mesh",
                "restartCount": 0,
                "state": {"running": {"startedAt": "2027-01-15T08:00:03Z"}, "waiting": {"reason": "PodInitializing"}}
            }],
            "containerStatuses": [{
                "name": "main",
                "restartCount": 4,
                "state": {"running": {"startedAt": "2027-01-15T08:00:04Z"}, "waiting": {"reason": "CrashLoopBackOff"}}
            }]
        }
    });
    (pod::tests::whole(), json)
}

#[test]
fn pod_in_protobuf_is_the_pod_in_json() {
    let (message, json) = whole_pod();
    let pod = <Arc<wire::Pod>>::from_message(message);
    let of_json: Arc<wire::Pod> = serde_json::from_value(json).unwrap();
    assert_eq!(pod, of_json);
}

#[test]
fn every_field_of_a_pod_is_in_the_test_of_protobuf() {
    let pod: wire::Pod = serde_json::from_value(whole_pod().1).unwrap();
    let written = serde_json::to_value(pod).unwrap();
    let schema = serde_json::to_value(schemars::schema_for!(wire::Pod)).unwrap();
    let mut missing = Vec::new();
    collect_missing(&schema, &schema, &written, "pod", &mut missing);
    assert_eq!(missing, [""; 0]);
}

/// Adds the fields of a schema that no value at this place has.
fn collect_missing(
    all: &Value,
    schema: &Value,
    value: &Value,
    path: &str,
    missing: &mut Vec<String>,
) {
    let schema = resolved(all, schema);
    if let Some(items) = schema.get("items") {
        let elements = value.as_array().into_iter().flatten();
        let mut of_all: Option<Vec<String>> = None;
        for element in elements {
            let mut of_one = Vec::new();
            collect_missing(all, items, element, path, &mut of_one);
            of_all = Some(match of_all {
                Some(before) => before
                    .into_iter()
                    .filter(|one| of_one.contains(one))
                    .collect(),
                None => of_one,
            });
        }
        missing.extend(of_all.unwrap_or_else(|| vec![path.to_owned()]));
        return;
    }
    for (name, field) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let path = format!("{path}.{name}");
        match value.get(name) {
            Some(value) => collect_missing(all, field, value, &path, missing),
            None => missing.push(path),
        }
    }
}

/// The schema that a reference names, or that can be `null`.
fn resolved<'a>(all: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        return resolved(all, &options[0]);
    }
    match schema.get("$ref").and_then(Value::as_str) {
        Some(name) => resolved(all, all.pointer(name.trim_start_matches('#')).unwrap()),
        None => schema,
    }
}

#[test]
fn absent_fields_are_absent_in_both() {
    // Go writes the empty texts, zeros and times of a message.
    let json = json!({
        "metadata": {"name": "web-1", "creationTimestamp": null},
        "spec": {"containers": [{"name": "main", "resources": {}, "readinessProbe": {}}]},
        "status": {
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": null}],
            "containerStatuses": [
                {"name": "main", "restartCount": 0, "state": {}},
                {"name": "side", "restartCount": 0, "state": {"waiting": {}}},
                {"name": "last", "restartCount": 0, "state": {"running": {"startedAt": null}}}
            ]
        }
    });
    let of_json: Arc<wire::Pod> = serde_json::from_value(json).unwrap();
    let pod = <Arc<wire::Pod>>::from_message(pod::tests::bare());
    assert_eq!(pod, of_json);
}

#[test]
fn replica_set_in_protobuf_has_the_owner_that_it_has_in_json() {
    let json = json!({
        "metadata": {
            "name": "web-5d",
            "namespace": "shop",
            "labels": {"app": "web"},
            "annotations": {"deployment.kubernetes.io/revision": "3"},
            "ownerReferences": [{"kind": "Deployment", "name": "web", "controller": true}]
        },
        "status": {
            "replicas": 2,
            "conditions": [{"type": "ReplicaFailure", "status": "True", "message": "exceeded quota"}]
        }
    });
    let of_json: ReplicaSet = serde_json::from_value(json).unwrap();
    let set = ReplicaSet::from_message(replica_set::tests::whole());
    assert!(set.has_controller());
    assert_eq!(set.metadata.namespace, of_json.metadata.namespace);
    assert_eq!(set.metadata.labels, of_json.metadata.labels);
    let owner = set.owner().unwrap();
    assert_eq!(Some(&owner), of_json.owner().as_ref());
    assert_eq!(owner.owner_name, "web");
    assert_eq!(owner.revision, Some(3));
    assert_eq!(owner.failure.as_deref(), Some("exceeded quota"));
}

/// An answer: an object of this kind.
fn answer(kind: &str, content: Vec<u8>) -> Bytes {
    let unknown = Envelope {
        type_meta: Some(TypeMetaMessage {
            kind: kind.to_owned(),
        }),
        raw: Some(content.into()),
    };
    [PREFIX, &unknown.encode_to_vec()].concat().into()
}

/// The content of a list.
fn content(next: &str, items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut content = Vec::new();
    let mut field = |number: u8, bytes: Vec<u8>| {
        content.push(number << 3 | 2);
        prost::encode_length_delimiter(bytes.len(), &mut content).unwrap();
        content.extend(bytes);
    };
    let metadata = ListMetaMessage {
        next: next.to_owned(),
    };
    field(1, metadata.encode_to_vec());
    for item in items {
        field(2, item);
    }
    content
}

type PodList = Result<List<Arc<wire::Pod>>, BadProtobuf>;

#[test]
fn list_has_its_items_and_the_place_of_the_next_piece() {
    let pod = whole_pod().0.encode_to_vec();
    let pods: PodList = list(&answer("PodList", content("more", [pod.clone(), pod])));
    let pods = pods.unwrap();
    assert_eq!(pods.kind, "PodList");
    assert_eq!(pods.metadata.next, "more");
    let names = pods.items.iter().flatten().map(|pod| &pod.metadata.name);
    assert_eq!(names.collect::<Vec<_>>(), ["web-1", "web-1"]);
}

#[test]
fn empty_list_is_a_list() {
    let pods: PodList = list(&answer("PodList", Vec::new()));
    assert_eq!(pods.unwrap().items, Some(Vec::new()));
}

#[test]
fn status_is_no_list_and_says_why() {
    let status = StatusMessage {
        status: "Failure".to_owned(),
        message: "pods is forbidden".to_owned(),
        reason: "Forbidden".to_owned(),
        code: 403,
    };
    let body = answer("Status", status.encode_to_vec());
    let pods: PodList = list(&body);
    let pods = pods.unwrap();
    assert_eq!(
        (pods.items, pods.message.as_str()),
        (None, "pods is forbidden")
    );
    let error = crate::api_error::from_answer(
        403,
        "application/vnd.kubernetes.protobuf",
        &body,
        crate::api_error::ResourceName::default(),
    );
    assert_eq!(error.message, "pods is forbidden");
    assert_eq!((error.reason.as_str(), error.code), ("Forbidden", 403));
}

#[test]
fn answer_that_would_fill_the_memory_is_refused() {
    let many: PodList = list(&answer("PodList", content("", vec![Vec::new(); 200_001])));
    assert!(matches!(
        many,
        Err(BadProtobuf::TooMuch(Excess::Elements(_)))
    ));
    // Each container is two bytes long.
    let containers: Vec<u8> = [2 << 3 | 2, 0].repeat(1_000_000);
    let mut pod = vec![2 << 3 | 2];
    prost::encode_length_delimiter(containers.len(), &mut pod).unwrap();
    pod.extend(containers);
    let wide: PodList = list(&answer("PodList", content("", vec![pod; 3])));
    assert!(matches!(
        wide,
        Err(BadProtobuf::TooMuch(Excess::Collections(_)))
    ));
    let long: PodList = list(&answer(
        "PodList",
        content("", [vec![0; LONGEST_OBJECT + 1]]),
    ));
    assert!(matches!(long, Err(BadProtobuf::TooLong)));
}

#[test]
fn broken_answers_are_errors_or_lists_but_never_a_panic() {
    let pod = whole_pod().0.encode_to_vec();
    let body = answer("PodList", content("more", [pod]));
    for end in 0..body.len() {
        let cut: PodList = list(&body.slice(..end));
        assert!(cut.is_err() || end == PREFIX.len(), "the first {end} bytes");
        for bit in 0..8 {
            let mut changed = body.to_vec();
            changed[end] ^= 1 << bit;
            drop::<PodList>(list(&changed.into()));
        }
    }
}
