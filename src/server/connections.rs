//! The connections of the server. There is always room for one more: the one that was idle for longest makes it.

use std::{
    collections::BTreeMap,
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::sleep};

/// Scrapes and probes are few.
const MOST: usize = 64;

/// Of these, places that only connections of probes can take.
const FOR_PROBES: usize = 16;

/// Time limit for the head of the first request.
pub(crate) const HEAD: Duration = Duration::from_secs(5);

/// All open connections.
#[derive(Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    /// Grows with each connection and each request: what is lower was idle for longer.
    time: u64,
    next: u64,
    open: BTreeMap<u64, Connection>,
}

struct Connection {
    /// When it was opened, or sent its last request.
    active: u64,
    /// Whether that was the request of a probe.
    is_probe: bool,
    has_asked: bool,
    close: Arc<Notify>,
}

impl Connections {
    /// Adds a connection. If there is no room, another one is closed.
    pub(crate) fn open(&self) -> Place {
        let close = Arc::<Notify>::default();
        let mut open = self.locked();
        open.make_room();
        open.time += 1;
        let (number, active) = (open.next, open.time);
        open.next += 1;
        open.open.insert(
            number,
            Connection {
                active,
                is_probe: false,
                has_asked: false,
                close: Arc::clone(&close),
            },
        );
        drop(open);
        Place {
            connections: self.clone(),
            number,
            close,
        }
    }

    /// Closes the connection that was idle for longest.
    pub(crate) fn close_one(&self) {
        self.locked().close_one(|_| true);
    }

    fn locked(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn make_room(&mut self) {
        let others = self.open.values().filter(|one| !one.is_probe).count();
        if MOST - FOR_PROBES <= others {
            self.close_one(|one| !one.is_probe);
        } else if MOST <= self.open.len() {
            self.close_one(|_| true);
        }
    }

    fn close_one(&mut self, may_go: impl Fn(&Connection) -> bool) {
        let candidates = self.open.iter().filter(|(_, one)| may_go(one));
        let oldest = candidates.min_by_key(|(_, one)| one.active);
        if let Some(number) = oldest.map(|(number, _)| *number)
            && let Some(closed) = self.open.remove(&number)
        {
            closed.close.notify_one();
        }
    }
}

/// An open connection, until it is dropped.
pub(crate) struct Place {
    connections: Connections,
    number: u64,
    close: Arc<Notify>,
}

impl Place {
    /// Notes a request. `is_probe`: it is that of a probe.
    pub(crate) fn ask(&self, is_probe: bool) {
        let mut open = self.connections.locked();
        open.time += 1;
        let active = open.time;
        if let Some(one) = open.open.get_mut(&self.number) {
            one.active = active;
            one.is_probe = is_probe;
            one.has_asked = true;
        }
    }

    /// Waits until it has to make room, or has not sent the head of a request in time.
    pub(crate) async fn is_to_close(&self) {
        let silent = async {
            sleep(HEAD).await;
            let has_asked = {
                let open = self.connections.locked();
                open.open.get(&self.number).is_some_and(|one| one.has_asked)
            };
            if has_asked {
                pending::<()>().await;
            }
        };
        tokio::select! {
            () = self.close.notified() => {}
            () = silent => {}
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.locked().open.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(connections: &Connections) -> Vec<u64> {
        connections.locked().open.keys().copied().collect()
    }

    #[test]
    fn longest_idle_makes_room_and_probes_keep_their_share() {
        let connections = Connections::default();
        let mut places: Vec<Place> = (0..FOR_PROBES).map(|_| connections.open()).collect();
        for probe in &places {
            probe.ask(true);
        }
        let busy = connections.open();
        let idle: Vec<Place> = (0..500)
            .map(|_| {
                busy.ask(false);
                connections.open()
            })
            .collect();
        let left = numbers(&connections);
        assert_eq!(left.len(), MOST);
        // All probes, the busy one, and the newest.
        for place in places
            .iter()
            .chain([&busy])
            .chain(&idle[500 - (MOST - FOR_PROBES - 1)..])
        {
            assert!(left.contains(&place.number), "{}", place.number);
        }
        places.clear();
        assert_eq!(numbers(&connections).len(), MOST - FOR_PROBES);
        connections.close_one();
        assert_eq!(numbers(&connections).len(), MOST - FOR_PROBES - 1);
    }
}
