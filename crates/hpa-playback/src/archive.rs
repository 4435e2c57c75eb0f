//! Snapshots of the past, compressed in memory, so that any of them can be explained and all of them saved.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::Arc,
};

use hpa_analysis::MemoryBasis;
use hpa_engine::model::{HpaKey, Memory, Recommendation, ScaleEvent};
use hpa_objects::recording::Snapshot;
use jiff::Timestamp;
use zstd::bulk::Compressor;

/// Snapshots of the past, up to a number of bytes; beyond it the oldest are dropped.
///
/// Successive snapshots of an HPA hardly differ, so each is compressed with an earlier one as its dictionary, the
/// first of its group.
pub struct Archive {
    budget: usize,
    bytes: usize,
    hpas: BTreeMap<HpaKey, VecDeque<SnapshotGroup>>,
    forgotten_until: Option<Timestamp>,
    /// Kept, because to make the tables of one takes longer than to compress a snapshot. `None` until the first one.
    compressor: Option<Compressor<'static>>,
}

/// A snapshot of the past, with the recommendation history at that time.
#[derive(Clone, Debug)]
pub struct Archived {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The controller's history before it, and where that comes from; none: not known.
    pub memory: Option<(Memory, MemoryBasis)>,
}

/// Successive snapshots of an HPA.
struct SnapshotGroup {
    /// The first snapshot, compressed without a dictionary.
    first: Arc<[u8]>,
    /// The length of its text.
    length: usize,
    entries: Vec<ArchiveEntry>,
}

struct ArchiveEntry {
    at: Timestamp,
    /// `None` for the first one of its group.
    packed: Option<Arc<[u8]>>,
    memory: Option<(Memory, MemoryBasis)>,
}

/// A snapshot, still compressed.
#[derive(Clone)]
pub struct Packed {
    /// Its time.
    pub at: Timestamp,
    first: Arc<[u8]>,
    packed: Option<Arc<[u8]>>,
}

impl Archive {
    /// An archive of at most `budget` bytes.
    pub fn new(budget: usize) -> Self {
        Self {
            budget,
            bytes: 0,
            hpas: BTreeMap::new(),
            forgotten_until: None,
            compressor: None,
        }
    }

    /// Keeps a snapshot. Snapshots of an HPA must come in chronological order; others are left out.
    pub fn push(&mut self, hpa: &HpaKey, snapshot: &Snapshot) -> io::Result<()> {
        let text = snapshot.to_json()?;
        let groups = self.hpas.entry(hpa.clone()).or_default();
        let last = groups.back().and_then(|group| group.entries.last());
        if last.is_some_and(|last| snapshot.time <= last.at) {
            return Ok(());
        }
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => none.insert(Compressor::new(LEVEL)?),
        };
        let open = groups.back_mut().filter(|it| it.entries.len() < GROUP);
        if let Some(group) = open {
            let first = zstd::bulk::decompress(&group.first, group.length)?;
            compressor.set_dictionary(LEVEL, &first)?;
            let packed: Arc<[u8]> = compressor.compress(&text)?.into();
            self.bytes += packed.len() + OVERHEAD;
            group.entries.push(ArchiveEntry {
                at: snapshot.time,
                packed: Some(packed),
                memory: None,
            });
        } else {
            compressor.set_dictionary(LEVEL, &[])?;
            let first: Arc<[u8]> = compressor.compress(&text)?.into();
            self.bytes += first.len() + OVERHEAD;
            groups.push_back(SnapshotGroup {
                first,
                length: text.len(),
                entries: vec![ArchiveEntry {
                    at: snapshot.time,
                    packed: None,
                    memory: None,
                }],
            });
        }
        self.forget();
        Ok(())
    }

    /// Adds the controller's history to a snapshot.
    pub fn remember(&mut self, hpa: &HpaKey, at: Timestamp, memory: &Memory, basis: MemoryBasis) {
        let groups = self.hpas.get_mut(hpa).into_iter().flatten();
        let entry = groups
            .rev()
            .flat_map(|group| group.entries.iter_mut().rev())
            .take_while(|entry| at <= entry.at)
            .find(|entry| entry.at == at);
        if let Some(entry) = entry {
            self.bytes += bytes_of(memory);
            entry.memory = Some((memory.clone(), basis));
        }
    }

    /// The latest snapshot of an HPA at or before a time. `None` if there was none, or if the HPA was gone by then.
    pub fn get(&self, hpa: &HpaKey, at: Timestamp) -> Option<io::Result<Archived>> {
        let groups = self.hpas.get(hpa)?;
        let index = groups.partition_point(|group| group.entries[0].at <= at);
        let group = groups.get(index.checked_sub(1)?)?;
        let index = group.entries.partition_point(|entry| entry.at <= at);
        let entry = group.entries.get(index.checked_sub(1)?)?;
        match group.packed(entry).unpack() {
            Ok(snapshot) if snapshot.hpa_deleted.is_some() => None,
            Ok(snapshot) => Some(Ok(Archived {
                snapshot,
                memory: entry.memory.clone(),
            })),
            Err(error) => Some(Err(error)),
        }
    }

    /// Everything up to this time may have been dropped; `None`: nothing was.
    pub fn forgotten_until(&self) -> Option<Timestamp> {
        self.forgotten_until
    }

    /// All snapshots in chronological order, still compressed, so that another thread can unpack them.
    pub fn all(&self) -> Vec<Packed> {
        let groups = self.hpas.values().flatten();
        let mut all: Vec<Packed> = groups
            .flat_map(|group| group.entries.iter().map(|entry| group.packed(entry)))
            .collect();
        all.sort_by_key(|packed| packed.at);
        all
    }

    /// Drops the oldest groups until the rest fits the budget.
    fn forget(&mut self) {
        while self.budget < self.bytes {
            let oldest = self
                .hpas
                .iter()
                .filter_map(|(hpa, groups)| Some((groups.front()?.entries[0].at, hpa)))
                .min()
                .map(|(_, hpa)| hpa.clone());
            let groups = oldest.and_then(|hpa| self.hpas.get_mut(&hpa));
            let Some(group) = groups.and_then(VecDeque::pop_front) else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(group.bytes());
            let until = group.entries.last().map(|entry| entry.at);
            self.forgotten_until = self.forgotten_until.max(until);
        }
    }
}

impl Packed {
    /// Decompresses the snapshot.
    pub fn unpack(&self) -> io::Result<Snapshot> {
        let first = zstd::stream::decode_all(&*self.first)?;
        let text = match &self.packed {
            None => first,
            Some(packed) => {
                let mut text = Vec::new();
                let mut decoder = zstd::Decoder::with_dictionary(&**packed, &first)?;
                io::copy(&mut decoder, &mut text)?;
                text
            }
        };
        Ok(Snapshot::from_json(&text)?)
    }
}

impl SnapshotGroup {
    fn packed(&self, entry: &ArchiveEntry) -> Packed {
        Packed {
            at: entry.at,
            first: Arc::clone(&self.first),
            packed: entry.packed.clone(),
        }
    }

    fn bytes(&self) -> usize {
        let entry = |entry: &ArchiveEntry| {
            let memory = entry.memory.as_ref();
            let memory = memory.map_or(0, |(memory, _)| bytes_of(memory));
            entry.packed.as_ref().map_or(0, |packed| packed.len()) + memory + OVERHEAD
        };
        self.first.len() + self.entries.iter().map(entry).sum::<usize>()
    }
}

fn bytes_of(memory: &Memory) -> usize {
    let recommendations = memory.recommendations.as_ref().map_or(0, Vec::len);
    let events = memory.scale_up_events.len() + memory.scale_down_events.len();
    recommendations * size_of::<Recommendation>() + events * size_of::<ScaleEvent>()
}

/// Snapshots that share a dictionary.
const GROUP: usize = 40;

/// Bytes of an entry besides its content.
const OVERHEAD: usize = 200;

/// Fast, and with a dictionary nearly as small as any. The code for higher levels is not in a release build
/// (release/compile.sh).
const LEVEL: i32 = 3;

#[cfg(test)]
mod tests {
    use hpa_objects::recording::RecordingReader;

    use super::*;

    fn web() -> HpaKey {
        HpaKey {
            namespace: "shop".to_owned(),
            name: "web".to_owned(),
        }
    }

    /// More snapshots than fit in a group, one every 15 seconds.
    fn snapshots() -> Vec<Snapshot> {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../examples/more-than-max.jsonl"
        );
        let read: Vec<Snapshot> = RecordingReader::open(path.as_ref())
            .unwrap()
            .map(|line| line.unwrap().snapshot)
            .collect();
        let begin = read[0].time;
        (0..130)
            .map(|index| {
                let mut snapshot = read[index % read.len()].clone();
                let passed = i64::try_from(index * 15).unwrap();
                snapshot.time = begin + jiff::SignedDuration::from_secs(passed);
                snapshot
            })
            .collect()
    }

    #[test]
    fn every_snapshot_is_given_back_as_it_was_in_a_small_part_of_its_size() {
        let snapshots = snapshots();
        let mut archive = Archive::new(usize::MAX);
        let mut size = 0;
        for snapshot in &snapshots {
            archive.push(&web(), snapshot).unwrap();
            size += snapshot.to_json().unwrap().len();
        }
        for snapshot in &snapshots {
            let later = snapshot.time + jiff::SignedDuration::from_secs(14);
            for at in [snapshot.time, later] {
                let archived = archive.get(&web(), at).unwrap().unwrap();
                assert_eq!(archived.snapshot, *snapshot);
            }
        }
        let before = snapshots[0].time - jiff::SignedDuration::from_secs(1);
        assert!(archive.get(&web(), before).is_none());
        let all: Vec<Snapshot> = archive
            .all()
            .iter()
            .map(|it| it.unpack().unwrap())
            .collect();
        assert_eq!(all, snapshots);
        assert!(archive.bytes < size / 10, "{} of {size}", archive.bytes);
    }

    #[test]
    fn what_is_too_much_is_forgotten_from_the_oldest_on() {
        let snapshots = snapshots();
        let mut archive = Archive::new(50_000);
        for snapshot in &snapshots {
            archive.push(&web(), snapshot).unwrap();
        }
        assert!(archive.bytes <= 50_000, "{}", archive.bytes);
        let until = archive.forgotten_until().unwrap();
        assert!(snapshots[0].time < until);
        assert!(archive.get(&web(), until).is_none());
        let last = snapshots.last().unwrap();
        let archived = archive.get(&web(), last.time).unwrap().unwrap();
        assert_eq!(archived.snapshot, *last);
        assert!(archive.all().iter().all(|packed| until < packed.at));
    }
}
