//! Files that never end, or that are much larger than they look: no command reads them into memory.

use std::{
    fs,
    io::{Read, repeat},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

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

#[test]
fn no_reader_of_dense_text_takes_more_than_eight_times_its_length_and_a_hundred_mebibytes() {
    let plugin = Plugin::bare();
    let mut failed = Vec::new();
    for (file, text) in dense() {
        fs::write(plugin.path(file), &text).unwrap();
        let most = 8 * text.len() as u64 + (100 << 20);
        for words in [["explain", "-f", file], ["lint", "-f", file]] {
            let (peak, code) = peak(&plugin, &words);
            assert!(code.is_some_and(|code| code <= 2), "{words:?}: {code:?}");
            if most < peak {
                failed.push(format!("{words:?}: {} MiB of {}", peak >> 20, most >> 20));
            }
        }
    }
    assert_eq!(failed, [""; 0]);
}

/// The most memory that it had, in bytes, and its exit code. The system keeps the maximum, so it is enough to look from
/// time to time; what happens after the last look is the end.
fn peak(plugin: &Plugin, words: &[&str]) -> (u64, Option<i32>) {
    let mut command = plugin.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn_limited();
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
