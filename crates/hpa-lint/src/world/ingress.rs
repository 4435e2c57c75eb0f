//! Ingresses, Gateway API routes and OpenShift routes: everything that sends traffic to Services.

use kubectl_hpa_yaml::{YamlNode, YamlValue};

use crate::{Object, ObjectRef, same_namespace};

/// An object that sends traffic to Services.
#[derive(Clone, Debug)]
pub struct Ingress {
    /// Its identity.
    pub object: ObjectRef,
    /// The Services that it sends traffic to.
    pub services: Vec<Backend>,
}

/// A Service that receives traffic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Backend {
    /// Name.
    pub name: String,
    /// Namespace: the route's, unless a `backendRef` names another one.
    pub namespace: String,
}

impl Ingress {
    /// Reads an Ingress or route.
    pub fn of(object: &Object) -> Self {
        let mut services = Vec::new();
        if let Some(spec) = object.node.get("spec") {
            collect(spec, object, &mut services);
        }
        services.sort();
        services.dedup();
        Self {
            object: object.reference(),
            services,
        }
    }

    /// Whether it sends traffic to a Service in `namespace`. A Service without a namespace matches any.
    pub fn sends_to(&self, namespace: &str, service: &ObjectRef) -> bool {
        self.services.iter().any(|backend| {
            backend.name == service.name
                && same_namespace(&backend.namespace, &service.namespace)
                && same_namespace(&backend.namespace, namespace)
        })
    }
}

/// Backends are at different depths in different versions and are recognized by their shape.
fn collect(node: &YamlNode, object: &Object, services: &mut Vec<Backend>) {
    let mut add = |name: Option<&YamlNode>, namespace: Option<&YamlNode>| {
        let text = |node: Option<&YamlNode>| node.and_then(YamlNode::as_str).map(str::to_owned);
        services.extend(text(name).map(|name| Backend {
            name,
            namespace: text(namespace).unwrap_or_else(|| object.namespace().to_owned()),
        }));
    };
    match &*object.kind {
        // networking.k8s.io/v1, and extensions/v1beta1.
        "Ingress" => {
            let name = node.at("service.name");
            add(name.or_else(|| node.get("serviceName")), None);
        }
        "Route" => add(node.at("to.name"), None),
        _ => {
            for backend in node
                .get("backendRefs")
                .map(YamlNode::items)
                .unwrap_or_default()
            {
                let is_service = backend
                    .get("kind")
                    .is_none_or(|kind| kind.as_str() == Some("Service"));
                if is_service {
                    add(backend.get("name"), backend.get("namespace"));
                }
            }
        }
    }
    match &node.value {
        YamlValue::Mapping(entries) => {
            for entry in entries {
                collect(&entry.node, object, services);
            }
        }
        YamlValue::Sequence(items) => {
            for item in items {
                collect(item, object, services);
            }
        }
        _ => {}
    }
}
