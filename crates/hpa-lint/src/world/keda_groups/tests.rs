//! Groups are what a comparison with each ScaledObject finds.

use std::collections::BTreeSet;

use crate::{
    LintInput, ObjectRef,
    world::{KedaGroup, ScaledObject, Workload, World, drawn::Draw},
};

const TARGET: (&str, &str, &str) = ("apps", "Deployment", "web");

fn object(draw: &mut Draw) -> String {
    let namespace = draw.one_of(&["", "", "namespace: a, ", "namespace: b, "]);
    let name = draw.below(4);
    match draw.below(5) {
        0 => format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{{namespace}name: web}}\n\
             spec: {{selector: {{matchLabels: {{app: web}}}}, template: {{metadata: {{labels: {{app: web}}}}}}}}\n"
        ),
        1 => format!(
            "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n\
             metadata: {{{namespace}name: s{name}}}\nspec:\n  scaleTargetRef: \
             {{apiVersion: apps/v1, kind: Deployment, name: web}}\n  maxReplicas: 3\n"
        ),
        _ => {
            let target = draw.one_of(&["web", "web", "web", "db"]);
            let paused = draw.one_of(&[
                "",
                "",
                "annotations: {autoscaling.keda.sh/paused: 'true'}, ",
            ]);
            let hpa = draw.one_of(&["", "s0", "s1"]);
            let min = draw.below(4);
            format!(
                "---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\n\
                 metadata: {{{namespace}{paused}name: s{name}}}\nspec:\n  scaleTargetRef: {{name: {target}}}\n  \
                 minReplicaCount: {min}\n  \
                 advanced: {{horizontalPodAutoscalerConfig: {{name: '{hpa}'}}}}\n"
            )
        }
    }
}

/// The nearest of each name of those that are one, belong together with an object and mean its target.
fn one_by_one<'a>(
    world: &'a World,
    own: &ObjectRef,
    target: Option<&Workload>,
    is_one: impl Fn(&ScaledObject) -> bool,
) -> Vec<&'a ScaledObject> {
    let (group, kind, name) = TARGET;
    let all = world
        .scaled_objects
        .iter()
        .filter(|one| is_one(one) && world.is_same_target(target, &one.object, group, kind, name));
    world.nearest_beside(own, all, |one| &one.object)
}

fn compare(all: &[ScaledObject], group: &KedaGroup, expected: &[&ScaledObject]) {
    let origins = |some: Vec<&ScaledObject>| {
        let origins = some.into_iter().map(|one| one.object.origin);
        origins.collect::<Vec<_>>()
    };
    let sorted = |mut some: Vec<&ScaledObject>| {
        some.sort_by_key(|one| one.object.name.clone());
        origins(some)
    };
    assert_eq!(
        origins(group.in_order(all).collect()),
        origins(expected.to_vec())
    );
    assert_eq!(
        origins(group.by_name(all).collect()),
        sorted(expected.to_vec())
    );
    assert_eq!(
        (group.len(), group.is_empty()),
        (expected.len(), expected.is_empty())
    );
    for is_paused in [false, true] {
        let expected = || {
            expected
                .iter()
                .copied()
                .filter(|one| one.is_paused() == is_paused)
        };
        let part = group.part(is_paused);
        assert_eq!(
            origins(part.in_order(all).collect()),
            origins(expected().collect())
        );
        assert_eq!(
            origins(part.by_name(all).collect()),
            sorted(expected().collect())
        );
        assert_eq!(
            (part.len(), part.is_empty()),
            (expected().count(), expected().next().is_none())
        );
    }
    for (name, hpa) in [("s0", "s1"), ("s1", "keda-hpa-s2"), ("none", "s0")] {
        let is_maker = |one: &&&ScaledObject| one.object.name == name || one.name_of_hpa() == hpa;
        let maker = expected.iter().find(is_maker).map(|one| one.object.origin);
        let found = group.maker(all, [name].into_iter(), hpa);
        assert_eq!(found.map(|one| one.object.origin), maker);
    }
}

fn compare_all(world: &World, own: &ObjectRef, target: Option<&Workload>) -> usize {
    let expected = one_by_one(world, own, target, |one| {
        one.scales(TARGET.0, TARGET.1, TARGET.2)
    });
    compare(
        &world.scaled_objects,
        &world.keda_group(own, TARGET, target),
        &expected,
    );
    for hpa in ["s0", "keda-hpa-s1"] {
        let expected = one_by_one(world, own, None, |one| one.name_of_hpa() == hpa);
        compare(
            &world.scaled_objects,
            &world.keda_group_of_hpa(own, hpa),
            &expected,
        );
    }
    let all = world.scaled_objects.iter().filter(|one| {
        one.scales(TARGET.0, TARGET.1, TARGET.2) && world.belong_together(&one.object, own)
    });
    let most_min = all.map(|one| one.min_replicas.unwrap_or(0)).max();
    assert_eq!(world.most_min_of_keda(own, TARGET), most_min);
    expected.len()
}

#[test]
fn group_is_what_a_comparison_with_each_scaled_object_finds() {
    let mut sizes = BTreeSet::new();
    let mut some = 0;
    for seed in 0..500 {
        let input: LintInput = Draw::world(seed, object);
        let world = &input.world;
        let objects = world.hpas.iter().map(|one| &*one.object);
        let objects = objects.chain(world.scaled_objects.iter().map(|one| &one.object));
        for own in objects.chain(world.workloads.iter().map(|one| &one.object)) {
            let target = world.workload(own, TARGET.0, TARGET.1, TARGET.2);
            for target in [None, target] {
                let found = compare_all(world, own, target);
                some += usize::from(0 < found && found < world.scaled_objects.len());
                sizes.insert(found);
            }
        }
    }
    assert!(500 < some && sizes == (0..=4).collect(), "{some} {sizes:?}");
}
