//! Whether the server answers on any connection, and closing all connections once it does not.
//!
//! A connection that breaks silently looks like an idle one. A command that detects this (see [`Client::ping`]) closes
//! all connections: requests and watches on them end, and later ones use new connections.
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

/// The state of the contact with a server. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Contact(Arc<SharedContact>);

#[derive(Debug)]
struct SharedContact {
    /// When the server last answered, in milliseconds of the local clock, which continues while the machine sleeps.
    heard: AtomicI64,
    losses: watch::Sender<Losses>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Losses {
    /// How often the contact was lost.
    number: u64,
    is_lost: bool,
}

/// The connection was closed because the server did not answer.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the server does not respond")]
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
    /// When the server last answered, by the local clock.
    pub(crate) fn heard_at(&self) -> Timestamp {
        let millis = self.0.heard.load(Ordering::Relaxed);
        Timestamp::from_millisecond(millis).unwrap_or_default()
    }

    /// Closes all connections.
    pub(crate) fn lose(&self) {
        self.0.losses.send_modify(|losses| {
            losses.number += 1;
            losses.is_lost = true;
        });
    }

    /// The server answers again.
    pub(crate) fn regain(&self) {
        self.0.losses.send_modify(|losses| losses.is_lost = false);
    }

    /// Whether the server does not answer.
    pub(crate) fn is_lost(&self) -> bool {
        self.0.losses.borrow().is_lost
    }

    /// Waits until the server answers.
    pub(crate) fn regained(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut losses = self.0.losses.subscribe();
        // The sender lives as long as the client that waits.
        async move {
            let _ = losses.wait_for(|losses| !losses.is_lost).await;
        }
    }

    /// Sends requests through a service from `open`, and through a new one after each loss.
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

    /// Sends requests through `service`, records every sign of life, and aborts pending requests when all connections
    /// are closed.
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

/// A body that records its pieces as signs of life, and ends with an error when all connections are closed.
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
