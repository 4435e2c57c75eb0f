//! The files of `integrations`: each has the form that its program reads, and its commands run as in that program.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::{
    matrix::world as rich,
    plugin::{Plugin, Run},
    script::script,
    server::Server,
    world::{self, HPAS, list},
};

/// A cluster from which everything can be read.
pub(crate) fn server() -> Server {
    let server = Server::start();
    server.set_date(rich::NOW).allow_watches();
    for (path, body) in rich::answers() {
        server.set_json(&path, &body);
    }
    server.set_json(
        "/apis/autoscaling/v2/horizontalpodautoscalers",
        &list(vec![world::hpa("web")]),
    );
    server
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations")
}

#[track_caller]
pub(crate) fn text_of(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
pub(crate) fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap()
}

/// A shell that finds a `kubectl` which runs the plugin, and a pager that prints.
pub(crate) fn shell(plugin: &Plugin, program: &str, arguments: &[String]) -> Run {
    let bin = plugin.path("bin");
    if !bin.exists() {
        fs::create_dir(&bin).unwrap();
        let kubectl = format!(
            "#!/bin/sh\n[ \"$1\" = hpa ] || exit 9\nshift\nexec '{}' \"$@\"\n",
            env!("CARGO_BIN_EXE_kubectl-hpa")
        );
        for (name, text) in [
            ("kubectl", kubectl.as_str()),
            ("less", "#!/bin/sh\nexec cat\n"),
        ] {
            script(&bin.join(name), text);
        }
    }
    // Otherwise the program is searched in the PATH of this process.
    let own = bin.join(program);
    let mut command = if own.exists() {
        Command::new(own)
    } else {
        Command::new(format!("/bin/{program}"))
    };
    let output = command
        .args(arguments)
        .env_clear()
        .env("HOME", plugin.path(""))
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("TZ", "UTC")
        .current_dir(plugin.path(""))
        .output();
    Run::from(output.unwrap())
}

/// A variable in an argument, as k9s finds it: the longest name counts.
pub(crate) fn variable_of_k9s() -> Regex {
    Regex::new(r"\$(!?[\w|-]+)").unwrap()
}

/// As in k9s: an unknown variable is an error.
#[track_caller]
fn filled_by_k9s(argument: &str) -> String {
    let value = |found: &Captures<'_>| match &found[1] {
        "NAME" => "web",
        "NAMESPACE" => "shop",
        "CONTEXT" => "test",
        other => panic!("k9s knows no variable {other:?}"),
    };
    variable_of_k9s().replace_all(argument, value).into_owned()
}

#[test]
fn shortcuts_of_k9s_explain_watch_and_lint_the_selected_hpa() {
    let server = server();
    let plugin = Plugin::of(&server);
    let file = yaml(&text_of("k9s/plugins.yaml"));
    let plugins = file["plugins"].as_object().unwrap();
    let mut shortcuts = BTreeSet::new();
    for (name, one) in plugins {
        let fields: Vec<&str> = one
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            fields,
            [
                "args",
                "background",
                "command",
                "description",
                "scopes",
                "shortCut"
            ],
            "{name}"
        );
        assert!(
            shortcuts.insert(one["shortCut"].as_str().unwrap()),
            "{name}"
        );
        assert_eq!(one["scopes"], json!(["hpa", "horizontalpodautoscalers"]));
        let arguments = one["args"].as_array().unwrap().iter();
        let mut arguments: Vec<String> = arguments
            .map(|argument| filled_by_k9s(argument.as_str().unwrap()))
            .collect();
        if name == "hpa-watch" {
            arguments.insert(2, "--timeout=5s".to_owned());
        }
        let run = shell(&plugin, one["command"].as_str().unwrap(), &arguments);
        assert_eq!(run.code, Some(0), "{name}: {run:?}");
        let expected = match name.as_str() {
            "hpa-explain" => "shop/web",
            "hpa-lint" => "HPA",
            "hpa-watch" => "web",
            other => panic!("{other} is not tried"),
        };
        assert!(run.stdout.contains(expected), "{name}: {run:?}");
    }
    assert_eq!(plugins.len(), 3);
}

/// A shell command with these values filled in.
fn filled(command: &str) -> String {
    let parameter = Regex::new(r"\{\{ (\w+) \}\}").unwrap();
    let value = |found: &Captures<'_>| match &found[1] {
        "name" => "'web'",
        "namespace" => "'shop'",
        "assignment" => "'maxReplicas=20'",
        "time" => "'24h'",
        other => panic!("no value for {other:?}"),
    };
    parameter.replace_all(command, value).into_owned()
}

/// Runs a line of a shell. The past needs a monitoring server, which does not exist here.
#[track_caller]
fn run_line(plugin: &Plugin, line: &str) {
    let run = shell(plugin, "sh", &["-c".to_owned(), line.to_owned()]);
    if line.contains("hpa history") {
        assert_eq!(run.code, Some(2), "{line}: {run:?}");
        assert!(run.stderr.contains("--prometheus"), "{line}: {run:?}");
    } else {
        assert_eq!(run.code, Some(0), "{line}: {run:?}");
        assert!(!run.stdout.is_empty(), "{line}: {run:?}");
    }
}

#[test]
fn tools_of_holmesgpt_run_and_describe_what_they_do() {
    let server = server();
    let plugin = Plugin::of(&server);
    let file = yaml(&text_of("holmesgpt/toolset.yaml"));
    let toolset = &file["toolsets"]["kubectl-hpa"];
    assert!(toolset["description"].is_string());
    let instructions = toolset["llm_instructions"].as_str().unwrap();
    for one in toolset["prerequisites"].as_array().unwrap() {
        run_line(&plugin, one["command"].as_str().unwrap());
    }
    let tools = toolset["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 6);
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(
            tool["description"].as_str().unwrap().ends_with('.'),
            "{name}"
        );
        filled(tool["user_description"].as_str().unwrap());
        run_line(&plugin, &filled(tool["command"].as_str().unwrap()));
    }
    for named in Regex::new(r"hpa_\w+").unwrap().find_iter(instructions) {
        let is_named = |tool: &Value| tool["name"] == named.as_str();
        assert!(tools.iter().any(is_named), "{}", named.as_str());
    }
}

/// The commands in the rows and blocks of the skill.
pub(crate) fn commands_of_skill(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let code = Regex::new("`(kubectl hpa [^`]+)`").unwrap();
    let in_rows = rows.flat_map(|row| code.captures_iter(row).map(|found| found[1].to_owned()));
    let in_blocks = text.lines().filter(|line| line.starts_with("kubectl hpa "));
    in_rows.chain(in_blocks.map(str::to_owned)).collect()
}

#[test]
fn every_command_of_the_skill_runs() {
    let server = server();
    // Other kinds of metrics need more flags for a simulation.
    server.set_json(HPAS, &list(vec![world::hpa("web")]));
    let plugin = Plugin::of(&server);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    fs::copy(
        examples.join("held-by-window.jsonl"),
        plugin.path("incident.jsonl"),
    )
    .unwrap();
    plugin.write("web.yaml", GOOD);
    let skill = text_of("skill/SKILL.md");
    let (head, text) = skill
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .unwrap();
    let head = yaml(head);
    assert_eq!(head["name"], "kubectl-hpa");
    let description = head["description"].as_str().unwrap();
    assert!((100..1024).contains(&description.len()), "{description}");
    let lines = commands_of_skill(text);
    assert!(12 < lines.len(), "{lines:?}");
    for line in lines {
        let line = line
            .replace("NAMESPACE", "shop")
            .replace("NAME", "web")
            .replace("FILE", "web.yaml")
            .replace("10:42", "11:33:30");
        // Findings have an exit code of their own.
        let exit = if line.starts_with("kubectl hpa lint") {
            " --exit-zero"
        } else {
            ""
        };
        let line = format!("{line}{exit}");
        run_line(&plugin, &line);
    }
}

#[test]
fn job_of_argo_cd_stops_a_sync_with_findings_and_lets_others_pass() {
    let job = yaml(&text_of("argocd/pre-sync.yaml"));
    assert_eq!(
        (&job["apiVersion"], &job["kind"]),
        (&json!("batch/v1"), &json!("Job"))
    );
    let hooks = &job["metadata"]["annotations"];
    assert_eq!(hooks["argocd.argoproj.io/hook"], "PreSync");
    let pod = &job["spec"]["template"]["spec"];
    assert_eq!(job["spec"]["backoffLimit"], 0);
    assert_eq!(pod["automountServiceAccountToken"], false);
    let container = &pod["containers"][0];
    let mounted = container["volumeMounts"][0]["mountPath"].as_str().unwrap();
    let arguments = container["args"].as_array().unwrap().iter();
    let arguments: Vec<String> = arguments
        .map(|one| one.as_str().unwrap().to_owned())
        .collect();
    assert!(arguments.contains(&mounted.to_owned()), "{arguments:?}");

    let kustomization = yaml(&text_of("argocd/kustomization.yaml"));
    let made = &kustomization["configMapGenerator"][0];
    assert_eq!(kustomization["resources"], json!(["pre-sync.yaml"]));
    assert_eq!(made["name"], pod["volumes"][0]["configMap"]["name"]);
    assert_eq!(made["options"]["disableNameSuffixHash"], true);
    assert_eq!(kustomization["images"][0]["name"], container["image"]);
    let hook = &made["options"]["annotations"];
    assert_eq!(hook["argocd.argoproj.io/hook"], "PreSync");
    let wave = |annotations: &Value| -> i32 {
        let wave = annotations["argocd.argoproj.io/sync-wave"].as_str();
        wave.unwrap().parse().unwrap()
    };
    assert!(wave(hook) < wave(hooks), "the ConfigMap comes first");

    let bad = GOOD.replace("minReplicas: 2", "minReplicas: 12");
    let none = "kind: ConfigMap\napiVersion: v1\nmetadata: {name: web}\n";
    for (manifest, code) in [(GOOD, 0), (bad.as_str(), 1), (none, 2)] {
        let plugin = Plugin::bare();
        // As the kubelet mounts a ConfigMap.
        let root = plugin.path("manifests");
        let data = root.join("..2026_11_26_01_00_00.1");
        fs::create_dir_all(&data).unwrap();
        fs::write(data.join("web.yaml"), manifest).unwrap();
        symlink("..2026_11_26_01_00_00.1", root.join("..data")).unwrap();
        symlink("..data/web.yaml", root.join("web.yaml")).unwrap();
        let root = root.to_str().unwrap();
        let words = arguments
            .iter()
            .map(|word| if word == mounted { root } else { word });
        let run = plugin.run(&words.collect::<Vec<_>>());
        assert_eq!(run.code, Some(code), "{manifest}: {run:?}");
        assert!(!run.stdout.contains("HPA410"), "read twice: {run:?}");
    }
}

/// An HPA without findings.
const GOOD: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  namespace: shop
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 60
";
