//! Other autoscalers, of kinds that a cluster may or may not have.

use serde_json::{Value, json};

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{HPAS, forbidden, hpa, list},
};

/// API groups with one version each, as discovery lists them.
pub(crate) fn groups(groups: &[(&str, &str)]) -> Value {
    let groups: Vec<Value> = groups
        .iter()
        .map(|(name, version)| {
            let version = json!({"groupVersion": format!("{name}/{version}"), "version": version});
            json!({"name": name, "versions": [version], "preferredVersion": version})
        })
        .collect();
    json!({"kind": "APIGroupList", "groups": groups})
}

fn object(name: &str, target: (&str, Value)) -> Value {
    let (field, target) = target;
    json!({"metadata": {"name": name, "namespace": "shop"}, "spec": {field: target}})
}

/// The page on one line, so that wrapping does not matter.
fn page(server: &Server) -> String {
    let run = Plugin::of(server).run(&["explain", "web"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn absence_of_all_kinds_costs_one_discovery_request() {
    let server = Server::start();
    server.set_json("/apis", &groups(&[("apps", "v1"), ("autoscaling", "v2")]));
    page(&server);
    assert_eq!(server.count("/apis"), 1);
    for seen in server.seen() {
        let is_theirs = GROUPS.iter().any(|(group, _)| seen.path.contains(group));
        assert!(!is_theirs, "{}", seen.path);
    }
}

#[test]
fn each_group_is_listed_once_and_what_has_the_same_target_is_named() {
    let server = Server::start();
    server.set_json("/apis", &groups(&GROUPS));
    let web = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    let other = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "other"});
    let of = |group: &str, version: &str, resource: &str, items: Vec<Value>| {
        let path = format!("/apis/{group}/{version}/namespaces/shop/{resource}");
        server.set_json(&path, &list(items));
    };
    of(
        "keda.sh",
        "v1alpha1",
        "scaledobjects",
        vec![
            object("mail", ("scaleTargetRef", json!({"name": "web"}))),
            object("elsewhere", ("scaleTargetRef", json!({"name": "other"}))),
        ],
    );
    of(
        "autoscaling.alibabacloud.com",
        "v1beta1",
        "cronhorizontalpodautoscalers",
        vec![object("night", ("scaleTargetRef", web.clone()))],
    );
    of(
        "datadoghq.com",
        "v1alpha1",
        "datadogpodautoscalers",
        vec![object("dd", ("targetRef", other))],
    );
    of(
        "flagger.app",
        "v1beta1",
        "canaries",
        vec![object("try", ("targetRef", web))],
    );
    let page = page(&server);
    for text in [
        "ScaledObject mail also scales Deployment/web, by an HPA of its own",
        "CronHorizontalPodAutoscaler night (kubernetes-cronhpa-controller) also scales Deployment/web",
        "Deployment/web is the new version that Canary try of Flagger tries out",
    ] {
        assert!(page.contains(text), "no {text:?} in {page}");
    }
    for text in ["elsewhere", "DatadogPodAutoscaler", "not read"] {
        assert!(!page.contains(text), "{text:?} in {page}");
    }
    // Argo CD without Rollouts has the group but not the kind, which is not worth a message.
    assert_eq!(
        server.count("/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts"),
        1
    );
    assert!(server.decisive().len() <= 10);
}

#[test]
fn missing_right_to_other_autoscalers_leaves_the_page_as_it_is() {
    let server = Server::start();
    server.set_json("/apis", &groups(&[("keda.sh", "v1alpha1")]));
    server.set(
        "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects",
        Answer::status(&forbidden("scaledobjects")),
    );
    let run = Plugin::of(&server).run(&["explain", "web", "-o", "json"]);
    let explanation: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(explanation["verdict"]["to"], 2);
    let not_read = explanation["notRead"].to_string();
    assert!(
        not_read.contains(r#"resources: [\"scaledobjects\"]"#),
        "{not_read}"
    );
}

#[test]
fn hpa_that_keda_deleted_because_of_a_pause_is_explained() {
    let server = Server::start();
    let mut paused = object("mail", ("scaleTargetRef", json!({"name": "mailer"})));
    paused["metadata"]["annotations"] = json!({"autoscaling.keda.sh/paused-replicas": "3"});
    server.set_json(
        "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects",
        &list(vec![paused]),
    );
    for name in ["keda-hpa-mail", "deploy/mailer"] {
        let run = Plugin::of(&server).run(&["explain", name]);
        assert_eq!(run.code, Some(2));
        let needed = "in namespace shop: ScaledObject mail is paused (annotation \
                      autoscaling.keda.sh/paused-replicas), and KEDA deletes the HPA of a paused ScaledObject";
        assert!(run.stderr.contains(needed), "{}", run.stderr);
    }
}

#[test]
fn scaled_object_names_the_hpa_that_keda_made_of_it() {
    let server = Server::start();
    let mut made = hpa("web");
    made["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "mail", "controller": true, "uid": "1",
    }]);
    server.set_json(HPAS, &list(vec![made, hpa("other")]));
    let run = |arguments: &[&str]| {
        let run = Plugin::of(&server).run(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        run.stdout
    };
    let page = run(&["explain", "web", "-o", "name"]);
    for name in ["so/mail", "scaledobjects.keda.sh/mail", "shop/so/ma*"] {
        assert_eq!(run(&["explain", name, "-o", "name"]), page, "{name}");
    }
    assert_eq!(run(&["explain", "so", "mail", "-o", "name"]), page);
    let table = run(&["list", "-o", "wide"]);
    let column = |line: &str| line.split_whitespace().nth(2).unwrap().to_owned();
    assert_eq!(
        table.lines().take(3).map(column).collect::<Vec<_>>(),
        ["SCALEDOBJECT", "mail", "-"],
        "{table}"
    );
    server.set_json(HPAS, &list(vec![hpa("web")]));
    assert!(!run(&["list", "-o", "wide"]).contains("SCALEDOBJECT"));
}

#[test]
fn scaled_object_without_an_hpa_says_what_keda_says() {
    let server = Server::start();
    let with = |name: &str, ready: Value| {
        let mut object = object(name, ("scaleTargetRef", json!({"name": name})));
        object["status"] = json!({"conditions": [ready]});
        object
    };
    let mut paused = object("paused", ("scaleTargetRef", json!({"name": "paused"})));
    paused["metadata"]["annotations"] = json!({"autoscaling.keda.sh/paused": "true"});
    let refused = json!({"type": "Ready", "status": "False", "reason": "ScaledObjectCheckFailed",
        "message": "ScaledObject doesn't have correct scaleTargetRef specification: no such Deployment"});
    server.set_json(
        "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects",
        &list(vec![
            paused,
            with("refused", refused),
            with("new", json!({"type": "Ready", "status": "Unknown"})),
            with("ready", json!({"type": "Ready", "status": "True"})),
        ]),
    );
    for (name, why) in [
        (
            "paused",
            "ScaledObject paused is paused (annotation autoscaling.keda.sh/paused), and KEDA deletes the HPA of a \
             paused ScaledObject",
        ),
        (
            "refused",
            "ScaledObject refused is not ready (ScaledObjectCheckFailed): ScaledObject doesn't have correct \
             scaleTargetRef specification: no such Deployment",
        ),
        (
            "new",
            "KEDA's operator has not checked ScaledObject new: its condition Ready is not set",
        ),
        (
            "ready",
            "KEDA reports ScaledObject ready ready, and its HPA is named keda-hpa-ready",
        ),
    ] {
        let run = Plugin::of(&server).run(&["explain", &format!("so/{name}")]);
        assert_eq!(run.code, Some(2));
        let needed = format!("no HPA belongs to ScaledObject {name:?} in namespace shop: {why}");
        assert!(run.stderr.contains(&needed), "{}", run.stderr);
    }
}

/// Groups with a kind that may concern an HPA.
const GROUPS: [(&str, &str); 9] = [
    ("argoproj.io", "v1alpha1"),
    ("autoscaling.alibabacloud.com", "v1beta1"),
    ("autoscaling.crane.io", "v1alpha1"),
    ("autoscaling.gke.io", "v1beta1"),
    ("autoscaling.k8s.io", "v1"),
    ("autoscaling.kapacitystack.io", "v1alpha1"),
    ("datadoghq.com", "v1alpha1"),
    ("flagger.app", "v1beta1"),
    ("keda.sh", "v1alpha1"),
];
