//! A cluster's answers, from a server that may lie: reading ends with usable snapshots, or with an error.
//!
//! A line of the input is an answer, as JSON with `path`, `code` and `body`; a line that is not such JSON is itself
//! the answer to all paths without one.

use std::{io, sync::Arc};

use hpa_cluster::{
    Client, ConnectionArgs, GatherScope, Selection, SnapshotDetail, connect, gather, gather_bulk,
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    runtime::Builder,
};

use super::recording::survives;

pub fn answers(bytes: &[u8]) {
    let answers = Arc::new(Answers::of(bytes));
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("it starts").block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answers)));
            }
        });
        let args = ConnectionArgs {
            // Not the kubeconfig of the user who runs this.
            kubeconfig: Some("/dev/null".into()),
            server: Some(format!("http://{address}")),
            namespace: Some("shop".to_owned()),
            request_timeout: Some("2s".to_owned()),
            ..ConnectionArgs::default()
        };
        let client = connect(&args).await.expect("the flags are right");
        read(&client).await;
    });
}

async fn read(client: &Client) {
    let one = Selection {
        names: vec!["web".to_owned()],
        ..Selection::default()
    };
    let one = gather(
        client,
        &one,
        SnapshotDetail::Whole,
        GatherScope::Surroundings,
    )
    .await;
    let mut listed = |object| drop(object);
    let all = gather_bulk(client, &Selection::default(), |_| true, &mut listed).await;
    for read in [one, all] {
        match read {
            Ok(snapshots) => {
                snapshots.iter().for_each(survives);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// The answers.
struct Answers {
    known: Vec<(String, u16, Vec<u8>)>,
    otherwise: Vec<u8>,
}

impl Answers {
    fn of(bytes: &[u8]) -> Self {
        let mut answers = Self {
            known: Vec::new(),
            otherwise: br#"{"kind":"Status","status":"Failure","reason":"NotFound","code":404}"#
                .to_vec(),
        };
        for line in bytes.split(|byte| *byte == b'\n') {
            let answer: Value = serde_json::from_slice(line).unwrap_or_default();
            if let Some(path) = answer["path"].as_str() {
                let body = match &answer["body"] {
                    Value::String(text) => text.clone().into_bytes(),
                    body => body.to_string().into_bytes(),
                };
                let code = answer["code"].as_u64().unwrap_or(200);
                // Other codes are handled by the library below.
                let code = u16::try_from(code % 400 + 200).unwrap_or(200);
                answers.known.push((path.to_owned(), code, body));
            } else if !line.is_empty() {
                answers.otherwise = line.to_vec();
            }
        }
        answers
    }

    fn to(&self, path: &str) -> (u16, &[u8]) {
        let path = path.split('?').next().unwrap_or(path);
        let known = self.known.iter().find(|(known, ..)| known == path);
        known.map_or((404, &self.otherwise), |(_, code, body)| (*code, body))
    }
}

/// Answers the requests on a connection, one after the other.
async fn serve(mut stream: TcpStream, answers: Arc<Answers>) -> io::Result<()> {
    let mut read = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            if stream.read_buf(&mut read).await? == 0 {
                return Ok(());
            }
        };
        let head = String::from_utf8_lossy(&read[..end]).into_owned();
        read.drain(..end + 4);
        let path = head.split(' ').nth(1).unwrap_or_default();
        let (code, body) = answers.to(path);
        let head = format!(
            "HTTP/1.1 {code} Any\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        // In one write: a second one would wait for the acknowledgment of the first.
        stream.write_all(&[head.as_bytes(), body].concat()).await?;
    }
}
