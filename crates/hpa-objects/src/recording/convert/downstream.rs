//! Converts the objects around an HPA, including what limits its replicas. They do not affect the decision.

use hpa_engine::model::{
    DisruptionBudget, Downstream, ImagePull, NodeShape, Nodes, NotRead, PodShare, QuotaResource,
    QuotaScope, ResourceQuota, SnapshotField, Surroundings,
};

use super::{InvalidField, Within as _, duration, each, quantity, resources, wire};

impl wire::Surroundings {
    /// Converts valid parts to the model. Also returns the invalid ones; they do not affect the decision.
    pub(in crate::recording) fn to_model(&self) -> (Surroundings, Vec<NotRead>) {
        let mut not_read = Vec::new();
        let pulls = each(&self.image_pulls, "imagePulls", |pull| {
            Ok(ImagePull {
                pod: pull.pod.clone(),
                took: duration(pull.seconds).within("seconds")?,
            })
        });
        let surroundings = Surroundings {
            api_services: self.api_services.clone(),
            metric_lists: self.metric_lists.clone(),
            autoscalers: self.autoscalers.clone(),
            downstream: self.downstream.to_model(&mut not_read),
            image_pulls: known(
                SnapshotField::Other("imagePulls".to_owned()),
                Some(pulls),
                &mut not_read,
            )
            .unwrap_or_default(),
            hpas_of_namespace: self.hpas_of_namespace,
        };
        (surroundings, not_read)
    }
}

impl wire::Downstream {
    fn to_model(&self, not_read: &mut Vec<NotRead>) -> Downstream {
        let quotas = self.resource_quotas.as_ref().map(|list| {
            let convert = wire::ResourceQuota::to_model;
            each(list, "resourceQuotas", convert)
        });
        let budgets = self.pod_disruption_budgets.as_ref().map(|list| {
            let convert = wire::PodDisruptionBudget::to_model;
            each(list, "podDisruptionBudgets", convert)
        });
        let nodes = self.nodes.as_ref().map(wire::Nodes::to_model);
        Downstream {
            quotas: known(SnapshotField::ResourceQuotas, quotas, not_read),
            disruption_budgets: known(SnapshotField::DisruptionBudgets, budgets, not_read),
            nodes: known(
                SnapshotField::Nodes,
                nodes.map(|nodes| nodes.within("nodes")),
                not_read,
            ),
            failed_creates: self.failed_creates.clone(),
        }
    }
}

/// Treats an invalid part as not read.
fn known<T>(
    what: SnapshotField,
    found: Option<Result<T, InvalidField>>,
    not_read: &mut Vec<NotRead>,
) -> Option<T> {
    found?
        .map_err(|field| {
            not_read.push(NotRead {
                what,
                why: field.to_string(),
                remedy: None,
                is_forbidden: false,
            });
        })
        .ok()
}

impl wire::ResourceQuota {
    fn to_model(&self) -> Result<ResourceQuota, InvalidField> {
        let plain = self.spec.scopes.iter().map(|scope| QuotaScope {
            name: scope.clone(),
            operator: "Exists".to_owned(),
            values: Vec::new(),
        });
        let selected = self
            .spec
            .scope_selector
            .iter()
            .flat_map(|selector| selector.match_expressions.clone());
        let (hard, used) = (&self.status.hard, &self.status.used);
        // If the quota controller has not measured a quota yet, the quota lacks numbers for a resource.
        let measured = hard
            .iter()
            .filter_map(|(name, hard)| Some((name, hard, used.get(name)?)));
        let resources = measured
            .map(|(name, hard, used)| {
                Ok(QuotaResource {
                    name: name.clone(),
                    hard: quantity(hard).within("hard")?,
                    used: quantity(used).within("used")?,
                })
            })
            .collect::<Result<_, _>>()
            .within("status")?;
        Ok(ResourceQuota {
            name: self.metadata.name.clone(),
            scopes: plain.chain(selected).collect(),
            resources,
        })
    }
}

impl wire::PodDisruptionBudget {
    fn to_model(&self) -> Result<DisruptionBudget, InvalidField> {
        let (spec, status) = (&self.spec, &self.status);
        let share = |text: &Option<wire::IntOrString>, field: &str| {
            text.as_ref().map(pod_share).transpose().within(field)
        };
        let shares = || {
            Ok((
                share(&spec.min_available, "minAvailable")?,
                share(&spec.max_unavailable, "maxUnavailable")?,
            ))
        };
        let (min_available, max_unavailable) = shares().within("spec")?;
        let is_written = status.observed_generation.is_some();
        Ok(DisruptionBudget {
            name: self.metadata.name.clone(),
            min_available,
            max_unavailable,
            selector: spec.selector.clone(),
            disruptions_allowed: is_written.then_some(status.disruptions_allowed),
            expected_pods: is_written.then_some(status.expected_pods),
        })
    }
}

fn pod_share(text: &wire::IntOrString) -> Result<PodShare, InvalidField> {
    match text {
        wire::IntOrString::Int(pods) => Ok(PodShare::Pods(*pods)),
        wire::IntOrString::String(text) => text
            .strip_suffix('%')
            .and_then(|percent| percent.parse().ok())
            .map(PodShare::Percent)
            .ok_or_else(|| {
                let problem = format!("{text:?} is neither a number nor a percentage such as 25%");
                InvalidField::here(problem)
            }),
    }
}

impl wire::Nodes {
    fn to_model(&self) -> Result<Nodes, InvalidField> {
        Ok(Nodes {
            shapes: each(&self.shapes, "shapes", |shape| {
                Ok(NodeShape {
                    count: shape.count,
                    is_cordoned: shape.unschedulable,
                    allocatable: resources(&shape.allocatable, "allocatable")?,
                })
            })?,
            has_more: self.more,
        })
    }
}
