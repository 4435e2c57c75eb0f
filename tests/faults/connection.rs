//! Kubeconfig files, flags, impersonation and proxies.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::mpsc,
    thread,
};

use crate::{
    plugin::{Plugin, kubeconfig},
    server::Server,
};

#[test]
fn missing_files_of_kubeconfig_are_skipped_and_the_first_file_wins() {
    let server = Server::start();
    let plugin = Plugin::bare();
    let first = plugin.write(
        "first",
        "apiVersion: v1\nkind: Config\ncurrent-context: \"\"\n",
    );
    let second = plugin.write("second", &kubeconfig("second", &server.url()));
    let third = plugin.write("third", &kubeconfig("third", "http://127.0.0.1:1"));
    let files = format!(
        "{}:/does/not/exist::{}:{}",
        first.display(),
        second.display(),
        third.display()
    );
    let plugin = plugin.with("KUBECONFIG", &files);
    let run = plugin.run(&["version", "-o", "json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stdout.contains("\"serverVersion\": \"v1.36.3\""),
        "{run:?}"
    );
    for kind in ["context", "cluster", "user"] {
        let run = plugin.run(&["capture", &format!("--{kind}"), "fourth"]);
        let begin = format!("error: {kind} \"fourth\" does not exist in ");
        assert!(
            run.stderr.starts_with(&begin)
                && run.stderr.contains(&*second.to_string_lossy())
                && run.stderr.contains(&format!(" ({kind}s: ")),
            "{run:?}"
        );
    }
}

#[test]
fn file_that_was_named_must_exist_and_be_a_kubeconfig() {
    let plugin = Plugin::bare();
    plugin
        .run(&["capture", "web", "--kubeconfig", "nowhere"])
        .fails_with("cannot use kubeconfig nowhere: No such file or directory (os error 2)");
    plugin.write("broken", "clusters: 7\n");
    let run = plugin.run(&["capture", "web", "--kubeconfig", "broken"]);
    assert!(
        run.stderr
            .starts_with("error: cannot use kubeconfig broken: "),
        "{run:?}"
    );
    assert_eq!(run.code, Some(2));
}

#[test]
fn without_any_settings_it_says_where_it_looked() {
    let plugin = Plugin::bare();
    let run = plugin.run(&["capture", "web"]);
    run.fails_with(&format!(
        "no kubeconfig: {} does not exist. Set --kubeconfig, $KUBECONFIG or --server",
        plugin.path(".kube/config").display()
    ));
}

#[test]
fn version_of_the_client_needs_no_cluster() {
    let run = Plugin::bare().run(&["version", "--client"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("1.23 to 1.38"), "{run:?}");
    let run = Plugin::bare().run(&["version"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("Client Version"), "{run:?}");
}

#[test]
fn server_that_is_down_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    Plugin::bare()
        .run(&["capture", "web", "--server", &address.to_string()])
        .fails_with(&format!(
            "the connection to the server http://{address} was refused: is the address right, and is the server up?"
        ));
}

#[test]
fn flags_win_over_the_kubeconfig() {
    let server = Server::start();
    let plugin = Plugin::bare();
    plugin.write("config", &kubeconfig("test", "http://127.0.0.1:1"));
    plugin.capture(&[
        "web",
        "--kubeconfig=config",
        "--server",
        &server.url(),
        "--token=typed",
        "--cache-dir=/tmp",
        "--client-key=",
    ]);
    for request in server.seen() {
        assert_eq!(request.headers["authorization"], "Bearer typed");
        let agent = request.headers["user-agent"].to_str().unwrap();
        assert!(agent.starts_with("kubectl-hpa/"), "{agent}");
    }
}

#[test]
fn token_of_the_kubeconfig_is_used() {
    let server = Server::start();
    Plugin::of(&server).capture(&["web"]);
    assert_eq!(
        server.seen()[0].headers["authorization"],
        "Bearer secret-of-test"
    );
}

#[test]
fn impersonation_reaches_the_server_whole() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    plugin.capture(&[
        "web",
        "--as=jane",
        "--as-group=dev",
        "--as-group=ops",
        "--as-uid=42",
        "--as-user-extra=reason=incident",
    ]);
    let headers = &server.seen()[0].headers;
    assert_eq!(headers["impersonate-user"], "jane");
    let groups: Vec<_> = headers.get_all("impersonate-group").iter().collect();
    assert_eq!(groups, ["dev", "ops"]);
    assert_eq!(headers["impersonate-uid"], "42");
    assert_eq!(headers["impersonate-extra-reason"], "incident");
    plugin
        .run(&["capture", "web", "--as-group=dev"])
        .fails_with("--as-group, --as-uid and --as-user-extra need --as: whom to impersonate");
}

#[test]
fn variables_of_the_client_library_change_nothing() {
    let server = Server::start();
    let plugin = Plugin::of(&server)
        .with("KUBE_RS_DEBUG_IMPERSONATE_USER", "root")
        .with("KUBE_RS_DEBUG_OVERRIDE_URL", "http://127.0.0.1:1");
    plugin.capture(&["web"]);
    assert_eq!(server.seen()[0].headers.get("impersonate-user"), None);
}

#[test]
fn credential_plugin_runs_once() {
    let server = Server::start();
    let plugin = Plugin::bare();
    let script = plugin.write(
        "login",
        "#!/bin/sh
echo run >>\"$HOME/runs\"
echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": \"fresh\"}}'
",
    );
    let text = kubeconfig("test", &server.url()).replace(
        "{token: secret-of-test}",
        &format!(
            "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: /bin/sh, args: [\"{}\"], interactiveMode: Never}}}}",
            script.display()
        ),
    );
    plugin.write("config", &text);
    plugin.capture(&["web", "--kubeconfig", "config"]);
    assert_eq!(server.seen()[0].headers["authorization"], "Bearer fresh");
    let runs = std::fs::read_to_string(plugin.path("runs")).unwrap();
    assert_eq!(runs.lines().count(), 1);
}

#[test]
fn proxy_of_the_environment_is_used_unless_the_server_is_excepted() {
    let (proxy, requests) = proxy();
    let plugin = Plugin::bare()
        .with("HTTP_PROXY", &proxy)
        .with("NO_PROXY", "example.org,");
    let words = [
        "capture",
        "web",
        "--server",
        "http://kube.example.com",
        "--request-timeout=5s",
    ];
    let run = plugin.run(&words);
    assert_eq!(run.code, Some(2));
    let request = requests.recv().unwrap();
    assert!(
        request.starts_with("CONNECT kube.example.com:80 "),
        "{request}"
    );
    // Without a proxy the name cannot be resolved, and the proxy gets no request.
    let plugin = Plugin::bare()
        .with("HTTP_PROXY", &proxy)
        .with("NO_PROXY", "example.org,.example.com");
    let run = plugin.run(&words);
    assert_eq!(run.code, Some(2));
    while let Ok(request) = requests.try_recv() {
        assert!(request.starts_with("CONNECT kube.example.com:80 "));
    }
}

/// A proxy that records the request and rejects it.
fn proxy() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut buffer = [0; 1024];
            let read = stream.read(&mut buffer).unwrap_or_default();
            let _ = sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned());
            let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
        }
    });
    (url, receiver)
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let server = Server::start();
    let plugin = Plugin::of(&server);
    plugin.run(&["capture", "web", "--request-timeout=soon"]).fails_with(
        "invalid --request-timeout \"soon\": use a number with a unit, such as 5s or 2m, or seconds",
    );
    plugin
        .run(&["capture", "web", "--server=ftp://example.com"])
        .fails_with("\"ftp://example.com\" is not an address of a server: use https://HOST:PORT");
    for words in [
        [
            "--kube-version=1.22",
            "Kubernetes 1.22 is not supported: use 1.23 to 1.38",
        ],
        [
            "--feature-gate=Foo=true",
            "the HPA controller has no feature gate \"Foo\": use ",
        ],
        ["--assume-tolerance=-1", "use a number from 0 to 1000000"],
        ["--assume-tolerance -0.1", "use a number from 0 to 1000000"],
        ["--assume-tolerance=1e308", "use a number from 0 to 1000000"],
        ["--assume-sync-period=0s", "a period cannot be 0"],
    ] {
        let flags = words[0].split(' ');
        let arguments: Vec<_> = ["capture", "web"].into_iter().chain(flags).collect();
        let run = plugin.run(&arguments);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(words[1]), "{run:?}");
    }
    assert!(server.seen().is_empty());
}

#[test]
fn credential_plugin_that_fails_is_named() {
    let server = Server::start();
    let plugin = Plugin::bare();
    let text = kubeconfig("test", &server.url()).replace(
        "{token: secret-of-test}",
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-login, interactiveMode: Never, installHint: get it}}",
    );
    plugin.write("config", &text);
    let run = plugin.run(&["capture", "web", "--kubeconfig", "config"]);
    run.fails_with(&format!(
        "cannot use the credentials for {}: exec: executable no-such-login not found; get it",
        server.url()
    ));
}
