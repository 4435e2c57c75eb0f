//! Answers of a server that do not fit the request: none of them is mistaken for an empty cluster.

#[cfg(unix)]
use std::io::Read as _;

use serde_json::{Value, json};

use crate::{
    plugin::Plugin,
    server::{Answer, Server},
    world::{self, HPAS, PODS, status},
};

#[test]
fn an_answer_that_is_no_list_of_hpas_is_an_error_and_no_empty_list() {
    let hpa = || world::hpa("web");
    let cases: [(Value, &str); 6] = [
        (
            status(200, "Forbidden", "no, you may not"),
            "a Status (no, you may not)",
        ),
        (json!({}), "something"),
        (json!({"kind": "List"}), "a List"),
        (json!({"kind": "PodList", "items": []}), "a PodList"),
        (json!({"kind": "Table", "items": [hpa()]}), "a Table"),
        (json!([]), "something"),
    ];
    for (answer, what) in cases {
        let server = Server::start();
        server.set_json(HPAS, &answer);
        let expected = format!(
            "{} answers {what} instead of a list of horizontalpodautoscalers",
            server.url()
        );
        let plugin = Plugin::of(&server);
        for words in [&["list"][..], &["explain"], &["lint"], &["capture"]] {
            plugin.run(words).fails_with(&expected);
        }
    }
}

#[test]
fn other_lists_that_are_none_are_named_as_not_read() {
    let server = Server::start();
    server.set_json(PODS, &json!({"kind": "NodeList", "items": []}));
    let snapshot = Plugin::of(&server).capture(&["web"]);
    let pods = crate::plugin::not_read(&snapshot, "pods");
    let why = pods["why"].as_str().unwrap();
    assert!(
        why.ends_with(" answers a NodeList instead of a list of pods"),
        "{why}"
    );
}

#[test]
fn what_a_server_says_is_one_line_of_bounded_length() {
    let server = Server::start();
    let long = format!("no\nerror: forged\n\u{1b}[2J{}", "x".repeat(1 << 20));
    server.set(HPAS, Answer::status(&status(403, "Forbidden", &long)));
    let run = Plugin::of(&server).run(&["list"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{}", &run.stderr[..400]);
    assert!(
        run.stderr
            .starts_with("error: cannot read HPAs: no error: forged xxxx"),
        "{}",
        &run.stderr[..400]
    );
    assert!(run.stderr.len() < 4_000, "{}", run.stderr.len());
}

#[test]
fn a_list_whose_next_place_has_an_endless_name_is_an_error() {
    let server = Server::start();
    let mut list = world::list(vec![world::hpa("web")]);
    list["metadata"]["continue"] = "x".repeat(1 << 20).into();
    server.set_json(HPAS, &list);
    let run = Plugin::of(&server).run(&["list"]);
    run.fails_with(&format!(
        "the list of horizontalpodautoscalers of {} has no end: its continue token is longer than 64 KiB",
        server.url()
    ));
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_errors_that_name_the_limit() {
    let plugin = Plugin::bare();
    let blank = zstd::encode_all(std::io::repeat(b'\n').take(100 << 20), 1).unwrap();
    std::fs::write(plugin.path("blank.zst"), blank).unwrap();
    plugin.write("hpa.yaml", &world::hpa("web").to_string());
    let server = "--server=http://127.0.0.1:1";
    for (words, printed) in [
        (
            &["explain", "-f", "blank.zst"][..],
            "cannot read blank.zst: it begins with more than 1 MiB of blank lines",
        ),
        (
            &["explain", "-f", "hpa.yaml", "-o", "jsonpath-file=/dev/zero"],
            "cannot read the template /dev/zero: it has more than 1 MiB",
        ),
        (
            &["list", "--kubeconfig", "/dev/zero"],
            "cannot use kubeconfig /dev/zero: it has more than 64 MiB",
        ),
        (
            &["list", server, "--certificate-authority", "/dev/zero"],
            "cannot use /dev/zero: it has more than 1 MiB",
        ),
    ] {
        plugin.run(words).fails_with(printed);
    }
    plugin.write(
        "config",
        &crate::plugin::kubeconfig("test", "http://127.0.0.1:1")
            .replace("token: secret-of-test", "tokenFile: /dev/zero"),
    );
    plugin.run(&["list", "--kubeconfig=config"]).fails_with(
        "cannot use the credentials for http://127.0.0.1:1: cannot read tokenFile /dev/zero: it has more than 1 MiB",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_takes_nothing_and_too_few_descriptors_are_errors() {
    let plugin = Plugin::bare();
    for word in ["--help", "--version", "rules"] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let ended = plugin.command(&[word]).stdout(full).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{word}");
        let printed = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(
            printed, "error: cannot write the output: No space left on device (os error 28)\n",
            "{word}"
        );
    }
    for descriptors in 4..12 {
        let program = env!("CARGO_BIN_EXE_kubectl-hpa");
        let limited =
            format!("ulimit -n {descriptors}; exec {program} list --server=http://127.0.0.1:1");
        let ended = std::process::Command::new("sh")
            .args(["-c", &limited])
            .output()
            .unwrap();
        let printed = String::from_utf8(ended.stderr).unwrap();
        assert!(!printed.contains("panicked"), "{descriptors}: {printed}");
        assert!(ended.status.code().is_some(), "{descriptors}: {printed}");
    }
}
