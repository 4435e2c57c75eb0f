//! A whole change: applied, defaulted as by the API server, validated and compared.

use hpa_engine::model::{ControllerConfig, Provenance};
use hpa_explain::SpecEdit;
use hpa_objects::{
    manifest::{
        WrittenSpec, defaults,
        known_fields::{SchemaPlace, complete},
        validation::{Rules, drop_disabled_fields, validate},
    },
    recording::{
        InvalidField, decode,
        wire::{Hpa, HpaSpec},
    },
};
use serde_json::Value;

use super::{Assignment, ChangeError, apply::apply, differences::differences, value::check};

/// The change of `--with` and `--set`: first the spec of the file, then the assignments in order.
#[derive(Clone, Debug, Default)]
pub struct SpecChange {
    /// HPAs in the file of `--with`; none: not given.
    pub with: Option<Vec<WrittenSpec>>,
    /// The assignments of `--set`.
    pub assignments: Vec<Assignment>,
}

/// The spec after a change, as the API server would store it.
#[derive(Clone, Debug)]
pub struct ChangedSpec {
    /// The spec.
    pub spec: HpaSpec,
    /// The differences from the spec before.
    pub edit: SpecEdit,
}

impl SpecChange {
    /// Whether there is a change.
    pub fn is_requested(&self) -> bool {
        self.with.is_some() || !self.assignments.is_empty()
    }

    /// Changes the spec of `hpa`. Fails with all violations if the API server would reject the spec.
    pub fn of(&self, hpa: &Hpa, config: &ControllerConfig) -> Result<ChangedSpec, ChangeError> {
        let before = to_value(&hpa.spec)?;
        let mut written = match &self.with {
            Some(specs) => with_place(spec_of(hpa, specs)?)?,
            None => before.clone(),
        };
        for assignment in &self.assignments {
            if let Some(error) = metric_named(assignment, &written) {
                return Err(error);
            }
            apply(assignment, &mut written)?;
        }
        complete(&mut written, SchemaPlace::spec());
        let mut spec: HpaSpec =
            decode(&written).map_err(|field| ChangeError::Value(field.in_field("spec")))?;
        defaults::apply(&mut spec);
        let rules = Rules {
            config,
            old: Some(&hpa.spec),
        };
        let dropped = drop_disabled_fields(&mut spec, rules);
        let mut notes: Vec<String> = dropped.iter().map(ToString::to_string).collect();
        let violations = validate(&spec, rules);
        if !violations.is_empty() {
            notes.extend(zero_needs_a_gate(&spec, config));
            return Err(ChangeError::Invalid {
                hpa: name(hpa),
                violations,
                notes,
            });
        }
        quantities(hpa, &spec)?;
        let changes = differences(&before, &to_value(&spec)?, &written);
        Ok(ChangedSpec {
            spec,
            edit: SpecEdit { changes, notes },
        })
    }
}

/// What to write if `--set` names a metric, as in `cpu=90%`: that may mean its target or the load.
fn metric_named(assignment: &Assignment, spec: &Value) -> Option<ChangeError> {
    let (name, value) = assignment.as_top_level()?;
    let metrics = spec.get("metrics")?.as_array()?;
    let (source, metric) = metrics.iter().find_map(|metric| {
        let mut letters = metric.get("type")?.as_str()?.chars();
        let first = letters.next()?.to_ascii_lowercase();
        let source = format!("{first}{}", letters.as_str());
        let metric = metric.get(&source)?;
        let own = metric
            .get("name")
            .or_else(|| metric.pointer("/metric/name"))?;
        (own == name).then_some((source, metric))
    })?;
    let target = metric.get("target")?.as_object()?;
    let field = target.keys().find(|field| *field != "type")?;
    let amount = match field.as_str() {
        "averageUtilization" => value.trim_end_matches('%'),
        _ => value,
    };
    Some(ChangeError::Metric {
        name: name.to_owned(),
        value: value.to_owned(),
        target: format!("--set 'metrics[name={name}].{source}.target.{field}={amount}'"),
    })
}

/// The spec of the HPA in the file: by name, and by namespace if the file has one.
fn spec_of<'a>(hpa: &Hpa, specs: &'a [WrittenSpec]) -> Result<&'a WrittenSpec, ChangeError> {
    let namespace = hpa.metadata.namespace.as_deref();
    let is_selected = |spec: &&WrittenSpec| {
        spec.name == hpa.metadata.name
            && (spec.namespace.is_none() || spec.namespace.as_deref() == namespace)
    };
    specs.iter().find(is_selected).ok_or_else(|| {
        let names: Vec<String> = specs
            .iter()
            .map(|spec| match &spec.namespace {
                Some(namespace) => format!("{namespace}/{}", spec.name),
                None => spec.name.clone(),
            })
            .collect();
        ChangeError::NotInFile {
            file: specs
                .first()
                .map_or_else(String::new, |spec| spec.place.file.clone()),
            hpa: name(hpa),
            found: names.join(", "),
        }
    })
}

/// The spec in a file, with errors that name the location.
fn with_place(written: &WrittenSpec) -> Result<Value, ChangeError> {
    let place = written.place.to_string();
    let path = format!("{place}: spec");
    if written.spec.is_null() {
        return Err(ChangeError::Value(InvalidField::at(path, "missing field")));
    }
    check(&written.spec, SchemaPlace::spec(), &path)?;
    Ok(written.spec.clone())
}

/// Quantities that cannot be parsed are also rejected: the API server does not even decode them.
fn quantities(hpa: &Hpa, spec: &HpaSpec) -> Result<(), ChangeError> {
    let changed = Hpa {
        spec: spec.clone(),
        ..hpa.clone()
    };
    changed.to_model().map(drop).map_err(ChangeError::Value)
}

fn zero_needs_a_gate(spec: &HpaSpec, config: &ControllerConfig) -> Option<String> {
    let gate = config.feature_gates.hpa_scale_to_zero;
    (spec.min_replicas == Some(0) && !gate.value).then(|| {
        let version = config.version.value;
        let off = match gate.provenance {
            Provenance::Assumed => format!(
                "is off by default in Kubernetes {version} (if it is on: --feature-gate HPAScaleToZero=true)"
            ),
            _ => "is off".to_owned(),
        };
        format!("minReplicas 0 needs the feature gate HPAScaleToZero, which {off}")
    })
}

fn to_value(spec: &HpaSpec) -> Result<Value, ChangeError> {
    serde_json::to_value(spec).map_err(|error| {
        ChangeError::Value(InvalidField::decoding("spec".to_owned(), error.to_string()))
    })
}

fn name(hpa: &Hpa) -> String {
    let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
    format!("{namespace}/{}", hpa.metadata.name)
}
