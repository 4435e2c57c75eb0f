//! Names, kinds, labels and namespaces.

use serde_json::{Value, json};

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{self, HPAS, POD_METRICS, PODS, hpa},
};

const ALL_HPAS: &str = "/apis/autoscaling/v2/horizontalpodautoscalers";

fn scaling(name: &str, workload: &str) -> Value {
    let mut hpa = hpa(name);
    hpa["spec"]["scaleTargetRef"]["name"] = json!(workload);
    hpa["status"]["conditions"] =
        json!([{"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"}]);
    hpa
}

/// Adds the Deployment `name` with one pod.
fn add_workload(server: &Server, name: &str) {
    let path = format!("/apis/apps/v1/namespaces/shop/deployments/{name}");
    let mut deployment = world::answers()
        .into_iter()
        .find(|(path, _)| *path == world::TARGET)
        .unwrap()
        .1;
    deployment["metadata"]["name"] = json!(name);
    server.set_json(&path, &deployment);
    server.set_json(
        &format!("{path}/scale"),
        &json!({"spec": {"replicas": 1}, "status": {"replicas": 1, "selector": format!("app={name}")}}),
    );
}

#[test]
fn nearest_names_are_offered() {
    let server = Server::start();
    let names = ["web", "web-canary", "worker", "cache", "mail"];
    server.set_json(HPAS, &world::list(names.map(hpa).to_vec()));
    Plugin::of(&server)
        .run(&["capture", "web-canry"])
        .fails_with(
            "HPA \"web-canry\" not found in namespace shop. Did you mean web-canary or web?",
        );
}

#[test]
fn hpa_of_another_namespace_is_found() {
    let server = Server::start();
    let mut elsewhere = hpa("mail");
    elsewhere["metadata"]["namespace"] = json!("post");
    server
        .set_json(HPAS, &world::list(vec![]))
        .set_json(ALL_HPAS, &world::list(vec![elsewhere]));
    Plugin::of(&server).run(&["capture", "mail"]).fails_with(
        "HPA \"mail\" not found in namespace shop. Found in namespace post: use -n post",
    );
}

#[test]
fn workload_selects_the_hpa_that_scales_it() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    for name in ["deploy/web", "deployment.apps/web", "hpa/web"] {
        assert_eq!(plugin.capture(&[name])["hpa"]["metadata"]["name"], "web");
    }
    plugin
        .run(&["capture", "sts/web"])
        .fails_with("no HPA scales sts \"web\" in namespace shop. HPA web scales Deployment/web");
}

#[test]
fn names_are_taken_as_people_type_them() {
    let server = Server::start();
    let mut custom = scaling("shop-hpa", "shop");
    custom["spec"]["scaleTargetRef"]["kind"] = json!("WebApp");
    let mut elsewhere = hpa("mail");
    elsewhere["metadata"]["namespace"] = json!("post");
    server
        .set_json(HPAS, &world::list(vec![hpa("web"), custom]))
        .set_json(
            "/apis/autoscaling/v2/namespaces/post/horizontalpodautoscalers",
            &world::list(vec![elsewhere]),
        );
    let plugin = Plugin::of(&server);
    for (words, name) in [
        (&["shop/web"][..], "web"),
        (&["-n", "shop", "shop/web"], "web"),
        (&["shop/deploy/web"], "web"),
        (&["hpa", "web"], "web"),
        (&["deploy", "web"], "web"),
        (&["horizontalpodautoscalers.autoscaling/web"], "web"),
        (&["w?b*"], "web"),
        // A kind in the cluster takes precedence over a namespace of that name.
        (&["webapp/shop"], "shop-hpa"),
        (&["post/mail"], "mail"),
        (&["post/m*"], "mail"),
    ] {
        let captured = plugin.capture(words);
        assert_eq!(captured["hpa"]["metadata"]["name"], name, "{words:?}");
    }
    for (words, error) in [
        (
            &["capture", "-n", "post", "shop/web"][..],
            "\"shop/web\" is in namespace shop, but -n says post: use only one of them",
        ),
        (
            &["capture", "web", "post/mail"],
            "\"web\" is in namespace shop, but \"post/mail\" is in namespace post: use -A for several namespaces",
        ),
        (
            &["capture", "p*/mail"],
            "\"p*\" in \"p*/mail\" matches several namespaces: add -A",
        ),
        (
            &["capture", "x*"],
            "no HPA matches \"x*\" in namespace shop. HPAs: web, shop-hpa",
        ),
    ] {
        plugin.run(words).fails_with(error);
    }
}

#[test]
fn namespace_without_hpas_says_where_there_are_some() {
    let server = Server::start();
    let elsewhere = |name: &str, namespace: &str| {
        let mut hpa = hpa(name);
        hpa["metadata"]["namespace"] = json!(namespace);
        hpa
    };
    let all = vec![
        elsewhere("a", "batch"),
        elsewhere("b", "post"),
        elsewhere("c", "post"),
    ];
    server
        .set_json(HPAS, &world::list(vec![]))
        .set_json(ALL_HPAS, &world::list(all));
    let plugin = Plugin::of(&server);
    let others = "no HPAs in namespace shop. 3 in post and batch: use -n NAME or -A";
    for command in ["explain", "capture", "lint", "watch"] {
        plugin.run(&[command]).fails_with(others);
    }
    let run = plugin.run(&["list"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        "No HPAs in namespace shop. 3 in post and batch: use -n NAME or -A\n"
    );
    server.set(
        ALL_HPAS,
        Answer::status(&world::forbidden("horizontalpodautoscalers")),
    );
    plugin
        .run(&["explain"])
        .fails_with("no HPAs in namespace shop");
}

#[test]
fn several_hpas_share_the_lists_of_their_namespace() {
    let server = Server::start();
    add_workload(&server, "mail");
    let mut pod = world::pod("mail-a");
    pod["metadata"]["labels"]["app"] = json!("mail");
    let pods = vec![world::pod("web-a"), world::pod("web-b"), pod];
    server
        .set_json(
            HPAS,
            &world::list(vec![hpa("web"), scaling("mail", "mail")]),
        )
        .set_json(PODS, &world::list(pods));
    let run = Plugin::of(&server).run(&["capture", "web", "mail"]);
    let snapshots: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let pods = |index: usize| snapshots[index]["pods"].as_array().unwrap().len();
    assert_eq!(snapshots[0]["metadata"]["name"], "shop/web");
    assert_eq!((pods(0), pods(1)), (2, 1));
    assert_eq!((server.count(PODS), server.count(POD_METRICS)), (1, 1));
    let metrics = &snapshots[1]["podMetrics"]["items"];
    assert_eq!(metrics.as_array().map(Vec::len).unwrap_or_default(), 0);
}

#[test]
fn labels_select() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    assert_eq!(
        plugin.capture(&["-l", "tier=front"])["hpa"]["metadata"]["name"],
        "web"
    );
    plugin
        .run(&["capture", "-l", "tier=back"])
        .fails_with("no HPA in namespace shop has labels that match \"tier=back\"");
    let run = plugin.run(&["capture", "-l", "tier in"]);
    assert!(
        run.stderr.starts_with("error: --selector \"tier in\": "),
        "{run:?}"
    );
}

#[test]
fn second_hpa_on_the_same_target_costs_no_request() {
    let server = Server::start();
    server.set_json(
        HPAS,
        &world::list(vec![hpa("web"), scaling("web-2", "web")]),
    );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        snapshot["otherHpas"],
        json!([{"name": "web-2", "selector": "app=web"}])
    );
    assert_eq!(server.count(world::SCALE), 1);
    assert!(server.decisive().len() <= 10);
}

#[test]
fn selectors_of_many_other_hpas_come_in_one_list() {
    let server = Server::start();
    let mut hpas = vec![hpa("web")];
    let mut workloads = Vec::new();
    for number in 0..20 {
        let name = format!("other-{number}");
        hpas.push(scaling(&name, &name));
        workloads.push(json!({
            "metadata": {"name": name, "namespace": "shop"},
            "spec": {"selector": {"matchLabels": {"app": name}}},
        }));
    }
    let deployments = "/apis/apps/v1/namespaces/shop/deployments";
    server
        .set_json(HPAS, &world::list(hpas))
        .set_json(deployments, &world::list(workloads));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["otherHpas"].as_array().unwrap().len(), 20);
    assert_eq!(
        snapshot["otherHpas"][7],
        json!({"name": "other-7", "selector": "app=other-7"})
    );
    assert_eq!(server.count(deployments), 1);
    assert!(server.decisive().len() <= 10);
}

#[test]
fn custom_resource_is_found_by_discovery() {
    let server = Server::start();
    let mut shop = hpa("web");
    shop["spec"]["scaleTargetRef"] =
        json!({"apiVersion": "example.com/v1alpha1", "kind": "WebApp", "name": "web"});
    let path = "/apis/example.com/v1/namespaces/shop/webapps/web";
    server
        .set_json(HPAS, &world::list(vec![shop]))
        .set_json(
            "/apis/example.com",
            &json!({"versions": [{"version": "v1beta1"}, {"version": "v1"}], "preferredVersion": {"version": "v1"}}),
        )
        .set_json(
            "/apis/example.com/v1",
            &json!({"resources": [{"name": "webapps", "kind": "WebApp", "namespaced": true}, {"name": "webapps/scale", "kind": "Scale", "namespaced": true}]}),
        )
        .set_json("/apis/example.com/v1beta1", &json!({"resources": []}))
        .set_json(path, &json!({"apiVersion": "example.com/v1", "kind": "WebApp", "metadata": {"name": "web"}}))
        .set_json(
            &format!("{path}/scale"),
            &json!({"spec": {"replicas": 2}, "status": {"replicas": 2, "selector": "app=web"}}),
        );
    let snapshot = Plugin::of(&server).capture(&["web"]);
    assert_eq!(snapshot["scale"]["spec"]["replicas"], 2);
    assert_eq!(snapshot["target"]["kind"], "WebApp");
}
