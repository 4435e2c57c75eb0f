//! The chart of the exporter, by the real Helm on a real API server: what it installs suffices and is gone afterwards, and
//! `deploy/exporter.yaml` is what it makes by default.

use std::{env, fs, path::Path, process::Command};

use serde_json::Value;

use super::{Export, sample, situations};
use crate::{
    cluster::{cluster, eventually, succeed},
    namespace::{Namespace, free_namespace},
    permissions::roles,
};

const CHART: &str = "deploy/chart";

/// `UPDATE_GENERATED=1` writes the file.
#[test]
fn manifest_of_the_exporter_is_the_chart_with_its_defaults() {
    let made = succeed(&mut helm([
        "template",
        "kubectl-hpa-exporter",
        CHART,
        "--namespace=monitoring",
    ]));
    let lines = made.lines().filter(|line| !line.starts_with("# Source: "));
    let lines = lines.filter(|line| !line.is_empty());
    // No document before the first one, which would be empty.
    let made: Vec<&str> = lines.skip_while(|line| *line == "---").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/exporter.yaml");
    let written = fs::read_to_string(&path).unwrap();
    let head = written.lines().take_while(|line| line.starts_with('#'));
    let expected = head.chain(made).collect::<Vec<_>>().join("\n") + "\n";
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(path, expected).unwrap();
    } else {
        assert_eq!(written, expected);
    }
}

#[test]
fn chart_gives_the_exporter_what_it_needs_and_leaves_nothing() {
    let namespace = free_namespace("charted");
    let other = free_namespace("uncharted");
    situations(&namespace);
    succeed(&mut helm(["lint", "--strict", CHART]));
    let mut install = in_cluster(["install", "charted", CHART]);
    succeed(install.arg("--namespace=charted"));
    is_ready(&["--all-namespaces"]);

    // Of one namespace: the ClusterRole is gone, and so is what the exporter could see elsewhere.
    let mut upgrade = in_cluster(["upgrade", "charted", CHART, "--namespace=charted"]);
    upgrade.args([
        "--set=namespace=charted",
        "--set=rbac.controller=false",
        "--set=args={--cluster-wide-things}",
        "--set=podLabels.team=shop",
        "--set=imagePullSecrets[0].name=registry",
        "--set=tolerations[0].operator=Exists",
        "--set=nodeSelector.disk=ssd",
        "--set=priorityClassName=system-cluster-critical",
        "--set-string=selector=tier in (a\\,b)",
    ]);
    succeed(&mut upgrade);
    eventually("the ClusterRole is gone", || {
        (!may_list(&other)).then_some(())
    });
    assert!(may_list(&namespace));
    is_ready(&["--namespace=charted"]);
    let pod = namespace.get("deployment", "charted");
    let pod = &pod["spec"]["template"];
    assert_eq!(pod["metadata"]["labels"]["team"], "shop");
    let spec = &pod["spec"];
    assert_eq!(spec["imagePullSecrets"][0]["name"], "registry");
    assert_eq!(spec["tolerations"][0]["operator"], "Exists");
    assert_eq!(spec["nodeSelector"]["disk"], "ssd");
    assert_eq!(spec["priorityClassName"], "system-cluster-critical");
    let arguments: Vec<&str> = spec["containers"][0]["args"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(
        arguments[1..],
        [
            "--namespace=charted",
            "--listen=0.0.0.0:9484",
            "--selector=tier in (a,b)",
            "--cluster-wide-things"
        ]
    );

    succeed(in_cluster(["uninstall", "charted"]).arg("--namespace=charted"));
    let kinds =
        "deployments,services,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings";
    let left = succeed(&mut namespace.kubectl([
        "get",
        kinds,
        "--all-namespaces",
        "--selector=app.kubernetes.io/instance=charted",
        "--output=name",
    ]));
    assert_eq!(left, "");
}

#[test]
fn values_that_the_chart_does_not_know_are_refused_by_name() {
    for (value, name) in [
        ("replica=2", "replica"),
        ("replicas=two", "/replicas"),
        ("image.digest=abc", "/image/digest"),
        ("namespace=Shop", "/namespace"),
        ("podMonitor.interval=soon", "/podMonitor/interval"),
    ] {
        let output = helm(["template", CHART, "--set", value]).output().unwrap();
        assert!(!output.status.success(), "{value}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(name), "{value}: {said}");
    }
}

#[test]
fn monitor_of_the_chart_selects_its_pods() {
    let labels = "--set=podMonitor.create=true,podMonitor.labels.release=prometheus";
    let made = succeed(&mut helm(["template", "one", CHART, labels]));
    let objects = roles(&made);
    let of_kind = |kind: &str| objects.iter().find(|one| one["kind"] == kind).unwrap();
    let monitor = of_kind("PodMonitor");
    assert_eq!(monitor["metadata"]["labels"]["release"], "prometheus");
    let pod = &of_kind("Deployment")["spec"]["template"];
    for (key, value) in monitor["spec"]["selector"]["matchLabels"]
        .as_object()
        .unwrap()
    {
        assert_eq!(pod["metadata"]["labels"][key], *value);
    }
    let port = &monitor["spec"]["podMetricsEndpoints"][0]["port"];
    assert_eq!(pod["spec"]["containers"][0]["ports"][0]["name"], *port);
}

/// The exporter, with the permissions of the ServiceAccount, sees everything.
#[track_caller]
fn is_ready(arguments: &[&str]) {
    let account = [
        "--as=system:serviceaccount:charted:charted",
        "--as-group=system:authenticated",
        "--as-group=system:serviceaccounts",
    ];
    let export = Export::start(
        &cluster().file("kubeconfig"),
        &[arguments, &account].concat(),
    );
    let seen = [
        sample("visible", ("charted", "full"), "", "1"),
        sample("visible", ("charted", "waiting"), "", "1"),
        "kubectl_hpa_up 1".to_owned(),
    ];
    let text = export.serves(&seen);
    assert!(!text.contains("kubectl_hpa_source_failing{"), "{text}");
    export.ends();
}

fn may_list(namespace: &Namespace) -> bool {
    let account = "--as=system:serviceaccount:charted:charted";
    let mut ask = namespace.kubectl(["auth", "can-i", "list", "pods", account]);
    ask.output().unwrap().status.success()
}

fn helm<const N: usize>(arguments: [&str; N]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(root.join("tests/cluster/bin/helm"));
    command.args(arguments).current_dir(root);
    // What Helm keeps of its own is not that of the user.
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("helm");
    for (name, folder) in [
        ("HELM_CACHE_HOME", "cache"),
        ("HELM_CONFIG_HOME", "config"),
        ("HELM_DATA_HOME", "data"),
    ] {
        command.env(name, home.join(folder));
    }
    command
}

fn in_cluster<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = helm(arguments);
    command.env("KUBECONFIG", cluster().file("kubeconfig"));
    command
}
