//! Credentials that fail: the message, that it contains no secret, and that nothing waits forever.

#![cfg(unix)]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
    thread,
};

use crate::{
    plugin::{Plugin, Run, SpawnLimited as _, kubeconfig},
    server::{Answer, Server},
    watch,
    world::POD_METRICS,
};

/// The planted secrets, in plain text, in base64, as a list of bytes, and as a number.
const CANARIES: [&str; 4] = ["hunter2", "aHVudGVy", "104, 117, 110, 116", "8675309"];

const COMMANDS: [&[&str]; 6] = [
    &["explain", "web"],
    &["list"],
    &["lint"],
    &["capture"],
    &["watch", "--output=plain"],
    &["version"],
];

/// A user whose plugin is this script; secrets are in its environment and its arguments.
fn exec(script: &str) -> String {
    let script = serde_json::to_string(script).unwrap();
    format!(
        "exec: {{apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, \
         args: [-c, {script}, login, --client-secret=hunter2, hunter2], \
         env: [{{name: SECRET, value: hunter2}}], interactiveMode: IfAvailable}}"
    )
}

/// Each failure with the error message, if it is always the same.
fn failures() -> Vec<(String, &'static str)> {
    const PRINTED: &str = "exec: executable /bin/sh printed";
    const HEADER: &str =
        "the token has a line break or another character that no HTTP header can have";
    let printing = |text: &str| exec(&format!("cat <<'END'\n{text}\nEND"));
    let giving = |status: &str| {
        printing(&format!(
            r#"{{"kind": "ExecCredential", "status": {status}}}"#
        ))
    };
    let pem = "-----BEGIN hunter2-----\\nhunter2";
    vec![
        (
            exec("echo '{\"token\": \"hunter2\"}'; echo; echo session expired >&2; echo Authorization: Bearer hunter2 >&2; \
                  echo \"secret $SECRET $1\" >&2; exit 3"),
            "exec: executable /bin/sh failed with exit code 3: session expired; Authorization: Bearer <hidden>; secret <hidden> --client-secret=<hidden>",
        ),
        (exec("echo hunter2; kill -9 $$"), "exec: executable /bin/sh was ended by a signal: 9 (SIGKILL)"),
        (exec("exec yes hunter2"), "printed more than 1 MiB"),
        (exec("sleep 1000"), "gave no credentials within 2s"),
        (exec("exit 0").replace("/bin/sh", "no-such-login"), "exec: executable no-such-login not found"),
        (exec("exit 0").replace("IfAvailable", "Always"), "needs a terminal (interactiveMode: Always)"),
        (exec("exit 0").replace("command: /bin/sh, ", ""), "the kubeconfig names no command"),
        (printing("the token is hunter2"), PRINTED),
        (printing("{\"token\": \"hunter2\", \"status\": {\"token\": [\"hunter2\"]}}"), PRINTED),
        (printing("{\"token\": \"hunter2\"}"), "without a status"),
        (giving(r#"{"tokken": "hunter2"}"#), "without a token"),
        (giving(r#"{"token": "hunter2", "expirationTimestamp": "hunter2"}"#), "expirationTimestamp is not a time"),
        (giving(r#"{"clientKeyData": "hunter2"}"#), "without its key"),
        (giving(r#"{"clientCertificateData": "hunter2", "clientKeyData": "hunter2"}"#), "the client"),
        (giving(&format!(r#"{{"clientCertificateData": "{pem}", "clientKeyData": "{pem}"}}"#)), "is not valid PEM"),
        (giving(r#"{"token": "hunter2\nhunter2"}"#), HEADER),
        ("token: \"hunter2\\nhunter2\"".to_owned(), HEADER),
        ("token: \"hunter2\\0hunter2\"".to_owned(), HEADER),
        ("token: \"hunter2\\x7f\"".to_owned(), HEADER),
        ("token: \"hunter2\\e\"".to_owned(), HEADER),
        ("tokenFile: two-lines".to_owned(), HEADER),
        ("tokenFile: empty".to_owned(), "empty is empty"),
        ("tokenFile: nowhere".to_owned(), "cannot read tokenFile"),
        ("tokenFile: eyJhbGciOiJIUzI1NiJ9.hunter2".to_owned(), "its content is in the place of its name"),
        (
            "auth-provider: {name: gcp, config: {cmd-path: /bin/sh, cmd-args: \"-c touch$IFS$HOME/ran\", access-token: hunter2}}".to_owned(),
            "auth-provider \"gcp\" is not supported, as in kubectl: use gke-gcloud-auth-plugin",
        ),
        ("auth-provider: {name: azure, config: {access-token: hunter2}}".to_owned(), "use kubelogin"),
        ("auth-provider: {name: other, config: {a: hunter2}}".to_owned(), "use a credential plugin"),
        ("auth-provider: {name: oidc, config: {client-secret: hunter2}}".to_owned(), "id-token is missing"),
        ("auth-provider: {name: oidc, config: {id-token: hunter2}}".to_owned(), "id-token is not a valid token"),
        // {"exp": "hunter2"}
        (
            "auth-provider: {name: oidc, config: {id-token: hunter2.eyJleHAiOiJodW50ZXIyIn0.hunter2}}".to_owned(),
            "id-token is not a valid token",
        ),
        // {"exp": 1}
        (
            "auth-provider: {name: oidc, config: {id-token: a.eyJleHAiOjF9.hunter2, client-secret: hunter2}}".to_owned(),
            "id-token has expired and cannot be refreshed",
        ),
        (
            "auth-provider: {name: oidc, config: {id-token: a.eyJleHAiOjF9.hunter2, client-secret: hunter2, client-id: hunter2, \
             refresh-token: hunter2, idp-issuer-url: \"https://eve:hunter2@127.0.0.1:1/hunter2\"}}"
                .to_owned(),
            "id-token has expired and cannot be refreshed",
        ),
        ("client-certificate-data: hunter2, client-key-data: hunter2".to_owned(), "client-certificate-data is not valid base64"),
        ("client-certificate-data: aHVudGVyMg==, client-key-data: hunter2-".to_owned(), "client-key-data is not valid base64"),
        ("client-certificate-data: aHVudGVyMg==, client-key-data: aHVudGVyMg==".to_owned(), "the client"),
        ("client-key-data: aHVudGVyMg==".to_owned(), "a client certificate needs its key"),
        ("client-certificate: nowhere, client-key-data: aHVudGVyMg==".to_owned(), "cannot read client-certificate"),
        (format!("client-certificate: nowhere, client-key: \"{pem}\""), "cannot read client-certificate"),
        (format!("client-certificate: empty, client-key: \"{pem}\""), "its content is in the place of its name"),
        ("username: hunter2, password: {a: hunter2}".to_owned(), "cannot use kubeconfig config: "),
        ("password: [8675309]".to_owned(), "cannot use kubeconfig config: "),
        ("token: [hunter2]".to_owned(), "cannot use kubeconfig config: "),
        ("exec: hunter2".to_owned(), "cannot use kubeconfig config: "),
        ("exec: {command: a, env: hunter2}".to_owned(), "cannot use kubeconfig config: "),
        ("exec: {command: a, env: [hunter2]}".to_owned(), "cannot use kubeconfig config: "),
        ("exec: {command: a, env: [{name: a, value: [8675309]}]}".to_owned(), "cannot use kubeconfig config: "),
        ("exec: {command: a, args: 8675309}".to_owned(), "cannot use kubeconfig config: "),
        ("exec: {command: a, interactiveMode: hunter2}".to_owned(), "cannot use kubeconfig config: "),
        ("auth-provider: {name: oidc, config: 8675309}".to_owned(), "cannot use kubeconfig config: "),
        ("token: *hunter2".to_owned(), "cannot use kubeconfig config: "),
        ("token: \"hunter2".to_owned(), "cannot use kubeconfig config: "),
        ("token: !hunter2 {hunter2: [}".to_owned(), "cannot use kubeconfig config: "),
        ("token: hunter2, token: hunter2".to_owned(), ""),
    ]
}

#[test]
fn no_way_in_which_credentials_fail_shows_them_or_ends_the_process() {
    let server = Server::start();
    let url = server.url().replace("http://", "http://eve:hunter2@");
    thread::scope(|scope| {
        for (user, words) in failures() {
            let url = &url;
            scope.spawn(move || {
                let plugin = Plugin::bare();
                plugin.write("two-lines", "hunter2\nhunter2\n");
                plugin.write("empty", "\n");
                let text = kubeconfig("test", url);
                plugin.write("config", &text.replace("token: secret-of-test", &user));
                for command in COMMANDS {
                    let mut line = command.to_vec();
                    line.extend(["--kubeconfig=config", "--request-timeout=2s"]);
                    let run = plugin.run(&line);
                    let what = format!("{user}, {command:?}: {run:?}");
                    fails_in_one_line(&run, &what);
                    assert!(run.stderr.contains(words), "{what}");
                }
                let run = plugin.run(&["__complete", "list", "--kubeconfig=config", "-n", ""]);
                assert!(
                    run.code == Some(0) && run.stderr.is_empty(),
                    "{user}: {run:?}"
                );
                shows_no_canary(&run, &user);
                assert!(!plugin.path("ran").exists(), "{user}");
            });
        }
    });
}

#[test]
fn token_or_certificate_of_a_flag_that_cannot_be_used_is_an_error() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    plugin.write("bad.pem", "-----BEGIN CERTIFICATE-----\nhunter2 hunter2\n");
    for (flags, words) in [
        (&["--token=hunter2\nhunter2"][..], "no HTTP header can have"),
        (&["--token=hunter2\u{7f}"], "no HTTP header can have"),
        (
            &["--certificate-authority=bad.pem"],
            "the certificate authority",
        ),
        (
            &["--client-certificate=bad.pem", "--client-key=bad.pem"],
            "is not valid PEM",
        ),
        (&["--as=hunter2\n"], "to impersonate"),
    ] {
        for command in COMMANDS {
            let run = plugin.run(&[command, flags].concat());
            let what = format!("{flags:?}, {command:?}: {run:?}");
            fails_in_one_line(&run, &what);
            assert!(run.stderr.contains(words), "{what}");
        }
    }
}

#[track_caller]
fn fails_in_one_line(run: &Run, what: &str) {
    assert_eq!(run.code, Some(2), "{what}");
    let is_line = run.stderr.starts_with("error: ") && run.stderr.lines().count() == 1;
    assert!(is_line, "{what}");
    shows_no_canary(run, what);
}

#[track_caller]
fn shows_no_canary(run: &Run, what: &str) {
    for canary in CANARIES {
        let is_clean = !run.stdout.contains(canary) && !run.stderr.contains(canary);
        assert!(is_clean, "{canary}: {what}");
    }
}

/// Settings with a plugin that starts another program and waits for it. Both hold `alive` open while they live.
pub(crate) fn hanging(server: &Server) -> Plugin {
    let plugin = Plugin::bare();
    let alive = plugin.path("alive");
    let made = Command::new("mkfifo").arg(&alive).status().unwrap();
    assert!(made.success());
    let script = format!(
        "exec 3>'{}'; echo up >&3; sleep 1000 & wait",
        alive.display()
    );
    let text = kubeconfig("test", &server.url());
    plugin.write(
        "config",
        &text.replace("token: secret-of-test", &exec(&script)),
    );
    plugin
}

#[test]
fn plugin_that_hangs_ends_in_time_with_all_that_it_has_started() {
    for (words, code, printed) in [
        (
            &["list", "--request-timeout=300ms"][..],
            2,
            "error: cannot use the credentials for ",
        ),
        (
            &["watch", "-o", "plain", "--timeout=300ms"],
            0,
            "note: timed out: no credentials yet\n",
        ),
        (
            &["capture", "--for=300ms"],
            2,
            "error: no credentials within --for: nothing is written\n",
        ),
        (&["__complete", "explain"], 0, ""),
    ] {
        let mut words = words.to_vec();
        words.push("--kubeconfig=config");
        if words[0] == "__complete" {
            words.push("");
        }
        // On a slow machine the time can be over before the plugin has started.
        let has_started = (0..10).any(|_| {
            let server = Server::start();
            let plugin = hanging(&server);
            let alive = plugin.path("alive");
            let open_before_the_plugin = fs::File::options().read(true).write(true).open(&alive);
            let mut reader = fs::File::open(alive).unwrap();
            let run = plugin.run(&words);
            assert_eq!(run.code, Some(code), "{words:?}: {run:?}");
            assert!(run.stderr.starts_with(printed), "{words:?}: {run:?}");
            assert!(server.seen().is_empty(), "{words:?}");
            drop(open_before_the_plugin.unwrap());
            let mut written = String::new();
            // Returns when no process has it open for writing any more.
            reader.read_to_string(&mut written).unwrap();
            written == "up\n"
        });
        assert!(has_started, "{words:?}");
    }
}

#[test]
fn plugin_ends_with_the_command_that_is_interrupted() {
    for (words, signal) in [
        (&["list"][..], "INT"),
        (&["lint"], "TERM"),
        (&["capture"], "INT"),
        (&["watch", "-o", "plain"], "TERM"),
    ] {
        let server = Server::start();
        let plugin = hanging(&server);
        let mut command = plugin.command(words);
        command.arg("--kubeconfig=config").stdin(Stdio::null());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn_limited();
        let mut alive = BufReader::new(fs::File::open(plugin.path("alive")).unwrap());
        let mut line = String::new();
        alive.read_line(&mut line).unwrap();
        let id = child.id().to_string();
        let sent = Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap();
        assert!(sent.success());
        let ended = child.wait_with_output().unwrap();
        let code = if words[0] == "watch" { 0 } else { 2 };
        assert_eq!(ended.status.code(), Some(code), "{words:?}: {ended:?}");
        // No process has it open any more.
        assert_eq!(alive.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

#[test]
fn watch_keeps_the_token_whose_file_went_bad_and_says_so_once() {
    let server = watch::server();
    let plugin = Plugin::bare();
    plugin.write("token", "good\n");
    let text = kubeconfig("test", &server.url());
    plugin.write(
        "config",
        &text.replace("token: secret-of-test", "tokenFile: token"),
    );
    let mut command = plugin.command(&["watch", "--assume-sync-period=1s", "-o", "jsonl"]);
    command.arg("--kubeconfig=config").stdin(Stdio::null());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_limited();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with('{'), "{first}");
    let reading = thread::spawn(move || stdout.read_to_end(&mut Vec::new()).unwrap());
    plugin.write("token", "hunter2\nhunter2\n");
    // A token that is rejected is read again.
    let refusal = crate::world::status(401, "Unauthorized", "Unauthorized");
    server.set(POD_METRICS, Answer::status(&refusal));
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut note = String::new();
    stderr.read_line(&mut note).unwrap();
    assert_eq!(
        note,
        "note: the credentials cannot be renewed, and the old ones are used: \
         the token has a line break or another character that no HTTP header can have\n"
    );
    let count = server.count(POD_METRICS);
    while server.count(POD_METRICS) < count + 2 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on");
        thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    reading.join().unwrap();
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert!(
        !rest.contains("cannot be renewed") && !rest.contains("panicked"),
        "{rest}"
    );
    for seen in server.seen() {
        assert_eq!(seen.headers["authorization"], "Bearer good");
    }
}
