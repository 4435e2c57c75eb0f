//! HPA418 `pdb-blocks-at-min`.

use hpa_engine::model::evictable_pods;

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, world::BudgetObject};

pub(crate) static RULE: Rule = Rule {
    code: "HPA418",
    name: "pdb-blocks-at-min",
    summary: "a PodDisruptionBudget allows no eviction at minReplicas",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("pdb_blocks_at_min.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let min = cx.subject.spec.min_replicas();
    let labels = cx.pod_labels()?;
    cx.world.require("PodDisruptionBudget")?;
    let own = cx.workload()?;
    // At 0 pods there is nothing to evict.
    let least = min.max(1);
    let mut budgets: Vec<(&BudgetObject, i32)> = cx
        .world
        .budgets_selecting(cx.subject.object(), own, labels)
        .filter(|budget| blocks(budget, least))
        .map(|budget| (budget, cx.world.least_pods_beside(own, budget)))
        .filter(|(budget, others)| blocks(budget, least.saturating_add(*others)))
        .collect();
    budgets.sort_by_key(|(budget, _)| &budget.object);
    // The same budget in several files is one budget in the cluster.
    budgets.dedup_by(|(one, _), (other, _)| {
        one.object.name == other.object.name
            && cx.world.belong_together(&one.object, &other.object)
            && one.min_available == other.min_available
            && one.max_unavailable == other.max_unavailable
    });
    let findings = budgets.into_iter().filter_map(|(budget, others)| {
        let (field, share, help) = match (budget.min_available, budget.max_unavailable) {
            (Some(share), _) => (
                "spec.minAvailable",
                share,
                "raise minReplicas above what must be available, or use maxUnavailable: 1",
            ),
            (None, Some(share)) => ("spec.maxUnavailable", share, "set maxUnavailable: 1"),
            (None, None) => return None,
        };
        let help = if min == 0 {
            "set maxUnavailable: 1; an HPA that scales to 0 allows that no pod runs"
        } else if least.saturating_add(others) == 1 {
            "set minReplicas: 2 and maxUnavailable: 1; with 1 replica that budget lets a drain evict the only pod"
        } else {
            help
        };
        let name = &budget.object.name;
        let with_others = match others {
            0 => String::new(),
            others => format!(
                " ({} pods with those of other workloads)",
                least.saturating_add(others)
            ),
        };
        let when = match min {
            0 => at_first_pods(cx, budget, others),
            _ => format!("at minReplicas {min}"),
        };
        let finding = cx
            .finding("spec.minReplicas")
            .message(format!(
                "PodDisruptionBudget {name} allows no eviction {when}{with_others}, so node drains hang"
            ))
            .help(help)
            .related(budget.object.clone(), field, format!("it is {share}"));
        Some(finding)
    });
    Ok(findings.collect())
}

/// Whether the budget allows no eviction when this many pods exist.
fn blocks(budget: &BudgetObject, pods: i32) -> bool {
    evictable_pods(budget.min_available, budget.max_unavailable, pods) <= 0
}

/// With up to how many pods of the target the budget allows no eviction, if the HPA can scale to 0.
fn at_first_pods(cx: &Cx<'_, HpaSubject>, budget: &BudgetObject, others: i32) -> String {
    let max = cx.subject.spec.max_replicas.max(1);
    // With more pods, a budget never allows fewer evictions.
    let (mut blocked, mut above) = (1, max.saturating_add(1));
    while 1 < above - blocked {
        let middle = blocked + (above - blocked) / 2;
        if blocks(budget, others.saturating_add(middle)) {
            blocked = middle;
        } else {
            above = middle;
        }
    }
    match blocked {
        _ if blocked == max => "while any pod exists".to_owned(),
        1 => "while 1 pod exists".to_owned(),
        _ => format!("while up to {blocked} pods exist"),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA, findings, table};

    fn yaml(min: i32, budget: &str) -> String {
        format!(
            "{HPA}  minReplicas: {min}
  maxReplicas: 9
  metrics: [{{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 1}}}}}}]
{DEPLOYMENT}spec:
  selector: {{matchLabels: {{app: web}}}}
  template: {{metadata: {{labels: {{app: web}}}}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: web}}
spec: {{{budget}, selector: {{matchLabels: {{app: web}}}}}}
"
        )
    }

    #[test]
    fn percent_are_rounded_up_and_an_hpa_that_scales_to_0_is_judged_by_its_first_pods() {
        table(
            &RULE,
            |[min, budget]| yaml(min.parse().unwrap(), budget),
            r"
the only pod | 1 | minAvailable: 1 => warning …
one of two | 2 | minAvailable: 1
half of two | 2 | minAvailable: 50%
more than half of two | 2 | minAvailable: 51% => warning …
more than half of three | 3 | minAvailable: 51%
all of nine | 9 | minAvailable: 100% => warning …
one percent may be off | 1 | maxUnavailable: 1%
none may be off | 5 | maxUnavailable: 0 => warning …
no percent may be off | 5 | maxUnavailable: 0% => warning …
the first pod | 0 | minAvailable: 1 => …allows no eviction while 1 pod exists, so…
the first two pods | 0 | minAvailable: 2 => …allows no eviction while up to 2 pods exist, so…
half of the first pod | 0 | minAvailable: 50% => …allows no eviction while 1 pod exists, so…
none of the first pods may be off | 0 | maxUnavailable: 0 => …allows no eviction while any pod exists, so…
as many as the maximum | 0 | minAvailable: 9 => …allows no eviction while any pod exists, so…
one of the first pods may be off | 0 | maxUnavailable: 1
all of the first pods may be off | 0 | minAvailable: 0
",
        );
    }

    #[test]
    fn what_is_in_two_files_is_reported_once() {
        let once = yaml(2, "minAvailable: 2");
        let twice = format!("{once}---{once}");
        assert_eq!(findings(&RULE, &once).len(), 1);
        assert_eq!(findings(&RULE, &twice), findings(&RULE, &once));
        // Two different budgets are two overlays, and each is checked.
        let other = format!("{once}---{}", yaml(3, "minAvailable: 100%"));
        assert_eq!(findings(&RULE, &other).len(), 3);
    }

    fn part(name: &str, min: i32) -> String {
        format!(
            "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}
  minReplicas: {min}
  maxReplicas: 9
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec: {{template: {{metadata: {{labels: {{app: shop, part: {name}}}}}}}}}
"
        )
    }

    fn budget(share: &str) -> String {
        format!(
            "---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: shop}}
spec: {{{share}, selector: {{matchLabels: {{app: shop}}}}}}
"
        )
    }

    #[test]
    fn pods_of_all_workloads_that_a_budget_selects_count_together() {
        table(
            &RULE,
            |[least, share]| {
                part("blue", least.parse().unwrap()) + &part("green", 2) + &budget(share)
            },
            r"
a number leaves two | 2 | minAvailable: 2
a share leaves one | 2 | minAvailable: 51%
a number leaves none | 1 | minAvailable: 3 => warning spec.minReplicas: PodDisruptionBudget shop allows no eviction at minReplicas 1 (3 pods with those of other workloads), so node drains hang
  warning spec.minReplicas: PodDisruptionBudget shop allows no eviction at minReplicas 2 (3 pods with those of other workloads), so node drains hang
none may be unavailable | 2 | maxUnavailable: 0 => warning …
  warning …
",
        );
        table(
            &RULE,
            |[least, share]| part("blue", least.parse().unwrap()) + &budget(share),
            r"
the only pod needs a second replica first | 1 | minAvailable: 1 => warning …
  help: set minReplicas: 2 and maxUnavailable: 1;…
so it does if none may be unavailable | 1 | maxUnavailable: 0 => warning …
  help: set minReplicas: 2 and maxUnavailable: 1;…
one of two pods may be unavailable | 2 | maxUnavailable: 0 => warning …
  help: set maxUnavailable: 1
",
        );
    }

    #[test]
    fn a_workload_without_an_hpa_counts_with_its_replicas_or_what_keda_leaves() {
        table(
            &RULE,
            |[kind, replicas, more]| {
                let template = "template: {metadata: {labels: {app: shop}}}";
                part("blue", 2)
                    + &budget("minAvailable: 3")
                    + &format!(
                        "---\n{{apiVersion: {kind}, metadata: {{name: fixed}}, spec: {{{replicas}{template}}}}}\n{more}"
                    )
            },
            r"
its replicas leave one | apps/v1, kind: Deployment | replicas: 2, |
its replica leaves none | apps/v1, kind: Deployment | replicas: 1, | => warning …
one is the default | apps/v1, kind: Deployment | | => warning …
a Job does not count | batch/v1, kind: Job | | => warning …
KEDA may leave none | apps/v1, kind: Deployment | replicas: 2, | ---\n{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: fixed}, spec: {scaleTargetRef: {name: fixed}}}
  warning …
",
        );
    }

    #[test]
    fn an_object_that_is_given_twice_and_replicas_of_the_target_count_once() {
        table(
            &RULE,
            |[more]| part("blue", 2) + &budget("minAvailable: 2") + more,
            &format!(
                r"
an object that is given twice | {} => warning …
a replica of the target | ---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{name: blue-1, ownerReferences: [{{apiVersion: apps/v1, kind: Deployment, name: blue, controller: true}}]}}\nspec: {{replicas: 2, template: {{metadata: {{labels: {{app: shop}}}}}}}}
  warning …
",
                part("blue", 2).replace('\n', r"\n")
            ),
        );
    }
}
