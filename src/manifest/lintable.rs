//! An HPA of any API version for the linter: as written, and with the API server's defaults.

use super::{Error, Place, defaults, documents::Object, hpa};
use crate::{
    model,
    recording::{InvalidField, wire},
    yaml::Node,
};

/// The spec of an HPA in the shape of `autoscaling/v2`.
#[derive(Clone, Debug)]
pub struct Lintable {
    /// As it is written: nothing is filled in.
    pub written: wire::HpaSpec,
    /// With the API server's defaults.
    pub defaulted: wire::HpaSpec,
    /// The same as the engine has it.
    pub spec: model::HpaSpec,
}

/// Reads an HPA of any API version. The error is the first field that cannot be read.
pub fn lintable(api_version: &str, node: &Node) -> Result<Lintable, InvalidField> {
    let object = Object {
        place: Place::default(),
        api_version: api_version.to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        value: node.to_json(),
    };
    let mut hpa = hpa::as_v2(&object).map_err(field)?;
    hpa.metadata.namespace.get_or_insert_default();
    let written = hpa.spec.clone();
    defaults::apply(&mut hpa.spec);
    let spec = hpa.to_model()?.spec;
    Ok(Lintable {
        written,
        defaulted: hpa.spec,
        spec,
    })
}

fn field(error: Error) -> InvalidField {
    match error {
        Error::Field { field, .. } => field,
        other => InvalidField::here(other),
    }
}
