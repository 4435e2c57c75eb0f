//! The HPA that KEDA makes of a ScaledObject, so that the rules for HPAs also check ScaledObjects.
//!
//! Upstream: `newHPAForScaledObject`. A finding of such a rule has paths and words of an HPA; [`KedaHpa::translate`] makes
//! it one of the ScaledObject.

use std::sync::Arc;

use hpa_engine::model::{KnownKind, Quantity, Trigger};
use hpa_objects::{
    manifest::{self, Lintable},
    recording::InvalidField,
};
use kubectl_hpa_yaml::{Entry, Number, Span, YamlNode, YamlValue};

use super::{
    Finding, FixStep, HpaSubject, KeptHpa, KeptObject, Manifest, Object, ObjectRef, Sources,
    keda_trigger::TriggerTarget, world::ScaledObject,
};

/// The HPA that KEDA makes of a ScaledObject.
#[derive(Clone, Debug)]
pub struct KedaHpa {
    /// Its manifest, with the ScaledObject's identity.
    pub manifest: Arc<Manifest>,
    /// Whether it can be decoded, but has a value that the engine does not support.
    pub is_refused: bool,
    /// None: it cannot be decoded, or the API server rejects a value that the engine does not support.
    pub hpa: Option<HpaSubject>,
    /// The field that cannot be decoded, as one of the ScaledObject.
    pub invalid: Option<InvalidField>,
    /// For each of its metrics, the trigger.
    triggers: Vec<usize>,
}

/// A ScaledObject, for which KEDA creates the HPA.
#[derive(Clone, Debug)]
pub struct ScaledObjectSubject {
    /// Its identity.
    pub object: Arc<ObjectRef>,
    /// The object.
    pub source: Arc<Object>,
    /// Its data.
    pub scaled_object: ScaledObject,
    /// The HPA that KEDA makes of it.
    pub made: KedaHpa,
}

impl ScaledObjectSubject {
    /// A ScaledObject, with the HPA that KEDA makes of it.
    pub(super) fn of(
        object: Arc<ObjectRef>,
        source: Arc<Object>,
        scaled_object: ScaledObject,
    ) -> Self {
        Self {
            made: KedaHpa::of(&source, &scaled_object),
            object,
            source,
            scaled_object,
        }
    }
}

impl KedaHpa {
    /// The HPA of a ScaledObject.
    pub(super) fn of(object: &Object, scaled: &ScaledObject) -> Self {
        let (node, triggers) = hpa_node(object, scaled);
        let (lintable, invalid) = match manifest::lintable(VERSION, &node) {
            Ok(lintable) => (Some(lintable), None),
            Err(invalid) => (None, Some(invalid)),
        };
        let (defaulted, spec) = Lintable::parts(lintable);
        let source = Object {
            origin: object.origin,
            api_version: VERSION.into(),
            kind: "HorizontalPodAutoscaler".into(),
            node,
            comments: Arc::default(),
            is_linted: object.is_linted,
        };
        let is_refused = defaulted.is_some() && spec.is_none();
        let kept = KeptObject::new(Arc::new(object.reference()), source.into(), is_refused);
        let manifest = Arc::new(Manifest {
            defaulted,
            ..kept.manifest(&Sources::default())
        });
        let kept = KeptHpa::of_manifest(Arc::new(kept));
        let hpa = spec.map(|spec| kept.subject(Arc::clone(&manifest), spec));
        let invalid = invalid.map(|invalid| InvalidField {
            path: path_of_keda(&triggers, &invalid.path),
            ..invalid
        });
        Self {
            manifest,
            is_refused,
            hpa,
            invalid,
            triggers,
        }
    }

    /// Makes a finding about this HPA one about the ScaledObject at `source`. A fix of a field that the ScaledObject does
    /// not have is dropped.
    pub(super) fn translate(&self, finding: &mut Finding, source: &YamlNode) {
        finding.path = self.path(&finding.path).into();
        finding.message = in_words_of_keda(&finding.message).into();
        finding.help = in_words_of_keda(&finding.help).into();
        for (path, text) in &mut finding.labels {
            *path = self.path(path).into();
            *text = in_words_of_keda(text).into();
        }
        for step in &mut finding.fix {
            let (FixStep::Remove { path }
            | FixStep::RenameKey { path, .. }
            | FixStep::SetScalar { path, .. }
            | FixStep::Insert { path, .. }) = step;
            *path = self.path(path);
        }
        let is_written = |step: &FixStep| {
            let (FixStep::Remove { path }
            | FixStep::RenameKey { path, .. }
            | FixStep::SetScalar { path, .. }
            | FixStep::Insert { path, .. }) = step;
            source.at(path).is_some()
        };
        if !finding.fix.iter().all(is_written) {
            finding.fix.clear();
        }
    }

    fn path(&self, path: &str) -> String {
        path_of_keda(&self.triggers, path)
    }
}

/// The field of the ScaledObject that a field of its HPA comes from. `triggers` has the trigger of each metric.
fn path_of_keda(triggers: &[usize], path: &str) -> String {
    if let Some((index, _)) = path
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once(']'))
    {
        let index: Option<usize> = index.parse().ok();
        return match index.and_then(|index| triggers.get(index)) {
            Some(trigger) => format!("spec.triggers[{trigger}]"),
            None => "spec.triggers".to_owned(),
        };
    }
    let fields = [
        ("spec.minReplicas", "spec.minReplicaCount"),
        ("spec.maxReplicas", "spec.maxReplicaCount"),
        ("spec.metrics", "spec.triggers"),
        ("spec.behavior", BEHAVIOR),
    ];
    let renamed = fields
        .iter()
        .find_map(|(own, keda)| Some(format!("{keda}{}", path.strip_prefix(own)?)));
    renamed.unwrap_or_else(|| path.to_owned())
}

/// A text about an HPA in the words of a ScaledObject.
fn in_words_of_keda(text: &str) -> String {
    let words = [
        ("minReplicas", "minReplicaCount"),
        ("maxReplicas", "maxReplicaCount"),
        ("spec.behavior", BEHAVIOR),
        ("this HPA", "KEDA's HPA"),
        ("delete the HPA", "delete the ScaledObject"),
    ];
    words
        .iter()
        .fold(text.to_owned(), |text, (own, keda)| text.replace(own, keda))
}

/// The HPA as KEDA writes it, and the trigger of each metric.
fn hpa_node(object: &Object, scaled: &ScaledObject) -> (YamlNode, Vec<usize>) {
    let node = &object.node;
    let target = |field: &'static str, default: &str| {
        let written = node.at(&format!("spec.scaleTargetRef.{field}"));
        let is_empty = written.is_none_or(|node| node.as_str() == Some(""));
        let written = written.filter(|_| !is_empty).cloned();
        (field, written.unwrap_or_else(|| text(default)))
    };
    let mut spec = vec![
        (
            "scaleTargetRef",
            mapping(vec![
                target("apiVersion", "apps/v1"),
                target("kind", KnownKind::DEPLOYMENT),
                target("name", ""),
            ]),
        ),
        ("minReplicas", min_replicas(node)),
        (
            "maxReplicas",
            node.at("spec.maxReplicaCount")
                .cloned()
                .unwrap_or_else(|| integer(MAX_REPLICAS)),
        ),
    ];
    let (metrics, triggers) = metrics(scaled).into_iter().unzip();
    spec.push(("metrics", sequence(metrics)));
    if let Some(behavior) = node.at(BEHAVIOR) {
        let mut behavior = behavior.clone();
        leave_out_empty_policies(&mut behavior);
        spec.push(("behavior", behavior));
    }
    let hpa = mapping(vec![
        ("apiVersion", text(VERSION)),
        ("kind", text("HorizontalPodAutoscaler")),
        (
            "metadata",
            mapping(vec![("name", text(&scaled.name_of_hpa()))]),
        ),
        ("spec", mapping(spec)),
    ]);
    (hpa, triggers)
}

/// Upstream: `GetHPAMinReplicas`.
fn min_replicas(node: &YamlNode) -> YamlNode {
    match node.at("spec.minReplicaCount") {
        Some(written) if written.as_i64().is_none_or(|count| 0 < count) => written.clone(),
        _ => integer(1),
    }
}

/// The metrics with the indices of their triggers. Values that KEDA rejects are left out: HPA612 reports them.
fn metrics(scaled: &ScaledObject) -> Vec<(YamlNode, usize)> {
    let triggers = scaled.keda.triggers.iter().enumerate();
    let own = triggers.filter_map(|(index, trigger)| {
        let metric = if TriggerTarget::is_of_pods(trigger) {
            resource_metric(trigger)?
        } else if scaled.keda.has_formula {
            return None;
        } else {
            external_metric(&format!("s{index}-{}", trigger.trigger_type))
        };
        Some((metric, index))
    });
    let mut metrics: Vec<_> = own.collect();
    if scaled.keda.has_formula {
        metrics.push((external_metric("composite-metric"), usize::MAX));
    }
    metrics
}

/// Upstream: `parseResourceMetadata`.
fn resource_metric(trigger: &Trigger) -> Option<YamlNode> {
    let value = trigger.metadata.get("value")?;
    let target_type = TriggerTarget::type_of(trigger)?;
    let target = match target_type {
        "Utilization" => (
            "averageUtilization",
            integer(value.parse::<i32>().ok()?.into()),
        ),
        "AverageValue" => {
            Quantity::parse(value).ok()?;
            ("averageValue", text(value))
        }
        _ => return None,
    };
    let target = mapping(vec![("type", text(target_type)), target]);
    let container = trigger.metadata.get("containerName");
    let container = container.filter(|name| !name.is_empty());
    let mut source = vec![("name", text(&trigger.trigger_type)), ("target", target)];
    let (metric_type, field) = match container {
        Some(container) => {
            source.push(("container", text(container)));
            ("ContainerResource", "containerResource")
        }
        None => ("Resource", "resource"),
    };
    Some(mapping(vec![
        ("type", text(metric_type)),
        (field, mapping(source)),
    ]))
}

/// A metric of a scaler. Its target is not known here, and no rule for this HPA reads it.
fn external_metric(name: &str) -> YamlNode {
    let selector = mapping(vec![(
        "matchLabels",
        mapping(vec![("scaledobject.keda.sh/name", text("x"))]),
    )]);
    let metric = mapping(vec![("name", text(name)), ("selector", selector)]);
    let target = mapping(vec![
        ("type", text("AverageValue")),
        ("averageValue", text("1")),
    ]);
    mapping(vec![
        ("type", text("External")),
        (
            "external",
            mapping(vec![("metric", metric), ("target", target)]),
        ),
    ])
}

/// KEDA's client does not send an empty list, so the API server fills in its defaults.
fn leave_out_empty_policies(behavior: &mut YamlNode) {
    let YamlValue::Mapping(sides) = &mut behavior.value else {
        return;
    };
    for side in sides {
        if let YamlValue::Mapping(entries) = &mut side.node.value {
            entries.retain(|entry| {
                let is_empty =
                    matches!(&entry.node.value, YamlValue::Sequence(items) if items.is_empty());
                &*entry.key != "policies" || !is_empty
            });
        }
    }
}

fn mapping(entries: Vec<(&str, YamlNode)>) -> YamlNode {
    let entries = entries.into_iter().map(|(key, node)| Entry {
        key: key.into(),
        key_span: Span::default(),
        node,
    });
    node(YamlValue::Mapping(entries.collect()))
}

fn sequence(items: Vec<YamlNode>) -> YamlNode {
    node(YamlValue::Sequence(items))
}

fn text(text: &str) -> YamlNode {
    node(YamlValue::Text(text.into()))
}

fn integer(number: i64) -> YamlNode {
    node(YamlValue::Number(Number::Integer(number)))
}

fn node(value: YamlValue) -> YamlNode {
    YamlNode {
        span: Span::default(),
        value,
    }
}

const VERSION: &str = "autoscaling/v2";

/// Where a ScaledObject has the `behavior` of its HPA.
const BEHAVIOR: &str = "spec.advanced.horizontalPodAutoscalerConfig.behavior";

/// Upstream: `defaultHPAMaxReplicas`.
const MAX_REPLICAS: i64 = 100;
