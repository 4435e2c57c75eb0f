//! Recommendations that follow from a status, with what is certain about each.

use hpa_engine::model::{Provenance, Recommendation};
use jiff::Timestamp;

use super::rescales::latest;

/// Recommendations by certainty.
#[derive(Debug, Default)]
pub(super) struct InferredHistory {
    entries: Vec<Entry>,
}

/// One recommendation. Its number may be known only as a range, and whether the controller still has it may be unknown.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The least that is proved. None: the controller may not have it.
    least: Option<Recommendation>,
    /// The most probable one.
    likely: Option<Recommendation>,
    /// The most that is possible.
    most: Option<Recommendation>,
    /// Whether its time is known. If not, it is the latest possible one.
    is_dated: bool,
}

impl InferredHistory {
    /// Proved.
    pub(super) fn prove(&mut self, replicas: i32, at: Timestamp) {
        self.push_certain(inferred(replicas, at), true);
    }

    /// Proved: `replicas` or more were recommended.
    pub(super) fn prove_least(&mut self, replicas: i32, at: Timestamp) {
        self.push_certain(at_least(replicas, at), true);
    }

    /// Proved, at `at` or earlier.
    pub(super) fn prove_by(&mut self, replicas: i32, at: Timestamp) {
        self.push_certain(inferred(replicas, at), false);
    }

    /// Proved: `replicas` or more were recommended, at `at` or earlier.
    pub(super) fn prove_least_by(&mut self, replicas: i32, at: Timestamp) {
        self.push_certain(at_least(replicas, at), false);
    }

    /// Likely, but the controller may have dropped it already.
    pub(super) fn suppose(&mut self, replicas: i32, at: Timestamp) {
        let one = Some(inferred(replicas, at));
        self.push((None, one, one), false);
    }

    /// Like [`suppose`](Self::suppose), for `replicas` or more.
    pub(super) fn suppose_least(&mut self, replicas: i32, at: Timestamp) {
        let one = Some(at_least(replicas, at));
        self.push((None, one, one), false);
    }

    /// Possible.
    pub(super) fn allow(&mut self, replicas: i32, at: Timestamp) {
        self.push((None, None, Some(inferred(replicas, at))), false);
    }

    /// One recommendation, proved to be `least` or more, and at most `most`. `proposal` is what values in the status,
    /// which are rounded, say of it.
    pub(super) fn prove_between(
        &mut self,
        (least, most): (i32, i32),
        proposal: Option<(i32, i32)>,
        at: Timestamp,
    ) {
        let within = proposal.map(|(low, high)| (low.max(least), high.min(most)));
        let lower = at_least(least, at);
        let (likely, upper) = match within {
            Some((low, high)) if low == high => (inferred(low, at), inferred(low, at)),
            Some((low, high)) if low < high => (at_least(low, at), inferred(high, at)),
            _ => (lower, at_least(most, at)),
        };
        self.push((Some(lower), Some(likely), Some(upper)), true);
    }

    /// Proved: `least` or more were recommended, at `at` or earlier, and `most` at most.
    pub(super) fn prove_some(&mut self, least: i32, most: i32, at: Timestamp) {
        let (lower, upper) = (at_least(least, at), at_least(most, at));
        self.push((Some(lower), Some(lower), Some(upper)), false);
    }

    /// Those before `until` that are higher than `most` are no longer proved: with them the controller would hardly have
    /// done what it did.
    pub(super) fn doubt_above(&mut self, most: i32, until: Timestamp) {
        let is_above = |one: Recommendation| most < one.replicas && one.at < until;
        for entry in &mut self.entries {
            entry.least = entry.least.filter(|least| !is_above(*least));
        }
    }

    /// Drops those before `until` that are higher than `most`: the controller did what it does without them.
    pub(super) fn drop_above(&mut self, most: i32, until: Timestamp) {
        let is_above = |one: Recommendation| most < one.replicas && one.at < until;
        self.entries
            .retain(|entry| !entry.likely.or(entry.most).is_some_and(is_above));
    }

    /// The proved ones, with the least that is proved. `only_dated`: those whose time is known.
    pub(super) fn least(&self, only_dated: bool) -> Vec<Recommendation> {
        let known = |entry: &&Entry| entry.is_dated || !only_dated;
        let entries = self.sorted().into_iter();
        entries.filter(known).filter_map(|one| one.least).collect()
    }

    /// The probable ones.
    pub(super) fn likely(&self) -> Vec<Recommendation> {
        self.sorted().iter().filter_map(|one| one.likely).collect()
    }

    /// All that are possible, with the most that is possible, at the latest possible time.
    pub(super) fn most(&self) -> Vec<Recommendation> {
        let entries = self.sorted().into_iter();
        let most = entries.filter_map(|one| one.most);
        let latest = most.map(|most| Recommendation {
            at: latest(most.at),
            ..most
        });
        latest.collect()
    }

    /// Whether a recommendation of `replicas` or more is proved, with its time.
    pub(super) fn has_proved(&self, replicas: i32) -> bool {
        let mut dated = self.entries.iter().filter(|one| one.is_dated);
        dated.any(|one| one.least.is_some_and(|least| replicas <= least.replicas))
    }

    fn push_certain(&mut self, one: Recommendation, is_dated: bool) {
        self.push((Some(one), Some(one), Some(one)), is_dated);
    }

    fn push(
        &mut self,
        (least, likely, most): (
            Option<Recommendation>,
            Option<Recommendation>,
            Option<Recommendation>,
        ),
        is_dated: bool,
    ) {
        self.entries.push(Entry {
            least,
            likely,
            most,
            is_dated,
        });
    }

    /// What is certain comes first.
    fn sorted(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.least.is_none(), !entry.is_dated));
        entries
    }
}

fn inferred(replicas: i32, at: Timestamp) -> Recommendation {
    Recommendation {
        replicas,
        at,
        provenance: Provenance::Inferred,
    }
}

fn at_least(replicas: i32, at: Timestamp) -> Recommendation {
    Recommendation {
        provenance: Provenance::AtLeast,
        ..inferred(replicas, at)
    }
}
