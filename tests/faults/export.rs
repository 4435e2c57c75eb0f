//! `export` while it evaluates more HPAs than it can in an instant.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ChildStderr, Command, Stdio},
    thread,
};

use serde_json::json;

use crate::{
    informers::HPAS,
    list::{Workload, living},
    living::Living,
    plugin::{Plugin, SpawnLimited as _},
};

/// Each is compared with all others that scale the same target.
const MANY: usize = 300;

/// A server with this many HPAs of one target.
fn crowded() -> Living {
    let web = Workload::new("web", 3, "50m");
    let server = living(std::slice::from_ref(&web));
    for index in 0..MANY {
        let mut hpa = web.hpa();
        hpa["metadata"]["name"] = json!(format!("web-{index}"));
        hpa["metadata"]["uid"] = json!(format!("uid-{index}"));
        server.put(HPAS, hpa);
    }
    server
}

/// A running exporter.
struct Exporter {
    child: Child,
    notes: BufReader<ChildStderr>,
    address: String,
}

impl Exporter {
    fn start(plugin: &Plugin) -> Self {
        let mut command = plugin.command(&["export", "--listen=127.0.0.1:0"]);
        let pipes = command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = pipes.spawn_limited();
        let mut notes = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        notes.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("serving http://");
        let address = address.and_then(|rest| rest.strip_suffix("/metrics"));
        let address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self {
            child,
            notes,
            address,
        }
    }
}

/// Status and body, or none: nothing came, or less than was announced.
fn get(address: &str, path: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let (status, fields) = head.split_once("\r\n")?;
    let length = fields
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .unwrap_or_else(|| panic!("an end could not be recognized: {head}"));
    (length == body.len().to_string()).then(|| (status.to_owned(), body.to_owned()))
}

#[test]
fn signal_ends_an_evaluation_of_many_hpas_and_no_half_answer_seems_whole() {
    let server = crowded();
    let plugin = Plugin::at(&server.url());
    for signal in ["TERM", "INT"] {
        let mut exporter = Exporter::start(&plugin);
        let address = exporter.address.clone();
        let last = format!("\"web-{}\"", MANY - 1);
        let is_evaluated =
            || get(&address, "/metrics").is_some_and(|(_, body)| body.contains(&last));
        while !is_evaluated() {
            assert_eq!(exporter.child.try_wait().unwrap(), None);
        }
        // One edit evaluates all HPAs of the target again.
        for index in 0..MANY {
            server.edit(HPAS, &format!("web-{index}"), |hpa| {
                hpa["spec"]["maxReplicas"] = json!(11);
            });
        }
        let scrapes = {
            let address = address.clone();
            thread::spawn(move || {
                let mut answers = Vec::new();
                while let Some((status, body)) = get(&address, "/metrics") {
                    assert_eq!(status, "HTTP/1.1 200 OK");
                    answers.push(body);
                }
                answers
            })
        };
        let id = exporter.child.id().to_string();
        let mut kill = Command::new("kill");
        assert!(kill.args(["-s", signal, &id]).status().unwrap().success());
        let mut notes = String::new();
        exporter.notes.read_to_string(&mut notes).unwrap();
        let ended = exporter.child.wait().unwrap();
        assert_eq!(ended.code(), Some(0), "{signal}: {notes}");
        assert!(!notes.contains("panicked"), "{notes}");
        for answer in scrapes.join().unwrap() {
            let is_whole = answer.contains(&last) && answer.ends_with('\n');
            assert!(is_whole, "{signal}: {answer}");
        }
        assert_eq!(get(&address, "/healthz"), None, "{signal}");
    }
}
