//! The containers of a pod, with their requests.

use std::collections::{BTreeMap, BTreeSet};

use hpa_engine::model::{Container, Pod, Quantity};

use crate::{names, pods::quantity, series::Series};

/// The containers of a pod with their requests. Those that are not exported have the names of today's.
pub(crate) fn containers_of(
    by_name: &BTreeMap<&str, Vec<&Series>>,
    today: Option<&Pod>,
) -> Vec<Container> {
    let series = |name: &str| by_name.get(name).into_iter().flatten();
    let exported = series(names::CONTAINER).chain(series(names::REQUESTS));
    let mut names: BTreeSet<&str> = exported.map(|one| one.label("container")).collect();
    if !by_name.contains_key(names::CONTAINER) {
        let of_today = today.into_iter().flat_map(|pod| pod.containers.iter());
        names.extend(of_today.map(|one| one.name.as_str()));
    }
    let container = |name| container(name, by_name, names::REQUESTS);
    names.into_iter().map(container).collect()
}

/// The init containers of a pod that keep running, with their requests: they count like others. Those that are not
/// exported are today's.
pub(crate) fn sidecars_of(
    by_name: &BTreeMap<&str, Vec<&Series>>,
    today: Option<&Pod>,
) -> Vec<Container> {
    let Some(info) = by_name.get(names::INIT_CONTAINER) else {
        let of_today = today.into_iter().flat_map(|pod| pod.init_containers.iter());
        return of_today.filter(|one| one.is_restartable).cloned().collect();
    };
    let keep_running = info
        .iter()
        .filter(|one| one.label("restart_policy") == "Always");
    let names: BTreeSet<&str> = keep_running.map(|one| one.label("container")).collect();
    let sidecar = |name| Container {
        is_restartable: true,
        ..container(name, by_name, names::INIT_REQUESTS)
    };
    names.into_iter().map(sidecar).collect()
}

/// How much of a resource the containers of a pod that keep running request together. None: none requests it.
pub fn requested(
    containers: &[Container],
    init_containers: &[Container],
    resource: &str,
) -> Option<f64> {
    let sidecars = init_containers.iter().filter(|one| one.is_restartable);
    let requests = containers.iter().chain(sidecars);
    let requests = requests.filter_map(|one| one.request(resource));
    let requests = requests.map(Quantity::approximate_f64);
    requests.reduce(|sum, one| sum + one)
}

/// A container with the requests that the series `requests` has of it.
fn container(name: &str, by_name: &BTreeMap<&str, Vec<&Series>>, requests: &str) -> Container {
    let requests = by_name.get(requests).into_iter().flatten();
    Container {
        name: name.to_owned(),
        requests: requests
            .filter(|one| one.label("container") == name)
            .filter_map(|one| {
                let resource = one.label("resource");
                let value = one.samples.last()?.1;
                Some((resource.to_owned(), quantity(resource, value)))
            })
            .collect(),
        ..Container::default()
    }
}
