//! HPA114 `bounds-force-jump`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA114",
    name: "bounds-force-jump",
    summary: "new minReplicas or maxReplicas that exclude the current replicas",
    needs: Needs::Comparison,
    check: Check::Hpa(check),
    docs: include_str!("bounds_force_jump.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let stored = cx
        .stored()
        .or_else(|missing| cx.live().map_err(|_| missing))?;
    let scale = stored.observation.scale.read().ok_or_else(|| {
        let what = "the target's scale".to_owned();
        let why = "the cluster has none".to_owned();
        Missing::NotRead { what, why }
    })?;
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    let current = scale.spec_replicas;
    // At zero replicas the controller does not apply the bounds. The API server rejects `minReplicas` above
    // `maxReplicas`.
    let bound = match current {
        0 => return Ok(Vec::new()),
        _ if max < min => return Ok(Vec::new()),
        _ if max < current => ("spec.maxReplicas", max),
        _ if current < min => ("spec.minReplicas", min),
        _ => return Ok(Vec::new()),
    };
    let (path, bound) = bound;
    Ok(vec![
        cx.finding(path)
            .message(format!(
                "the new range {min}–{max} excludes the current {current} replicas, so the next sync sets {bound} \
                 in one step"
            ))
            .help(format!(
                "set {path} to {current}, then change it in steps and wait after each one"
            )),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, report};

    #[test]
    fn files_alone_have_nothing_to_compare_with() {
        let yaml = &format!(
            "{HPA_V1}  maxReplicas: 3
"
        );
        let report = report(&RULE, yaml);
        assert_eq!(
            report.notes[0].message,
            "HPA114 not checked: no cluster to compare with"
        );
    }
}
