//! Series made of recordings of the real controller whose HPA is edited between syncs: each sync is scraped a second
//! later.

use std::path::Path;

use hpa_history::Series;
use hpa_objects::recording::{RecordingReader, Snapshot, wire::HpaStatus};
use serde_json::Value;

/// Recordings of 1.36 with an average of one External metric, which needs no pods; from the folder of the answers.
pub(crate) fn recordings(answers: &Path) -> Vec<Vec<Snapshot>> {
    let path = answers.join("edited.jsonl.gz");
    let mut all: Vec<Vec<Snapshot>> = Vec::new();
    for line in RecordingReader::open(&path).unwrap() {
        let snapshot = line.unwrap().snapshot;
        let name = &snapshot.metadata.name;
        let last = all.last_mut();
        match last.filter(|one| one[0].metadata.name == *name) {
            Some(one) => one.push(snapshot),
            None => all.push(vec![snapshot]),
        }
    }
    all
}

/// A series of these syncs, a second after each.
fn of_syncs(
    syncs: &[Snapshot],
    name: &str,
    labels: &[(&str, &str)],
    value: &dyn Fn(&Snapshot) -> Option<f64>,
) -> Series {
    let own = [("__name__", name), ("namespace", "shop")];
    let label = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let at = |one: &Snapshot| one.time.as_millisecond() + 1000;
    let samples = syncs.iter().filter_map(|one| Some((at(one), value(one)?)));
    Series {
        labels: own.iter().chain(labels).map(label).collect(),
        samples: samples.collect(),
    }
}

fn written(sync: &Snapshot) -> Option<&HpaStatus> {
    Some(&sync.outcome.as_ref()?.status)
}

/// All that an exporter and kube-state-metrics show of them.
pub(crate) fn series(syncs: &[Snapshot]) -> Vec<Series> {
    [of_hpa(syncs), of_conditions(syncs), of_target(syncs)].concat()
}

fn of_hpa(syncs: &[Snapshot]) -> Vec<Series> {
    let add = |name: &str, labels: &[(&str, &str)], value: &dyn Fn(&Snapshot) -> Option<f64>| {
        let name = format!("kube_horizontalpodautoscaler_{name}");
        of_syncs(syncs, &name, &[&[HPA], labels].concat(), value)
    };
    let metric = [
        ("metric_name", "queue_depth"),
        ("metric_target_type", "average"),
    ];
    vec![
        add("status_current_replicas", &[], &|one| {
            Some(written(one)?.current_replicas.into())
        }),
        add("status_desired_replicas", &[], &|one| {
            Some(written(one)?.desired_replicas.into())
        }),
        add("spec_min_replicas", &[], &|one| {
            Some(one.hpa.spec.min_replicas?.into())
        }),
        add("spec_max_replicas", &[], &|one| {
            Some(one.hpa.spec.max_replicas.into())
        }),
        add("status_target_metric", &metric, &|one| {
            average_of(written(one)?)
        }),
        add("spec_target_metric", &metric, &target_of),
    ]
}

fn of_conditions(syncs: &[Snapshot]) -> Vec<Series> {
    let mut all = Vec::new();
    for kind in ["AbleToScale", "ScalingActive", "ScalingLimited"] {
        for shown in ["True", "False"] {
            let labels = [HPA, ("condition", kind), ("status", &shown.to_lowercase())];
            let name = "kube_horizontalpodautoscaler_status_condition";
            all.push(of_syncs(syncs, name, &labels, &|one| {
                let mut conditions = written(one)?.conditions.iter();
                let condition = conditions.find(|one| one.condition_type == kind)?;
                Some(f64::from(u8::from(condition.status == shown)))
            }));
        }
    }
    all
}

/// The Deployment and its pods, which are as old as they need to be.
fn of_target(syncs: &[Snapshot]) -> Vec<Series> {
    let replicas = |one: &Snapshot| one.scale.as_ref().map_or(0, |scale| scale.status.replicas);
    let deployment = [("deployment", "web")];
    let mut all = vec![
        of_syncs(
            syncs,
            "kube_deployment_spec_replicas",
            &deployment,
            &|one| {
                let to = one.outcome.as_ref()?.scale_to;
                Some(to.unwrap_or(one.scale.as_ref()?.spec.replicas).into())
            },
        ),
        of_syncs(
            syncs,
            "kube_deployment_status_replicas",
            &deployment,
            &|one| Some(replicas(one).into()),
        ),
    ];
    let created = syncs[0].time.as_second() - 600;
    let owner = [
        ("owner_kind", "ReplicaSet"),
        ("owner_name", "web-5c9f8d7b6c"),
        ("owner_is_controller", "true"),
    ];
    for pod in 0..syncs.iter().map(replicas).max().unwrap_or(0) {
        let name = format!("web-5c9f8d7b6c-{pod}");
        let mut add = |series: &str, labels: &[(&str, &str)], value: i64| {
            let labels = [&[("pod", name.as_str())], labels].concat();
            all.push(of_syncs(syncs, series, &labels, &|one| {
                (pod < replicas(one)).then(|| f64::from(i32::try_from(value).unwrap()))
            }));
        };
        add("kube_pod_owner", &owner, 1);
        add("kube_pod_created", &[], created);
        add("kube_pod_status_phase", &[("phase", "Running")], 1);
    }
    all
}

const HPA: (&str, &str) = ("horizontalpodautoscaler", "web");

fn average_of(status: &HpaStatus) -> Option<f64> {
    let status = serde_json::to_value(status).unwrap();
    quantity(&status["currentMetrics"][0]["external"]["current"]["averageValue"])
}

fn target_of(sync: &Snapshot) -> Option<f64> {
    let spec = serde_json::to_value(&sync.hpa.spec).unwrap();
    quantity(&spec["metrics"][0]["external"]["target"]["averageValue"])
}

fn quantity(value: &Value) -> Option<f64> {
    let text = value.as_str()?;
    match text.strip_suffix('m') {
        Some(milli) => Some(milli.parse::<f64>().ok()? / 1000.0),
        None => text.parse().ok(),
    }
}
