//! An attacker who can write to a cluster, or to a file, puts control characters into every text: none of them reaches
//! the terminal, whatever the command and the format.

use std::fs;

use kubectl_hpa::cli::LintFormat;
use serde_json::{Value, json};

#[cfg(unix)]
use crate::watch_screen::screen;
use crate::{
    matrix::world as rich,
    plugin::{Plugin, Run, kubeconfig},
    server::{Answer, Server},
    watch::{record, written},
    world::{self, HPAS, status},
};

/// A title, a color, both in their short forms, characters that reorder and hide others, line breaks, and the closing
/// sequences of other formats.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[7;35;99m\u{1b}Pq\u{1b}\\\u{9b}2J\u{9d}0;owned\u{9c}\u{202e}\u{2066}\u{200b}\u{ad}\u{e0041}\r\n\u{2028}\u{8}::error::x%0A<script>\"'`";

/// Commands that show a cluster, in every format.
const LIVE: [&[&str]; 25] = [
    &["explain", "web"],
    &["explain", "web", "-v"],
    &["explain", "web", "-o", "wide", "-v", "--what-if"],
    &["explain", "web", "-o", "markdown"],
    &["explain", "web", "-o", "html"],
    &["explain", "web", "-o", "json"],
    &["explain", "web", "-o", "yaml"],
    &["explain", "-o", "name"],
    &["explain", "web", "-o", "jsonpath={@}"],
    &["explain", "web", "-o", "jsonpath={..message}{..name}"],
    &["explain", "web", "-o", "jsonpath-as-json={@}"],
    &["explain", "worker", "-v"],
    &["explain", "web", "--set", "spec.maxReplicas=20"],
    &["list"],
    &["list", "-o", "wide", "--show-labels"],
    &["list", "-o", "json"],
    &["list", "-L", "app"],
    &["list", "-o", "custom-columns=A:..*"],
    &["explain", "web", "-o", "custom-columns=A:..*"],
    &["list", "-o", "yaml"],
    &["capture"],
    &["capture", "--no-redact"],
    &["version"],
    &["version", "-o", "json"],
    &["__complete", "explain", ""],
];

/// Commands that show a recording or a manifest.
const OF_FILES: [&[&str]; 6] = [
    &["replay", "evil.jsonl"],
    &["replay", "evil.jsonl", "-o", "jsonl"],
    &["explain", "-f", "evil.jsonl", "-v"],
    &["explain", "-f", "evil.jsonl", "-o", "yaml"],
    &["lint", "evil.jsonl"],
    &["lint", "-f", "evil.yaml", "--strict"],
];

#[test]
fn no_text_of_a_cluster_or_of_a_recording_steers_the_terminal() {
    let server = hostile_server();
    server.set_date(rich::NOW);
    let names = rich::table(&["Name", "Reference"], &[&["web", EVIL], &[EVIL, EVIL]]);
    let plugin = Plugin::of(&server);
    let mut texts = 0;
    let formats: Vec<String> = LintFormat::names().collect();
    let live: Vec<_> = formats.iter().map(|one| ["lint", "-o", one]).collect();
    for words in live.iter().map(|words| &words[..]).chain(LIVE) {
        if words[0] == "__complete" {
            server.set_json(HPAS, &names);
        }
        texts += assert_harmless(words, &plugin.run(words));
        let run = plugin.command(words).env("CLICOLOR_FORCE", "1").output();
        assert_harmless(words, &uncolored(Run::from(run.unwrap())));
    }
    let mut hpas = rich::answers()[HPAS].clone();
    plant(&mut hpas, "");
    server.set_json(HPAS, &hpas);
    // The capture, with additions of a hostile colleague.
    let captured = plugin.run(&["capture"]).stdout;
    let planted = captured.replace("web-1", &escaped(EVIL));
    assert_ne!(captured, planted);
    plugin.write("evil.jsonl", &planted);
    plugin.write("evil.yaml", &manifest());
    let of_files = formats.iter();
    let of_files: Vec<_> = of_files
        .map(|one| ["lint", "-f", "evil.yaml", "-o", one])
        .collect();
    for words in OF_FILES
        .into_iter()
        .chain(of_files.iter().map(|words| &words[..]))
    {
        texts += assert_harmless(words, &plugin.run(words));
    }
    assert!(25 < texts, "only {texts} commands show what was planted");
}

#[cfg(unix)]
#[test]
fn no_text_of_a_cluster_steers_the_terminal_of_watch_or_is_in_its_recording() {
    let server = hostile_server();
    let plugin = Plugin::of(&server);
    let mut synced = written(2, 2, 50);
    plant(&mut synced, "");
    server.report(HPAS, "MODIFIED", &synced);
    for format in ["plain", "jsonl"] {
        let recording = format!("{format}.jsonl");
        let words = ["--output", format, "--record", &recording];
        let run = record(&plugin, &words, &recording);
        assert!(run.stdout.contains("script"), "{run:?}");
        assert_harmless(&words, &run);
        let recorded = fs::read_to_string(plugin.path(&recording)).unwrap();
        assert!(recorded.contains("script"), "{recorded}");
        assert_text_is_harmless(&words, &recorded);
    }
}

#[test]
fn no_single_text_of_a_cluster_steers_the_terminal() {
    let healthy = rich::answers();
    let texts: Vec<(&String, String)> = healthy
        .iter()
        .flat_map(|(path, body)| texts_of(body).into_iter().map(move |text| (path, text)))
        .collect();
    assert!(200 < texts.len(), "{} texts", texts.len());
    std::thread::scope(|scope| {
        for some in texts.chunks(texts.len() / 4 + 1) {
            let healthy = &healthy;
            scope.spawn(move || {
                let server = Server::start();
                server.set_date(rich::NOW);
                for (path, body) in healthy {
                    server.set_json(path, body);
                }
                let plugin = Plugin::of(&server);
                for (path, pointer) in some {
                    let mut evil = healthy[*path].clone();
                    let text = evil.pointer_mut(pointer).unwrap();
                    *text = json!(format!("{}{EVIL}", text.as_str().unwrap()));
                    server.set_json(path, &evil);
                    let words = ["explain", "web", "-v"];
                    let run = plugin.run(&words);
                    assert!(run.code.is_some_and(|code| code <= 2), "{pointer}: {run:?}");
                    assert_harmless(&words, &run);
                    server.set_json(path, &healthy[*path]);
                }
            });
        }
    });
}

#[test]
fn no_error_of_a_server_steers_the_terminal() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    let paths: Vec<String> = rich::answers().into_keys().collect();
    let refusal = || Answer::status(&status(500, EVIL, EVIL));
    let page = || Answer::text(502, "text/html", EVIL);
    let nonsense = || Answer::text(200, "application/json", &json!({"items": EVIL}).to_string());
    let answers: [&dyn Fn() -> Answer; 3] = [&refusal, &page, &nonsense];
    for answer in answers {
        for hpas_too in [false, true] {
            for path in &paths {
                if path != HPAS {
                    server.set(path, answer());
                }
            }
            if hpas_too {
                server.set(HPAS, answer());
            } else {
                server.set_json(HPAS, &rich::answers()[HPAS]);
            }
            for words in LIVE {
                assert_harmless(words, &plugin.run(words));
            }
            let words = ["watch", "-o", "plain", "--timeout=1s"];
            assert_harmless(&words, &plugin.run(&words));
        }
    }
}

#[test]
fn no_text_of_the_settings_steers_the_terminal() {
    let evil = escaped(EVIL);
    let plugin = Plugin::bare();
    let config = kubeconfig("good", "http://127.0.0.1:1").replace("good", &evil);
    let config = config
        .replace(&evil, &format!("\"{evil}\""))
        .replace("\"\"", "\"");
    let config = config.replace(&format!("secret-of-\"{evil}\""), "secret");
    plugin.write("config", &config);
    plugin.write("evil\u{1b}]0;owned\u{7}\u{202e}.yaml", "a: [\n");
    plugin.write("diff\u{1b}]0;owned\u{7}\u{202e}.yaml", FIXABLE);
    for words in [
        &["list", "--kubeconfig=config"][..],
        &["list", "--kubeconfig=config", "--context=other"],
        &["list", "--kubeconfig=config", "--user=other"],
        &["list", "--kubeconfig=config", "--cluster=other"],
        &["list", "--kubeconfig", EVIL],
        &["list", "--server", EVIL],
        &["list", "--request-timeout", EVIL],
        &["explain", "-f", EVIL],
        &["lint", "-f", EVIL],
        &["lint", "-f", "evil\u{1b}]0;owned\u{7}\u{202e}.yaml"],
        &[
            "lint",
            "-f",
            "evil\u{1b}]0;owned\u{7}\u{202e}.yaml",
            "-o",
            "concise",
        ],
        &[
            "lint",
            "-f",
            "evil\u{1b}]0;owned\u{7}\u{202e}.yaml",
            "-o",
            "github",
        ],
        &[
            "lint",
            "-f",
            "diff\u{1b}]0;owned\u{7}\u{202e}.yaml",
            "--diff",
        ],
        &["replay", EVIL],
        &["rules", EVIL],
        &["lint", "-f", &format!("--{EVIL}")],
        &["lint", "--kube-version", EVIL],
        &["lint", "-f", "-", "-o", EVIL],
        &["explain", "web", "--set", EVIL],
        &["replay", "x.jsonl", "--at", EVIL],
        &["explain", "web", "--feature-gate", EVIL],
        &["watch", "--until", EVIL],
        &[EVIL],
        &["__complete", "explain", "--context", ""],
        &["__complete", "explain", "--context="],
        &["__complete", "explain", "--user", ""],
    ] {
        let run = plugin.run(words);
        assert!(run.code.is_some_and(|code| code <= 2), "{run:?}");
        assert_harmless(words, &run);
    }
}

#[test]
fn nothing_that_is_linted_is_a_command_of_a_workflow() {
    let plugin = Plugin::bare().with("GITHUB_ACTIONS", "true");
    let long = "ten letter ::error file=a::b ".repeat(20);
    let manifest = FIXABLE
        .replace(
            "name: web",
            &format!("name: \"w\\n::stop-commands::x\\n ##[error]{long}\""),
        )
        .replace("{}", "{kubectl-hpa/ignore: HPA9999}")
        .replace("spec:", "spec: # kubectl-hpa: ignore ##[stop-commands]tok");
    let name = "web\n::error::x ##[error].yaml";
    plugin.write(name, &manifest);
    plugin.write("good.yaml", FIXABLE);
    plugin.write(
        "config.yaml",
        "rules: {\"a\\n::stop-commands::x ##[b\": 1}\n",
    );
    plugin.write(
        "bad.yaml",
        "rules: {HPA101: {\"a\\n::stop-commands::x ##[b\": 1}}\n",
    );
    let absent = "no\n::error::x ##[error].yaml";
    let mut runs = vec![
        vec!["lint", "-f", absent],
        vec!["lint", "-f", "good.yaml", "--baseline", absent],
        vec!["lint", "-f", "good.yaml", "--config", absent],
        vec!["lint", "-f", "good.yaml", "--config", "bad.yaml"],
        vec!["lint", "-f", "good.yaml", absent, "--nonsense"],
        vec!["explain", "-f", absent],
        vec!["replay", absent],
        vec!["lint", "-f", name, "--fix", "-o", "github"],
    ];
    let formats: Vec<String> = LintFormat::names().collect();
    for format in &formats {
        let words = ["lint", "-f", name, "--config=config.yaml", "-o", format];
        runs.push(words.to_vec());
    }
    // The last one changes the file.
    runs.rotate_left(8);
    for words in runs {
        let run = plugin.run(&words);
        let is_ours = |line: &str| {
            let levels = [
                "::error title=HPA",
                "::warning title=HPA",
                "::notice title=HPA",
            ];
            words.ends_with(&["-o", "github"]) && levels.iter().any(|own| line.starts_with(own))
        };
        for line in run
            .stdout
            .lines()
            .filter(|line| !is_ours(line))
            .chain(run.stderr.lines())
        {
            assert!(!line.trim_start().starts_with("::"), "{words:?}: {line:?}");
            assert!(!line.contains("##["), "{words:?}: {line:?}");
        }
        assert!(
            run.stdout.contains("stop-commands") || !run.stderr.is_empty(),
            "{run:?}"
        );
        if words.contains(&"json") || words.contains(&"sarif") {
            let read: Value = serde_json::from_str(&run.stdout).unwrap();
            assert!(read.to_string().contains("##[error]"), "{read}");
        }
    }
}

#[cfg(unix)]
#[test]
fn diff_of_a_file_does_not_steer_the_terminal_and_is_exact_in_a_pipe() {
    let plugin = Plugin::bare();
    let evil = "# \u{202e}\u{2066}\u{200b}\u{2067} comment\n";
    let text = FIXABLE.replace("  maxReplicas", &format!("{evil}  maxReplicas"));
    let name = "a\u{1b}]0;owned\u{7}\u{202e}\"b.yaml";
    plugin.write(name, &text);
    let words = ["lint", "-f", name, "--select", "min-unset", "--diff"];
    let mut terminal = screen(&plugin, &words, "");
    terminal.ends_with(1);
    let displayed = String::from_utf8(terminal.bytes()).unwrap();
    let displayed = displayed.replace("\r\n", "\n");
    assert!(
        displayed.contains("# \u{fffd}\u{fffd}\u{fffd}\u{fffd} comment\n"),
        "{displayed:?}"
    );
    assert_text_is_harmless(&words, &displayed);

    let run = plugin.run(&words);
    let quoted = "--- \"a/a\\033]0;owned\\007\\342\\200\\256\\\"b.yaml\"\n";
    assert!(run.stdout.starts_with(quoted), "{run:?}");
    assert!(run.stdout.contains(evil), "{run:?}");
    plugin.write("diff", &run.stdout);
    let applied = std::process::Command::new("git")
        .args(["apply", "diff"])
        .current_dir(plugin.path(""))
        .status();
    assert!(applied.unwrap().success());
    let fixed = fs::read_to_string(plugin.path(name)).unwrap();
    assert_eq!(fixed, format!("{text}  minReplicas: 1\n"));
}

#[cfg(unix)]
#[test]
fn argument_that_is_not_understood_does_not_steer_the_terminal() {
    let plugin = Plugin::bare();
    let words = ["lint", "-f", "--\u{1b}]0;owned\u{7}\u{202e}.yaml"];
    let mut terminal = screen(&plugin, &words, "");
    terminal.ends_with(2);
    let displayed = String::from_utf8(terminal.bytes()).unwrap();
    assert!(displayed.contains("error: "), "{displayed:?}");
    assert_text_is_harmless(&words, &displayed.replace("\r\n", "\n"));
}

/// A manifest with two fixable findings.
const FIXABLE: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations: {}
spec:
  scaleTargetRef: {kind: Deployment, name: web}
  maxReplicas: 5
";

/// A server with hostile texts everywhere except in those that are needed to read anything.
pub(crate) fn hostile_server() -> Server {
    let server = Server::start();
    server.allow_watches();
    for (path, mut body) in rich::answers() {
        plant(&mut body, "");
        server.set_json(&path, &body);
    }
    server
}

/// Appends the hostile text to every text, except those that are needed to read anything.
fn plant(value: &mut Value, name: &str) {
    match value {
        Value::String(text)
            if !NEEDED.split(' ').any(|one| one == name)
                && text.parse::<jiff::Timestamp>().is_err() =>
        {
            text.push_str(EVIL);
        }
        Value::Array(values) => values.iter_mut().for_each(|value| plant(value, name)),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                plant(value, name);
            }
            let own = fields.get("name").and_then(Value::as_str);
            if name == "metadata"
                && let Some(own) = own
            {
                let app = own.split('-').next().unwrap().to_owned();
                fields.insert("labels".to_owned(), json!({"app": app, EVIL: EVIL}));
                fields.insert("annotations".to_owned(), json!({EVIL: EVIL}));
            }
        }
        _ => {}
    }
}

/// Fields whose texts determine what is read.
const NEEDED: &str = "acquireTime apiVersion averageValue continue controller cpu group holderIdentity kind matchLabels memory \
    metricName name namespace operation phase platform pods preferredVersion resourceVersion scaleTargetRef \
    selector status timestamp type value version versions window groupVersion app";

/// The paths of texts in a document.
fn texts_of(body: &Value) -> Vec<String> {
    match body {
        Value::String(_) => vec![String::new()],
        Value::Array(values) => (values.iter().enumerate())
            .flat_map(|(index, value)| {
                texts_of(value)
                    .into_iter()
                    .map(move |rest| format!("/{index}{rest}"))
            })
            .collect(),
        Value::Object(fields) => (fields.iter())
            .flat_map(|(name, value)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                texts_of(value)
                    .into_iter()
                    .map(move |rest| format!("/{name}{rest}"))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// A manifest with hostile texts, keys and comments, as far as YAML allows.
fn manifest() -> String {
    let evil = escaped(EVIL);
    let mut hpa = world::hpa("web");
    hpa["apiVersion"] = json!("autoscaling/v2");
    hpa["kind"] = json!("HorizontalPodAutoscaler");
    hpa["spec"]["maxReplicas"] = json!(1);
    hpa["spec"]["minReplicas"] = json!(5);
    hpa["spec"][EVIL] = json!(EVIL);
    plant(&mut hpa, "");
    format!(
        "{hpa}\n---\n# \u{202e}\u{2066}\u{200b} comment\n\"{evil}\": \"{evil}\"\nkind: \"{evil}\"\n---\n\
         apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: \"{evil}\", namespace: \"{evil}\"}}\n\
         spec: {{scaleTargetRef: {{kind: \"{evil}\", name: \"{evil}\"}}, minReplicas: 3, maxReplicas: 2}} # \u{202e}x\n"
    )
}

/// Escaped as between the quotes of JSON and of YAML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            letter if u32::from(letter) < 32 => escaped += &format!("\\u{:04x}", u32::from(letter)),
            // Astral characters are kept: JSON and YAML escape them differently.
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Without the program's own colors.
fn uncolored(mut run: Run) -> Run {
    let color = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    for text in [&mut run.stdout, &mut run.stderr] {
        assert!(!text.contains("\u{1b}[7;35;99"), "{text:?}");
        *text = color.replace_all(text, "").into_owned();
    }
    run
}

/// Returns 1 if the output contains any of the planted texts.
#[track_caller]
fn assert_harmless(words: &[&str], run: &Run) -> usize {
    assert!(
        !run.stderr.contains("panicked"),
        "{words:?}: {}",
        run.stderr
    );
    // In completion, a tab separates a word from its description.
    let stdout = match words {
        ["__complete", ..] => run.stdout.replace('\t', " "),
        _ => run.stdout.clone(),
    };
    assert_text_is_harmless(words, &stdout);
    assert_text_is_harmless(words, &run.stderr);
    usize::from(run.stdout.contains("::error") || run.stdout.contains("script"))
}

#[track_caller]
fn assert_text_is_harmless(words: &[&str], text: &str) {
    let is_unsafe = |letter: &char| {
        letter.is_control() && *letter != '\n'
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    if let Some(at) = text.find(|letter| is_unsafe(&letter)) {
        let begin = text[..at]
            .char_indices()
            .rev()
            .nth(80)
            .map_or(0, |(at, _)| at);
        let near: String = text[begin..].chars().take(160).collect();
        panic!("{words:?}: {near:?}");
    }
}
