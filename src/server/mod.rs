//! The server: `/metrics`, `/healthz`, `/readyz`.

mod connections;
mod process;

use std::{
    convert::Infallible, io, io::Write as _, net, pin::pin, sync::Arc, thread, time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use hpa_render::export::{Exposition, SharedBoard, TextFormat, locked};
use http::{
    HeaderMap, Method, Request, Response, StatusCode,
    header::{ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_ENCODING, CONTENT_TYPE, VARY},
};
use http_body_util::Full;
use hyper::{
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};

use crate::{
    process::{runtime::runtime, workflow::say},
    server::connections::{Connections, HEAD},
};

/// Answers requests on a thread of its own until the process ends, also while the thread that evaluates is busy.
/// A signal that the busy thread does not notice ends the process.
pub(crate) fn start(listener: net::TcpListener, board: SharedBoard) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = runtime()?;
    let thread = thread::Builder::new().name("http".to_owned());
    thread.spawn(move || {
        runtime.block_on(async {
            match TcpListener::from_std(listener) {
                Ok(listener) => serve(listener, board).await,
                Err(error) => say(&format!("note: nothing is served: {error}")),
            }
        });
    })?;
    Ok(())
}

/// Answers requests forever.
async fn serve(listener: TcpListener, board: SharedBoard) {
    let endpoints = Arc::new(Endpoints {
        exposition: Exposition::new(board.clone()),
        board,
    });
    let connections = Connections::default();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // File descriptors have run out, or the client has already disconnected.
            connections.close_one();
            sleep(REST).await;
            continue;
        };
        let place = Arc::new(connections.open());
        let endpoints = Arc::clone(&endpoints);
        tokio::spawn(async move {
            let asked = Arc::clone(&place);
            let service = service_fn(move |request: Request<Incoming>| {
                let path = request.uri().path();
                asked.ask(matches!(path, "/healthz" | "/readyz"));
                let answer = endpoints.answer(request.method(), path, request.headers());
                async move { Ok::<_, Infallible>(answer) }
            });
            let mut connection = pin!(
                http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), service)
            );
            // A broken request concerns only its client.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = place.is_to_close() => {}
                () = sleep(LONGEST) => {
                    connection.as_mut().graceful_shutdown();
                    let _ = timeout(HEAD, connection).await;
                }
            }
        });
    }
}

/// The handlers of the paths.
struct Endpoints {
    board: SharedBoard,
    exposition: Exposition,
}

impl Endpoints {
    fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Full<Bytes>> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, "use GET\n".to_owned());
            let allowed = http::HeaderValue::from_static("GET, HEAD");
            answer.headers_mut().insert(ALLOW, allowed);
            return answer;
        }
        match path {
            "/metrics" => self.metrics(headers),
            "/healthz" => text(StatusCode::OK, "ok\n".to_owned()),
            "/readyz" => {
                let readiness = locked(&self.board).readiness();
                let status = if readiness.is_ready {
                    StatusCode::OK
                } else {
                    StatusCode::SERVICE_UNAVAILABLE
                };
                text(status, readiness.text)
            }
            "/" => text(StatusCode::OK, PATHS.to_owned()),
            _ => text(StatusCode::NOT_FOUND, PATHS.to_owned()),
        }
    }

    fn metrics(&self, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
        let format = TextFormat::accepted(accept.unwrap_or_default());
        match self.exposition.write(format, process::numbers()) {
            Ok(body) => series(format, body, takes_gzip(headers)),
            Err(error) => text(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("cannot write the series: {error}\n"),
            ),
        }
    }
}

/// Whether the client takes gzip: `gzip, deflate;q=0.5`, and not `gzip;q=0`.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter();
    let accepted = accepted.filter_map(|one| one.to_str().ok());
    accepted.flat_map(|one| one.split(',')).any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, "q=1"));
        let quality = quality.trim().trim_start_matches("q=").parse::<f32>();
        matches!(name.trim(), "gzip" | "*") && quality.is_ok_and(|quality| 0.0 < quality)
    })
}

/// As small as the fastest level makes it: a scrape waits for it.
fn gzipped(body: &str) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(body.as_bytes())?;
    packer.finish()
}

/// The answer with the series, packed if the client takes that.
fn series(format: TextFormat, body: String, packs: bool) -> Response<Full<Bytes>> {
    let packed = packs.then(|| gzipped(&body).ok()).flatten();
    let is_packed = packed.is_some();
    let body = packed.unwrap_or_else(|| body.into_bytes());
    let mut answer = answer(StatusCode::OK, format.content_type(), body);
    let headers = answer.headers_mut();
    let depends = http::HeaderValue::from_static("accept, accept-encoding");
    headers.insert(VARY, depends);
    if is_packed {
        headers.insert(CONTENT_ENCODING, http::HeaderValue::from_static("gzip"));
    }
    answer
}

fn text(status: StatusCode, body: String) -> Response<Full<Bytes>> {
    answer(status, "text/plain; charset=utf-8", body)
}

fn answer(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(body.into()));
    *answer.status_mut() = status;
    let content_type = http::HeaderValue::from_static(content_type);
    answer.headers_mut().insert(CONTENT_TYPE, content_type);
    answer
}

/// The answer for an unknown path.
const PATHS: &str = "paths: /metrics /healthz /readyz\n";

/// Time limit for the head of a further request on a connection; also closes idle ones.
const PATIENCE: Duration = Duration::from_secs(90);

/// Maximum duration of a connection, so that clients that do not read their answers do not block others.
const LONGEST: Duration = Duration::from_mins(10);

/// The pause before the next attempt to accept.
const REST: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        net::{SocketAddr, TcpStream},
    };

    use super::*;

    fn started() -> SocketAddr {
        let listener = net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        start(listener, SharedBoard::default()).unwrap();
        address
    }

    /// The first line of an answer.
    fn answer(address: SocketAddr, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn only_clients_that_take_gzip_get_it() {
        for (sent, takes) in [
            ("gzip", true),
            ("deflate, gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, sent.parse().unwrap());
            assert_eq!(takes_gzip(&headers), takes, "{sent}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn packed_series_are_the_same_and_have_those_of_the_process() {
        let mut stream = TcpStream::connect(started()).unwrap();
        let head = "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = answer.split_at(end.unwrap() + 4);
        assert!(String::from_utf8_lossy(head).contains("content-encoding: gzip\r\n"));
        let mut text = String::new();
        let mut unpacked = flate2::read::GzDecoder::new(body);
        unpacked.read_to_string(&mut text).unwrap();
        assert!(text.contains("\nkubectl_hpa_scrapes_total 1\n"), "{text}");
        let has_process = text.contains("\nprocess_resident_memory_bytes ");
        assert_eq!(has_process, cfg!(target_os = "linux"), "{text}");
    }

    /// This thread never waits for the server's: as one that evaluates.
    #[test]
    fn probes_are_answered_while_the_thread_that_started_the_server_is_busy() {
        let address = started();
        assert_eq!(answer(address, "/healthz"), "HTTP/1.1 200 OK");
        assert_eq!(
            answer(address, "/readyz"),
            "HTTP/1.1 503 Service Unavailable"
        );
    }

    #[test]
    fn clients_that_send_nothing_or_half_a_head_or_keep_their_connection_leave_room() {
        for sent in [
            "",
            "GET /metrics HT",
            "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
        ] {
            let address = started();
            let idle: Vec<TcpStream> = (0..200)
                .map(|_| {
                    let mut stream = TcpStream::connect(address).unwrap();
                    // The server may have closed it already.
                    let _ = stream.write_all(sent.as_bytes());
                    stream
                })
                .collect();
            for path in ["/healthz", "/metrics", "/"] {
                assert_eq!(answer(address, path), "HTTP/1.1 200 OK", "{sent:?}");
            }
            drop(idle);
        }
    }
}
