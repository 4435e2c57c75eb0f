//! Containers that admission webhooks inject into pods, and the labels and annotations that trigger it.

use std::collections::BTreeMap;

use crate::{
    ObjectRef,
    world::{PodTemplate, World},
};

/// A container that will be injected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Injected<'a> {
    /// The label or annotation that triggers the injection.
    pub(super) key: &'static str,
    /// The Namespace that has it, if the template does not.
    pub(super) namespace: Option<&'a ObjectRef>,
    /// Annotations of the namespace, if pods inherit the injector's settings from it.
    inherited: Option<&'a BTreeMap<String, String>>,
    injector: &'static Injector,
}

/// An injector of a container.
#[derive(Debug)]
struct Injector {
    /// The name of its container.
    container: &'static str,
    /// Labels or annotations that trigger it, with their values. No values: any value except one that disables it.
    marks: &'static [(&'static str, &'static [&'static str])],
    /// A label or annotation of the pod whose value prevents the injection of a running container.
    refusal: (&'static str, &'static str),
    /// Annotations of the pod that set the container's requests.
    cpu: &'static str,
    memory: &'static str,
    /// Whether pods inherit these annotations from their Namespace.
    is_inherited: bool,
    /// Whether the container has default requests, which can be removed.
    has_default_requests: bool,
}

/// The containers that will be injected into the pods of a template. A container that the template itself defines takes
/// precedence over the injected one, as in a gateway of Istio, so it counts as a regular container.
pub(super) fn of<'a>(
    world: &'a World,
    template: &PodTemplate,
    namespace: &str,
) -> impl Iterator<Item = Injected<'a>> {
    let in_pod = |key: &str| {
        let label = template.labels.get(key);
        label
            .or_else(|| template.annotations.get(key))
            .map(String::as_str)
    };
    let namespace = world.namespaces.get(namespace);
    INJECTORS.iter().filter_map(move |injector| {
        let (key, value) = injector.refusal;
        let mut written = template.containers.iter().chain(&template.init_containers);
        if in_pod(key) == Some(value) || written.any(|one| one.name == injector.container) {
            return None;
        }
        let inherited = namespace.filter(|_| injector.is_inherited);
        let inherited = inherited.map(|namespace| &namespace.annotations);
        injector.marks.iter().find_map(|(key, values)| {
            let adds = |value: Option<&str>| value.is_some_and(|value| is_on(value, values));
            if adds(in_pod(key)) {
                return Some(Injected {
                    key,
                    namespace: None,
                    inherited,
                    injector,
                });
            }
            let namespace = namespace?;
            let label = namespace.labels.get(*key);
            let mark = label.or_else(|| namespace.annotations.get(*key));
            if !adds(mark.map(String::as_str)) {
                return None;
            }
            Some(Injected {
                key,
                namespace: Some(&namespace.object),
                inherited,
                injector,
            })
        })
    })
}

/// Whether webhooks inject containers with this name.
pub(super) fn is_container(name: &str) -> bool {
    INJECTORS.iter().any(|injector| injector.container == name) || WITH_REQUESTS.contains(&name)
}

impl Injected<'_> {
    /// Whether the container gets the injector's default request: the injector has one, and no empty annotation of the
    /// template removes it.
    pub(super) fn has_default_request(&self, template: &PodTemplate, resource: &str) -> bool {
        let key = self.request_key(resource);
        let is_removed = key.is_some_and(|key| template.annotations.contains_key(key));
        self.injector.has_default_requests && !is_removed
    }

    /// The pod annotation that sets the container's request, if any.
    pub(super) fn request_key(&self, resource: &str) -> Option<&'static str> {
        let key = match resource {
            "cpu" => self.injector.cpu,
            "memory" => self.injector.memory,
            _ => "",
        };
        (!key.is_empty()).then_some(key)
    }

    /// Whether the template sets the container's request, or the namespace if pods inherit it.
    pub(super) fn sets_request(&self, template: &PodTemplate, resource: &str) -> bool {
        let key = self.request_key(resource);
        let written = key.and_then(|key| {
            let own = template.annotations.get(key);
            own.or_else(|| self.inherited?.get(key))
        });
        written.is_some_and(|value| !value.is_empty())
    }
}

fn is_on(value: &str, values: &[&str]) -> bool {
    if values.is_empty() {
        !matches!(value, "" | "false" | "disabled")
    } else {
        values.contains(&value)
    }
}

const TRUE: &[&str] = &["true"];

/// Containers that are injected with requests, so they fail no metric: Kuma's, and the one that mounts buckets on GKE.
const WITH_REQUESTS: &[&str] = &["kuma-sidecar", "gke-gcsfuse-sidecar"];

static INJECTORS: &[Injector] = &[
    Injector {
        container: "istio-proxy",
        marks: &[
            ("sidecar.istio.io/inject", TRUE),
            ("istio-injection", &["enabled"]),
            ("istio.io/rev", &[]),
        ],
        refusal: ("sidecar.istio.io/inject", "false"),
        cpu: "sidecar.istio.io/proxyCPU",
        memory: "sidecar.istio.io/proxyMemory",
        is_inherited: false,
        has_default_requests: true,
    },
    Injector {
        container: "linkerd-proxy",
        marks: &[("linkerd.io/inject", &["enabled", "ingress"])],
        refusal: ("linkerd.io/inject", "disabled"),
        cpu: "config.linkerd.io/proxy-cpu-request",
        memory: "config.linkerd.io/proxy-memory-request",
        is_inherited: true,
        has_default_requests: false,
    },
    Injector {
        container: "daprd",
        marks: &[("dapr.io/enabled", TRUE)],
        refusal: ("dapr.io/enabled", "false"),
        cpu: "dapr.io/sidecar-cpu-request",
        memory: "dapr.io/sidecar-memory-request",
        is_inherited: false,
        has_default_requests: false,
    },
    Injector {
        container: "vault-agent",
        marks: &[("vault.hashicorp.com/agent-inject", TRUE)],
        refusal: ("vault.hashicorp.com/agent-pre-populate-only", "true"),
        cpu: "vault.hashicorp.com/agent-requests-cpu",
        memory: "vault.hashicorp.com/agent-requests-mem",
        is_inherited: false,
        has_default_requests: true,
    },
    Injector {
        container: "vault-agent",
        marks: &[("vault.security.banzaicloud.io/vault-agent-configmap", &[])],
        refusal: ("vault.security.banzaicloud.io/vault-agent-once", "true"),
        cpu: "",
        memory: "",
        is_inherited: false,
        has_default_requests: false,
    },
    Injector {
        container: "consul-dataplane",
        marks: &[("consul.hashicorp.com/connect-inject", TRUE)],
        refusal: ("consul.hashicorp.com/connect-inject", "false"),
        cpu: "consul.hashicorp.com/sidecar-proxy-cpu-request",
        memory: "consul.hashicorp.com/sidecar-proxy-memory-request",
        is_inherited: false,
        has_default_requests: false,
    },
    Injector {
        container: "otc-container",
        marks: &[("sidecar.opentelemetry.io/inject", &[])],
        refusal: ("sidecar.opentelemetry.io/inject", "false"),
        cpu: "",
        memory: "",
        is_inherited: false,
        has_default_requests: false,
    },
    Injector {
        container: "datadog-agent-injected",
        marks: &[("agent.datadoghq.com/sidecar", &[])],
        refusal: ("agent.datadoghq.com/sidecar", ""),
        cpu: "",
        memory: "",
        is_inherited: false,
        has_default_requests: false,
    },
];
