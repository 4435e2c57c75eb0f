//! HPAs of a file as written, without the API server's defaults and validation.

use std::path::Path;

use serde_json::Value;

use super::{
    ManifestError, ObjectPlace,
    documents::{FileObject, Kinds, for_each},
    hpa,
};
use crate::recording::{ReadError, name_of, open_input};

/// The spec of an HPA as written.
#[derive(Clone, Debug)]
pub struct WrittenSpec {
    /// Its position.
    pub place: ObjectPlace,
    /// `metadata.namespace`, if set.
    pub namespace: Option<String>,
    /// `metadata.name`.
    pub name: String,
    /// The spec in the shape of `autoscaling/v2`. A v2 spec is not checked at all.
    pub spec: Value,
}

/// Reads the HPAs of a file, or of standard input for `-`, of any API version.
pub fn read_specs(path: &Path) -> Result<Vec<WrittenSpec>, ManifestError> {
    let file = name_of(path);
    let unreadable = |source| ReadError::Open {
        path: path.to_owned(),
        source,
    };
    let text = open_input(path)
        .and_then(|input| input.read_whole(Vec::new(), MOST_MEBIBYTES))
        .map_err(unreadable)?;
    let (mut specs, mut kinds) = (Vec::new(), Kinds::default());
    for_each(&text, &file, |object| {
        kinds.count(&object);
        if object.group() == "autoscaling" && object.kind == "HorizontalPodAutoscaler" {
            specs.push(written(&object)?);
        }
        Ok(())
    })?;
    if specs.is_empty() {
        return Err(kinds.no_hpa(&file));
    }
    Ok(specs)
}

/// Maximum size. A few HPAs take some KiB.
const MOST_MEBIBYTES: u64 = 64;

fn written(object: &FileObject) -> Result<WrittenSpec, ManifestError> {
    Ok(WrittenSpec {
        place: object.place.clone(),
        namespace: object.text("/metadata/namespace").map(str::to_owned),
        name: object.name().to_owned(),
        spec: hpa::spec_as_v2(object)?,
    })
}
