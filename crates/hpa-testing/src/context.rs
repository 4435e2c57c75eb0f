//! What surrounds the HPA and its pods.

use hpa_engine::model::{
    DisruptionBudget, IntermediateOwner, KnownKind, LabelSelector, NodeShape, PodShare,
    QuotaResource, QuotaScope, ResourceQuota, Target,
};

use crate::{World, quantity};

impl World {
    /// A quota of the namespace: hard limit and use.
    pub fn quota(mut self, name: &str, resource: &str, hard: &str, used: &str) -> Self {
        let quotas = &mut self.context.surroundings.downstream.quotas;
        quotas.get_or_insert_default().push(ResourceQuota {
            name: name.to_owned(),
            scopes: Vec::new(),
            resources: vec![QuotaResource {
                name: resource.to_owned(),
                hard: quantity(hard),
                used: quantity(used),
            }],
        });
        self
    }

    /// The last quota counts only pods with this scope.
    pub fn of_scope(mut self, scope: &str) -> Self {
        let quotas = self.context.surroundings.downstream.quotas.iter_mut();
        let last = quotas.flatten().last().expect("there is a quota");
        last.scopes.push(QuotaScope {
            name: scope.to_owned(),
            operator: "Exists".to_owned(),
            values: Vec::new(),
        });
        self
    }

    /// A disruption budget for all pods.
    pub fn budget(mut self, name: &str, min_available: PodShare, expected: i32) -> Self {
        let budgets = &mut self.context.surroundings.downstream.disruption_budgets;
        budgets.get_or_insert_default().push(DisruptionBudget {
            name: name.to_owned(),
            min_available: Some(min_available),
            selector: Some(LabelSelector::default()),
            disruptions_allowed: Some(0),
            expected_pods: Some(expected),
            ..DisruptionBudget::default()
        });
        self
    }

    /// This many nodes of this size.
    pub fn nodes(mut self, count: usize, cpu: &str, is_cordoned: bool) -> Self {
        let nodes = &mut self.context.surroundings.downstream.nodes;
        nodes.get_or_insert_default().shapes.push(NodeShape {
            count,
            is_cordoned,
            allocatable: vec![
                ("cpu".to_owned(), quantity(cpu)),
                ("pods".to_owned(), quantity("110")),
            ],
        });
        self
    }

    /// The ReplicaSet of the pods.
    pub fn replica_set(mut self, name: &str, revision: Option<i64>, failure: Option<&str>) -> Self {
        let target = self.context.target.get_or_insert_with(|| Target {
            kind: KnownKind::DEPLOYMENT.to_owned(),
            name: "web".to_owned(),
            ..Target::default()
        });
        target.intermediate_owners.push(IntermediateOwner {
            kind: KnownKind::REPLICA_SET.to_owned(),
            name: name.to_owned(),
            owner_kind: KnownKind::DEPLOYMENT.to_owned(),
            owner_name: "web".to_owned(),
            revision,
            failure: failure.map(str::to_owned),
        });
        self
    }
}
