//! The HPA's spec.

use hpa_engine::model::{
    Behavior, Hpa, HpaSpec, PolicyType, ScaleTargetRef, ScalingPolicy, ScalingRules, SelectPolicy,
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
