//! What is found in scopes is what a comparison with each object finds.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ObjectRef, same_namespace,
    world::{Workload, World, drawn::Draw},
};

fn object(draw: &mut Draw) -> String {
    let namespace = draw.one_of(&["", "", "namespace: a, ", "namespace: b, "]);
    let name = draw.one_of(&["web", "web", "web", "db"]);
    let label = draw.one_of(&["app: web", "app: web", "tier: x", "app: web, tier: x", ""]);
    match draw.below(6) {
        0 => format!(
            "---\napiVersion: v1\nkind: Service\nmetadata: {{{namespace}name: {name}}}\nspec: {{selector: {{{label}}}}}\n"
        ),
        1 => format!(
            "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{{namespace}name: {name}}}\n\
             spec: {{minAvailable: 1, selector: {{matchLabels: {{{label}}}}}}}\n"
        ),
        2 => format!(
            "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{{namespace}name: {name}}}\n\
             spec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}\n  maxReplicas: 3\n"
        ),
        3 => format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{{namespace}name: {name}}}\n\
             spec: {{template: {{metadata: {{labels: {{app: web}}}}}}}}\n"
        ),
        _ => {
            let kind = draw.one_of(&["Deployment", "Deployment", "StatefulSet"]);
            let labels = draw.one_of(&["app: web", "app: web, tier: x", "tier: x"]);
            format!(
                "---\napiVersion: apps/v1\nkind: {kind}\nmetadata: {{{namespace}name: {name}}}\n\
                 spec: {{selector: {{matchLabels: {{{label}}}}}, template: {{metadata: {{labels: {{{labels}}}}}}}}}\n"
            )
        }
    }
}

/// The workload that a reference means: the first in a ranking of all.
fn meant<'a>(
    world: &'a World,
    own: &ObjectRef,
    (group, kind, name): (&str, &str, &str),
) -> Option<&'a Workload> {
    let kustomize = &world.kustomize;
    let all = world.workloads.iter().enumerate();
    let ranked = all.filter_map(|(index, one)| {
        let is_meant = one.group == group && one.object.kind == kind && one.object.name == name;
        let is_here = same_namespace(&one.object.namespace, &own.namespace)
            || kustomize.unites_namespaces(own, &one.object);
        let is_apart = kustomize.are_apart(own, &one.object);
        if !is_meant || !is_here || is_apart && kustomize.leaves_out(&one.object) {
            return None;
        }
        let is_elsewhere = one.object.namespace != own.namespace;
        let distance = kustomize.distance(own, &one.object);
        Some((
            is_apart,
            one.selector.is_none(),
            distance,
            is_elsewhere,
            index,
        ))
    });
    ranked.min().map(|(.., index)| &world.workloads[index])
}

fn is_nearest(world: &World, target: &Workload, other: &ObjectRef) -> bool {
    let distance = |one: &Workload| world.kustomize.distance(other, &one.object);
    let mut copies = world.workloads.iter().filter(|one| {
        (&one.group, &one.object.kind, &one.object.name)
            == (&target.group, &target.object.kind, &target.object.name)
            && one.object.origin != target.object.origin
            && one.selector.is_some()
            && !world.kustomize.are_apart(&one.object, other)
    });
    !copies.any(|copy| distance(copy) < distance(target))
}

fn compare(world: &World, own: &ObjectRef, target: &Workload) -> usize {
    let kustomize = &world.kustomize;
    let is_here = |other: &ObjectRef| {
        assert_eq!(
            world.is_nearest_target(target, other),
            is_nearest(world, target, other)
        );
        // Objects that are not asked about are not together with it.
        if world.belong_together(own, other) {
            let beside = kustomize.classes_beside(own);
            assert!(beside.is_none_or(|classes| classes.contains(&kustomize.class(other))));
        }
        world.belong_together(own, other) && is_nearest(world, target, other)
    };
    let labels: BTreeMap<String, String> = match target.pod_template() {
        Ok(template) => template.labels.clone(),
        Err(_) => return 0,
    };
    let origins =
        |some: Vec<&ObjectRef>| -> BTreeSet<ObjectRef> { some.into_iter().cloned().collect() };
    let services = world.services_selecting(own, target, &labels);
    let of_services: Vec<&ObjectRef> = services.map(|one| &one.object).collect();
    let all = world.services.iter().filter(|one| one.selects(&labels));
    let all = all.map(|one| &one.object).filter(|one| is_here(one));
    assert_eq!(
        origins(of_services.clone()),
        origins(all.collect()),
        "{own:?}"
    );
    let budgets = world.budgets_selecting(own, target, &labels);
    let all = world.budgets.iter().filter(|one| one.selects(&labels));
    let all = all.map(|one| &one.object).filter(|one| is_here(one));
    let of_budgets = budgets.map(|one| &one.object).collect();
    assert_eq!(origins(of_budgets), origins(all.collect()), "{own:?}");
    let selected = world.workloads_selected_by(own, target);
    let all = world.workloads.iter().filter(|one| {
        let template = one.pod_template();
        template.is_ok_and(|template| target.selects(&template.labels))
    });
    let all = all.map(|one| &one.object).filter(|one| is_here(one));
    let selected = selected.map(|one| &one.object).collect();
    assert_eq!(origins(selected), origins(all.collect()), "{own:?}");
    of_services.len()
}

#[test]
fn scopes_have_all_that_belongs_together() {
    let (mut found, mut elsewhere) = (0, 0);
    for seed in 0..500 {
        let input = Draw::world(seed, object);
        let world = &input.world;
        let all = world.hpas.iter().map(|one| &*one.object);
        let all = all.chain(world.services.iter().map(|one| &one.object));
        for own in all {
            for kind in ["Deployment", "StatefulSet"] {
                for name in ["web", "db"] {
                    let target = ("apps", kind, name);
                    let found = world.workload(own, target.0, target.1, target.2);
                    let expected = meant(world, own, target);
                    let origins = |one: Option<&Workload>| one.map(|one| one.object.origin);
                    assert_eq!(origins(found), origins(expected), "{seed} {own:?}");
                    elsewhere += usize::from(
                        found.is_some_and(|one| world.kustomize.are_apart(own, &one.object)),
                    );
                }
            }
            for target in &world.workloads {
                found += compare(world, own, target);
            }
        }
    }
    assert!(1000 < found && 50 < elsewhere, "{found} {elsewhere}");
}
