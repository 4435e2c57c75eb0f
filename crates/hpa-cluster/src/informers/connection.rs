//! The connection of one watch: the client's own, with limits and a report on each answer, because kube's watcher does
//! not report a reconnect.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{Request, header::ACCEPT_ENCODING};
use jiff::Timestamp;
use kube::client::Body;
use tokio::{
    sync::mpsc::UnboundedSender,
    time::{Instant, sleep_until, timeout},
};
use tower::{BoxError, service_fn};

use super::subject::WatchId;
use crate::{
    bounded::{Bounded, CutOff, TooLate},
    client::{self, Client, IDENTITY, NoApi},
    list,
};

/// An answer to a watch.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchAnswer {
    /// The watch.
    pub(super) id: WatchId,
    /// Whether objects follow one by one from now on, unlike in a list.
    pub(super) is_watch: bool,
    /// Whether it is not an error.
    pub(super) is_success: bool,
    /// The server's time, and the local times before and after.
    pub(super) clock: Option<(Timestamp, Timestamp, Timestamp)>,
}

/// A client for the watch `id` that reports its answers.
pub(super) fn observed(
    client: &Client,
    id: WatchId,
    report: UnboundedSender<WatchAnswer>,
) -> kube::Client {
    let http = client.http().clone();
    let namespace = client.namespace().to_owned();
    let timeout_of_user = client.timeout();
    let patience = timeout_of_user.unwrap_or(PATIENCE).min(PATIENCE);
    let may_watch = Arc::new(Mutex::new(Instant::now()));
    let pieces = Arc::new(Mutex::new(Pieces::default()));
    let contact = client.contact().clone();
    let service = service_fn(move |mut request: Request<Body>| {
        let (http, report, may_watch) = (http.clone(), report.clone(), Arc::clone(&may_watch));
        let (pieces, contact) = (Arc::clone(&pieces), contact.clone());
        async move {
            contact.regained().await;
            let query = request.uri().query().unwrap_or_default();
            next_piece(&pieces, query)?;
            let is_watch = query.split('&').any(|part| part == "watch=true");
            if is_watch {
                request.headers_mut().insert(ACCEPT_ENCODING, IDENTITY);
                let begin = next_start(&may_watch);
                sleep_until(begin).await;
            }
            let (begun, sent) = (Instant::now(), Timestamp::now());
            let response = timeout(patience, http.send(request))
                .await
                .map_err(|_| BoxError::from(TooLate(patience)))??;
            let received = Timestamp::now();
            let no_api = NoApi::of(&response);
            // If the receiver is gone, the answer is not needed either.
            let _ = report.send(WatchAnswer {
                id,
                is_watch,
                is_success: response.status().is_success() && no_api.is_none(),
                clock: client::date(&response).map(|date| (date, sent, received)),
            });
            if let Some(no_api) = no_api {
                return Err(BoxError::from(no_api));
            }
            Ok::<_, BoxError>(response.map(|body| match timeout_of_user {
                _ if is_watch => Bounded::lines(body).each_within(SILENCE),
                Some(time) => Bounded::whole(body).until(begun + time, time),
                // A large list may take long, as long as it makes progress.
                None => Bounded::whole(body).each_within(PATIENCE),
            }))
        }
    });
    kube::Client::new(service, namespace)
}

/// The pieces of a list so far.
#[derive(Default)]
struct Pieces {
    /// The continue token of the last piece.
    token: String,
    number: usize,
}

/// Stops a list that does not end.
fn next_piece(pieces: &Mutex<Pieces>, query: &str) -> Result<(), CutOff> {
    let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
    let mut parts = query.split('&');
    let Some(token) = parts.find_map(|part| part.strip_prefix("continue=")) else {
        *pieces = Pieces::default();
        return Ok(());
    };
    if pieces.token == token {
        return Err(CutOff::Endless(list::SAME_PLACE));
    }
    pieces.number += 1;
    if list::MOST_PIECES <= pieces.number {
        return Err(CutOff::Endless(list::TOO_MANY_PIECES));
    }
    token.clone_into(&mut pieces.token);
    Ok(())
}

/// The time at which the next watch may start. Some servers end each watch immediately, without an error that would
/// cause a pause.
fn next_start(may_watch: &Mutex<Instant>) -> Instant {
    let mut may_watch = may_watch.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = (*may_watch).max(Instant::now());
    *may_watch = begin + BETWEEN_WATCHES;
    begin
}

/// Longest time until an answer starts.
const PATIENCE: Duration = Duration::from_secs(30);
/// A watch that is silent for this long is restarted: its connection may be broken.
const SILENCE: Duration = Duration::from_secs(30);
/// Least time between the starts of two watches.
const BETWEEN_WATCHES: Duration = Duration::from_secs(1);
