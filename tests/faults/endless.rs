//! Files that never end, or that are much larger than they look: no command reads them into memory.

mod folders;

use std::{
    fs,
    io::{Read, Write as _, repeat},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::plugin::{Plugin, Run, SpawnLimited as _};

/// Address space in KiB, for the program itself too. Each of the inputs is far larger.
const ROOM: u32 = 640 << 10;

/// The commands that read files, each with `FILE` in place of a file.
const READERS: [&[&str]; 8] = [
    &["explain", "-f", "FILE"],
    &["list", "-f", "FILE"],
    &["lint", "-f", "FILE"],
    &["replay", "FILE"],
    &["simulate", "-f", "FILE", "--load=x2/1m", "--for=5m"],
    &["simulate", "-f", "hpa.jsonl", "--load=FILE", "--for=5m"],
    &[
        "explain",
        "web",
        "--server=http://127.0.0.1:1",
        "--with",
        "FILE",
    ],
    &["lint", "-f", "hpa.jsonl", "--config", "FILE"],
];

#[test]
fn no_reader_of_files_keeps_what_never_ends_or_expands_without_measure() {
    let plugin = Plugin::bare();
    let example = "examples/more-than-max.jsonl";
    let example = format!("{}/{example}", env!("CARGO_MANIFEST_DIR"));
    fs::copy(example, plugin.path("hpa.jsonl")).unwrap();
    let text = b"a: b\n\n\n\n".repeat(100 << 17);
    // A snapshot whose line goes on with blanks.
    let start = zstd::encode_all(&br#"{"apiVersion": "kubectl-hpa/v1""#[..], 1).unwrap();
    let blanks = zstd::encode_all(repeat(b' ').take(512 << 20), 1).unwrap();
    for (name, bytes) in [
        (
            "zeros.jsonl.zst",
            zstd::encode_all(repeat(0).take(512 << 20), 1).unwrap(),
        ),
        ("zeros.jsonl.gz", gzip(repeat(0).take(512 << 20))),
        (
            "lines.jsonl.zst",
            zstd::encode_all(repeat(b'\n').take(512 << 20), 1).unwrap(),
        ),
        ("blanks.jsonl.zst", [start, blanks].concat()),
        ("text.jsonl.zst", zstd::encode_all(&text[..], 1).unwrap()),
    ] {
        assert!(bytes.len() < 8 << 20, "{name}: {}", bytes.len());
        fs::write(plugin.path(name), bytes).unwrap();
    }
    let files = [
        "zeros.jsonl.zst",
        "zeros.jsonl.gz",
        "lines.jsonl.zst",
        "blanks.jsonl.zst",
        "text.jsonl.zst",
        "/dev/zero",
        "/dev/urandom",
    ];
    for (words, file) in READERS
        .iter()
        .flat_map(|words| files.map(|file| (words, file)))
    {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("FILE", file))
            .collect();
        let run = limited(&plugin, &words, "");
        assert_eq!(run.code, Some(2), "{words:?}: {run:?}");
        assert!(run.stderr.starts_with("error: "), "{words:?}: {run:?}");
        assert_eq!(run.stdout, "", "{words:?}");
    }
}

#[test]
fn pipe_of_text_that_never_ends_is_refused_at_its_limit() {
    let plugin = Plugin::bare();
    for (words, expected) in [
        (
            ["explain", "-f", "-"],
            "cannot open standard input: it has more than 256 MiB",
        ),
        (["lint", "-f", "-"], "<stdin>: it has more than 256 MiB"),
    ] {
        let words = words.map(str::to_owned);
        let run = limited(&plugin, &words, "yes 'a: b' | ");
        assert!(
            run.stderr.contains(expected) && run.stderr.contains("write it to a file"),
            "{run:?}"
        );
        assert_eq!(run.code, Some(2), "{run:?}");
    }
}

/// Texts of a mebibyte with as much to keep as fits: what it is, and its file.
fn dense() -> Vec<(&'static str, String)> {
    let length = 1 << 20;
    let many = |part: &str| part.repeat(length / part.len());
    let keys = |separator: &str| {
        let keys = (0..length / 9).map(|key| format!("{key:06x}: 1{separator}"));
        keys.collect::<String>()
    };
    let hpa = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n";
    let pod = "apiVersion: v1\nkind: Pod\n";
    let vertical =
        "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: a}\n";
    let json = r#""apiVersion":"v1","kind":"#;
    vec![
        ("numbers.yaml", format!("{pod}a: [{}1]\n", many("1,"))),
        ("texts.yaml", format!("{pod}a: [{}b]\n", many("b,"))),
        ("nulls.yaml", format!("{pod}a:\n{}", many("-\n"))),
        ("set.yaml", format!("{pod}a: {{{}b}}\n", many("a,"))),
        ("mapping.yaml", format!("{pod}a: {{{}}}\n", keys(", "))),
        ("block.yaml", format!("{pod}{}", keys("\n"))),
        ("again.yaml", format!("{hpa}spec:\n{}", many(" a: 1\n"))),
        ("mappings.yaml", format!("{pod}a: [{}]\n", many("{a: 1},"))),
        (
            "vertical.yaml",
            format!("{vertical}spec: [{}]\n", many("{a: 1},")),
        ),
        ("anchors.yaml", format!("a: [{}1]\n", many("&a 1,"))),
        (
            "aliases.yaml",
            format!("a: &a [b,b,b,b,b,b,b,b]\nc: [{}]\n", many("*a ,")),
        ),
        (
            "comments.yaml",
            format!("{hpa}# kubectl-hpa: ignore HPA105\n{}", many("#\n")),
        ),
        ("documents.yaml", many("---\na: 1\n")),
        ("scalars.yaml", many("---\n1\n")),
        ("broken.yaml", many("---\n: [\n")),
        (
            "labels.yaml",
            format!("{hpa}  labels: {{{}}}\n", keys(", ")),
        ),
        (
            "items.json",
            format!(r#"{{{json}"List","items":[{}{{}}]}}"#, many("{},")),
        ),
        (
            "objects.json",
            format!(r#"{{{json}"Pod","a":[[{}1]]}}"#, many(r#"{"a":1},"#)),
        ),
        (
            "lists.json",
            format!(r#"{{{json}"Pod","a":[[{}1]]}}"#, many("[1],")),
        ),
    ]
}

/// Recordings of a mebibyte in one line, with as much to keep as fits, and their first snapshot.
fn dense_recordings(snapshot: &str) -> Vec<(&'static str, String)> {
    let (start, _) = snapshot.trim_end().rsplit_once('}').unwrap();
    let with = |field: &str, element: &str| {
        let elements = element.repeat((1 << 20) / element.len());
        format!(
            "{start},\"{field}\":[{elements}{}]}}\n",
            element.trim_end_matches(',')
        )
    };
    vec![
        ("pods.jsonl", with("pods", "{},")),
        ("events.jsonl", with("kubernetesEvents", "{},")),
        ("objects.jsonl", with("unknown", r#"{"a":1},"#)),
        ("lists.jsonl", with("unknown", "[1],")),
        ("numbers.jsonl", with("otherHpas", "1,")),
    ]
}

#[test]
fn no_reader_of_dense_text_takes_more_than_eight_times_its_length_and_a_hundred_mebibytes() {
    let plugin = Plugin::bare();
    let mut failed = Vec::new();
    for (file, text) in dense() {
        fs::write(plugin.path(file), &text).unwrap();
        for words in [["explain", "-f", file], ["lint", "-f", file]] {
            failed.extend(above(&plugin, &words, "", text.len()));
        }
        failed.extend(above(
            &plugin,
            &["lint", "--lsp"],
            &opened(&text),
            text.len(),
        ));
    }
    assert_eq!(failed, [""; 0]);
}

#[test]
fn no_reader_of_other_dense_files_and_messages_takes_more_either() {
    let plugin = Plugin::bare();
    let example = "examples/more-than-max.jsonl";
    let example = fs::read_to_string(format!("{}/{example}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    fs::write(plugin.path("hpa.jsonl"), &example).unwrap();
    let mut failed = Vec::new();
    for (file, text) in dense_recordings(example.lines().next().unwrap()) {
        fs::write(plugin.path(file), &text).unwrap();
        let recording = format!("--load=recording:{file}");
        for words in [
            &["replay", file][..],
            &["explain", "-f", file],
            &["list", "-f", file],
            &["lint", "-f", file],
            &["simulate", "-f", file, "--load=1cores", "--for=1m"],
            &["simulate", "-f", "hpa.jsonl", &recording, "--for=1m"],
        ] {
            failed.extend(above(&plugin, words, "", text.len()));
        }
        let reads = ["explain", "-f", "-"];
        failed.extend(above(&plugin, &reads, &text, text.len()));
    }
    let is_dense = |file: &str| ["mapping.yaml", "mappings.yaml", "texts.yaml"].contains(&file);
    for (file, text) in dense().into_iter().filter(|(file, _)| is_dense(file)) {
        fs::write(plugin.path(file), &text).unwrap();
        let load = format!("--load={file}");
        for words in [
            &["list", "-f", file][..],
            &["lint", "-f", "hpa.jsonl", "--with", file],
            &["lint", "-f", "hpa.jsonl", "--config", file],
            &["lint", "-f", "hpa.jsonl", "--baseline", file],
            &["simulate", "-f", "hpa.jsonl", &load, "--for=1m"],
            &["export", "--kubeconfig", file],
        ] {
            failed.extend(above(&plugin, words, "", text.len()));
        }
        failed.extend(above(&plugin, &["lint", "-f", "-"], &text, text.len()));
        let call = called(&json!({"text": text}));
        failed.extend(above(&plugin, &["mcp"], &call, text.len()));
    }
    let many = |element: Value| Value::Array(vec![element; 1 << 17]);
    for input in [many(json!(1)), many(json!({"a": 1})), many(json!([]))] {
        let call = called(&json!({"text": input}));
        failed.extend(above(&plugin, &["mcp"], &call, call.len()));
    }
    assert_eq!(failed, [""; 0]);
}

#[test]
fn thousands_of_small_hpas_are_explained_and_linted_in_no_more_than_that() {
    let plugin = Plugin::bare();
    let mut text = String::new();
    for number in 0.. {
        if 2 << 20 < text.len() {
            break;
        }
        text += &format!(
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web-{number}\n  namespace: shop\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web-{number}\n  minReplicas: 2\n  maxReplicas: 10\n  metrics:\n  - type: Resource\n    resource:\n      name: cpu\n      target: {{type: Utilization, averageUtilization: 60}}\n---\n"
        );
    }
    fs::write(plugin.path("many.yaml"), &text).unwrap();
    let commands = ["explain", "lint"];
    let above = |command| {
        above(
            &plugin,
            &[command, "-f", "many.yaml", "-o", "json"],
            "",
            text.len(),
        )
    };
    let failed: Vec<String> = commands.into_iter().filter_map(above).collect();
    assert_eq!(failed, [""; 0]);
}

/// A text of the input that no message may repeat whole, by the place where it is, and what a reader must still see.
fn hostile() -> Vec<(&'static str, String, &'static str)> {
    let long = "k".repeat(1 << 18);
    let words = "k ".repeat(1 << 17);
    let hpa = |metadata: &str, spec: &str, rest: &str| {
        format!(
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{{metadata}}}\nspec:\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}\n  maxReplicas: 10\n{spec}{rest}"
        )
    };
    let web = "name: web, namespace: shop";
    let deployment = |template: &str| {
        let pod = format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{{web}}}\nspec:\n  replicas: 2\n  selector: {{matchLabels: {{app: web}}}}\n  template: {{{template}}}\n"
        );
        format!("{}---\n{pod}", hpa(web, "", ""))
    };
    let cpu = |target: &str| {
        format!("  metrics:\n  - type: Resource\n    resource: {{name: cpu, target: {target}}}\n")
    };
    vec![
        (
            "key of the spec",
            hpa(web, &format!("  ? {long}\n  : 1\n"), ""),
            "spec.kkk",
        ),
        (
            "key of the object",
            hpa(web, "", &format!("? {long}\n: 1\n")),
            "kkk",
        ),
        (
            "key of words",
            hpa(web, &format!("  ? {words}\n  : 1\n"), ""),
            "spec.k",
        ),
        (
            "key twice",
            hpa(web, &format!("  ? {long}\n  : 1\n  ? {long}\n  : 2\n"), ""),
            "spec.kkk",
        ),
        (
            "name",
            hpa(&format!("name: {long}, namespace: shop"), "", ""),
            "",
        ),
        (
            "namespace",
            hpa(&format!("name: web, namespace: {long}"), "", ""),
            "",
        ),
        (
            "annotation",
            hpa(
                &format!("{web}, annotations: {{kubectl-hpa/ignore: {long}}}"),
                "",
                "",
            ),
            "",
        ),
        (
            "label",
            hpa(&format!("{web}, labels: {{? {long} : 1}}"), "", ""),
            "metadata.labels",
        ),
        (
            "number",
            hpa(web, &format!("  minReplicas: {long}\n"), ""),
            "minReplicas",
        ),
        (
            "words for a number",
            hpa(web, &format!("  minReplicas: {words}\n"), ""),
            "minReplicas",
        ),
        (
            "type",
            hpa(
                web,
                &cpu(&format!("{{type: {long}, averageUtilization: 60}}")),
                "",
            ),
            "target.type",
        ),
        (
            "quantity",
            hpa(
                web,
                &cpu(&format!("{{type: AverageValue, averageValue: {long}}}")),
                "",
            ),
            "averageValue",
        ),
        (
            "target",
            hpa(web, "", "").replace("name: web}\n  max", &format!("name: {long}}}\n  max")),
            "",
        ),
        (
            "kind",
            hpa(web, "", "").replace("kind: Deployment", &format!("kind: {long}")),
            "",
        ),
        (
            "image",
            deployment(&format!(
                "metadata: {{labels: {{app: web}}}}, spec: {{containers: [{{name: {long}, image: {long}}}]}}"
            )),
            "",
        ),
        (
            "pod label",
            deployment(&format!(
                "metadata: {{labels: {{app: {long}}}}}, spec: {{containers: [{{name: web}}]}}"
            )),
            "",
        ),
        ("broken", hpa(web, &format!("  {long}: [\n"), ""), ""),
    ]
}

/// A line of a report may have several of these texts; it is far shorter than one of them.
#[test]
fn no_message_repeats_a_long_text_and_each_still_names_its_field() {
    let plugin = Plugin::bare();
    for (what, text, field) in hostile() {
        fs::write(plugin.path("hpa.yaml"), text).unwrap();
        for words in [
            &["lint", "-f", "hpa.yaml"][..],
            &["lint", "-f", "hpa.yaml", "-o", "json"],
            &["lint", "-f", "hpa.yaml", "-o", "sarif"],
            &["explain", "-f", "hpa.yaml"],
            &["list", "-f", "hpa.yaml"],
        ] {
            let run = plugin.run(words);
            assert!(run.code.is_some_and(|code| code <= 2), "{what}: {words:?}");
            for line in run.stdout.lines().chain(run.stderr.lines()) {
                let start: String = line.chars().take(300).collect();
                assert!(
                    line.len() < 10_000,
                    "{what}: {words:?}: {}: {start}",
                    line.len()
                );
            }
            if words.len() == 3 && words[0] == "lint" {
                assert!(run.stdout.contains(field), "{what}: {run:?}");
            }
        }
    }
}

/// A message that opens a text in an editor, and the end.
fn opened(text: &str) -> String {
    let document =
        json!({"uri": "file:///a.yaml", "languageId": "yaml", "version": 1, "text": text});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let framed = |message: &Value| {
        let message = message.to_string();
        format!("Content-Length: {}\r\n\r\n{message}", message.len())
    };
    messages.iter().map(framed).collect()
}

/// Messages of an agent that has manifests linted.
fn called(arguments: &Value) -> String {
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
    let call = json!({"name": "hpa_lint", "arguments": arguments});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}),
    ];
    messages.map(|message| format!("{message}\n")).concat()
}

/// Small HPAs of two mebibytes, in one file of each shape and in a folder of their own.
fn small_hpas(plugin: &Plugin) -> usize {
    let hpa = |number: usize, indent: &str| {
        let lines = [
            "apiVersion: autoscaling/v2".to_owned(),
            "kind: HorizontalPodAutoscaler".to_owned(),
            format!(
                "metadata: {{name: web-{number}, namespace: shop-{}}}",
                number % 50
            ),
            "spec:".to_owned(),
            format!(
                "  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web-{number}}}"
            ),
            "  minReplicas: 2".to_owned(),
            format!("  maxReplicas: {}", 2 + number % 9),
            "  metrics:".to_owned(),
            "  - type: Resource".to_owned(),
            "    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}"
                .to_owned(),
        ];
        lines.map(|line| format!("{indent}{line}\n")).concat()
    };
    let count = (2 << 20) / hpa(0, "").len();
    let documents: Vec<String> = (0..count).map(|number| hpa(number, "")).collect();
    fs::write(plugin.path("documents.yaml"), documents.join("---\n")).unwrap();
    let items = (0..count).map(|number| hpa(number, "  ").replacen("  ", "- ", 1));
    let list = "apiVersion: v1\nkind: List\nitems:\n".to_owned() + &items.collect::<String>();
    fs::write(plugin.path("list.yaml"), list).unwrap();
    let items = documents
        .iter()
        .map(|one| serde_saphyr::from_str::<Value>(one).unwrap());
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items.collect::<Vec<_>>()});
    fs::write(plugin.path("list.json"), list.to_string()).unwrap();
    fs::create_dir(plugin.path("folder")).unwrap();
    for (number, one) in documents.iter().enumerate() {
        fs::write(plugin.path(&format!("folder/{number}.yaml")), one).unwrap();
    }
    documents.concat().len()
}

#[test]
fn thousands_of_small_hpas_take_no_more_in_any_shape_and_format() {
    let plugin = Plugin::bare();
    let length = small_hpas(&plugin);
    let names = "jsonpath={range .items[*]}{.verdict.rule}{\"\\n\"}{end}";
    let mut failed = Vec::new();
    for words in [
        &["explain", "-f", "list.json", "-o", "markdown"][..],
        &["explain", "-f", "documents.yaml", "-o", names],
        &["list", "-f", "documents.yaml", "-o", "json"],
        &["list", "-f", "list.yaml", "-o", names],
        &["lint", "-f", "list.json"],
        &["lint", "-f", "folder"],
    ] {
        failed.extend(above(&plugin, words, "", length));
    }
    assert_eq!(failed, [""; 0]);
}

/// What it took, if that is more than eight times its input and a hundred mebibytes.
fn above(plugin: &Plugin, words: &[&str], stdin: &str, length: usize) -> Option<String> {
    let (peak, code) = peak(plugin, words, stdin);
    assert!(code.is_some_and(|code| code <= 2), "{words:?}: {code:?}");
    let most = 8 * length.max(stdin.len()) as u64 + (100 << 20);
    (most < peak).then(|| format!("{words:?}: {} MiB of {}", peak >> 20, most >> 20))
}

/// The most memory that it had, in bytes, and its exit code. The system keeps the maximum, so it is enough to look from
/// time to time; what happens after the last look is the end.
fn peak(plugin: &Plugin, words: &[&str], stdin: &str) -> (u64, Option<i32>) {
    let mut command = plugin.command(words);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn_limited();
    let (mut pipe, text) = (child.stdin.take().unwrap(), stdin.to_owned());
    // One that refuses the text does not read all of it.
    let writing = thread::spawn(move || pipe.write_all(text.as_bytes()).is_ok());
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let status = fs::read_to_string(&status).unwrap_or_default();
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or_default() << 10);
        if let Some(ended) = child.try_wait().unwrap() {
            assert!(0 < peak, "{words:?}");
            writing.join().unwrap();
            return (peak, ended.code());
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn gzip(from: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(from, flate2::Compression::fast());
    encoder.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Runs it with little address space. `before` is what a shell runs before it.
fn limited(plugin: &Plugin, words: &[String], before: &str) -> Run {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let expected = plugin.command(&words);
    let room = if before.is_empty() { ROOM } else { 2 * ROOM };
    let mut command = Command::new("/bin/sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {room}; {before}\"$0\" \"$@\""))
        .arg(expected.get_program())
        .args(expected.get_args())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", plugin.path(""))
        // Each thread would reserve 64 MiB more, however little it uses.
        .env("MALLOC_ARENA_MAX", "1")
        .current_dir(plugin.path(""));
    Run::from(command.output().unwrap())
}
