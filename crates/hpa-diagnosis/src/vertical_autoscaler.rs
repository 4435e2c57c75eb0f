//! A VerticalPodAutoscaler changes the requests that the HPA divides by.

use hpa_analysis::Today;
use hpa_engine::model::{Observation, Quantity, Reading, VerticalAutoscaler};

use crate::effect::asked_in;

/// What the metrics ask for within the bounds when all pods have its recommendations for `resource`.
pub fn asked(today: Today<'_>, vertical: &VerticalAutoscaler, resource: &str) -> Option<i32> {
    asked_in(today, &recommended_world(today, vertical, resource))
}

fn recommended_world(
    today: Today<'_>,
    vertical: &VerticalAutoscaler,
    resource: &str,
) -> Observation {
    let mut world = today.observation.clone();
    if let Reading::Read(pods) = &mut world.pods {
        for pod in pods.iter_mut() {
            let sidecars = pod.init_containers.iter_mut();
            for container in pod.containers.iter_mut().chain(sidecars) {
                let Some(recommended) = recommended(vertical, &container.name, resource) else {
                    continue;
                };
                let mut requests = container.requests.iter_mut();
                if let Some((_, request)) = requests.find(|(name, _)| name == resource) {
                    *request = recommended;
                }
            }
        }
    }
    world
}

/// What it recommends for a container, if it controls that.
pub fn recommended(
    vertical: &VerticalAutoscaler,
    container: &str,
    resource: &str,
) -> Option<Quantity> {
    let recommended = vertical.recommendations.get(container)?.get(resource)?;
    let is_controlled = vertical.controls(container, resource);
    Quantity::parse(recommended).ok().filter(|_| is_controlled)
}
