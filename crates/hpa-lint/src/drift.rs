//! Compares the same HPA in the clusters of several contexts: fields of its spec, and its verdict.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_explain::Urgency;
use hpa_objects::{
    manifest::spec_value::{display, is_same, subject},
    recording::wire,
};
use hpa_words::amount::names;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// An HPA in the cluster of one context.
#[derive(Clone, Debug)]
pub struct HpaInContext {
    /// Name of the context.
    pub context: String,
    /// The spec.
    pub spec: Arc<wire::HpaSpec>,
    /// How urgently it needs attention.
    pub urgency: Urgency,
    /// A short verdict, without a time of day.
    pub words: String,
}

/// An HPA that differs between contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HpaDrift {
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub name: String,
    /// Fields of the spec that differ.
    pub fields: Vec<FieldDrift>,
    /// The short verdict in each context. Empty if none differs, ignoring differences that follow from the load.
    pub verdicts: Vec<ContextValue>,
}

/// A field of the spec that differs between contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldDrift {
    /// The field, such as `spec.maxReplicas` or `spec.metrics[name=cpu].resource.target.averageUtilization`.
    pub path: String,
    /// Its value in each context.
    pub values: Vec<ContextValue>,
}

/// The value in one context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextValue {
    /// Name of the context.
    pub context: String,
    /// The value as text; null if the field is not set.
    pub value: Option<String>,
}

impl HpaDrift {
    /// The differences. None if there are none.
    pub fn of(namespace: &str, name: &str, contexts: &[HpaInContext]) -> Option<Self> {
        let specs: Vec<Value> = contexts
            .iter()
            .map(|one| serde_json::to_value(&*one.spec).unwrap_or_default())
            .collect();
        let values: Vec<Option<&Value>> = specs.iter().map(Some).collect();
        let mut found = Vec::new();
        compare("spec", &values, &mut found);
        let of_context = |(one, value): (&HpaInContext, Option<String>)| ContextValue {
            context: one.context.clone(),
            value,
        };
        let drift = Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            fields: found
                .into_iter()
                .map(|(path, values)| FieldDrift {
                    path,
                    values: contexts.iter().zip(values).map(of_context).collect(),
                })
                .collect(),
            verdicts: verdicts(contexts),
        };
        (!drift.fields.is_empty() || !drift.verdicts.is_empty()).then_some(drift)
    }

    /// The differences of HPAs in several contexts, by namespace and name.
    pub fn of_all(hpas: impl IntoIterator<Item = ((String, String), HpaInContext)>) -> Vec<Self> {
        let mut by_name: BTreeMap<(String, String), Vec<HpaInContext>> = BTreeMap::new();
        for (name, hpa) in hpas {
            by_name.entry(name).or_default().push(hpa);
        }
        by_name
            .iter()
            .filter_map(|((namespace, name), contexts)| Self::of(namespace, name, contexts))
            .collect()
    }
}

impl FieldDrift {
    /// Each value with its contexts: `10 in prod-eu, 20 in prod-us`.
    pub fn in_words(&self) -> String {
        in_words(&self.values)
    }

    /// The field without `spec.`.
    pub fn short_path(&self) -> &str {
        self.path.strip_prefix("spec.").unwrap_or(&self.path)
    }
}

/// Each value with its contexts: `10 in prod-eu, 20 in prod-us`. Semicolons separate them if a value contains a comma.
pub fn in_words(values: &[ContextValue]) -> String {
    let mut groups: Vec<(&Option<String>, Vec<&str>)> = Vec::new();
    for ContextValue { context, value } in values {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, contexts)) => contexts.push(context),
            None => groups.push((value, vec![context])),
        }
    }
    let groups = groups.into_iter().map(|(value, contexts)| {
        let value = value.as_deref().unwrap_or("not set");
        format!("{value} in {}", names(&contexts, MOST_NAMES))
    });
    let has_comma = |one: &ContextValue| one.value.as_ref().is_some_and(|it| it.contains(','));
    let mark = if values.iter().any(has_comma) {
        "; "
    } else {
        ", "
    };
    groups.collect::<Vec<_>>().join(mark)
}

/// Maximum number of contexts to name for each value.
const MOST_NAMES: usize = 3;

/// The verdicts, if they differ in urgency. Whether an HPA scales or holds depends on its load, and an unknown state is
/// not a verdict.
fn verdicts(contexts: &[HpaInContext]) -> Vec<ContextValue> {
    let known = || {
        contexts
            .iter()
            .filter(|one| one.urgency != Urgency::Unknown)
    };
    let kinds: BTreeSet<Urgency> = known()
        .map(|one| match one.urgency {
            Urgency::Scaling => Urgency::None,
            other => other,
        })
        .collect();
    if kinds.len() < 2 {
        return Vec::new();
    }
    known()
        .map(|one| ContextValue {
            context: one.context.clone(),
            value: Some(one.words.clone()),
        })
        .collect()
}

/// A path, and its value in each context.
type Found = (String, Vec<Option<String>>);

fn compare(path: &str, values: &[Option<&Value>], found: &mut Vec<Found>) {
    if let Some((first, others)) = values.split_first()
        && others.iter().all(|other| is_same(*first, *other))
    {
        return;
    }
    let are_all = |is: fn(&Value) -> bool| values.iter().all(|value| value.is_some_and(is));
    // If one context lacks a side of the behavior, its fields are compared individually: each was written by someone.
    if are_all(Value::is_object)
        || path.starts_with("spec.behavior") && has(values, Value::is_object)
    {
        compare_fields(path, values, found);
    } else if path == "spec.metrics" {
        compare_metrics(values, found);
    } else {
        let texts = values.iter().map(|value| value.map(display));
        found.push((path.to_owned(), texts.collect()));
    }
}

fn has(values: &[Option<&Value>], is: fn(&Value) -> bool) -> bool {
    values.iter().flatten().copied().any(is)
}

fn compare_fields(path: &str, values: &[Option<&Value>], found: &mut Vec<Found>) {
    let objects = values
        .iter()
        .flatten()
        .filter_map(|value| value.as_object());
    let names: BTreeSet<&String> = objects.flat_map(|object| object.keys()).collect();
    for name in names {
        let fields: Vec<Option<&Value>> = values
            .iter()
            .map(|value| value.and_then(|value| value.get(name)))
            .collect();
        compare(&format!("{path}.{name}"), &fields, found);
    }
}

/// Compares metrics that measure the same thing, whatever their positions in the list.
fn compare_metrics(values: &[Option<&Value>], found: &mut Vec<Found>) {
    let lists: Vec<Vec<(Value, &Value)>> = values
        .iter()
        .map(|value| {
            let entries = value.and_then(Value::as_array).into_iter().flatten();
            entries.map(|entry| (subject(entry), entry)).collect()
        })
        .collect();
    let mut subjects: Vec<&Value> = Vec::new();
    for (subject, _) in lists.iter().flatten() {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    let labels: Vec<String> = subjects.iter().map(|subject| label(subject)).collect();
    for (subject, label) in subjects.iter().zip(&labels) {
        let is_only = labels.iter().filter(|other| *other == label).count() == 1;
        let label = if is_only {
            format!("name={label}")
        } else {
            display(subject)
        };
        let entries: Vec<Vec<&Value>> = lists
            .iter()
            .map(|list| {
                let alike = list.iter().filter(|(other, _)| other == *subject);
                alike.map(|(_, entry)| *entry).collect()
            })
            .collect();
        let most = entries.iter().map(Vec::len).max().unwrap_or(0);
        for index in 0..most {
            let entries: Vec<Option<&Value>> = entries
                .iter()
                .map(|alike| alike.get(index).copied())
                .collect();
            compare(&format!("spec.metrics[{label}]"), &entries, found);
        }
    }
}

/// Name of the resource or metric, as in `--set`.
fn label(subject: &Value) -> String {
    let sources = subject
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.values());
    let mut names = sources.filter_map(|source| {
        let name = source
            .get("name")
            .or_else(|| source.pointer("/metric/name"));
        name.and_then(Value::as_str)
    });
    names.next().unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hpa(context: &str, urgency: Urgency, spec: &Value) -> HpaInContext {
        HpaInContext {
            context: context.to_owned(),
            spec: Arc::new(serde_json::from_value(spec.clone()).unwrap()),
            urgency,
            words: format!("words of {context}"),
        }
    }

    fn spec(max: i32, metrics: &[Value], behavior: &Value) -> Value {
        json!({
            "scaleTargetRef": {"kind": "Deployment", "name": "web"},
            "maxReplicas": max,
            "metrics": metrics,
            "behavior": behavior,
        })
    }

    fn cpu(percent: i32) -> Value {
        json!({"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": percent}}})
    }

    fn queue(average: &str) -> Value {
        json!({"type": "External", "external": {"metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": average}}})
    }

    fn fields(specs: &[(&str, Value)]) -> Vec<String> {
        let contexts: Vec<HpaInContext> = specs
            .iter()
            .map(|(context, spec)| hpa(context, Urgency::None, spec))
            .collect();
        let drift = HpaDrift::of("shop", "web", &contexts);
        let fields = drift.into_iter().flat_map(|drift| drift.fields);
        fields
            .map(|field| format!("{}: {}", field.short_path(), field.in_words()))
            .collect()
    }

    #[test]
    fn each_field_has_its_values_with_the_contexts() {
        let none = Value::Null;
        assert_eq!(
            fields(&[
                ("eu", spec(10, &[cpu(60), queue("0.1")], &none)),
                ("us", spec(20, &[queue("100m"), cpu(70)], &none)),
                ("ap", spec(10, &[cpu(60), queue("100m")], &none)),
            ]),
            [
                "maxReplicas: 10 in eu and ap, 20 in us",
                "metrics[name=cpu].resource.target.averageUtilization: 60 in eu and ap, 70 in us",
            ]
        );
    }

    #[test]
    fn what_one_context_lacks_is_not_set_there() {
        let down = json!({"scaleDown": {"stabilizationWindowSeconds": 60, "policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}});
        assert_eq!(
            fields(&[
                ("eu", spec(10, &[cpu(60)], &down)),
                ("us", spec(10, &[cpu(60), queue("1")], &Value::Null)),
            ]),
            [
                "behavior.scaleDown.policies: [Pods 1 / 60 s] in eu, not set in us",
                "behavior.scaleDown.stabilizationWindowSeconds: 60 in eu, not set in us",
                "metrics[name=queue]: not set in eu; {type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 1}}} in us",
            ]
        );
    }

    #[test]
    fn metrics_of_one_name_are_distinguished_and_many_contexts_are_counted() {
        let of_container = |percent: i32| json!({"type": "ContainerResource", "containerResource": {"name": "cpu", "container": "app", "target": {"type": "Utilization", "averageUtilization": percent}}});
        let mut specs: Vec<(String, Value)> = (0..6)
            .map(|number| {
                let spec = spec(10, &[cpu(60), of_container(50)], &Value::Null);
                (format!("c{number}"), spec)
            })
            .collect();
        specs[5].1 = spec(10, &[cpu(60), of_container(55)], &Value::Null);
        let specs: Vec<(&str, Value)> = specs
            .iter()
            .map(|(context, spec)| (context.as_str(), spec.clone()))
            .collect();
        assert_eq!(
            fields(&specs),
            [
                "metrics[{type: ContainerResource, containerResource: {container: app, name: cpu}}].containerResource.target.averageUtilization: \
                 50 in c0, c1, c2 and 2 more, 55 in c5"
            ]
        );
    }

    #[test]
    fn verdicts_that_follow_from_the_load_are_no_drift() {
        let spec = spec(10, &[cpu(60)], &Value::Null);
        let drift = |urgencies: &[Urgency]| {
            let contexts: Vec<HpaInContext> = urgencies
                .iter()
                .zip(["eu", "us", "ap"])
                .map(|(urgency, context)| hpa(context, *urgency, &spec))
                .collect();
            HpaDrift::of("shop", "web", &contexts).map(|drift| in_words(&drift.verdicts))
        };
        assert_eq!(drift(&[Urgency::Scaling, Urgency::None]), None);
        assert_eq!(drift(&[Urgency::Failed, Urgency::Failed]), None);
        // A state that could not be read is not another verdict.
        assert_eq!(drift(&[Urgency::Unknown, Urgency::None]), None);
        assert_eq!(
            drift(&[Urgency::Failed, Urgency::Unknown, Urgency::Scaling]).as_deref(),
            Some("words of eu in eu, words of ap in ap")
        );
    }
}
