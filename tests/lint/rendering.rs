//! `--render`: what is rendered, what is not, and the places of findings. `tests/live/lint_rendered.rs` tests
//! Kustomize.
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
};

use kubectl_hpa::cli::LintFormat;
use serde_json::{Value, json};

use crate::{input::HPA, repository::Repository, schema::Schema};

/// The output of Helm 3 for the chart of [`Repository::with_chart`].
const RENDERED: &str = "---
# Source: shop/charts/sub/templates/hpa.yaml
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: sub
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: sub}
  minReplicas: 2
  maxReplicas: 2 # kubectl-hpa: ignore HPA102 (frozen)
---
# Source: shop/templates/hpa.yaml
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    template: \"{{ $labels.pod }}\"
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 1
";

impl Repository {
    /// A repository with a chart whose templates are not YAML.
    fn with_chart() -> Self {
        let repository = Self::new(&[]);
        repository.write(
            "web/Chart.yaml",
            "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
        );
        for template in [
            "web/templates/hpa.yaml",
            "web/charts/sub/templates/hpa.yaml",
        ] {
            repository.write(
                template,
                "{{ if .Values.hpa }}\nkind: HorizontalPodAutoscaler\n{{ end }}\n",
            );
        }
        repository.write(
            "web/charts/sub/Chart.yaml",
            "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
        );
        repository
    }

    fn called(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("bin/{name}.called"))).unwrap_or_default()
    }
}

#[test]
fn findings_of_a_chart_name_the_template() {
    let repository = Repository::with_chart();
    repository.stand_in("helm", RENDERED);
    let only = "--select HPA101,HPA102";
    let (code, out, _) = repository.lint(&format!("-R -f . --render {only} -o concise"));
    assert_eq!(code, 1);
    let expected = "./web/templates/hpa.yaml (rendered):12:3: error[HPA101 min-gt-max] minReplicas 2 is greater \
                    than maxReplicas 1, so the API server rejects this HPA\n";
    assert_eq!(out, expected);
    // The subchart is not rendered by itself, and its folder names the release.
    assert_eq!(repository.called("helm"), "template web ./web\n");

    let (_, out, _) = repository.lint(&format!("-f web --render {only} -o text"));
    assert!(
        out.contains(" --> web/templates/hpa.yaml (rendered):12:3\n"),
        "{out}"
    );
    // A line of the rendered text is not a line of the template.
    let (_, out, _) = repository.lint(&format!("-f web --render {only} -o github"));
    assert!(
        out.starts_with("::error title=HPA101 min-gt-max,file=web/templates/hpa.yaml::hpa/web: "),
        "{out}"
    );
    let (_, out, _) = repository.lint(&format!("-f web --render {only} -o json"));
    let found: Value = serde_json::from_str(&out).unwrap();
    let finding = &found["findings"][0];
    assert_eq!(
        (&finding["file"], &finding["line"]),
        (&json!("web/templates/hpa.yaml"), &Value::Null)
    );
    assert_eq!(
        found["suppressed"][0]["file"],
        "web/charts/sub/templates/hpa.yaml"
    );
    let (_, out, _) = repository.lint(&format!("-f web --render {only} -o sarif"));
    let sarif: Value = serde_json::from_str(&out).unwrap();
    let schema = Schema::parse(include_str!("sarif-2.1.0.json"));
    assert_eq!(schema.errors(&sarif), Vec::<String>::new());
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{results:#?}");
    for result in results {
        scanned(result);
    }
    let message = results[0]["message"]["text"].as_str().unwrap();
    let expected = "\nThe finding is on line 12 of what renders from this file. Line 1 is there for the whole file.";
    assert!(message.ends_with(expected), "{message}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place,
        &json!({
            "artifactLocation": {"uri": "web/templates/hpa.yaml"},
            "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
        })
    );
    for (format, expected) in [
        ("gitlab", "\"begin\": 1\n"),
        ("checkstyle", "<error line=\"1\" column=\"1\""),
        ("junit", "file=\"web/templates/hpa.yaml\">"),
    ] {
        let (_, out, _) = repository.lint(&format!("-f web --render {only} -o {format}"));
        assert!(out.contains(expected), "{format}: {out}");
    }
}

/// Checks that a result has what GitHub code scanning requires.
#[track_caller]
fn scanned(result: &Value) {
    assert!(result["ruleId"].is_string(), "{result:#}");
    assert!(result["message"]["text"].is_string(), "{result:#}");
    let fingerprints = result["partialFingerprints"].as_object().unwrap();
    assert!(!fingerprints.is_empty(), "{result:#}");
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(!uri.starts_with(['/', '.']), "{result:#}");
    for number in ["startLine", "startColumn", "endLine", "endColumn"] {
        assert!(1 <= place["region"][number].as_u64().unwrap(), "{result:#}");
    }
}

#[test]
fn values_are_those_of_helm_and_its_errors_too() {
    let repository = Repository::with_chart();
    repository.stand_in("helm", RENDERED);
    repository.lint("-f web/Chart.yaml --render --values a.yaml --values b.yaml");
    assert_eq!(
        repository.called("helm"),
        "template web ./web --values a.yaml --values b.yaml\n"
    );
    repository.write(
        "bin/helm",
        "#!/bin/sh\necho 'Error: no such value' >&2\nexit 1\n",
    );
    repository.refuses(
        "-f web --render",
        "--render of web: helm failed (exit status: 1): Error: no such value",
    );
}

#[test]
fn a_program_that_is_missing_is_named() {
    let repository = Repository::with_chart();
    repository.write("deploy/kustomization.yaml", "resources: [hpa.yaml]\n");
    repository.write("deploy/hpa.yaml", HPA);
    repository.refuses(
        "-f web --render",
        "--render of web: helm is not in the PATH: install it",
    );
    repository.refuses(
        "-f deploy --render",
        "--render of deploy: neither kustomize nor kubectl is in the PATH: install one of them",
    );
}

#[test]
fn kustomize_runs_before_kubectl_and_bases_are_not_rendered_alone() {
    let repository = Repository::new(&[]);
    repository.write("base/kustomization.yaml", "resources: [hpa.yaml]\n");
    repository.write("base/hpa.yaml", HPA);
    repository.write("part/kustomization.yaml", "kind: Component\n");
    for overlay in ["dev", "prod"] {
        repository.write(
            &format!("overlays/{overlay}/kustomization.yaml"),
            "resources: [../../base]\ncomponents: [../../part]\n",
        );
    }
    // A file that no kustomization names stays a plain manifest.
    let lone = HPA.replace("name: web\nspec", "name: lone\nspec");
    repository.write("base/lone.yaml", &lone);
    let built = HPA.replace("maxReplicas: 4", "maxReplicas: 3");
    repository.stand_in("kubectl", &built);
    let flags = "-R -f base,overlays,part --render --select HPA101,HPA102,HPA410 -o json";
    let (_, out, _) = repository.lint(flags);
    let found: Value = serde_json::from_str(&out).unwrap();
    let places: Vec<String> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["code"] != "HPA410")
        .map(|one| {
            format!(
                "{} {}",
                one["code"].as_str().unwrap(),
                one["file"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            "HPA101 overlays/dev/kustomization.yaml",
            "HPA102 base/lone.yaml"
        ]
    );
    assert_eq!(
        repository.called("kubectl"),
        "kustomize ./overlays/dev\nkustomize ./overlays/prod\n"
    );
    // Code scanning has one alert for two overlays of one base.
    let (_, out, _) = repository.lint("-R -f overlays --render --select HPA101 -o sarif");
    let sarif: Value = serde_json::from_str(&out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{results:#?}");
    scanned(&results[0]);
    let text = results[0]["message"]["text"].as_str().unwrap();
    assert!(
        text.contains("(in 2 renderings: overlays/dev, overlays/prod)"),
        "{text}"
    );
    repository.stand_in("kustomize", &built);
    repository.lint("-f base --render");
    assert_eq!(repository.called("kustomize"), "build ./base\n");
}

#[test]
fn a_mistake_of_a_base_is_one_finding_that_names_the_overlays() {
    let repository = Repository::new(&[]);
    repository.write("base/kustomization.yaml", "resources: [hpa.yaml]\n");
    let two = format!(
        "{HPA}---\n{}",
        HPA.replace("name: web\nspec", "name: api\nspec")
    );
    repository.write("base/hpa.yaml", &two);
    repository.write("other/kustomization.yaml", "resources: [hpa.yaml]\n");
    repository.write("other/hpa.yaml", HPA);
    for overlay in ["dev", "prod", "qa"] {
        repository.write(
            &format!("overlays/{overlay}/kustomization.yaml"),
            &format!("resources: [../../base]\nnamePrefix: {overlay}-\n"),
        );
    }
    let of = |overlay: &str| {
        let text = two.replace(
            "metadata:\n  name: ",
            &format!("metadata:\n  name: {overlay}-"),
        );
        text.replace(
            "metadata:\n",
            &format!("metadata:\n  namespace: {overlay}\n"),
        )
    };
    // One overlay changes a value of one of them.
    let qa = of("qa").replacen("maxReplicas: 4", "maxReplicas: 5", 1);
    let script = format!(
        "case $2 in */dev) echo '{}' ;; */prod) echo '{}' ;; */qa) echo '{qa}' ;; *) echo '{HPA}' ;; esac",
        of("dev"),
        of("prod")
    );
    repository.program("kustomize", &script);
    let flags = "-R -f base,other,overlays --render --select HPA102";
    let (_, out, _) = repository.lint(&format!("{flags} -o json"));
    let found: Value = serde_json::from_str(&out).unwrap();
    let found: Vec<String> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let message = one["message"].as_str().unwrap();
            let names = message.split_once(" (in ").map_or("", |(_, names)| names);
            let name = one["object"]["name"].as_str().unwrap();
            format!("{} {name}: {names}", one["file"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        found,
        [
            "other/kustomization.yaml web: ",
            "overlays/dev/kustomization.yaml dev-web: 2 renderings: overlays/dev, overlays/prod)",
            "overlays/dev/kustomization.yaml dev-api: 3 renderings: overlays/dev, overlays/prod, overlays/qa)",
        ]
    );
    for format in LintFormat::names() {
        let (_, out, _) = repository.lint(&format!("{flags} -o {format}"));
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        let count = |text: &str| words.matches(text).count();
        let is_twice = usize::from(format == "junit") + 1;
        for names in [
            "(in 2 renderings: overlays/dev, overlays/prod)",
            "(in 3 renderings: overlays/dev, overlays/prod, overlays/qa)",
        ] {
            assert!((1..=is_twice).contains(&count(names)), "{format}: {out}");
        }
    }
    // A baseline has the finding of each rendering, so an overlay can be removed.
    assert_eq!(
        repository
            .lint(&format!("{flags} --write-baseline b.json"))
            .0,
        0
    );
    let (_, out, said) = repository.lint(&format!("{flags} --baseline b.json -o concise"));
    assert_eq!((&*out, &*said), ("", ""));
    fs::remove_dir_all(repository.path("overlays/dev")).unwrap();
    let (_, out, _) = repository.lint(&format!("{flags} --baseline b.json -o concise"));
    assert_eq!(out, "");
}

#[test]
fn one_mistake_has_the_severity_of_the_overlay_where_it_is_worst() {
    let repository = Repository::new(&[]);
    let base = format!(
        "{}---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec: {{selector: {{matchLabels: {{app: web}}}}, template: {{metadata: {{labels: {{app: web}}}}}}}}
---
apiVersion: v1
kind: Service
metadata: {{name: web}}
spec: {{type: LoadBalancer, selector: {{app: web}}}}
",
        HPA.replace("minReplicas: 4", "minReplicas: 1")
    );
    repository.write("base/kustomization.yaml", "resources: [hpa.yaml]\n");
    repository.write("base/hpa.yaml", &base);
    for overlay in ["dev", "prod", "qa"] {
        repository.write(
            &format!("overlays/{overlay}/kustomization.yaml"),
            "resources: [../../base]\n",
        );
    }
    repository.stand_in("kustomize", &base);
    let (_, out, _) = repository.lint("-R -f base,overlays --render --select HPA104 -o concise");
    let (first, rest) = out.split_once('\n').unwrap();
    assert_eq!(rest, "", "{out}");
    assert!(
        first.starts_with("overlays/prod/kustomization.yaml")
            && first.contains(" warning[HPA104 ")
            && first.ends_with("(in 3 renderings: overlays/dev, overlays/prod, overlays/qa)"),
        "{out}"
    );
}

#[test]
fn a_folder_that_cannot_be_rendered_is_an_error_and_all_others_are_linted() {
    let repository = Repository::new(&[]);
    // One fails in the program, and one is no YAML.
    for (folder, text) in [("bad", "resources: [none.yaml]\n"), ("ugly", "a: [\n")] {
        repository.write(&format!("{folder}/kustomization.yaml"), text);
    }
    repository.write("good/kustomization.yaml", "resources: [hpa.yaml]\n");
    let high = HPA.replace("maxReplicas: 4", "maxReplicas: 3");
    repository.write("good/hpa.yaml", &high);
    repository.write("plain/hpa.yaml", HPA);
    let script = format!(
        "case $2 in */good) echo '{high}' ;; \
         *) echo one >&2; echo '::error::two' >&2; exit 1 ;; esac"
    );
    repository.program("kustomize", &script);
    let flags = "-R -f . --render --select HPA101,HPA102 -o concise";
    let (code, printed, said) = repository.lint(flags);
    assert_eq!(code, 2, "{said}");
    assert_eq!(
        said,
        "error: --render of ./bad: kustomize failed (exit status: 1): one; ::error::two\n\
         error: --render of ./ugly: kustomize failed (exit status: 1): one; ::error::two\n"
    );
    let places: Vec<&str> = printed
        .lines()
        .filter_map(|line| Some(line.split_once(" (")?.0))
        .collect();
    assert_eq!(places[0], "./good/kustomization.yaml", "{printed}");
    assert!(printed.contains("./plain/hpa.yaml:"), "{printed}");
    repository.refuses(
        &format!("{flags} --write-baseline b.json"),
        "no baseline is written: it would lack what could not be read",
    );
    repository.refuses("-f bad --render", "--render of bad: kustomize failed");
}

#[test]
fn a_program_that_hangs_ends_with_the_command_and_with_all_that_it_has_started() {
    let repository = Repository::with_chart();
    let alive = repository.path("alive");
    let made = Command::new("mkfifo").arg(&alive).status().unwrap();
    assert!(made.success());
    let script = format!(
        "exec 3>'{}'; echo up >&3; /bin/sleep 1000 & wait",
        alive.display()
    );
    repository.program("helm", &script);
    for signal in ["TERM", "INT"] {
        let child = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(["lint", "-f", "web", "--render"])
            .current_dir(repository.folder.path())
            .env("PATH", repository.path("bin"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut alive = BufReader::new(fs::File::open(&alive).unwrap());
        alive.read_line(&mut String::new()).unwrap();
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        // No process has it open any more.
        assert_eq!(alive.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

#[test]
fn a_folder_that_reads_like_an_address_or_a_flag_is_a_folder() {
    let repository = Repository::with_chart();
    repository.stand_in("kustomize", HPA);
    repository.stand_in("helm", RENDERED);
    repository.write("github.com/evil/repo/kustomization.yaml", "resources: []\n");
    repository.lint("-f github.com/evil/repo --render");
    repository.lint("-f github.com/evil/repo/kustomization.yaml --render");
    assert_eq!(
        repository.called("kustomize"),
        "build ./github.com/evil/repo\nbuild ./github.com/evil/repo\n"
    );
    fs::rename(repository.path("web"), repository.path("-x")).unwrap();
    repository.lint("-f=-x --render");
    assert_eq!(repository.called("helm"), "template ./-x\n");
}

#[test]
fn a_baseline_accepts_what_is_found_in_renderings() {
    let repository = Repository::with_chart();
    repository.stand_in("helm", RENDERED);
    repository.write(
        "deploy/hpa.yaml",
        &HPA.replace("maxReplicas: 4", "maxReplicas: 3"),
    );
    let flags = "-R -f . --render --select HPA101";
    assert_eq!(repository.lint(flags).0, 1);
    assert_eq!(
        repository
            .lint(&format!("{flags} --write-baseline b.json"))
            .0,
        0
    );
    let (code, _, said) = repository.lint(&format!("{flags} --baseline b.json"));
    assert_eq!((code, &*said), (0, ""));
}

#[test]
fn where_nothing_can_be_rendered_that_is_reported() {
    let repository = Repository::new(&[]);
    repository.write("deploy/hpa.yaml", HPA);
    let (_, out, said) = repository.lint("-f deploy --render --select HPA102 -o concise");
    assert!(
        said.contains("the given paths have no Chart.yaml and no kustomization.yaml"),
        "{said}"
    );
    assert!(
        out.starts_with("deploy/hpa.yaml:11:3: info[HPA102"),
        "{out}"
    );
    for flags in ["--fix", "--diff", "--observed", "--compare"] {
        repository.refuses(
            &format!("-f deploy --render {flags}"),
            "cannot be used with",
        );
    }
    repository.refuses("-f deploy/a.jsonl --render", "a.jsonl is a recording");
}
