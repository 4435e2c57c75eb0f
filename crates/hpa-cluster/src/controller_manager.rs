//! Version and flags of kube-controller-manager.
//!
//! No API exposes them. If the control plane runs as static pods (kubeadm, kind, …), its pod in `kube-system` shows
//! them, given the permission; otherwise the API server's version is the best guess, since both are upgraded together.

use hpa_engine::model::{
    Architecture, ControllerConfig, FeatureGates, Input, KubeVersion, SnapshotField,
};
use hpa_objects::recording::wire::NotRead;
use jiff::Timestamp;
use serde::Deserialize;

use super::{
    access::{Permission, not_read},
    api_error::ResourceName,
    client::{Client, ClientError, Get},
    controller_command::ControllerContainer,
    path::ApiPath,
    version::ServerVersion,
};

/// The leader's lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leader {
    /// When it became leader.
    pub(super) since: Option<Timestamp>,
    /// Its identity: the node's name and a suffix.
    pub(super) identity: String,
}

/// Reads which controller leads since when, if leader election is on.
pub(super) async fn read_leader(client: &Client) -> Result<Option<Leader>, NotRead> {
    const GROUP: &str = "coordination.k8s.io";
    let get = Get {
        what: "lease of the controller",
        path: ApiPath::new(GROUP, "v1")
            .namespace(NAMESPACE)
            .segment("leases")
            .segment(NAME)
            .into_string(),
        about: ResourceName {
            group: GROUP,
            resource: "leases",
            name: NAME,
        },
        patience: Some(super::OPTIONAL_PATIENCE),
    };
    let lease: Lease = match client.get(&get).await {
        Ok(lease) => lease,
        // A single controller needs no election.
        Err(ClientError::Status(error)) if error.code == 404 => return Ok(None),
        Err(error) => {
            let permission = Permission {
                verb: "get",
                group: GROUP,
                resource: "leases",
                namespace: NAMESPACE,
            };
            return Err(not_read(&error, SnapshotField::LeaderSince, permission));
        }
    };
    Ok(Some(Leader {
        since: lease.spec.acquire_time,
        identity: lease.spec.holder_identity.unwrap_or_default(),
    }))
}

/// A pod of kube-controller-manager.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ControllerPod {
    spec: ControllerPodSpec,
}

/// Reads the pods of kube-controller-manager; empty if it is not a pod of the cluster.
pub(super) async fn read_pods(client: &Client) -> Result<Vec<ControllerPod>, NotRead> {
    let get = Get {
        what: "pods of the controller",
        path: ApiPath::new("", "v1")
            .namespace(NAMESPACE)
            .segment("pods")
            .query("labelSelector", "component=kube-controller-manager")
            .into_string(),
        about: ResourceName {
            group: "",
            resource: "pods",
            name: "",
        },
        patience: Some(super::OPTIONAL_PATIENCE),
    };
    let list: PodList = client.get(&get).await.map_err(|error| {
        let permission = Permission {
            verb: "list",
            group: "",
            resource: "pods",
            namespace: NAMESPACE,
        };
        not_read(&error, SnapshotField::Controller, permission)
    })?;
    Ok(list.items)
}

/// Combines everything that is known about the controller. The second part lists what had to be assumed against the
/// facts.
pub(super) fn config(
    server: Option<&ServerVersion>,
    pods: &[ControllerPod],
    leader: Option<&Leader>,
) -> (ControllerConfig, Vec<NotRead>) {
    let mut notes = Vec::new();
    let pod = leading(pods, leader);
    let observed = pod.and_then(|pod| version_of_image(&pod.spec.containers.first()?.image));
    let version = match (observed, server) {
        (Some(version), _) => Input::observed(version),
        (None, Some(server)) => {
            if let Ok(version) = server.git_version.parse() {
                Input::inferred(version)
            } else {
                notes.push(no_version(&server.git_version));
                Input::assumed(KubeVersion::NEWEST)
            }
        }
        (None, None) => Input::assumed(KubeVersion::NEWEST),
    };
    let mut config = ControllerConfig::defaults(Input {
        value: known(version.value, &mut notes),
        ..version
    });
    if let Some(server) = server {
        config.architecture = Input::inferred(architecture(&server.platform));
    }
    let flags = pod.and_then(|pod| pod.spec.containers.first()?.flags());
    match (flags, server) {
        (Some(flags), _) => flags.apply(&mut config, &mut notes),
        (None, Some(server)) => emulate(&mut config, &server.emulation_minor),
        (None, None) => {}
    }
    (config, notes)
}

/// Uses the gates of the version that the API server emulates: usually both components emulate it, or neither.
fn emulate(config: &mut ControllerConfig, minor: &str) {
    let Ok(minor) = minor.parse() else { return };
    if minor == config.version.value.minor {
        return;
    }
    let emulated = FeatureGates::defaults(KubeVersion { minor, patch: None });
    for name in FeatureGates::NAMES {
        if let (Some(gate), Some(default)) = (
            config.feature_gates.by_name_mut(name),
            emulated.by_name(name),
        ) && gate.value != default.value
        {
            *gate = Input::inferred(default.value);
        }
    }
}

fn no_version(text: &str) -> NotRead {
    NotRead {
        what: SnapshotField::ControllerVersion,
        why: format!(
            "the server's version {text:?} is not a Kubernetes version; recomputed as {}",
            KubeVersion::NEWEST
        ),
        remedy: Some(SETS_VERSION.to_owned()),
        is_forbidden: false,
    }
}

/// The nearest version whose controller is known.
fn known(version: KubeVersion, notes: &mut Vec<NotRead>) -> KubeVersion {
    let nearest = if version.minor < KubeVersion::OLDEST.minor {
        KubeVersion::OLDEST
    } else if KubeVersion::NEWEST.minor < version.minor {
        KubeVersion::NEWEST
    } else if version.is_newer_than_recorded() {
        version
    } else {
        return version;
    };
    let recomputed = if nearest == version {
        String::new()
    } else {
        format!("; recomputed as {nearest}")
    };
    let why = if version.is_newer_than_recorded() {
        let newest = KubeVersion::RECORDED.last().copied().unwrap_or_default();
        format!(
            "Kubernetes {version} is newer than this program knows: the newest controller that it was compared with is \
             {newest}{recomputed}"
        )
    } else {
        let oldest = KubeVersion::OLDEST;
        format!("Kubernetes {version} is older than this program knows ({oldest}){recomputed}")
    };
    notes.push(NotRead {
        what: SnapshotField::ControllerVersion,
        why,
        remedy: (nearest != version).then(|| SETS_VERSION.to_owned()),
        is_forbidden: false,
    });
    nearest
}

/// The leader's pod: its identity begins with the name of its node.
fn leading<'a>(pods: &'a [ControllerPod], leader: Option<&Leader>) -> Option<&'a ControllerPod> {
    pods.iter()
        .find(|pod| {
            leader.is_some_and(|leader| {
                !pod.spec.node_name.is_empty()
                    && leader
                        .identity
                        .starts_with(&format!("{}_", pod.spec.node_name))
            })
        })
        .or(pods.first())
}

/// The version in the tag of an image such as `registry.k8s.io/kube-controller-manager:v1.36.3`.
fn version_of_image(image: &str) -> Option<KubeVersion> {
    let tagged = image.split('@').next().unwrap_or_default();
    let (_, tag) = tagged.rsplit_once(':')?;
    tag.parse().ok()
}

fn architecture(platform: &str) -> Architecture {
    // ppc64le and s390x convert as arm64 does.
    if platform.ends_with("/amd64") || !platform.contains('/') {
        Architecture::Amd64
    } else {
        Architecture::Arm64
    }
}

#[derive(Deserialize)]
struct Lease {
    #[serde(default)]
    spec: LeaseSpec,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LeaseSpec {
    acquire_time: Option<Timestamp>,
    holder_identity: Option<String>,
}

#[derive(Deserialize)]
struct PodList {
    #[serde(default)]
    items: Vec<ControllerPod>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ControllerPodSpec {
    node_name: String,
    containers: Vec<ControllerContainer>,
}

const SETS_VERSION: &str = "--kube-version sets another version";
const NAMESPACE: &str = "kube-system";
const NAME: &str = "kube-controller-manager";

#[cfg(test)]
mod tests {
    use hpa_engine::model::Provenance;
    use jiff::SignedDuration;

    use super::*;

    fn pod(node: &str, image: &str, command: &[&str]) -> ControllerPod {
        ControllerPod {
            spec: ControllerPodSpec {
                node_name: node.to_owned(),
                containers: vec![ControllerContainer {
                    image: image.to_owned(),
                    command: command.iter().map(|word| (*word).to_owned()).collect(),
                    args: Vec::new(),
                }],
            },
        }
    }

    #[test]
    fn flags_of_the_leading_pod_are_observed() {
        let pods = [
            pod(
                "a",
                "kube-controller-manager:v1.35.1",
                &["kube-controller-manager"],
            ),
            pod(
                "b",
                "registry.k8s.io:5000/kube-controller-manager:v1.36.3@sha256:0",
                &[
                    "kube-controller-manager",
                    "--horizontal-pod-autoscaler-tolerance=0.2",
                    "--horizontal-pod-autoscaler-downscale-stabilization=1m30s",
                    "--feature-gates=HPAScaleToZero=true,Other=false",
                ],
            ),
        ];
        let leader = Leader {
            since: None,
            identity: "b_1234".to_owned(),
        };
        let (config, notes) = config(None, &pods, Some(&leader));
        assert!(notes.is_empty());
        assert_eq!(config.version, Input::observed("1.36.3".parse().unwrap()));
        assert_eq!(config.tolerance, Input::observed(0.2));
        assert_eq!(
            config.downscale_stabilization,
            Input::observed(SignedDuration::from_secs(90))
        );
        assert_eq!(
            config.sync_period,
            Input::observed(SignedDuration::from_secs(15))
        );
        assert_eq!(
            config.feature_gates.hpa_scale_to_zero,
            Input::observed(true)
        );
        assert_eq!(
            config.feature_gates.hpa_generation.provenance,
            Provenance::Observed
        );
    }

    #[test]
    fn gates_are_those_of_the_version_that_the_server_emulates() {
        let server = ServerVersion {
            git_version: "v1.36.3".to_owned(),
            emulation_minor: "34".to_owned(),
            platform: "linux/amd64".to_owned(),
        };
        let (config, _) = config(Some(&server), &[], None);
        assert_eq!(config.version, Input::inferred("1.36.3".parse().unwrap()));
        let gates = config.feature_gates;
        assert_eq!(gates.hpa_configurable_tolerance, Input::inferred(false));
        assert_eq!(gates.pod_level_resources, Input::assumed(true));
    }

    #[test]
    fn server_that_is_too_new_is_recomputed_as_the_newest_known_and_says_so() {
        let server = ServerVersion {
            git_version: "v1.45.0".to_owned(),
            platform: "linux/arm64".to_owned(),
            ..ServerVersion::default()
        };
        let (config, notes) = config(Some(&server), &[], None);
        assert_eq!(config.version, Input::inferred(KubeVersion::NEWEST));
        assert_eq!(config.architecture, Input::inferred(Architecture::Arm64));
        assert!(notes[0].why.contains("1.45"), "{notes:?}");
    }
}
