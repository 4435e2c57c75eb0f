//! The steps of `docs/export.md` from nothing to the first alert, as the page has them, on a control plane with the kinds of the Prometheus
//! operator. No container runs there and no operator: the exporter runs here with the rights of its ServiceAccount, and Prometheus has what
//! the operator would give it.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use serde_json::{Value, json};

use super::{
    Export,
    prometheus::{Server, Settings, alertmanager, hasty, is_played, name_and_hpa},
};
use crate::cluster::{Cluster, eventually, succeed};

#[test]
fn steps_of_the_page_lead_to_an_alert_in_the_alertmanager() {
    if !is_played() {
        return;
    }
    let reader = Reader::begin();
    let page = fs::read_to_string(root().join("docs/export.md")).unwrap();
    let (_, steps) = page.split_once("\n## To the first alert\n").unwrap();
    let (steps, rest) = steps.split_once("\n## ").unwrap();

    // Everything that the page has the reader type, except commands that need a running container.
    let commands: Vec<String> = blocks(steps, "sh").flat_map(lines).collect();
    let (cleaning, commands) = commands.split_last().unwrap();
    let commands = commands.iter().filter(|one| !needs_a_container(one));
    let commands: Vec<&String> = commands.collect();
    assert_eq!(commands.len(), 6, "{commands:#?}");
    for command in commands {
        reader.run(command);
    }

    // The exporter, with the rights that the page has granted.
    let export = Export::start(&reader.kubeconfig_of_the_exporter(), &["--all-namespaces"]);
    eventually("the exporter is ready", || {
        (export.get("/readyz") == (200, "ready: HPAs: 1\n".to_owned())).then_some(())
    });

    // The rules that the cluster has, and the scrape configuration of the page.
    let rules = reader.object("prometheusrule", "kubectl-hpa");
    assert_eq!(
        rules["metadata"]["labels"]["release"],
        "kube-prometheus-stack"
    );
    let rules = serde_saphyr::to_string(&rules["spec"]).unwrap();
    let folder = reader.0.file("monitoring");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rules.yaml"), hasty(&rules)).unwrap();
    let config = blocks(steps, "yaml").next().unwrap();
    let mut config: Value = serde_saphyr::from_str(config).unwrap();
    let target = &mut config["scrape_configs"][0]["static_configs"][0]["targets"][0];
    assert_eq!(*target, "kubectl-hpa-exporter.monitoring:9484");
    *target = json!(export.address);
    let alerts = alertmanager(&folder);
    let prometheus = Settings {
        folder: &folder,
        scrapes: config["scrape_configs"].take(),
        alertmanager: Some(&alerts),
    }
    .start();
    let expected = ("HpaTargetNotFound", "without-target");
    let expected = (expected.0.to_owned(), expected.1.to_owned());
    eventually("the Alertmanager has the alert, and no other", || {
        (received(&alerts) == [expected.clone()]).then_some(())
    });
    reader.run(cleaning);
    eventually("the alert is over", || {
        prometheus.alerts().is_empty().then_some(())
    });

    // The dashboard, as its section has it.
    let (_, section) = rest.split_once("\n## Dashboard\n").unwrap();
    let commands = lines(blocks(section, "sh").next().unwrap());
    assert_eq!(commands.len(), 3, "{commands:#?}");
    for command in &commands {
        reader.run(command);
    }
    let map = reader.object("configmap", "hpa-dashboard");
    assert_eq!(map["metadata"]["labels"]["grafana_dashboard"], "1");
    let board: Value = serde_json::from_str(map["data"]["hpa.json"].as_str().unwrap()).unwrap();
    assert_eq!(board["title"], "HorizontalPodAutoscalers");
    drop(prometheus);
    export.ends();
}

/// A user with a checkout of the project, and a cluster with the operator's kinds.
struct Reader(Arc<Cluster>);

impl Reader {
    fn begin() -> Self {
        let cluster = Cluster::of_its_own("first-alert");
        let kinds = root().join("tests/monitoring/operator.yaml");
        succeed(
            cluster
                .kubectl(["apply", "--server-side", "--filename"])
                .arg(kinds),
        );
        fs::create_dir_all(cluster.file("checkout")).unwrap();
        symlink(root().join("deploy"), cluster.file("checkout/deploy")).unwrap();
        eventually("the kinds of the operator are served", || {
            let arguments = [
                "api-resources",
                "--api-group=monitoring.coreos.com",
                "--output=name",
            ];
            let kinds = succeed(&mut cluster.kubectl(arguments));
            (kinds.lines().count() == 2).then_some(())
        });
        Self(cluster)
    }

    /// Runs a command of the page.
    #[track_caller]
    fn run(&self, command: &str) {
        let kubectl = self.0.kubectl([]);
        let folder = Path::new(kubectl.get_program()).parent().unwrap();
        let mut path = folder.as_os_str().to_owned();
        for more in [plugin().parent().unwrap().as_os_str(), &inherited_path()] {
            path.push(":");
            path.push(more);
        }
        let output = Command::new("sh")
            .args(["-ec", command])
            .env("PATH", path)
            .env("KUBECONFIG", self.0.file("kubeconfig"))
            .env("HOME", self.0.file("checkout"))
            .current_dir(self.0.file("checkout"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
    }

    /// An object in the namespace `monitoring`.
    fn object(&self, kind: &str, name: &str) -> Value {
        let arguments = ["get", kind, name, "--namespace=monitoring", "--output=json"];
        serde_json::from_str(&succeed(&mut self.0.kubectl(arguments))).unwrap()
    }

    /// A kubeconfig with a token of the ServiceAccount.
    fn kubeconfig_of_the_exporter(&self) -> PathBuf {
        let account = "kubectl-hpa-exporter";
        let arguments = ["create", "token", account, "--namespace=monitoring"];
        let token = succeed(&mut self.0.kubectl(arguments));
        let path = self.0.file("exporter-kubeconfig");
        fs::copy(self.0.file("kubeconfig"), &path).unwrap();
        let token = format!("--token={}", token.trim());
        for arguments in [
            ["config", "set-credentials", account, &token],
            [
                "config",
                "set-context",
                "--current",
                "--user=kubectl-hpa-exporter",
            ],
        ] {
            succeed(self.0.kubectl(arguments).env("KUBECONFIG", &path));
        }
        path
    }
}

/// The alerts that an Alertmanager has.
fn received(alertmanager: &Server) -> Vec<(String, String)> {
    let alerts = alertmanager.query("/api/v2/alerts");
    let alerts = alerts.as_array().unwrap().iter();
    alerts.map(name_and_hpa).collect()
}

/// The blocks of code of a language.
fn blocks<'a>(text: &'a str, language: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!("\n```{language}\n");
    let blocks: Vec<&str> = text.split(&begin).skip(1).collect();
    blocks
        .into_iter()
        .map(|block| block.split_once("\n```").unwrap().0)
}

fn lines(block: &str) -> Vec<String> {
    block.lines().map(str::to_owned).collect()
}

/// Whether a command needs running containers, or never ends.
fn needs_a_container(command: &str) -> bool {
    ["kubectl port-forward ", "kubectl hpa export -A", "curl "]
        .iter()
        .any(|start| command.starts_with(start))
}

fn plugin() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
}

fn inherited_path() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
