//! Ingresses, Gateway API routes and OpenShift routes: whatever sends traffic to Services.

use crate::{
    lint::{Object, ObjectRef},
    yaml::{Node, Value},
};

/// An object that sends traffic to Services.
#[derive(Clone, Debug)]
pub struct Ingress {
    /// What it is called.
    pub object: ObjectRef,
    /// Names of the Services of its namespace that it sends traffic to.
    pub services: Vec<String>,
}

impl Ingress {
    /// Reads an Ingress or route.
    pub fn of(object: &Object) -> Self {
        let mut services = Vec::new();
        if let Some(spec) = object.node.get("spec") {
            collect(spec, &object.kind, &mut services);
        }
        services.sort();
        services.dedup();
        Self {
            object: object.reference(),
            services,
        }
    }
}

/// Backends stand at different depths in different versions; their shape tells them.
fn collect(node: &Node, kind: &str, services: &mut Vec<String>) {
    let name = match kind {
        // networking.k8s.io/v1, and extensions/v1beta1.
        "Ingress" => node.at("service.name").or_else(|| node.get("serviceName")),
        "Route" => node.at("to.name"),
        _ => {
            for backend in node.get("backendRefs").map(Node::items).unwrap_or_default() {
                let is_service = backend
                    .get("kind")
                    .is_none_or(|kind| kind.as_str() == Some("Service"));
                if let Some(name) = backend.get("name").and_then(Node::as_str)
                    && is_service
                {
                    services.push(name.to_owned());
                }
            }
            None
        }
    };
    services.extend(name.and_then(Node::as_str).map(str::to_owned));
    match &node.value {
        Value::Mapping(entries) => {
            for entry in entries {
                collect(&entry.node, kind, services);
            }
        }
        Value::Sequence(items) => {
            for item in items {
                collect(item, kind, services);
            }
        }
        _ => {}
    }
}
