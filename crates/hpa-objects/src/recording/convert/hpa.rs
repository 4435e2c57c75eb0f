//! The HPA's spec.

use hpa_engine::model::{
    Behavior, ContainerResourceSource, Hpa, HpaSpec, MetricSpec, MetricTarget, ObjectSource,
    PodsSource, PolicyType, ResourceSource, ScaleTargetRef, ScalingPolicy, ScalingRules,
    SelectPolicy,
};

use super::{InvalidField, Within as _, each, optional_quantity, wire};

impl wire::Hpa {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<Hpa, InvalidField> {
        let metadata = &self.metadata;
        Ok(Hpa {
            namespace: metadata
                .namespace
                .clone()
                .ok_or_else(|| InvalidField::here("missing field"))
                .within("metadata.namespace")?,
            name: metadata.name.clone(),
            generation: metadata.generation,
            created: metadata.creation_timestamp,
            spec: self.spec.to_model().within("spec")?,
            status: self.status.to_model().within("status")?,
        })
    }
}

impl wire::HpaSpec {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<HpaSpec, InvalidField> {
        Ok(HpaSpec {
            scale_target: ScaleTargetRef {
                api_version: self.scale_target_ref.api_version.clone(),
                kind: self.scale_target_ref.kind.clone(),
                name: self.scale_target_ref.name.clone(),
            },
            min_replicas: self.min_replicas,
            max_replicas: self.max_replicas,
            metrics: each(&self.metrics, "metrics", wire::MetricSpec::to_model)?,
            behavior: self
                .behavior
                .as_deref()
                .map(wire::Behavior::to_model)
                .transpose()
                .within("behavior")?,
            sync_period: None,
        })
    }
}

impl wire::MetricSpec {
    fn to_model(&self) -> Result<MetricSpec, InvalidField> {
        let source = match self.metric_type.as_str() {
            "ContainerResource" => self
                .container_resource
                .as_deref()
                .map(container_resource)
                .transpose()
                .within("containerResource")?,
            "External" => self
                .external
                .as_deref()
                .map(|source| series(source).map(MetricSpec::External))
                .transpose()
                .within("external")?,
            "Object" => self
                .object
                .as_deref()
                .map(object)
                .transpose()
                .within("object")?,
            "Pods" => self
                .pods
                .as_deref()
                .map(|source| series(source).map(MetricSpec::Pods))
                .transpose()
                .within("pods")?,
            "Resource" => self
                .resource
                .as_deref()
                .map(resource)
                .transpose()
                .within("resource")?,
            _ => None,
        };
        Ok(source.unwrap_or_else(|| MetricSpec::Unknown {
            metric_type: self.metric_type.clone(),
        }))
    }
}

fn container_resource(source: &wire::ContainerResourceSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::ContainerResource(ContainerResourceSource {
        name: source.name.clone(),
        container: source.container.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn resource(source: &wire::ResourceSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::Resource(ResourceSource {
        name: source.name.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn series(source: &wire::MetricSource) -> Result<PodsSource, InvalidField> {
    Ok(PodsSource {
        metric: source.metric.clone(),
        metric_target: metric_target(&source.target)?,
    })
}

fn object(source: &wire::ObjectSource) -> Result<MetricSpec, InvalidField> {
    Ok(MetricSpec::Object(ObjectSource {
        described_object: source.described_object.clone(),
        metric: source.metric.clone(),
        metric_target: metric_target(&source.target)?,
    }))
}

fn metric_target(target: &wire::MetricTarget) -> Result<MetricTarget, InvalidField> {
    let convert = || {
        Ok(MetricTarget {
            target_type: target.target_type.clone(),
            value: optional_quantity(target.value.as_ref(), "value")?,
            average_value: optional_quantity(target.average_value.as_ref(), "averageValue")?,
            average_utilization: target.average_utilization,
        })
    };
    convert().within("target")
}

impl wire::Behavior {
    fn to_model(&self) -> Result<Behavior, InvalidField> {
        let side = |rules: Option<&wire::ScalingRules>, field| {
            rules.map(scaling_rules).transpose().within(field)
        };
        Ok(Behavior {
            scale_up: side(self.scale_up.as_ref(), "scaleUp")?,
            scale_down: side(self.scale_down.as_ref(), "scaleDown")?,
        })
    }
}

fn scaling_rules(rules: &wire::ScalingRules) -> Result<ScalingRules, InvalidField> {
    Ok(ScalingRules {
        stabilization_window_seconds: rules.stabilization_window_seconds,
        select_policy: rules
            .select_policy
            .as_deref()
            .map(select_policy)
            .transpose()
            .within("selectPolicy")?,
        policies: rules
            .policies
            .as_ref()
            .map(|policies| each(policies, "policies", scaling_policy))
            .transpose()?,
        tolerance: optional_quantity(rules.tolerance.as_ref(), "tolerance")?,
    })
}

fn select_policy(text: &str) -> Result<SelectPolicy, InvalidField> {
    Ok(match text {
        "Disabled" => SelectPolicy::Disabled,
        "Max" => SelectPolicy::Max,
        "Min" => SelectPolicy::Min,
        _ => {
            return Err(InvalidField::here(format_args!(
                "invalid select policy {text:?}: use Max, Min or Disabled"
            )));
        }
    })
}

fn scaling_policy(policy: &wire::ScalingPolicy) -> Result<ScalingPolicy, InvalidField> {
    let policy_type = match policy.policy_type.as_str() {
        "Percent" => Ok(PolicyType::Percent),
        "Pods" => Ok(PolicyType::Pods),
        text => Err(InvalidField::here(format_args!(
            "invalid scaling policy type {text:?}: use Pods or Percent"
        ))),
    };
    Ok(ScalingPolicy {
        policy_type: policy_type.within("type")?,
        value: policy.value,
        period_seconds: policy.period_seconds,
    })
}
