//! HPA704 `many-hpas`.

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
    same_namespace,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA704",
    name: "many-hpas",
    summary: "more HPAs than the controller can be sure to handle in time",
    severity: Severity::Info,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "hpas",
        default: 300.0,
        unit: ThresholdUnit::Count,
        summary: "number of HPAs above which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("many_hpas.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let subject = cx.subject;
    let is_first = cx.world.hpas.first().is_none_or(|first| {
        (first.object.namespace.as_str(), first.object.name.as_str())
            == (subject.hpa.namespace(), subject.hpa.name())
    });
    if !is_first {
        return Ok(Vec::new());
    }
    cx.world.require("HorizontalPodAutoscaler")?;
    let namespace = subject.hpa.namespace();
    let hpas = cx.world.hpas.iter();
    let given = hpas.filter(|hpa| same_namespace(&hpa.object.namespace, namespace));
    let of_namespace = live.context.surroundings.hpas_of_namespace;
    let of_namespace = of_namespace.unwrap_or(given.count());
    let (number, place) = match cx.world.hpas_of_cluster {
        Some(number) => (number, "in the cluster".to_owned()),
        // The output of `kubectl get hpa -A`.
        None if of_namespace < cx.world.hpas.len() => {
            (cx.world.hpas.len(), "in the given files".to_owned())
        }
        None => (of_namespace, format!("in namespace {namespace}")),
    };
    #[expect(clippy::cast_precision_loss, reason = "no cluster has 2^52 HPAs")]
    let is_many = cx.threshold("hpas") < number as f64;
    if !is_many {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("")
            .message(format!("{number} HPAs {place}, so syncs can come late"))
            .help("raise --concurrent-horizontal-pod-autoscaler-syncs and --kube-api-qps of kube-controller-manager. EKS, GKE and AKS \
                 do not offer them: delete HPAs that you do not need"),
    ])
}
