//! Whether anything is heard of the server, over whichever connection, and the end of all connections once nothing is.
//!
//! A connection that breaks without a word looks like one on which nothing happens. A command that finds that out (see
//! [`Client::ping`]) gives up all of them at once: requests and watches on them end, and later ones go over new connections.
//!
//! [`Client::ping`]: crate::Client::ping

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    task::{Context, Poll},
};

use futures::{
    FutureExt as _, TryFutureExt as _,
    future::{self, BoxFuture},
};
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use jiff::Timestamp;
use kube::client;
use tokio::sync::watch;
use tower::{BoxError, Service, ServiceExt as _, service_fn, util::BoxCloneService};

/// What is known of the contact with a server. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Contact(Arc<SharedContact>);

#[derive(Debug)]
struct SharedContact {
    /// When something was heard last: milliseconds of the clock here, which goes on while the machine sleeps.
    heard: AtomicI64,
    losses: watch::Sender<Losses>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Losses {
    /// How often the contact was lost.
    number: u64,
    is_lost: bool,
}

/// The connection is given up, because nothing is heard over it.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the server is not heard of any more")]
pub(crate) struct GivenUp;

impl Default for Contact {
    fn default() -> Self {
        Self(Arc::new(SharedContact {
            heard: AtomicI64::new(Timestamp::now().as_millisecond()),
            losses: watch::Sender::default(),
        }))
    }
}

impl Contact {
    /// When something was heard last, by the clock here.
    pub(crate) fn heard_at(&self) -> Timestamp {
        let millis = self.0.heard.load(Ordering::Relaxed);
        Timestamp::from_millisecond(millis).unwrap_or_default()
    }

    /// Gives up all connections.
    pub(crate) fn lose(&self) {
        self.0.losses.send_modify(|losses| {
            losses.number += 1;
            losses.is_lost = true;
        });
    }

    /// The server is heard of again.
    pub(crate) fn regain(&self) {
        self.0.losses.send_modify(|losses| losses.is_lost = false);
    }

    /// Whether nothing is heard of the server.
    pub(crate) fn is_lost(&self) -> bool {
        self.0.losses.borrow().is_lost
    }

    /// Waits until the server is heard of.
    pub(crate) fn regained(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut losses = self.0.losses.subscribe();
        // The sender lives as long as the client does that waits.
        async move {
            let _ = losses.wait_for(|losses| !losses.is_lost).await;
        }
    }

    /// Sends requests by what `open` makes, and by a new one after each loss.
    pub(super) fn reopening<S, B>(
        &self,
        open: impl Fn() -> S + Send + Sync + 'static,
    ) -> BoxCloneService<Request<client::Body>, Response<B>, BoxError>
    where
        S: Service<Request<client::Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send,
        S::Error: Into<BoxError>,
    {
        let opened = Arc::new(Mutex::new((self.losses(), open())));
        let (contact, open) = (self.clone(), Arc::new(open));
        BoxCloneService::new(service_fn(move |request| {
            let losses = contact.losses();
            let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
            if opened.0 != losses {
                *opened = (losses, open());
            }
            opened.1.clone().oneshot(request).err_into()
        }))
    }

    /// Sends requests by `service`, takes note of whatever is heard in answer, and ends what goes on when all connections are given up.
    pub(super) fn listening<S, B>(
        &self,
        service: S,
    ) -> BoxCloneService<Request<client::Body>, Response<Listening<B>>, BoxError>
    where
        S: Service<Request<client::Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Future: Send,
        S::Error: Into<BoxError>,
    {
        let contact = self.clone();
        BoxCloneService::new(service_fn(move |request| {
            let (contact, service) = (contact.clone(), service.clone());
            async move {
                let mut given_up = contact.given_up();
                let response = tokio::select! {
                    response = service.oneshot(request) => response.map_err(Into::into)?,
                    () = &mut given_up => return Err(GivenUp.into()),
                };
                contact.hear();
                Ok(response.map(|body| Listening {
                    body,
                    contact,
                    given_up,
                }))
            }
        }))
    }

    fn hear(&self) {
        let now = Timestamp::now().as_millisecond();
        self.0.heard.store(now, Ordering::Relaxed);
    }

    fn losses(&self) -> u64 {
        self.0.losses.borrow().number
    }

    /// Waits for the next loss.
    fn given_up(&self) -> BoxFuture<'static, ()> {
        let (known, mut losses) = (self.losses(), self.0.losses.subscribe());
        async move {
            let lost = losses.wait_for(|losses| losses.number != known);
            if lost.await.is_err() {
                future::pending::<()>().await;
            }
        }
        .boxed()
    }
}

/// A body that takes note of its pieces, and ends with an error when all connections are given up.
pub(super) struct Listening<B> {
    body: B,
    contact: Contact,
    given_up: BoxFuture<'static, ()>,
}

impl<B> Body for Listening<B>
where
    B: Body + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => {
                if matches!(frame, Some(Ok(_))) {
                    self.contact.hear();
                }
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => self
                .given_up
                .as_mut()
                .poll(context)
                .map(|()| Some(Err(GivenUp.into()))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
