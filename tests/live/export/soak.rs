//! A long run of the exporter: what it keeps does not grow, it comes back after the API server was away, and it only reads.

use std::{env, fs, thread, time::Duration};

use serde_json::json;

use super::{Export, verdict};
use crate::{
    cluster::{Cluster, eventually, succeed},
    manifest::{deployment, hpa},
    namespace::{Namespace, free_namespace_in},
};

/// As many syncs as in an hour with the defaults of the controller, and in all four of them. Both are a tenth without `SOAK=long`.
const HOUR: usize = 240;

/// HPAs, each with its load.
const HPAS: usize = 10;

/// A process that allocates and frees keeps a few MiB more or less. An exporter that kept every sync would need more: in three hours these
/// HPAs have 7,200 syncs, and a snapshot of one with its pods has more than 10 KiB.
const ROOM: u64 = 16 << 20;

#[test]
fn memory_is_level_after_the_first_hour_of_syncs() {
    let is_long = env::var_os("SOAK").is_some_and(|form| form == "long");
    let hour = if is_long { HOUR } else { HOUR / 10 };
    let flags = [
        "--horizontal-pod-autoscaler-sync-period=250ms",
        "--horizontal-pod-autoscaler-downscale-stabilization=5s",
    ];
    let cluster = Cluster::with_audit("export-soak", &flags);
    let namespace = free_namespace_in(&cluster, "soak");
    namespace.stop_settling();
    let names: Vec<String> = (0..HPAS).map(|number| format!("web-{number}")).collect();
    for name in &names {
        namespace.apply([
            deployment(name, 3).object(),
            hpa(name).bounds(2, 6).cpu(60).object(),
        ]);
    }
    let export = Export::start(&cluster.file("kubeconfig"), &["--namespace=soak"]);
    let syncs = || syncs(&cluster) / HPAS;
    let mut load = Load::of(&namespace);
    load.runs_until(|| hour <= syncs());
    let after_an_hour = export.resident();
    load.runs_until(|| 2 * hour <= syncs());

    cluster.command("kill apiserver");
    export.serves(&["kubectl_hpa_up 0".to_owned()]);
    cluster.command("start apiserver");
    export.serves(&["kubectl_hpa_up 1".to_owned()]);

    load.runs_until(|| 4 * hour <= syncs());
    let at_the_end = export.resident();
    eprintln!(
        "{} syncs of {HPAS} HPAs: {after_an_hour} B after the first quarter, {at_the_end} B at the end",
        syncs()
    );
    assert!(
        at_the_end < after_an_hour + ROOM,
        "{after_an_hour} B, then {at_the_end} B"
    );

    // It still says what is so.
    load.set("60m");
    let of = |name: &str| verdict(("soak", name), "within_tolerance");
    let all: Vec<String> = names.iter().map(|name| of(name)).collect();
    export.serves(&all);
    assert_eq!(
        export.get("/readyz"),
        (200, format!("ready: HPAs: {HPAS}\n"))
    );
    export.ends();
    assert!(0 < cluster.assert_only_read());
}

/// A load of all pods that rises and falls.
struct Load<'a> {
    namespace: &'a Namespace,
    changes: usize,
}

impl<'a> Load<'a> {
    fn of(namespace: &'a Namespace) -> Self {
        Self {
            namespace,
            changes: 0,
        }
    }

    fn set(&self, cpu: &str) {
        self.namespace
            .metrics(&json!({"resource": [{"cpu": cpu, "memory": "100Mi"}]}));
    }

    /// Changes it every two seconds until that is so.
    fn runs_until(&mut self, is_so: impl Fn() -> bool) {
        while !is_so() {
            let cpu = ["60m", "90m", "60m", "30m"][self.changes % 4];
            self.set(cpu);
            self.changes += 1;
            thread::sleep(Duration::from_secs(2));
        }
    }
}

/// How many syncs the controller has made, by its own count.
fn syncs(cluster: &Cluster) -> usize {
    let text = eventually("the controller says how often it synced", || {
        let port = "jsonpath={.spec.containers[0].ports[0].containerPort}";
        let pod = [
            "get",
            "pod",
            "kube-controller-manager-testcluster",
            "--namespace=kube-system",
            "--output",
            port,
        ];
        let port = succeed(&mut cluster.kubectl(pod));
        let server = format!("--server=https://127.0.0.1:{port}");
        let metrics = cluster
            .kubectl(["get", "--raw=/metrics", &server])
            .output()
            .unwrap();
        metrics
            .status
            .success()
            .then(|| String::from_utf8(metrics.stdout).unwrap())
    });
    let counted = text.lines().filter(|line| {
        line.starts_with("horizontal_pod_autoscaler_controller_reconciliations_total{")
    });
    let counted = counted.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap());
    let counted: f64 = counted.sum();
    format!("{counted:.0}").parse().unwrap()
}

impl Export {
    /// Bytes of memory that it occupies.
    fn resident(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap();
        let kilobytes = kilobytes.trim().strip_suffix(" kB").unwrap();
        kilobytes.parse::<u64>().unwrap() << 10
    }
}
