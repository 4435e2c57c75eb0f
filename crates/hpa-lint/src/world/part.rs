//! The data of one object for rules: read from its tree independently, and so on all cores.

use super::{
    Alert, ArgoApplication, BudgetObject, Canary, Claim, Crd, Ingress, LimitRange, Namespace, Node,
    Quota, ScaledObject, Scaler, Service, TargetingHpa, Vertical, Workload,
};
use crate::Object;

/// The data of one object for rules.
#[derive(Debug)]
pub(crate) enum ObjectPart {
    Alerts(Vec<Alert>),
    ArgoApplication(ArgoApplication),
    Budget(BudgetObject),
    Canary(Canary),
    Claim(Claim),
    Crd(Crd),
    Hpa(TargetingHpa),
    Ingress(Ingress),
    LimitRange(LimitRange),
    Namespace(Namespace),
    Node(Node),
    Quota(Quota),
    ScaledObject(Box<ScaledObject>),
    Service(Service),
    Vertical(Vertical),
    /// Any other object, which may be a known autoscaler.
    Other(Option<Box<Scaler>>, AnyObject),
}

/// An object of any other kind.
#[derive(Debug)]
pub(crate) enum AnyObject {
    Workload(Box<Workload>),
    /// Only its existence matters.
    Named {
        kind: String,
        name: String,
        namespace: String,
    },
}

impl AnyObject {
    fn of(object: &Object) -> Self {
        Self::Named {
            kind: object.kind.to_string(),
            name: object.name().to_owned(),
            namespace: object.namespace().to_owned(),
        }
    }
}

impl ObjectPart {
    /// Reads an object.
    pub(crate) fn of(object: &Object) -> Self {
        match (object.group(), &*object.kind) {
            ("", "Node") => Self::Node(Node::of(object)),
            // No reference can mean an object without a name, and no text can name it.
            (group, _)
                if object.name().is_empty() && !matches!(group, "autoscaling" | "keda.sh") =>
            {
                Self::Other(None, AnyObject::of(object))
            }
            ("autoscaling", "HorizontalPodAutoscaler") => Self::Hpa(TargetingHpa::of(object)),
            ("", "Service") => Self::Service(Service::of(object)),
            ("networking.k8s.io" | "extensions", "Ingress")
            | ("gateway.networking.k8s.io", "HTTPRoute" | "GRPCRoute" | "TCPRoute" | "TLSRoute")
            | ("route.openshift.io", "Route") => Self::Ingress(Ingress::of(object)),
            ("policy", "PodDisruptionBudget") => Self::Budget(BudgetObject::of(object)),
            ("", "PersistentVolumeClaim") => Self::Claim(Claim::of(object)),
            ("", "ResourceQuota") => Self::Quota(Quota::of(object)),
            ("", "LimitRange") => Self::LimitRange(LimitRange::of(object)),
            ("", "Namespace") => Self::Namespace(Namespace::of(object)),
            ("apiextensions.k8s.io", "CustomResourceDefinition") => Self::Crd(Crd::of(object)),
            ("monitoring.coreos.com", "PrometheusRule") => Self::Alerts(Alert::all_of(object)),
            ("keda.sh", "ScaledObject") => Self::ScaledObject(Box::new(ScaledObject::of(object))),
            ("autoscaling.k8s.io", "VerticalPodAutoscaler") => Self::Vertical(Vertical::of(object)),
            ("argoproj.io", "Application" | "ApplicationSet") => {
                Self::ArgoApplication(ArgoApplication::of(object))
            }
            ("flagger.app", "Canary") => Self::Canary(Canary::of(object)),
            _ => {
                let other = match Workload::of(object) {
                    Some(workload) => AnyObject::Workload(Box::new(workload)),
                    None => AnyObject::of(object),
                };
                Self::Other(Scaler::of(object).map(Box::new), other)
            }
        }
    }
}
