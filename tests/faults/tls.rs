//! Connections that must not be trusted or do not open, and every command's message about them.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use tokio_rustls::rustls::{
    ServerConfig, ServerConnection, StreamOwned, crypto::ring::default_provider,
};

use crate::plugin::{Plugin, Run};

/// What a server does with a connection.
pub(crate) type Serve = fn(TcpStream);

/// Each with its message.
const FAULTS: [(&str, Serve, &str); 7] = [
    (
        "a certificate of an unknown authority",
        |stream| present("right.crt", stream),
        "is not known here: --certificate-authority names the file of its authority",
    ),
    (
        "a certificate for another name",
        |stream| present("elsewhere.crt", stream),
        "its certificate is not for this address",
    ),
    (
        "a certificate that has expired",
        |stream| present("expired.crt", stream),
        "its certificate has expired",
    ),
    (
        "an answer without TLS",
        |mut stream| {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.0 400 Bad Request\r\n\r\nplain\n");
        },
        "it does not speak TLS: is it http:// instead of https://?",
    ),
    (
        "a refused handshake",
        |mut stream| {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(&[21, 3, 3, 0, 2, 2, 40]);
        },
        "HandshakeFailure",
    ),
    (
        "a handshake that breaks off",
        |mut stream| {
            let _ = stream.read(&mut [0; 1024]);
        },
        "tls handshake eof",
    ),
    (
        "a handshake without end",
        |stream| {
            thread::sleep(Duration::from_mins(1));
            drop(stream);
        },
        "gave no answer within 2s (--request-timeout)",
    ),
];

const COMMANDS: [&[&str]; 6] = [
    &["explain", "web"],
    &["list"],
    &["lint"],
    &["capture"],
    &["watch", "--output=plain"],
    &["version"],
];

#[test]
fn no_command_trusts_or_waits_for_a_server_whose_certificate_or_handshake_is_wrong() {
    for (name, serve, words) in FAULTS {
        let url = listen(serve);
        thread::scope(|scope| {
            for command in COMMANDS {
                let authority = if words.contains("not known") {
                    None
                } else {
                    Some(file("authority.crt"))
                };
                let url = &url;
                scope.spawn(move || {
                    let run = run(url, authority.as_deref(), command);
                    let what = format!("{name}, {command:?}: {run:?}");
                    assert_eq!(run.code, Some(2), "{what}");
                    assert!(run.stdout.is_empty() || command == ["version"], "{what}");
                    let line = run.stderr.trim_end();
                    assert!(
                        line.starts_with("error: ") && !line.contains('\n'),
                        "{what}"
                    );
                    assert!(line.contains(url) && line.contains(words), "{what}");
                });
            }
        });
    }
}

/// As in kubectl without a timeout.
#[test]
fn handshake_without_an_answer_ends_by_itself() {
    let url = listen(|stream| {
        thread::sleep(Duration::from_mins(1));
        drop(stream);
    });
    let words = ["list", "--server", &url, "--token=secret"];
    let run = Plugin::bare().run(&words);
    assert_eq!(run.code, Some(2), "{run:?}");
    let why = format!("cannot connect to the server {url}: TLS handshake timeout");
    assert!(run.stderr.contains(&why), "{run:?}");
}

#[test]
fn server_whose_certificate_is_right_is_heard() {
    let url = listen(|stream| present("right.crt", stream));
    let run = run(&url, Some(&file("authority.crt")), &["list"]);
    run.fails_with(
        "cannot read HPAs: the server could not find the requested resource (get horizontalpodautoscalers.autoscaling); \
         the server has no autoscaling/v2, which Kubernetes has from 1.23 on",
    );
}

fn run(url: &str, authority: Option<&Path>, command: &[&str]) -> Run {
    let authority = authority.map(|file| format!("--certificate-authority={}", file.display()));
    let mut words = command.to_vec();
    words.extend(["--server", url, "--token=secret", "--request-timeout=2s"]);
    words.extend(authority.as_deref());
    Plugin::bare().run(&words)
}

/// A server; each connection has a thread that ends with the process.
pub(crate) fn listen(serve: Serve) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream));
        }
    });
    url
}

/// Presents a certificate, and answers a client that trusts it with an empty result.
pub(crate) fn present(certificate: &str, stream: TcpStream) {
    let chain = CertificateDer::from_pem_file(file(certificate)).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    let connection = ServerConnection::new(Arc::new(config)).unwrap();
    let mut stream = StreamOwned::new(connection, stream);
    let mut proposal = Vec::new();
    let mut byte = [0];
    while !proposal.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => proposal.push(byte[0]),
            _ => return,
        }
    }
    let body = "404 page not found\n";
    let _ = write!(
        stream,
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.flush();
}

pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/faults/tls")
        .join(name)
}
