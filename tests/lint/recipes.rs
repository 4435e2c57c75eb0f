//! The recipes of docs/ci.md, run as a CI server would, on a repository with the manifests of `examples/lint`.
#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

use hpa_render::lint::{GitlabIssue, LintOutput};
use kubectl_hpa_yaml::{YamlNode, parse};
use regex::Regex;
use serde_json::Value;

use crate::{repository::Repository, schema::Schema};

impl Repository {
    /// With the manifests of `examples/lint`, and the program in its folder of programs.
    fn of_examples() -> Self {
        let repository = Self::new(&[]);
        let root = project();
        let manifests = fs::read_to_string(root.join("examples/lint/web.yaml")).unwrap();
        let clean = fs::read_to_string(root.join("examples/lint/clean.yaml")).unwrap();
        repository.write("deploy/shop/web.yaml", &manifests);
        for (folder, text) in [
            ("deploy/overlays/production", &manifests),
            ("apps/web/overlays/production", &clean),
            ("apps/shop/overlays/production", &manifests),
        ] {
            repository.write(&format!("{folder}/all.yml"), text);
            repository.write(
                &format!("{folder}/kustomization.yaml"),
                "resources: [all.yml]\n",
            );
        }
        fs::create_dir(repository.path("bin")).unwrap();
        symlink(
            env!("CARGO_BIN_EXE_kubectl-hpa"),
            repository.path("bin/kubectl-hpa"),
        )
        .unwrap();
        repository
    }

    /// Runs a script as CI servers do: with bash, which ends at the first failure.
    fn run(&self, script: &str) -> Output {
        let path = std::env::var("PATH").unwrap();
        Command::new("bash")
            .args(["-e", "-c", script])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("LC_ALL", "C.UTF-8")
            .env("KUBECONFIG", "/dev/null")
            .output()
            .unwrap()
    }
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The block of docs/ci.md whose fence has these words.
fn block(words: &str) -> String {
    let page = fs::read_to_string(project().join("docs/ci.md")).unwrap();
    let start = format!("\n```{words}\n");
    let (_, after) = page.split_once(&start).unwrap();
    after.split_once("\n```\n").unwrap().0.to_owned()
}

fn yaml(text: &str) -> YamlNode {
    parse(text).remove(0).unwrap().root
}

/// The command of the workflow step with that name.
fn step(workflow: &YamlNode, name: &str) -> String {
    let steps = workflow.at("jobs.lint.steps").unwrap().items();
    let step = steps
        .iter()
        .find(|step| step.at("name").and_then(YamlNode::as_str) == Some(name));
    step.unwrap()
        .at("run")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_workflow_of_github_annotates_the_lines_and_fails() {
    let repository = Repository::of_examples();
    let output = repository.run(&step(&yaml(&block("yaml github")), "Lint HPAs"));
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let crossed = printed(&output)
        .lines()
        .find(|line| line.contains("HPA101"))
        .unwrap()
        .to_owned();
    let line = 1 + repository
        .read("deploy/overlays/production/all.yml")
        .lines()
        .position(|line| line.starts_with("  maxReplicas: 10"))
        .unwrap();
    let start = "::error title=HPA101 min-gt-max,file=deploy/overlays/production/all.yml,";
    assert!(
        crossed.starts_with(&format!("{start}line={line},")),
        "{crossed}"
    );
}

#[test]
fn a_workflow_of_github_writes_sarif_for_the_upload() {
    let repository = Repository::of_examples();
    let workflow = yaml(&block("yaml github-sarif"));
    let output = repository.run(&step(&workflow, "Lint HPAs"));
    assert!(output.status.success(), "{}", printed(&output));
    let upload = workflow.at("jobs.lint.steps[2].with.sarif_file").unwrap();
    let written: Value = serde_json::from_str(&repository.read(upload.as_str().unwrap())).unwrap();
    let schema = Schema::parse(include_str!("sarif-2.1.0.json"));
    assert_eq!(schema.errors(&written), Vec::<String>::new());
    let results = written["runs"][0]["results"].as_array().unwrap();
    let is_crossed = |result: &&Value| result["ruleId"] == "HPA101";
    let crossed = results.iter().find(is_crossed).unwrap();
    let location = &crossed["locations"][0]["physicalLocation"];
    let file = location["artifactLocation"]["uri"].as_str().unwrap();
    assert!(repository.path(file).is_file(), "{file}");
}

#[test]
fn a_job_of_gitlab_writes_the_report_that_it_names_and_fails() {
    let repository = Repository::of_examples();
    let job = yaml(&block("yaml gitlab"));
    let script = job.at("lint-hpas.script[0]").unwrap().as_str().unwrap();
    let output = repository.run(script);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let report = job.at("lint-hpas.artifacts.reports.codequality").unwrap();
    let issues: Vec<GitlabIssue> =
        serde_json::from_str(&repository.read(report.as_str().unwrap())).unwrap();
    assert!(
        issues
            .iter()
            .any(|issue| issue.check_name == "HPA101 min-gt-max")
    );
    for issue in issues {
        assert!(repository.path(&issue.location.path).is_file());
    }
}

/// The command that pre-commit runs for a hook: entry, arguments, and then the names of the matching files if the hook
/// wants them; `None` if no file matches.
fn hook(
    repository: &Repository,
    hook: &YamlNode,
    args: Option<&YamlNode>,
    changed: &[&str],
) -> Option<Output> {
    let text = |node: &YamlNode| node.as_str().unwrap().to_owned();
    let files = Regex::new(&text(hook.at("files").unwrap())).unwrap();
    let mut words = vec![text(hook.at("entry").unwrap())];
    let args = args.or_else(|| hook.at("args")).map(YamlNode::items);
    words.extend(args.unwrap_or_default().iter().map(text));
    let matching: Vec<&str> = changed
        .iter()
        .copied()
        .filter(|name| files.is_match(name))
        .collect();
    if matching.is_empty() {
        return None;
    }
    if hook.at("pass_filenames").and_then(YamlNode::as_bool) != Some(false) {
        words.extend(matching.into_iter().map(str::to_owned));
    }
    Some(repository.run(&words.join(" ")))
}

#[test]
fn the_hooks_of_pre_commit_lint_the_whole_repository_whatever_changed() {
    let repository = Repository::of_examples();
    repository.write(
        "deploy/shop/api.yaml",
        "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: api, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 9
",
    );
    repository.write("deploy/shop/notes.md", "# Notes");
    let hooks = yaml(&fs::read_to_string(project().join(".pre-commit-hooks.yaml")).unwrap());
    let text =
        |hook: &YamlNode, key: &str| hook.at(key).and_then(YamlNode::as_str).unwrap().to_owned();
    let kinds: Vec<_> = hooks
        .items()
        .iter()
        .map(|hook| (text(hook, "id"), text(hook, "language")))
        .collect();
    let is_kind =
        |(id, language): &(String, String), known: (&str, &str)| (&**id, &**language) == known;
    assert!(is_kind(&kinds[0], ("kubectl-hpa-lint", "rust")));
    assert!(is_kind(&kinds[1], ("kubectl-hpa-lint-system", "system")));
    assert!(is_kind(
        &kinds[2],
        ("kubectl-hpa-lint-docker", "docker_image")
    ));
    assert_eq!(kinds.len(), 3);

    let (ours, local) = (
        block("yaml pre-commit"),
        yaml(&block("yaml pre-commit-local")),
    );
    let with_args = yaml(&block("yaml pre-commit-args"));
    let with_args = with_args.at("repos[0].hooks[0]").unwrap();
    assert_eq!(
        text(yaml(&ours).at("repos[0].hooks[0]").unwrap(), "id"),
        kinds[0].0
    );
    assert_eq!(text(with_args, "id"), kinds[1].0);
    let runs = [
        (&hooks.items()[0], None),
        (&hooks.items()[1], None),
        // The entry there starts with the image, whose entry point is the program.
        (&hooks.items()[2], None),
        (&hooks.items()[1], with_args.at("args")),
        (local.at("repos[0].hooks[0]").unwrap(), None),
    ];
    for (one, args) in runs {
        assert!(hook(&repository, one, args, &["deploy/shop/notes.md"]).is_none());
        let output = hook(&repository, one, args, &["deploy/shop/api.yaml"]).unwrap();
        let printed = printed(&output);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        // The target of the changed HPA, and its other HPA, are in unchanged files.
        assert!(
            printed.contains("HPA410") && !printed.contains("HPA401"),
            "{printed}"
        );
    }
}

#[test]
fn rendered_charts_are_linted() {
    let repository = Repository::of_examples();
    let manifests = repository.read("deploy/shop/web.yaml");
    let mut rendered = String::new();
    for document in manifests.split("---\n") {
        rendered.push_str("---\n# Source: web/templates/all.yaml\n");
        rendered.push_str(document);
    }
    for (words, place) in [("sh helm", "rendered.yaml:"), ("sh helm-pipe", "<stdin>:")] {
        repository.stand_in("helm", &rendered);
        let output = repository.run(&block(words));
        assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
        assert!(printed(&output).contains(place), "{}", printed(&output));
        assert!(printed(&output).contains("error[HPA101 min-gt-max]"));
        repository.program("helm", "exit 3");
        assert_eq!(repository.run(&block(words)).status.code(), Some(3));
    }
}

#[test]
fn what_the_tools_of_flux_and_argo_cd_render_is_linted() {
    let repository = Repository::of_examples();
    let rendered = repository.read("deploy/shop/web.yaml");
    for tool in ["flux", "argocd"] {
        repository.stand_in(tool, &rendered);
        let script = block(&format!("sh {tool}"));
        let output = repository.run(&script);
        assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
        assert!(printed(&output).contains("error[HPA101 min-gt-max]"));
        repository.program(tool, "exit 3");
        assert_eq!(repository.run(&script).status.code(), Some(3));
    }
}

#[test]
fn overlays_are_linted_as_they_are_rendered() {
    let kubectl = project().join("tests/cluster/bin/kubectl");
    let repository = Repository::of_examples();
    if kubectl.is_file() {
        symlink(kubectl, repository.path("bin/kubectl")).unwrap();
    } else {
        let rendered = repository.read("deploy/shop/web.yaml");
        repository.stand_in("kubectl", &rendered);
    }
    let output = repository.run(&block("sh kustomize"));
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("error[HPA101 min-gt-max]"));

    let output = repository.run(&block("sh overlays"));
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("rendered/apps-shop-overlays-production.yaml:"));
    assert!(
        repository
            .path("rendered/apps-web-overlays-production.yaml")
            .is_file()
    );

    // A failing render fails the check.
    fs::remove_file(repository.path("bin/kubectl")).unwrap();
    repository.program("kubectl", "exit 3");
    assert_eq!(
        repository.run(&block("sh kustomize")).status.code(),
        Some(3)
    );
    assert_eq!(repository.run(&block("sh overlays")).status.code(), Some(1));
}

#[test]
fn stages_of_jenkins_write_what_its_plugins_read() {
    let repository = Repository::of_examples();
    let page = fs::read_to_string(project().join("docs/ci.md")).unwrap();
    let command = Regex::new(r"sh '([^']+)'").unwrap();
    let commands: Vec<&str> = command
        .captures_iter(&page)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        let output = repository.run(command);
        assert!(output.status.success(), "{}", printed(&output));
    }
    for (name, element, expected) in [
        (
            "hpa-checkstyle.xml",
            "error",
            "kubectl-hpa.HPA101.min-gt-max",
        ),
        (
            "hpa-junit.xml",
            "testcase",
            "HPA101 min-gt-max spec.maxReplicas",
        ),
    ] {
        let text = repository.read(name);
        let document = roxmltree::Document::parse(&text).unwrap();
        let found = document
            .descendants()
            .filter(|node| node.has_tag_name(element))
            .flat_map(|node| node.attributes())
            .any(|attribute| attribute.value() == expected);
        assert!(found, "{expected} is not in\n{text}");
    }
}

#[test]
fn a_baseline_accepts_what_there_is_and_fails_on_what_is_new() {
    let repository = Repository::of_examples();
    let script = block("sh baseline");
    let output = repository.run(&script);
    assert!(output.status.success(), "{}", printed(&output));
    let second = script.lines().last().unwrap();
    let manifests = repository.read("deploy/shop/web.yaml");
    repository.write(
        "deploy/shop/new.yaml",
        &manifests.replace("name: queue", "name: mail"),
    );
    let output = repository.run(&format!("{second} -o json"));
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let written: LintOutput = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!written.findings.is_empty() && !written.suppressed.is_empty());
}
