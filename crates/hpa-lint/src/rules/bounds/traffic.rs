//! What depends on the target's pods: Services and routes to them.

use std::collections::BTreeMap;

use crate::{Cx, HpaSubject, Missing, ObjectRef};

/// The labels of the target's pods.
pub(super) fn workload_pods<'a>(
    cx: &Cx<'a, HpaSubject>,
) -> Result<&'a BTreeMap<String, String>, Missing> {
    cx.pod_labels()
}

/// An object that depends on the target's pods.
#[derive(Clone, Copy)]
pub(super) struct Dependent<'a> {
    /// The object.
    pub(super) object: &'a ObjectRef,
    /// Its role.
    pub(super) role: Role,
}

/// How an object depends on the pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is a load balancer of their own.
    LoadBalancer,
    /// It is an Ingress or another route.
    Route,
    /// It is a Service, which nearly every workload has.
    Service,
}

/// What sends traffic to the pods: a route if there is one, otherwise a load balancer, otherwise a Service.
pub(super) fn routes_to_pods<'a>(
    cx: &Cx<'a, HpaSubject>,
    labels: &'a BTreeMap<String, String>,
) -> Result<Option<Dependent<'a>>, Missing> {
    cx.world.require("Service")?;
    let (own, target) = (cx.subject.object(), cx.workload()?);
    let mut services: Vec<_> = cx.world.services_selecting(own, target, labels).collect();
    services.sort_by(|one, other| one.object.cmp(&other.object));
    if let Some(route) = cx.world.route_to(own, &services) {
        return Ok(Some(Dependent {
            object: &route.object,
            role: Role::Route,
        }));
    }
    let service = services.iter().min_by_key(|one| !one.is_load_balancer);
    Ok(service.map(|service| Dependent {
        object: &service.object,
        role: if service.is_load_balancer {
            Role::LoadBalancer
        } else {
            Role::Service
        },
    }))
}
