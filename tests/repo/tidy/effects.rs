//! What the program does outside of itself, and that SECURITY.md says so: files that it writes, programs that it runs,
//! addresses that it asks.

use std::collections::BTreeMap;

use clap::CommandFactory as _;
use kubectl_hpa::cli::Cli;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use regex::Regex;

use super::{assert_none, text_of, texts};

/// The only code that opens a file for writing.
const WRITER: &str = "crates/hpa-objects/src/output_file.rs";

/// Code that writes files with it, and the words of SECURITY.md about that.
const WRITERS: [(&str, &[&str]); 12] = [
    ("crates/hpa-objects/src/recording/rotating.rs", &[]),
    ("crates/hpa-objects/src/recording/writer.rs", &[]),
    ("src/commands/capture.rs", &["| `capture` | `-o FILE` |"]),
    ("src/completion/pieces.rs", &["| `completion install` |"]),
    (
        "src/commands/export/recordings.rs",
        &["| `export --record` |"],
    ),
    ("src/commands/history/mod.rs", &["`history --record`"]),
    ("src/commands/lint/output.rs", &["`lint --write-baseline`"]),
    ("src/commands/lint/fixes.rs", &["| `lint --fix` |"]),
    (
        "src/commands/lint/mod.rs",
        &["`lint -o FORMAT=FILE`", "`lint --output-file`"],
    ),
    (
        "src/commands/saving.rs",
        &["| the full screen of `watch` and of `replay --tui` |"],
    ),
    ("src/commands/simulate/output.rs", &["`simulate --record`"]),
    ("src/commands/watch/recorder.rs", &["`watch --record`"]),
];

/// Code that runs a program, and the words of SECURITY.md about that.
const PROGRAMS: [(&str, &[&str]); 7] = [
    (
        "crates/hpa-cluster/src/child_process.rs",
        &["A program of `--render` prints at most 64 MiB and has 2 minutes"],
    ),
    (
        "crates/hpa-cluster/src/connection/plugin.rs",
        &["| the credential plugin that the kubeconfig names (`exec`) |"],
    ),
    (
        "src/rendering/program.rs",
        &["| `helm`, `kustomize`, `kubectl` | `lint --render` |"],
    ),
    (
        "src/process/pager.rs",
        &["| `$PAGER`, by a shell, or else `less` |"],
    ),
    (
        "src/commands/watch/on_alarm.rs",
        &["| the command of `watch --on-alarm` |"],
    ),
    (
        "crates/hpa-prometheus/src/token.rs",
        &["| the command of `--prometheus-token-command` |"],
    ),
    ("crates/hpa-cluster/src/shell.rs", &["by a shell"]),
];

/// Code that opens connections or accepts them, and the words of SECURITY.md about that.
const ADDRESSES: [(&str, &[&str]); 3] = [
    (
        "crates/hpa-cluster/src/connection/transport.rs",
        &[
            "| the API server of the kubeconfig or of `--server` |",
            "| the proxy and the identity provider that the kubeconfig names |",
            "| the URL of `--prometheus` |",
        ],
    ),
    (
        "src/commands/export/mod.rs",
        &["Only `kubectl hpa export` answers requests"],
    ),
    ("src/server/mod.rs", &[]),
];

/// Path and code of everything in `src` and `crates`: without comments, texts and tests.
pub(super) fn code() -> Vec<(String, String)> {
    let mut files = texts("src/", ".rs");
    files.extend(texts("crates/", ".rs"));
    files.retain(|(path, _)| {
        path.contains("src/") && !path.ends_with("/tests.rs") && !path.contains("/tests/")
    });
    assert!(400 < files.len(), "the code is somewhere else");
    files
        .into_iter()
        .map(|(path, text)| {
            let mut code = String::new();
            write_code(text.parse().unwrap(), &mut code);
            (path, code)
        })
        .collect()
}

fn is_of_tests(attribute: &Group) -> bool {
    let text = attribute.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// Writes tokens without blanks that are not needed, and without the items that only tests have.
fn write_code(tokens: TokenStream, out: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => match tokens.next() {
                Some(TokenTree::Group(attribute)) if is_of_tests(&attribute) => {
                    skip_item(&mut tokens);
                }
                Some(TokenTree::Punct(_)) => drop(tokens.next()),
                _ => {}
            },
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                write_code(group.stream(), out);
                out.push_str(close);
            }
            TokenTree::Literal(_) => out.push('0'),
            TokenTree::Punct(sign) => out.push(sign.as_char()),
            TokenTree::Ident(name) => {
                if out.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    out.push(' ');
                }
                out.push_str(&name.to_string());
            }
        }
    }
}

fn skip_item(tokens: &mut impl Iterator<Item = TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => return,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            _ => {}
        }
    }
}

/// Fails if other files than those of the table have the pattern, or SECURITY.md lacks the words of one.
#[track_caller]
fn check(what: &str, table: &[(&str, &[&str])], pattern: &str) {
    let pattern = Regex::new(pattern).expect("a valid pattern");
    let page = text_of("SECURITY.md");
    let mut known: BTreeMap<&str, &[&str]> = table.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, code) in code() {
        if !pattern.is_match(&code) || path == WRITER {
            continue;
        }
        match known.remove(path.as_str()) {
            Some(words) => wrong.extend(
                words
                    .iter()
                    .filter(|words| !page.contains(**words))
                    .map(|words| format!("SECURITY.md has no {words:?}, for {path}")),
            ),
            None => wrong.push(format!("{path}: add it to the table, and to SECURITY.md")),
        }
    }
    wrong.extend(known.keys().map(|path| format!("{path}: no longer")));
    assert_none(what, &wrong);
}

#[test]
fn one_place_opens_files_for_writing() {
    let ways = r"File::(create|options)|OpenOptions|\.create_new\(|fs::(write|copy|hard_link)\b|\bsymlink(_file)?\(|tempfile|TempPath";
    let ways = Regex::new(ways).expect("a valid pattern");
    let mut found = Vec::new();
    for (path, code) in code() {
        if path != WRITER {
            let ways = ways.find_iter(&code);
            found.extend(ways.map(|way| format!("{path}: {}", way.as_str())));
        }
    }
    assert_none("ways to write a file other than output_file.rs", &found);
    let writer = text_of(WRITER);
    assert!(ways.is_match(&writer), "{WRITER} is somewhere else");
    let calls = [
        "File::create(path)",
        "fs::write(path, text)",
        "OpenOptions::new()",
    ];
    let code = calls.map(|call| format!("fn f() {{ let c = '\"'; {call}; }}"));
    for code in code {
        let mut plain = String::new();
        write_code(code.parse().unwrap(), &mut plain);
        assert!(ways.is_match(&plain), "{plain}");
        plain.clear();
        let of_tests = format!("#[cfg(test)] mod tests {{ {code} }} /// {code}\nfn g() {{}}");
        write_code(of_tests.parse().unwrap(), &mut plain);
        assert_eq!(plain, "fn g(){}");
    }
}

#[test]
fn every_file_that_is_written_is_listed() {
    let calls = r"\b(write_file|write_link|create_new|to_file)\(|\b(OpenedFile::open|RecordingWriter::create|RotatingWriter::begin|WatchRecorder::begin_keeping)\b";
    check("files that are written", &WRITERS, calls);
    let page = text_of("SECURITY.md");
    for command in Cli::command().get_subcommands() {
        let mut flags = command.get_arguments().filter_map(clap::Arg::get_long);
        if flags.any(|flag| flag == "record") {
            let named = format!("`{} --record`", command.get_name());
            assert!(page.contains(&named), "SECURITY.md has no {named}");
            let privacy = text_of("docs/privacy.md");
            assert!(privacy.contains(&named), "docs/privacy.md has no {named}");
        }
    }
}

#[test]
fn every_program_that_is_run_is_listed() {
    check(
        "programs that are run",
        &PROGRAMS,
        r"(std|tokio)::process::(Command|\{[^}]*\bCommand\b)|process::Command\b|process::\{[^}]*\bCommand\b|shell::shell\b",
    );
}

#[test]
fn every_address_that_is_asked_is_listed() {
    check(
        "connections",
        &ADDRESSES,
        r"\b(TcpStream|TcpListener|TcpSocket|UdpSocket|UnixStream|UnixListener|HttpConnector|HttpsConnector|reqwest|lookup_host|ToSocketAddrs)\b",
    );
}
