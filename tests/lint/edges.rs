//! Unusual files: pipes, other encodings, broken neighbors.

use std::fs;

use crate::directories::Folder;

const OLD: &str = "apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 9
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
";

#[cfg(unix)]
#[test]
fn a_pipe_in_a_directory_is_not_waited_for() {
    let folder = Folder::new(&[("k8s/hpa.yaml", OLD)]);
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("k8s/pipe.yaml"))
        .status()
        .expect("mkfifo runs");
    assert!(made.success());
    let (code, out, error) = folder.lint(&["-q", "-f", "k8s"]);
    assert_eq!((code, &*error), (Some(1), ""));
    assert!(out.contains("HPA001"), "{out}");
}

#[test]
fn fixing_one_file_finds_nothing_new_in_the_others() {
    let folder = Folder::new(&[
        ("k8s/hpa.yaml", OLD),
        ("k8s/values.yaml", "image: [1, \nb: }\n"),
    ]);
    let (code, out, error) = folder.lint(&["-q", "-f", "k8s", "--fix"]);
    assert_eq!((code, &*out, &*error), (Some(0), "", ""));
    let fixed = fs::read_to_string(folder.path().join("k8s/hpa.yaml")).expect("it is there");
    assert_eq!(fixed, OLD.replace("v2beta2", "v2"));
}

#[test]
fn a_broken_document_is_a_mistake_only_if_it_is_an_hpa() {
    let crd = "kind: CustomResourceDefinition
spec:
  kind:
    # kind: HorizontalPodAutoscaler
    description: 'HorizontalPodAutoscaler one
    two'
    enum:
    - HorizontalPodAutoscaler
";
    let broken = OLD.replace("metadata: {name: web}", "metadata: {name: web");
    let folder = Folder::new(&[("k8s/crd.yaml", crd), ("k8s/hpa.yaml", &broken)]);
    let (_, out, error) = folder.lint(&["-f", "k8s", "-o", "concise"]);
    let mistakes: Vec<&str> = out.lines().filter(|line| line.contains("HPA012")).collect();
    assert_eq!(mistakes.len(), 1, "{out}{error}");
    assert!(mistakes[0].starts_with("k8s/hpa.yaml"), "{out}{error}");
    let noted = [out, error].concat();
    assert!(
        noted.contains("k8s/crd.yaml:6:5: cannot be read, and is skipped because it is not an HPA"),
        "{noted}"
    );
}

/// An HPA without metrics, unless the reader follows kubectl and accepts line breaks that only YAML 1.1 has.
const OLD_BREAK: &str = "apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: -1
  maxReplicas: 10
  \u{2028}metrics:
    - type: Resource
      resource:
        name: memory
        target:
          type: AverageValue
          averageValue: 500Mi
";

#[test]
fn a_file_that_kubectl_reads_differently_is_not_fixed() {
    let fixable = OLD_BREAK.replace("  \u{2028}metrics", "  metrics");
    let folder = Folder::new(&[("hpa.yaml", OLD_BREAK), ("fixable.yaml", &fixable)]);
    let (_, out, error) = folder.lint(&["-f", "hpa.yaml,fixable.yaml", "--fix"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    assert_eq!(read("hpa.yaml"), OLD_BREAK);
    assert_eq!(read("fixable.yaml"), fixable.replace("v2beta2", "v2"));
    let why = "HPA001 of HorizontalPodAutoscaler/web is not fixed: kubectl, which reads YAML 1.1, reads the document differently";
    assert!(error.contains(why), "{error}");
    // Bounds that the API server refuses have no further findings.
    assert!(out.contains("HPA004") && !out.contains("HPA109"), "{out}");
}

#[test]
fn the_value_behind_a_tag_is_not_replaced_by_one_that_the_tag_does_not_fit() {
    let tagged = OLD
        .replace("v2beta2", "v2")
        .replace("apiVersion: apps/v1", "apiVersion: !!binary aGk=");
    let folder = Folder::new(&[("hpa.yaml", &tagged)]);
    let (_, _, error) = folder.lint(&["-f", "hpa.yaml", "--fix"]);
    let left = fs::read_to_string(folder.path().join("hpa.yaml")).expect("it is there");
    assert_eq!(left, tagged);
    assert!(
        error.contains("HPA402 of HorizontalPodAutoscaler/web is not fixed"),
        "{error}"
    );
}

/// Metrics in a patch would replace all metrics of the patched object.
#[test]
fn nothing_is_inserted_into_what_may_be_a_patch() {
    let hpa = |spec: &str| {
        format!(
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec:\n{spec}"
        )
    };
    let target = "  scaleTargetRef: {kind: Deployment, name: web}\n  maxReplicas: 40\n";
    let base = OLD.replace("v2beta2", "v2");
    let files = [
        ("base/hpa.yaml", base),
        ("alone/hpa.yaml", hpa("  maxReplicas: 40\n")),
        ("prod/hpa.yaml", hpa(target)),
    ];
    let texts = files.each_ref().map(|(name, text)| (*name, &**text));
    let folder = Folder::new(&texts);
    let inserting = ["--select", "HPA103,HPA201,HPA402", "--fix"];
    folder.lint(&[&["-q", "-f", "alone"], &inserting[..]].concat());
    folder.lint(&[&["-q", "-f", "base", "-f", "prod"], &inserting[..]].concat());
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    for (name, text) in texts {
        assert_eq!(read(name), text);
    }
    folder.lint(&[&["-q", "-f", "prod"], &inserting[..]].concat());
    for inserted in ["metrics:", "minReplicas: 1", "apiVersion: apps/v1"] {
        assert!(read("prod/hpa.yaml").contains(inserted), "{inserted}");
    }
}

/// YAML breaks a line at a carriage return; diff tools, and git, only at a line feed.
#[test]
fn a_diff_is_what_git_applies_whatever_ends_the_lines() {
    let returns = format!("# {}end\n{OLD}", "old\r# ".repeat(40));
    let endless = OLD.replace("}}\n", "}}");
    let windows = OLD.replace('\n', "\r\n");
    for before in [returns, endless, windows] {
        let folder = Folder::new(&[("hpa.yaml", &before)]);
        let (_, page, error) = folder.lint(&["-q", "-f", "hpa.yaml"]);
        assert_eq!(error, "");
        assert!(page.contains("- apiVersion: autoscaling/v2beta2"), "{page}");
        let (_, diff, _) = folder.lint(&["-f", "hpa.yaml", "--diff"]);
        fs::write(folder.path().join("diff"), diff).expect("it is writable");
        let applied = std::process::Command::new("git")
            .args(["apply", "--whitespace=nowarn", "diff"])
            .current_dir(folder.path())
            .status()
            .expect("git runs");
        assert!(applied.success(), "{before:?}");
        let after = fs::read_to_string(folder.path().join("hpa.yaml")).expect("it is there");
        assert_eq!(after, before.replace("v2beta2", "v2"));
    }
}

#[test]
fn a_file_that_is_no_utf_8_is_linted_and_never_written() {
    let folder = Folder::new(&[("good.yaml", OLD)]);
    let mut latin1 = OLD.as_bytes().to_vec();
    latin1.extend(b"# caf\xe9\n");
    let utf16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(OLD.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, why) in [
        (
            latin1,
            "the file has bytes that are not UTF-8; write them as UTF-8 first",
        ),
        (utf16, "the file is UTF-16; write it as UTF-8 first"),
    ] {
        let path = folder.path().join("other.yaml");
        fs::write(&path, &bytes).expect("it can be written");
        let (code, out, error) = folder.lint(&["-f", "good.yaml,other.yaml", "--fix"]);
        assert_eq!(code, Some(1), "{out}");
        assert!(out.contains("HPA001"), "{out}");
        assert!(error.contains(why), "{error}");
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
    }
    let fixed = fs::read_to_string(folder.path().join("good.yaml")).expect("it is there");
    assert_eq!(fixed, OLD.replace("v2beta2", "v2"));
}

#[test]
fn many_hpas_in_each_others_way_are_counted_and_not_all_named() {
    let hpa = OLD.replace("v2beta2", "v2");
    let deployment = "---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}}
";
    let one_target: Vec<String> = (0..60)
        .map(|index| hpa.replacen("name: web}", &format!("name: hpa-{index}}}"), 1))
        .collect();
    let one_selector: Vec<String> = (0..60)
        .map(|index| {
            (hpa.clone() + deployment).replace("name: web}", &format!("name: web-{index}}}"))
        })
        .collect();
    let folder = Folder::new(&[
        ("target.yaml", &one_target.join("---\n")),
        ("selector.yaml", &one_selector.join("---\n")),
    ]);
    for (file, rule, findings, related, message) in [
        (
            "target.yaml",
            "HPA410",
            60,
            5,
            "60 HPAs (hpa-0, hpa-1, hpa-10, hpa-11, hpa-12 and 55 more) scale Deployment/web, so the controller computes no \
             metric for any of them",
        ),
        (
            "selector.yaml",
            "HPA411",
            240,
            3,
            "the targets of HPA web-0 and 56 more HPAs select the same pods, so the controller computes no metric for them",
        ),
    ] {
        let (code, out, error) = folder.lint(&["-f", file, "--select", rule, "-o", "json"]);
        assert_eq!(code, Some(1), "{error}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
        let found = report["findings"].as_array().expect("findings");
        assert_eq!(found.len(), findings, "{file}");
        assert!(found.iter().any(|one| one["message"] == message), "{out}");
        let most = found
            .iter()
            .filter_map(|one| one["related"].as_array().map(Vec::len))
            .max();
        assert_eq!(most, Some(related), "{file}");
    }
}

#[test]
fn a_suppressed_error_is_still_called_an_error() {
    let wrong = OLD
        .replace("v2beta2", "v2")
        .replace("minReplicas: 2", "minReplicas: 12");
    let suppressed = wrong.replace(
        "{name: web}\n",
        "{name: web, annotations: {kubectl-hpa/ignore: HPA101}}\n",
    );
    let folder = Folder::new(&[("hpa.yaml", &suppressed)]);
    let (code, out, error) = folder.lint(&["-f", "hpa.yaml", "--select", "HPA101"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(
        out.contains("1 HPA: nothing found; 1 suppressed (1 is still an error)"),
        "{out}"
    );
}
