//! The server: `/metrics`, `/healthz`, `/readyz`.

use std::{convert::Infallible, pin::pin, sync::Arc, time::Duration};

use http::{
    HeaderMap, Method, Request, Response, StatusCode,
    header::{ACCEPT, ALLOW, CONTENT_TYPE},
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
    sync::Semaphore,
    time::{sleep, timeout},
};

use crate::render::export::{Exposition, SharedBoard, TextFormat, locked};

/// Answers requests forever.
pub(super) async fn serve(listener: TcpListener, board: SharedBoard) {
    let endpoints = Arc::new(Endpoints {
        exposition: Exposition::new(board.clone()),
        board,
    });
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // File descriptors have run out, or the client has already disconnected.
            sleep(REST).await;
            continue;
        };
        let endpoints = Arc::clone(&endpoints);
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| {
                let answer =
                    endpoints.answer(request.method(), request.uri().path(), request.headers());
                async move { Ok::<_, Infallible>(answer) }
            });
            let mut connection = pin!(
                http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(PATIENCE)
                    .serve_connection(TokioIo::new(stream), service)
            );
            // A broken request concerns only its client.
            if timeout(LONGEST, connection.as_mut()).await.is_err() {
                connection.as_mut().graceful_shutdown();
                let _ = timeout(PATIENCE, connection).await;
            }
            drop(place);
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
        match self.exposition.write(format) {
            Ok(body) => answer(StatusCode::OK, format.content_type(), body),
            Err(error) => text(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("cannot write the series: {error}\n"),
            ),
        }
    }
}

fn text(status: StatusCode, body: String) -> Response<Full<Bytes>> {
    answer(status, "text/plain; charset=utf-8", body)
}

fn answer(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::from(body));
    *answer.status_mut() = status;
    let content_type = http::HeaderValue::from_static(content_type);
    answer.headers_mut().insert(CONTENT_TYPE, content_type);
    answer
}

/// The answer for an unknown path.
const PATHS: &str = "paths: /metrics /healthz /readyz\n";

/// Scrapes and probes are few; further connections wait.
const MOST_CONNECTIONS: usize = 64;

/// Time limit for the head of a request; also closes idle connections.
const PATIENCE: Duration = Duration::from_secs(90);

/// Maximum duration of a connection, so that clients that do not read their answers do not block others.
const LONGEST: Duration = Duration::from_mins(10);

/// The pause before the next attempt to accept.
const REST: Duration = Duration::from_millis(100);
