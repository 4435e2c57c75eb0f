//! One watch: its subject and its state.

use std::{
    collections::BTreeSet,
    error::Error as StdError,
    fmt::Debug,
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use futures::{
    StreamExt as _, future,
    stream::{self, BoxStream},
};
use hpa_engine::model::{self, SnapshotField, Source};
use hpa_objects::recording::wire::NotRead;
use kube::{
    Api,
    api::{ApiResource, GroupVersionKind},
    runtime::{
        utils::StreamBackoff,
        watcher::{self, Config, Event, watcher},
    },
};
use serde_json::Value;

use super::{
    object::{EventShape, Kept, PodShape, QuotaShape, WatchedObject, WatchedShape},
    pause::{Pause, REFUSED},
};
use crate::{
    access::{self, Permission},
    api_error::ResourceName,
    bounded::{CutOff, causes},
    client::{Client, ClientError},
    connection::Contact,
    state::{Name, not_yet},
    written_hpa::WrittenHpa,
};

/// Identifies a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WatchId(pub(super) usize);

/// The subject of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// HPAs.
    Hpas,
    /// Pods.
    Pods,
    /// Events on HPAs.
    Events,
    /// Scale targets of HPAs, or ReplicaSets between those and their pods.
    Objects,
    /// ResourceQuotas, once one has refused pods.
    Quotas,
}

/// An event of a watch.
#[derive(Debug)]
pub(super) enum WatchEvent {
    /// A complete list follows, up to `Complete`.
    Begin,
    /// The current state of an object.
    Put(Name, Kept),
    /// A deleted object.
    Remove(Name),
    /// The list is complete.
    Complete,
    /// It failed, and continues after a pause.
    Failed(watcher::Error),
}

/// One watch.
#[derive(Debug)]
pub(super) struct WatchTask {
    /// What is watched.
    pub(super) what: What,
    /// The kind of the objects.
    pub(super) kind: ApiResource,
    /// The namespace; empty: all namespaces.
    namespace: String,
    /// A field selector; empty: all objects.
    fields: String,
    /// Whether a list was completed at least once.
    pub(super) is_complete: bool,
    /// Whether it may only be listed, which is then repeated.
    pub(super) is_listed: bool,
    /// The known objects.
    known: BTreeSet<Name>,
    /// During a list: the objects listed so far.
    listed: Option<BTreeSet<Name>>,
    failures: usize,
    /// How many invalid events came in a row.
    nonsense: usize,
    /// Whether the failure was reported.
    pub(super) is_reported: bool,
    reason: Option<ClientError>,
}

impl WatchTask {
    /// A watch that is not started yet.
    pub(super) fn new(what: What, kind: ApiResource, namespace: &str, fields: String) -> Self {
        Self {
            what,
            kind,
            namespace: namespace.to_owned(),
            fields,
            is_complete: false,
            is_listed: false,
            known: BTreeSet::new(),
            listed: None,
            failures: 0,
            nonsense: 0,
            is_reported: false,
            reason: None,
        }
    }

    /// Starts the watch.
    pub(super) fn start(
        &self,
        http: kube::Client,
        contact: Contact,
    ) -> BoxStream<'static, WatchEvent> {
        match self.what {
            What::Hpas => self.stream::<WrittenHpa>(http, contact),
            What::Pods => self.stream::<PodShape>(http, contact),
            What::Events => self.stream::<EventShape>(http, contact),
            What::Objects => self.stream::<Value>(http, contact),
            What::Quotas => self.stream::<QuotaShape>(http, contact),
        }
    }

    fn stream<W: WatchedShape>(
        &self,
        http: kube::Client,
        contact: Contact,
    ) -> BoxStream<'static, WatchEvent> {
        let api: Api<WatchedObject<W>> = if self.namespace.is_empty() {
            Api::all_with(http, &self.kind)
        } else {
            Api::namespaced_with(http, &self.namespace, &self.kind)
        };
        let mut config = Config::default().timeout(WATCH_SECONDS);
        if !self.fields.is_empty() {
            config = config.fields(&self.fields);
        }
        let refused = Arc::new(AtomicBool::new(false));
        let prompt = Arc::new(AtomicBool::new(false));
        let pause = Pause::new(Arc::clone(&refused), Arc::clone(&prompt));
        let watches = stream::repeat_with(move || {
            let (refused, prompt) = (Arc::clone(&refused), Arc::clone(&prompt));
            let contact = contact.clone();
            watcher(api.clone(), config.clone()).scan(false, move |is_over, event| {
                if mem::take(is_over) {
                    return future::ready(None);
                }
                if let Err(error) = &event {
                    refused.store(code(error) == Some(403), Ordering::Relaxed);
                    let is_expired = code(error) == Some(410);
                    prompt.store(is_expired || contact.is_lost(), Ordering::Relaxed);
                    *is_over = must_list_again(error);
                }
                future::ready(Some(event))
            })
        });
        StreamBackoff::new(watches.flatten(), pause)
            .map(report)
            .boxed()
    }

    /// Its name in failures.
    pub(super) fn source(&self) -> Source {
        Source::Watch {
            resource: self.kind.plural.clone(),
        }
    }

    /// Adds objects that are already known.
    pub(super) fn knows(&mut self, names: impl IntoIterator<Item = Name>) {
        self.known.extend(names);
    }

    /// Records an event. Returns the objects that no longer exist.
    pub(super) fn note(&mut self, event: &WatchEvent) -> Vec<Name> {
        match event {
            WatchEvent::Begin => self.listed = Some(BTreeSet::new()),
            WatchEvent::Put(name, _) => {
                if let Some(listed) = &mut self.listed {
                    listed.insert(name.clone());
                }
                self.known.insert(name.clone());
            }
            WatchEvent::Remove(name) => {
                self.known.remove(name);
                return vec![name.clone()];
            }
            WatchEvent::Complete => {
                self.is_complete = true;
                let listed = self.listed.take().unwrap_or_default();
                let known = mem::replace(&mut self.known, listed);
                return known.difference(&self.known).cloned().collect();
            }
            WatchEvent::Failed(_) => {}
        }
        Vec::new()
    }

    /// Records a failure. Returns its reason if it should be reported. With `is_given_up` no answer is expected,
    /// whatever the error.
    pub(super) fn fail(
        &mut self,
        client: &Client,
        error: &watcher::Error,
        is_given_up: bool,
    ) -> Option<String> {
        let is_refused_watch = is_forbidden_watch(error);
        let reason = read_error(client, error, &self.kind);
        self.is_listed = is_refused_watch;
        self.failures += 1;
        self.nonsense += usize::from(is_nonsense(error));
        let is_real = 2 <= self.failures.max(self.nonsense)
            || matches!(
                error,
                watcher::Error::InitialListFailed(_) | watcher::Error::WatchStartFailed(_)
            );
        // An expired version is reported only if not even a new list helps.
        let is_real = is_given_up || is_real && (code(error) != Some(410) || 3 <= self.failures);
        let why = if is_refused_watch {
            format!(
                "{reason}; {}; until then listed every {} s",
                self.permission("watch").rule(),
                REFUSED.as_secs()
            )
        } else {
            access::failure(&reason, self.permission("list"))
        };
        // While the server does not answer, nothing was refused either: missing data is read once it answers.
        self.reason = (!is_given_up).then_some(reason);
        let is_new = is_real && !self.is_reported;
        self.is_reported |= is_real;
        is_new.then_some(why)
    }

    /// Records a connection. Returns whether that ends a reported failure: a server that sends invalid events may
    /// continue to do so.
    pub(super) fn connect(&mut self) -> bool {
        self.failures = 0;
        self.nonsense == 0 && mem::take(&mut self.is_reported)
    }

    /// Records a valid event. Returns whether that ends a reported failure.
    pub(super) fn understand(&mut self) -> bool {
        mem::take(&mut self.nonsense) != 0 && mem::take(&mut self.is_reported)
    }

    /// Why the objects are not known, if they are not.
    pub(super) fn not_read(&self) -> Option<NotRead> {
        if self.is_complete {
            return None;
        }
        let what = SnapshotField::Target;
        Some(match &self.reason {
            Some(reason) => access::not_read(reason, what, self.permission("list")),
            None => not_yet(what),
        })
    }

    /// Whether there was any answer.
    pub(super) fn is_settled(&self) -> bool {
        self.is_complete || self.reason.is_some()
    }

    fn permission<'a>(&'a self, verb: &'a str) -> Permission<'a> {
        Permission {
            verb,
            group: &self.kind.group,
            resource: &self.kind.plural,
            namespace: &self.namespace,
        }
    }
}

/// The API resource of a kind.
pub(super) fn resource(group: &str, version: &str, kind: &str, plural: &str) -> ApiResource {
    ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural)
}

fn report<W: WatchedShape>(event: Result<Event<WatchedObject<W>>, watcher::Error>) -> WatchEvent {
    match event {
        Ok(Event::Init) => WatchEvent::Begin,
        Ok(Event::InitApply(object) | Event::Apply(object)) => {
            WatchEvent::Put(object.name(), object.into_kept())
        }
        Ok(Event::Delete(object)) => WatchEvent::Remove(object.name()),
        Ok(Event::InitDone) => WatchEvent::Complete,
        Err(error) => WatchEvent::Failed(error),
    }
}

/// kube's watcher resumes from its last version while it cannot watch. If that version has expired, or watching is not
/// allowed, only a new list helps.
fn must_list_again(error: &watcher::Error) -> bool {
    matches!(error, watcher::Error::WatchStartFailed(_)) && matches!(code(error), Some(403 | 410))
}

/// Whether the data was not a valid event, or too long.
fn is_nonsense(error: &watcher::Error) -> bool {
    let watcher::Error::WatchFailed(error) = error else {
        return false;
    };
    let is_too_long =
        |cause: &(dyn StdError + 'static)| matches!(cause.downcast_ref(), Some(CutOff::TooLong(_)));
    matches!(error, kube::Error::SerdeError(_)) || causes(error).any(is_too_long)
}

fn is_forbidden_watch(error: &watcher::Error) -> bool {
    matches!(error, watcher::Error::WatchStartFailed(_)) && code(error) == Some(403)
}

fn code(error: &watcher::Error) -> Option<u16> {
    match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status))
        | watcher::Error::WatchStartFailed(kube::Error::Api(status))
        | watcher::Error::WatchError(status)
        | watcher::Error::WatchFailed(kube::Error::Api(status)) => Some(status.code),
        _ => None,
    }
}

fn read_error(client: &Client, error: &watcher::Error, kind: &ApiResource) -> ClientError {
    let about = ResourceName {
        group: &kind.group,
        resource: &kind.plural,
        name: "",
    };
    match error {
        watcher::Error::InitialListFailed(error)
        | watcher::Error::WatchStartFailed(error)
        | watcher::Error::WatchFailed(error) => client.failure(error, about),
        watcher::Error::WatchError(status) => ended(status),
        watcher::Error::NoResourceVersion => ClientError::NoAnswer(error.to_string()),
    }
}

/// The error that ended the watch. The server may omit the reason.
fn ended(status: &kube::core::Status) -> ClientError {
    match (status.message.as_str(), status.reason.as_str()) {
        ("", "") => {
            ClientError::NoAnswer("the server ended the watch without saying why".to_owned())
        }
        ("", reason) => ClientError::NoAnswer(format!("the server ended the watch: {reason}")),
        (message, reason) => ClientError::Status(model::ApiError {
            message: message.to_owned(),
            reason: reason.to_owned(),
            code: status.code,
        }),
    }
}

/// How long the server may keep a watch open, in seconds. A connection that broke silently is noticed after this time
/// at the latest.
const WATCH_SECONDS: u32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_that_ends_without_a_message_is_not_reported_with_an_empty_one() {
        for (reason, output) in [
            ("", "the server ended the watch without saying why"),
            ("InternalError", "the server ended the watch: InternalError"),
        ] {
            let status = kube::core::Status {
                reason: reason.to_owned(),
                ..kube::core::Status::default()
            };
            assert_eq!(ended(&status).to_string(), output);
        }
    }
}
