//! Groups are what a comparison of each object with each other one finds.

use std::collections::BTreeMap;

use crate::{
    ObjectRef,
    world::{TargetingHpa, Workload, World, drawn::Draw},
};

const TARGET: (&str, &str, &str) = ("apps", "Deployment", "web");

fn object(draw: &mut Draw) -> String {
    let namespace = draw.one_of(&["", "", "namespace: a, ", "namespace: b, "]);
    if draw.below(4) == 0 {
        return format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{{namespace}name: web}}\n\
             spec: {{selector: {{matchLabels: {{app: web}}}}, template: {{metadata: {{labels: {{app: web}}}}}}}}\n"
        );
    }
    let (name, min, max) = (draw.below(4), draw.below(5), draw.below(9));
    let target = draw.one_of(&["web", "web", "web", "db"]);
    format!(
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n\
         metadata: {{{namespace}name: w{name}}}\nspec:\n  scaleTargetRef: \
         {{apiVersion: apps/v1, kind: Deployment, name: {target}}}\n  \
         minReplicas: {min}\n  maxReplicas: {max}\n"
    )
}

/// The HPAs of a target that belong together with an object.
fn one_by_one<'a>(
    world: &'a World,
    own: &ObjectRef,
    target: Option<&Workload>,
) -> Vec<&'a TargetingHpa> {
    let (group, kind, name) = TARGET;
    let hpas = world.hpas.iter().filter(|hpa| {
        (&*hpa.target_group, &*hpa.target_kind, &*hpa.target_name) == TARGET
            && world.belong_together(&hpa.object, own)
            && world.is_same_target(target, &hpa.object, group, kind, name)
    });
    hpas.collect()
}

fn compare(world: &World, own: &ObjectRef, range: (i32, i32), target: Option<&Workload>) -> usize {
    let group = world.target_group(own, TARGET, target);
    let all = one_by_one(world, own, target);
    let mut hpas: BTreeMap<&str, &TargetingHpa> = BTreeMap::new();
    for hpa in &all {
        hpas.entry(&hpa.object.name).or_insert(hpa);
    }
    let origins = |hpa: &TargetingHpa| (hpa.object.name.clone(), hpa.object.origin);
    let expected: Vec<_> = hpas.values().map(|hpa| origins(hpa)).collect();
    let found: Vec<_> = group.hpas(&world.hpas).map(origins).collect();
    assert_eq!(found, expected, "{own:?}");
    assert_eq!(group.count(), hpas.len());
    assert_eq!(
        group.most_min(),
        all.iter().map(|hpa| hpa.min_replicas).max()
    );
    let others = || {
        let others = hpas.values().copied();
        others.filter(|other| other.object.name != own.name)
    };
    let disjoint = others().find(|other| {
        let (min, max) = (other.min_replicas, other.max_replicas);
        range.0 <= range.1 && min <= max && (range.1 < min || max < range.0)
    });
    let found = group.disjoint(&world.hpas, &own.name, range);
    assert_eq!(found.map(origins), disjoint.map(origins), "{own:?}");
    assert_eq!(
        group.has_other_with_namespace(&world.hpas, &own.name),
        others().any(|other| !other.object.namespace.is_empty())
    );
    let file = |object: &ObjectRef| object.origin.map(|origin| origin.file);
    assert_eq!(
        group.has_other_in_file(&world.hpas, own),
        others().any(|other| file(&other.object) == file(own))
    );
    all.len()
}

#[test]
fn group_is_what_a_comparison_with_each_other_hpa_finds() {
    let (mut some, mut all_of_target) = (0, 0);
    for seed in 0..500 {
        let input = Draw::world(seed, object);
        let world = &input.world;
        let of_target = world.hpas_of(TARGET.2).count();
        for own in &world.hpas {
            let range = (own.min_replicas, own.max_replicas);
            let target = world
                .target_of(own)
                .filter(|_| &*own.target_name == TARGET.2);
            for target in [None, target] {
                let together = compare(world, &own.object, range, target);
                some += usize::from(0 < together && together < of_target);
                all_of_target += usize::from(together == of_target);
            }
        }
        for workload in &world.workloads {
            compare(world, &workload.object, (2, 4), None);
            compare(world, &workload.object, (2, 4), Some(workload));
        }
    }
    assert!(500 < some && 500 < all_of_target, "{some} {all_of_target}");
}

#[test]
fn last_document_is_the_last_of_all_with_its_name() {
    let mut in_folders = 0;
    for seed in 0..500 {
        let input = Draw::world(seed, object);
        let world = &input.world;
        for own in &world.hpas {
            let own = &own.object;
            let origin = own.origin.unwrap();
            let namesakes = || {
                world.hpas_called(&own.name).filter(|other| {
                    other.object.namespace == own.namespace && Some(origin) < other.object.origin
                })
            };
            let file = |hpa: &TargetingHpa| hpa.object.origin.unwrap().file;
            let is_applied_too =
                |hpa: &&TargetingHpa| world.kustomize.are_applied_together(origin.file, file(hpa));
            let origins = |hpa: Option<&TargetingHpa>| hpa.map(|hpa| hpa.object.origin);
            let is_later = |hpa: &&TargetingHpa| Some(origin) < hpa.object.origin;
            let in_file = world.last_document_in_file(own).filter(is_later);
            let expected = namesakes().filter(|hpa| file(hpa) == origin.file).last();
            assert_eq!(origins(in_file), origins(expected), "{own:?}");
            let in_folder = world.last_document_in_folder(own).filter(is_later);
            let in_folder = in_folder.filter(is_applied_too);
            let expected = namesakes().filter(is_applied_too).last();
            in_folders += usize::from(expected.is_some());
            assert_eq!(origins(in_folder), origins(expected), "{own:?}");
        }
    }
    assert!(100 < in_folders, "{in_folders}");
}
