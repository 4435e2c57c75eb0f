//! HPA611 `target-rewritten`.

use kubectl_hpa_yaml::YamlNode;

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, world::text_map};

pub(crate) static RULE: Rule = Rule {
    code: "HPA611",
    name: "target-rewritten",
    summary: "a cost tool rewrites the HPA that GitOps applies",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("target_rewritten.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let node: &YamlNode = &cx.subject.manifest.source.node;
    let keys = ["annotations", "labels"].into_iter().flat_map(|map| {
        let entries = text_map(node.at(&format!("metadata.{map}")));
        entries.into_keys().map(move |key| (map, key))
    });
    let keys: Vec<(&str, String)> = keys.collect();
    if !keys.iter().any(|(_, key)| is_of_gitops(key)) {
        return Ok(Vec::new());
    }
    Ok(TOOLS
        .iter()
        .filter_map(|(tool, domain, field)| {
            let (map, key) = keys.iter().find(|(_, key)| is_of(key, domain))?;
            Some(
                cx.finding(format!("metadata.{map}[{key}]"))
                    .message(format!("{tool} rewrites {field} of this HPA, so it and GitOps overwrite each other"))
                    .help(format!(
                        "make GitOps ignore these fields (Argo CD: ignoreDifferences), or exclude this HPA from {tool}"
                    )),
            )
        })
        .collect())
}

fn is_of_gitops(key: &str) -> bool {
    is_of(key, "argocd.argoproj.io") || is_of(key, "toolkit.fluxcd.io")
}

/// Whether the key is in this domain or in a subdomain.
fn is_of(key: &str, domain: &str) -> bool {
    let own = key.split_once('/').map_or("", |(own, _)| own);
    let below = own.strip_suffix(domain);
    below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
}

/// Tools, the domains of their annotations and labels, and what they rewrite.
const TOOLS: [(&str, &str, &str); 3] = [
    ("StormForge", "stormforge.io", "the targets"),
    ("ScaleOps", "scaleops.sh", "minReplicas"),
    ("CAST AI", "cast.ai", "minReplicas, maxReplicas and targets"),
];

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_domain_has_those_below_it_and_no_others() {
        assert!(is_of("live.stormforge.io/hpa", "stormforge.io"));
        assert!(is_of("scaleops.sh/managed", "scaleops.sh"));
        assert!(!is_of("podcast.ai/show", "cast.ai"));
        assert!(!is_of("stormforge.io", "stormforge.io"));
    }
}
