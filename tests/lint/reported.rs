//! The findings of one HPA: no mistake hides another, and the worst is first.

use crate::directories::Folder;

fn hpa(annotations: &str, spec: &str) -> String {
    format!(
        "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
{annotations}spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  metrics: [{{type: Resource, resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 70}}}}}}]
{spec}"
    )
}

/// Codes of the findings in a format, in its order.
fn codes(text: &str, arguments: &[&str]) -> Vec<String> {
    let folder = Folder::new(&[("hpa.yaml", text)]);
    let (_, out, _) = folder.lint(&[&["-q", "-f", "hpa.yaml"], arguments].concat());
    out.match_indices("[HPA")
        .map(|(start, _)| out[start + 1..start + 7].to_owned())
        .collect()
}

#[test]
fn a_finding_that_is_not_reported_hides_no_other() {
    let windows = "  minReplicas: 2\n  maxReplicas: 6\n  behavior: {scaleUp: {stabilizationWindowSeconds: 600}, \
                   scaleDown: {stabilizationWindowSeconds: 300}}\n";
    let plain = hpa("", windows);
    assert_eq!(codes(&plain, &[]), ["HPA305"]);
    let annotated = hpa("  annotations: {kubectl-hpa/ignore: HPA305}\n", windows);
    let commented = plain.replace("  behavior", "  # kubectl-hpa: ignore HPA305\n  behavior");
    for (text, arguments) in [
        (&plain, ["--ignore", "HPA305"]),
        (&annotated, ["--fail-on", "warning"]),
        (&commented, ["--fail-on", "warning"]),
    ] {
        assert_eq!(codes(text, &arguments), ["HPA304"], "{text}");
    }
}

#[test]
fn an_integer_in_quotes_hides_nothing_and_is_named_once() {
    let quoted = hpa(
        "",
        "  minReplicas: \"5\"
  maxReplicas: \"3\"
  behavior:
    scaleDown:
      stabilizationWindowSeconds: \"7200\"
      policies: [{type: Percent, value: \"150\", periodSeconds: 60}]
",
    );
    let found = codes(&quoted, &["-o", "concise"]);
    let of = |code: &str| found.iter().filter(|one| *one == code).count();
    assert_eq!(of("HPA009"), 2, "{found:?}");
    assert_eq!(of("HPA012"), 2, "{found:?}");
    for code in ["HPA101", "HPA004", "HPA319"] {
        assert_eq!(of(code), 1, "{code}: {found:?}");
    }
}

#[test]
fn the_worst_of_an_hpa_is_first_for_people() {
    let text = hpa("", "  minReplicas: 2\n  maxReplicas: 2\n").replace(
        "  metrics: [",
        "  behavior: {scaleDown: {stabilizationWindowSeconds: 7200}}\n  metrics: [",
    );
    let severities = |format: &str| -> Vec<String> {
        let folder = Folder::new(&[("hpa.yaml", &text)]);
        let (_, out, _) = folder.lint(&["-q", "-f", "hpa.yaml", "-o", format]);
        let known = ["error[", "warning[", "info["];
        out.split_whitespace()
            .filter_map(|word| known.iter().position(|severity| word.starts_with(severity)))
            .map(|index| index.to_string())
            .collect()
    };
    let found = severities("text");
    assert!(
        found.is_sorted() && found.first() < found.last(),
        "{found:?}"
    );
    // Programs read them by place.
    assert!(!severities("concise").is_sorted());
}
