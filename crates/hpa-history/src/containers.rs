//! The containers of a pod, with their requests.

use std::collections::BTreeMap;

use hpa_engine::model::{Container, Pod};

use crate::{names, pods::quantity, series::Series};

/// The containers of a pod with their requests. Those that are not exported have the names of today's.
pub(crate) fn containers_of(
    by_name: &BTreeMap<&str, Vec<&Series>>,
    today: Option<&Pod>,
) -> Vec<Container> {
    let series = |name: &str| by_name.get(name).into_iter().flatten();
    let mut names: Vec<String> = series(names::CONTAINER)
        .chain(series(names::REQUESTS))
        .map(|one| one.label("container").to_owned())
        .collect();
    if !by_name.contains_key(names::CONTAINER) {
        let of_today = today.into_iter().flat_map(|pod| pod.containers.iter());
        names.extend(of_today.map(|one| one.name.clone()));
    }
    names.sort_unstable();
    names.dedup();
    let container = |name| container(name, by_name, names::REQUESTS);
    names.into_iter().map(container).collect()
}

/// The init containers of a pod that keep running, with their requests: they count like others. Those that are not
/// exported are today's.
pub(crate) fn sidecars_of(
    by_name: &BTreeMap<&str, Vec<&Series>>,
    today: Option<&Pod>,
) -> Vec<Container> {
    if !by_name.contains_key(names::INIT_CONTAINER) {
        let of_today = today.into_iter().flat_map(|pod| pod.init_containers.iter());
        return of_today.filter(|one| one.is_restartable).cloned().collect();
    }
    let info = by_name.get(names::INIT_CONTAINER).into_iter().flatten();
    let keep_running = info.filter(|one| one.label("restart_policy") == "Always");
    let mut names: Vec<String> = keep_running
        .map(|one| one.label("container").to_owned())
        .collect();
    names.sort_unstable();
    names.dedup();
    let sidecar = |name| Container {
        is_restartable: true,
        ..container(name, by_name, names::INIT_REQUESTS)
    };
    names.into_iter().map(sidecar).collect()
}

/// A container with the requests that the series `requests` has of it.
fn container(name: String, by_name: &BTreeMap<&str, Vec<&Series>>, requests: &str) -> Container {
    let requests = by_name.get(requests).into_iter().flatten();
    Container {
        requests: requests
            .filter(|one| one.label("container") == name)
            .filter_map(|one| {
                let resource = one.label("resource");
                let value = one.samples.last()?.1;
                Some((resource.to_owned(), quantity(resource, value)))
            })
            .collect(),
        name,
        ..Container::default()
    }
}
