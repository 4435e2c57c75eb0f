//! In a GitHub or Azure job no text from a cluster or a recording is a command for its runner.

use kubectl_hpa::cli::LintFormat;
use serde_json::Value;

use crate::{
    plugin::{Plugin, Run},
    server::Server,
    world::{HPAS, TARGET, hpa, list},
};

/// A possible name of an External metric, as far as we know.
const EVIL: &str = "q\n::stop-commands::pwned\n  ::error::x ##[group]y ##vso[task.setvariable]z";

#[test]
fn no_text_of_a_cluster_or_recording_is_a_command() {
    let server = Server::start();
    let mut evil = hpa("web");
    evil["spec"]["metrics"][0] = serde_json::json!({"type": "External", "external": {
        "metric": {"name": EVIL}, "target": {"type": "AverageValue", "averageValue": "5"},
    }});
    evil["status"]["conditions"] = serde_json::json!([{
        "type": "ScalingActive", "status": "False", "reason": EVIL, "message": EVIL,
    }]);
    server.set_json(HPAS, &list(vec![evil]));
    let plugin = Plugin::of(&server);
    let captured = plugin.run(&["capture"]);
    plugin.write("recording.jsonl", &captured.stdout);
    let mut target: Value = serde_json::from_str(&server.answer(TARGET)).unwrap();
    target["metadata"]["annotations"] = serde_json::json!({"note": EVIL});
    server.set_json(TARGET, &target);
    let formats: Vec<String> = LintFormat::names().collect();
    let of_lint: Vec<_> = formats.iter().map(|one| ["lint", "-o", one]).collect();
    for variable in ["GITHUB_ACTIONS", "TF_BUILD"] {
        let of_lint = of_lint.iter().map(|words| &words[..]);
        let others = [
            &["explain", "web"][..],
            &["explain", "web", "-v"],
            &["explain", "web", "-o", "wide"],
            &["explain", "web", "-o", "markdown"],
            &["explain", "web", "-o", "html"],
            &["explain", "web", "-o", "json"],
            &["explain", "web", "-o", "yaml"],
            &["explain", "web", "-o", "jsonpath={.items[*].spec}"],
            &["explain", "-f", "recording.jsonl"],
            &["explain", "-f", "recording.jsonl", "-v"],
            &["replay", "recording.jsonl"],
            &["replay", "recording.jsonl", "-o", "jsonl"],
            &["list"],
            &["list", "-o", "wide"],
            &["list", "-o", "yaml"],
            &["capture"],
            &["watch", "-o", "plain", "--timeout=2s"],
            &["watch", "-o", "jsonl", "--timeout=2s"],
        ];
        for words in others.into_iter().chain(of_lint) {
            let output = plugin.command(words).env(variable, "true").output();
            let run = Run::from(output.unwrap());
            let output = [run.stdout.as_str(), run.stderr.as_str()].concat();
            for line in output.lines() {
                // Annotations are the purpose of `-o github`.
                let annotations = ["::error ", "::warning ", "::notice "];
                let is_ours = words.ends_with(&["github"])
                    && annotations.iter().any(|begin| line.starts_with(begin));
                assert!(
                    is_ours || !line.trim_start().starts_with("::"),
                    "{variable} {words:?}: {line:?}"
                );
                for command in ["##[", "##vso["] {
                    assert!(!line.contains(command), "{variable} {words:?}: {line:?}");
                }
            }
            if words.ends_with(&["json"]) {
                let read: Value = serde_json::from_str(&run.stdout).unwrap();
                assert!(read.to_string().contains("##[group]"), "{read}");
            }
        }
    }
}
