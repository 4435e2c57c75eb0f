//! What is known of kinds of objects without asking a cluster, in one table: workloads, and what people scale by mistake.

/// A kind of objects.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownKind {
    /// `kind`. Empty: any other kind, of which nothing is known.
    pub name: &'static str,
    /// An `apiVersion` that serves it in every supported version.
    pub api_version: &'static str,
    /// kubectl's short name. Empty: it has none.
    pub short_name: &'static str,
    pods: PodCreation,
}

/// How an object comes to its pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PodCreation {
    /// It owns a pod for each replica.
    Replicas,
    /// Through ReplicaSets, one for each template.
    ReplicaSets,
    /// Through ReplicationControllers, one for each template.
    ReplicationControllers,
    /// It has a pod on each node.
    Nodes,
    /// Its pods end by themselves.
    Runs,
    /// It has none, or that is not known.
    Unknown,
}

impl KnownKind {
    /// Deployments.
    pub const DEPLOYMENT: &str = "Deployment";
    /// ReplicaSets.
    pub const REPLICA_SET: &str = "ReplicaSet";
    /// Rollouts of Argo.
    pub const ROLLOUT: &str = "Rollout";

    /// What is known of a kind, in whatever group.
    pub fn of(kind: &str) -> &'static Self {
        let known = Self::all().find(|known| known.name == kind);
        known.unwrap_or(&OTHER)
    }

    /// What is known of a kind of a group.
    pub fn in_group(group: &str, kind: &str) -> &'static Self {
        let known = Self::of(kind);
        if known.group() == group {
            known
        } else {
            &OTHER
        }
    }

    /// All that are known.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        KINDS.iter()
    }

    /// Whether a group belongs, or belonged, to Kubernetes itself, so that it contains no custom resources.
    pub fn is_built_in_group(group: &str) -> bool {
        matches!(
            group,
            "" | "apps" | "autoscaling" | "batch" | "extensions" | "policy" | "networking.k8s.io"
        )
    }

    /// Whether Kubernetes itself has the kind.
    pub fn is_built_in(&self) -> bool {
        !self.name.is_empty() && Self::is_built_in_group(self.group())
    }

    /// Whether it is a kind of Kubernetes itself whose scale subresource repeats fields of the object.
    pub fn is_built_in_target(&self) -> bool {
        self.has_replicas() && self.is_built_in()
    }

    /// Its API group. Empty: core.
    pub fn group(&self) -> &'static str {
        let group = self.api_version.split_once('/');
        group.map_or("", |(group, _)| group)
    }

    /// Its plural in paths of the API.
    pub fn resource(&self) -> String {
        self.name.to_ascii_lowercase() + "s"
    }

    /// Whether it has a scale subresource.
    pub fn is_scalable(&self) -> bool {
        self.has_replicas() || self.pods == PodCreation::ReplicationControllers
    }

    /// Whether it creates pods from a template whose place is known.
    pub fn has_template(&self) -> bool {
        self.has_replicas() || matches!(self.pods, PodCreation::Nodes | PodCreation::Runs)
    }

    /// Where the template of its pods is.
    pub fn template(&self) -> &'static str {
        if self.is_nested() {
            "spec.jobTemplate.spec.template"
        } else {
            "spec.template"
        }
    }

    /// Whether the template of its pods is in a template of Jobs.
    pub fn is_nested(&self) -> bool {
        self.name == "CronJob"
    }

    /// Whether each replica is one pod that belongs to it, directly or through a ReplicaSet.
    pub fn has_replicas(&self) -> bool {
        self.owns_pods() || self.creates_replica_sets()
    }

    /// Whether it owns a pod for each replica itself.
    pub fn owns_pods(&self) -> bool {
        self.pods == PodCreation::Replicas
    }

    /// Whether its pods belong to ReplicaSets, and these to it.
    pub fn creates_replica_sets(&self) -> bool {
        self.pods == PodCreation::ReplicaSets
    }

    /// Whether it is the kind whose ReplicaSets are known well: their names begin with its own, their conditions say why
    /// they create no pods.
    pub fn is_deployment(&self) -> bool {
        self.name == Self::DEPLOYMENT
    }

    /// Whether it is what a Deployment or a Rollout creates for each template.
    pub fn is_replica_set(&self) -> bool {
        self.name == Self::REPLICA_SET
    }

    /// Whether each pod waits until the one before it is ready, unless `podManagementPolicy` is `Parallel`.
    pub fn is_ordered(&self) -> bool {
        self.name == "StatefulSet"
    }

    /// Whether its objects usually belong to objects of another kind: ReplicaSets to a Deployment, Jobs to a CronJob.
    pub fn is_made_by_another(&self) -> bool {
        self.is_replica_set() || self.name == "Job"
    }

    /// Whether it is one of the kinds that nearly all HPAs scale.
    pub fn is_usual_target(&self) -> bool {
        self.is_deployment() || self.is_ordered()
    }

    /// Whether its selector is labels alone, because it is older than operators, and its group the core group.
    pub fn has_plain_selector(&self) -> bool {
        self.owns_pods() && self.group().is_empty()
    }

    /// Whether it has a pod on each node.
    pub fn is_per_node(&self) -> bool {
        self.pods == PodCreation::Nodes
    }

    /// Whether its pods end by themselves.
    pub fn runs_to_completion(&self) -> bool {
        self.pods == PodCreation::Runs
    }
}

const fn kind(
    name: &'static str,
    api_version: &'static str,
    short_name: &'static str,
    pods: PodCreation,
) -> KnownKind {
    KnownKind {
        name,
        api_version,
        short_name,
        pods,
    }
}

static OTHER: KnownKind = kind("", "", "", PodCreation::Unknown);

static KINDS: [KnownKind; 15] = [
    kind(
        KnownKind::DEPLOYMENT,
        "apps/v1",
        "deploy",
        PodCreation::ReplicaSets,
    ),
    kind("StatefulSet", "apps/v1", "sts", PodCreation::Replicas),
    kind(
        KnownKind::REPLICA_SET,
        "apps/v1",
        "rs",
        PodCreation::Replicas,
    ),
    kind("ReplicationController", "v1", "rc", PodCreation::Replicas),
    kind(
        KnownKind::ROLLOUT,
        "argoproj.io/v1alpha1",
        "ro",
        PodCreation::ReplicaSets,
    ),
    kind(
        "DeploymentConfig",
        "apps.openshift.io/v1",
        "dc",
        PodCreation::ReplicationControllers,
    ),
    kind("DaemonSet", "apps/v1", "ds", PodCreation::Nodes),
    kind("Job", "batch/v1", "", PodCreation::Runs),
    kind("CronJob", "batch/v1", "cj", PodCreation::Runs),
    kind("Pod", "v1", "po", PodCreation::Unknown),
    kind("Service", "v1", "svc", PodCreation::Unknown),
    kind("ConfigMap", "v1", "cm", PodCreation::Unknown),
    kind("Namespace", "v1", "ns", PodCreation::Unknown),
    kind("Node", "v1", "no", PodCreation::Unknown),
    kind(
        "HorizontalPodAutoscaler",
        "autoscaling/v2",
        "hpa",
        PodCreation::Unknown,
    ),
];
