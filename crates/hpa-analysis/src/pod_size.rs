//! How much of a quota or a node one pod takes, as the API server and the scheduler count it.

use hpa_engine::model::{
    Container, Pod, Quantity, ResourceList,
    quantity::{Format, Overflow},
};

/// The pod's request for `resource`, in thousandths: containers and sidecars together, or the largest init container if
/// that is more, plus overhead. Upstream: `PodRequests` in `component-helpers/resource`.
pub fn request(pod: &Pod, resource: &str) -> i128 {
    let of_pod = find(&pod.requests, resource);
    let sum = of_pod.unwrap_or_else(|| of_containers(pod, resource, |one| &one.requests));
    sum + find(&pod.overhead, resource).unwrap_or_default()
}

/// The pod's limit for `resource`, in thousandths, counted the same way. Upstream: `PodLimits`.
pub fn limit(pod: &Pod, resource: &str) -> i128 {
    match of_containers(pod, resource, |one| &one.limits) {
        0 => 0,
        sum => sum + find(&pod.overhead, resource).unwrap_or_default(),
    }
}

/// Thousandths of a quantity. Saturates beyond nine quadrillion units.
pub fn milli(quantity: &Quantity) -> i128 {
    quantity.milli_value(Overflow::Saturate).into()
}

/// Formats thousandths as kubectl prints quantities: `500m`, `2`, `1536Mi`.
pub fn text(milli: i128, resource: &str) -> String {
    let is_in_bytes =
        matches!(resource, "memory" | "ephemeral-storage") || resource.starts_with("hugepages-");
    let milli = i64::try_from(milli).unwrap_or(i64::MAX);
    if is_in_bytes && milli % 1000 == 0 {
        return Quantity::from_value(milli / 1000, Format::BinarySI).to_string();
    }
    Quantity::from_milli(milli, Format::DecimalSI).to_string()
}

/// The sum of containers and sidecars, or what an init container needs together with the sidecars before it, if that is
/// more.
fn of_containers(pod: &Pod, resource: &str, list: fn(&Container) -> &ResourceList) -> i128 {
    let of = |container: &Container| find(list(container), resource).unwrap_or_default();
    let regular: i128 = pod.containers.iter().map(of).sum();
    let (mut sidecars, mut largest) = (0, 0);
    for container in &pod.init_containers {
        let while_it_runs = sidecars + of(container);
        largest = largest.max(while_it_runs);
        if container.is_restartable {
            sidecars = while_it_runs;
        }
    }
    largest.max(regular + sidecars)
}

fn find(list: &ResourceList, resource: &str) -> Option<i128> {
    list.iter()
        .find(|(name, _)| name == resource)
        .map(|(_, quantity)| milli(quantity))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(cpu: &str, is_restartable: bool) -> Container {
        Container {
            requests: vec![("cpu".to_owned(), Quantity::parse(cpu).unwrap())],
            is_restartable,
            ..Container::default()
        }
    }

    #[test]
    fn init_container_counts_only_where_it_needs_more_than_all_that_run_later() {
        let pod = |init: Vec<Container>| Pod {
            containers: vec![container("300m", false), container("200m", false)].into(),
            init_containers: init.into(),
            ..Pod::default()
        };
        assert_eq!(request(&pod(vec![]), "cpu"), 500);
        assert_eq!(request(&pod(vec![container("400m", false)]), "cpu"), 500);
        assert_eq!(request(&pod(vec![container("2", false)]), "cpu"), 2000);
        let sidecar_first = vec![container("100m", true), container("550m", false)];
        assert_eq!(request(&pod(sidecar_first), "cpu"), 650);
        let sidecar_last = vec![container("550m", false), container("100m", true)];
        assert_eq!(request(&pod(sidecar_last), "cpu"), 600);
    }

    #[test]
    fn amounts_are_written_as_kubectl_writes_them() {
        assert_eq!(text(500, "cpu"), "500m");
        assert_eq!(text(2000, "cpu"), "2");
        assert_eq!(text(1_610_612_736_000, "memory"), "1536Mi");
        assert_eq!(text(1000, "pods"), "1");
    }
}
