//! The seeds of fuzzing, from the recordings, the examples and the documentation.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
};

use flate2::bufread::MultiGzDecoder;
use hpa_lint::in_full;

use crate::{repeated::with_repeated, world};

/// Longest seed.
const LIMIT: usize = 48 * 1024;

/// The seeds of a target, built from the files of the project at `root`.
pub fn seeds(target: &str, root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = match target {
        "answers" => vec![answers()],
        "engine" | "page" => recordings(root),
        "recording" => [recordings(root), manifests(root)].concat(),
        "jsonpath" => texts(JSONPATH),
        "kubeconfig" => kubeconfigs(),
        "lint" => manifests(root),
        "mcp" => texts(MCP),
        "quantity" | "selector" => vectors(target, root),
        "terminal" => texts(TERMINAL),
        "yaml" => [manifests(root), kubectl_yaml(root), recordings(root)].concat(),
        _ => Vec::new(),
    };
    seeds.retain(|seed| seed.len() <= LIMIT);
    assert!(!seeds.is_empty(), "there are no seeds for {target}");
    seeds
}

const JSONPATH: &[&str] = &[
    "{.name}",
    "{@.i} {$.f}",
    "{.g} {.h} {.n}",
    "{.parts[-1:].name}{.parts[].name}",
    "{.parts[0,2].name}",
    "{['i','t']}",
    "{.parts[0:3:2].name}",
    "{.parts[?(@.ok==true)].name}",
    "{.parts[?(@.v>=2)].name}",
    "{.parts[?(@.name!=\"two\")].v}",
    "{..name}",
    "{.labels.a\\.b}{.labels['a\\.b']}",
    "{.parts[0].*}",
    "{\"a\\tb\"}{'c'}{1}{-2}{1.5}{true}",
    "{range .parts[*]}{.name}={.v}{\"\\n\"}{end}.",
    "{range .parts[*]}[{.name}]{range .tags[*]}({@}){end}{end}z",
    "{.a[?(@.b==1)].c}\n{\"a\":[{\"b\":1,\"c\":[null,{\"d\":-1e300}]}]}",
    "{..}",
    "{.evil}{.s}",
];

const TERMINAL: &[&str] = &[
    "1fine",
    "2a\u{1b}]0;owned\u{7}b",
    "3\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "4\u{9b}2J\u{9d}0;t\u{9c}c",
    "5\u{202e}bew\u{202c}\u{2066}",
    "6one\r\ntwo\tthree",
    "7\u{1b}(B\u{1b}c\u{1b}[3",
    "8<b>&amp;|`](x)",
    "9\u{e0041}\u{feff}\u{1f389}",
];

/// Requests of an agent: a call of each tool, its end, and what is no request.
const MCP: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hpa_lint","arguments":{"text":"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web, namespace: shop}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  minReplicas: 12\n  maxReplicas: 10\n","complete":true,"kubeVersion":"1.30-1.36","select":["HPA1"],"ignore":["HPA101"]}}}"#,
    r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"hpa_simulate","arguments":{"name":"web","load":"x1..x4/2m","for":"30m","set":["maxReplicas=30"],"compare":["minReplicas=2,maxReplicas=9"],"events":["2m: kill 3"],"expect":["ready >= 18 within 4m in 95%"],"capacity":"500m","serviceRate":["queue=5"],"seeds":8},"_meta":{"progressToken":7}}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hpa_history","arguments":{"name":"web","since":"6h","from":"2026-11-20T22:00:00Z","at":"2026-11-20T22:10:00Z","compare":["maxReplicas=30"]}}}"#,
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"hpa_explain\",\"arguments\":{\"name\":\"deploy/web\",\"namespace\":\"shop\",\"set\":[\"metrics[name=cpu].resource.target.averageUtilization=70\"]}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3,\"reason\":\"late\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"hpa_list\",\"arguments\":{\"selector\":\"app=web,tier!=test\"}}}\n{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\nnonsense\n[1]\n\u{feff}{}",
    r#"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#,
    "{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":6,\"error\":{\"code\":1,\"message\":\"x\"}}\n{\"id\":7,\"method\":\"tools/call\",\"params\":3}",
    "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"resources/list\"}\n{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}",
];

/// The answers of the server in `tests/faults`.
fn answers() -> Vec<u8> {
    let mut seed = Vec::new();
    for (path, body) in world::answers() {
        let answer = serde_json::json!({"path": path, "code": 400, "body": body});
        seed.extend(answer.to_string().into_bytes());
        seed.push(b'\n');
    }
    seed
}

/// A kubeconfig for each kind of credentials.
fn kubeconfigs() -> Vec<Vec<u8>> {
    let plugin = |printed: &str| {
        format!(
            "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: printf, args: ['{printed}'], \
             interactiveMode: Never}}}}"
        )
    };
    let users = [
        "{token: hunter2}".to_owned(),
        "{tokenFile: token}".to_owned(),
        "{username: ann, password: hunter2}".to_owned(),
        "{client-certificate-data: aHVudGVyMg==, client-key-data: aHVudGVyMg==}".to_owned(),
        "{auth-provider: {name: oidc, config: {id-token: a.b.c, idp-issuer-url: 'https://127.0.0.1:1'}}}"
            .to_owned(),
        "{auth-provider: {name: gcp, config: {access-token: hunter2}}}".to_owned(),
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: 'false', interactiveMode: Never}}"
            .to_owned(),
        plugin(
            r#"{"kind": "ExecCredential", "status": {"token": "hunter2", "expirationTimestamp": "2100-01-01T00:00:00Z"}}"#,
        ),
        plugin(
            r#"{"kind": "ExecCredential", "status": {"clientCertificateData": "hunter2", "clientKeyData": "hunter2"}}"#,
        ),
    ];
    let with = |user: &String| {
        format!(
            "apiVersion: v1
kind: Config
current-context: test
clusters:
- name: test
  cluster:
    server: https://127.0.0.1:1/prefix
    certificate-authority-data: aHVudGVyMg==
    proxy-url: http://ann:hunter2@127.0.0.1:2
- {{name: open, cluster: {{server: 'http://127.0.0.1:1', insecure-skip-tls-verify: true}}}}
contexts:
- {{name: test, context: {{cluster: test, user: test, namespace: shop}}}}
- {{name: open, context: {{cluster: open, user: test}}}}
users:
- name: test
  user: {user}
"
        )
        .into_bytes()
    };
    users.iter().map(with).collect()
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Some lines of every recording: the first two, and two later ones.
fn recordings(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for path in files(&root.join("examples"), ".jsonl")
        .into_iter()
        .chain(files(&root.join("tests/conformance"), ".jsonl.gz"))
    {
        let is_vectors = path.parent() == Some(&root.join("tests/conformance"));
        if is_vectors {
            continue;
        }
        let file = BufReader::new(fs::File::open(&path).expect("it opens"));
        let text: Box<dyn std::io::BufRead> = if path.extension().is_some_and(|end| end == "gz") {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        let lines: Vec<String> = text
            .lines()
            .take(40)
            .map(|line| line.expect("it is text") + "\n")
            .collect();
        let first: String = lines.iter().take(2).map(String::as_str).collect();
        let later: String = lines.iter().skip(28).take(2).map(String::as_str).collect();
        seeds.extend(
            [first, later]
                .into_iter()
                .filter(|seed| !seed.is_empty())
                .map(String::into_bytes),
        );
    }
    seeds
}

/// Every manifest, also those in the pages of rules and in the files of their long examples.
fn manifests(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for folder in [
        "examples/lint",
        "tests/lint/planted",
        "tests/files",
        "deploy",
        "benches",
    ] {
        for path in files(&root.join(folder), ".yaml") {
            seeds.push(fs::read(path).expect("it can be read"));
        }
    }
    for path in ["docs/rules", "tests/lint/rules/examples"]
        .into_iter()
        .flat_map(|folder| files(&root.join(folder), ".md"))
    {
        let page = fs::read_to_string(path).expect("it can be read");
        // Second examples are changes of the first there.
        let page = in_full(with_repeated(&page).lines()).join("\n");
        let blocks = page.split("```").skip(1).step_by(2);
        let manifests =
            blocks.filter(|block| block.starts_with("yaml") && !block.starts_with("yaml excerpt"));
        seeds.extend(manifests.filter_map(|block| Some(block.split_once('\n')?.1.into())));
    }
    seeds
}

/// The texts of kubectl's test cases.
fn kubectl_yaml(root: &Path) -> Vec<Vec<u8>> {
    let text = fs::read(root.join("tests/lint/kubectl_yaml.json")).expect("it can be read");
    let cases: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
    let mut seeds = Vec::new();
    strings(&cases, &mut seeds);
    seeds
}

fn strings(value: &serde_json::Value, seeds: &mut Vec<Vec<u8>>) {
    match value {
        serde_json::Value::String(text) => seeds.push(text.clone().into_bytes()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, seeds)),
        serde_json::Value::Object(entries) => {
            entries.values().for_each(|value| strings(value, seeds));
        }
        _ => {}
    }
}

/// Every fortieth text of Go's vectors.
fn vectors(kind: &str, root: &Path) -> Vec<Vec<u8>> {
    let file =
        fs::File::open(root.join(format!("tests/conformance/{kind}.jsonl.gz"))).expect("it opens");
    let mut text = String::new();
    MultiGzDecoder::new(BufReader::new(file))
        .read_to_string(&mut text)
        .expect("it can be read");
    let inputs = text.lines().step_by(40).map(|line| {
        let vector: serde_json::Value = serde_json::from_str(line).expect("it is JSON");
        vector["input"]
            .as_str()
            .unwrap_or_default()
            .as_bytes()
            .to_vec()
    });
    inputs.collect()
}

/// The files in a folder and below, in order.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("it is an entry").path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}
