//! Merges the findings of a rule under several versions of Kubernetes.

use hpa_engine::model::KubeVersion;

use super::Finding;

/// A rule's findings under one version.
#[derive(Debug)]
pub(super) struct FindingOfVersion {
    pub version: KubeVersion,
    pub findings: Vec<Finding>,
}

/// Merges the findings of all `versions` versions. Findings that do not hold for all of them name theirs.
pub(super) fn merge(
    mut findings_of_version: Vec<FindingOfVersion>,
    versions: usize,
) -> Vec<Finding> {
    if versions == 1 {
        let mut findings = findings_of_version
            .pop()
            .map_or_else(Vec::new, |one| one.findings);
        // Two metrics of the same kind may have the same problem; each field is reported once.
        let mut index = 0;
        while index < findings.len() {
            if findings[..index].contains(&findings[index]) {
                findings.remove(index);
            } else {
                index += 1;
            }
        }
        return findings;
    }
    let mut merged: Vec<MergedFinding> = Vec::new();
    for one in findings_of_version {
        let known = merged.len();
        let mut is_taken = vec![false; known];
        for finding in one.findings {
            // If a field has several findings, they correspond by order across versions.
            let same = (0..known)
                .find(|index| !is_taken[*index] && merged[*index].finding.path == finding.path);
            match same {
                Some(index) => {
                    is_taken[index] = true;
                    merged[index].versions.push(one.version);
                    if finding.severity > merged[index].finding.severity {
                        merged[index].finding = finding;
                    }
                }
                None if merged[known..].iter().any(|other| other.finding == finding) => {}
                None => merged.push(MergedFinding {
                    finding,
                    versions: vec![one.version],
                }),
            }
        }
    }
    merged
        .into_iter()
        .map(
            |MergedFinding {
                 mut finding,
                 versions: held,
             }| {
                if held.len() < versions {
                    let versions = spans(&held);
                    finding.message = format!("{} (Kubernetes {versions})", finding.message).into();
                }
                finding
            },
        )
        .collect()
}

struct MergedFinding {
    finding: Finding,
    versions: Vec<KubeVersion>,
}

/// Versions, with consecutive ones combined: `1.24 to 1.26, 1.30`.
fn spans(versions: &[KubeVersion]) -> String {
    let mut spans: Vec<(KubeVersion, KubeVersion)> = Vec::new();
    for version in versions {
        match spans.last_mut() {
            Some((_, last)) if last.minor + 1 == version.minor => *last = *version,
            _ => spans.push((*version, *version)),
        }
    }
    let texts = spans.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first} to {last}")
        }
    });
    texts.collect::<Vec<_>>().join(", ")
}
