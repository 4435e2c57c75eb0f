//! What is due when. The next item is found without a scan of everything that is followed.

use std::collections::{BTreeMap, BTreeSet};

use hpa_engine::model::HpaKey;
use jiff::Timestamp;

/// Items with their due times.
#[derive(Debug, Default)]
pub struct Agenda {
    queue: BTreeSet<(Timestamp, AgendaItem)>,
    times: BTreeMap<AgendaItem, Timestamp>,
}

/// An item that may be due.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgendaItem {
    /// An HPA.
    Hpa(HpaKey),
    /// Polls the metrics of a namespace.
    Poll(String),
    /// Plans again when to poll them.
    Plan(String),
}

impl Agenda {
    /// Sets when an item is due; `None`: it is not.
    pub fn set(&mut self, item: AgendaItem, at: Option<Timestamp>) {
        let before = match at {
            Some(at) => self.times.insert(item.clone(), at),
            None => self.times.remove(&item),
        };
        if before == at {
            return;
        }
        let mut entry = (Timestamp::MIN, item);
        if let Some(before) = before {
            entry.0 = before;
            self.queue.remove(&entry);
        }
        if let Some(at) = at {
            entry.0 = at;
            self.queue.insert(entry);
        }
    }

    /// The first item due, and its time.
    pub fn first(&self) -> Option<&(Timestamp, AgendaItem)> {
        self.queue.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_is_what_is_due_first_by_the_last_report() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let [shop, mail] = ["shop", "mail"].map(|name| AgendaItem::Poll(name.to_owned()));
        let mut agenda = Agenda::default();
        agenda.set(shop.clone(), Some(at(5)));
        agenda.set(mail.clone(), Some(at(7)));
        assert_eq!(agenda.first(), Some(&(at(5), shop.clone())));
        agenda.set(shop.clone(), Some(at(9)));
        assert_eq!(agenda.first(), Some(&(at(7), mail.clone())));
        agenda.set(mail, None);
        assert_eq!(agenda.first(), Some(&(at(9), shop.clone())));
        agenda.set(shop, None);
        assert_eq!(agenda.first(), None);
    }
}
