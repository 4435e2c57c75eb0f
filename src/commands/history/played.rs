//! The past played, with its syncs as lines of a recording.

use anyhow::{Context as _, bail};
use hpa_engine::model::{Memory, Shared};
use hpa_history::{Details, Inputs, Past, PastSync, PlayRequest, certainty, play};
use hpa_objects::recording::{Converted, ReadAfterwards, RecordingWriter, Snapshot, Synced};
use jiff::{Timestamp, tz::TimeZone};

use super::read::Read;
use crate::process::{
    call::{CANCELLED, Call},
    stop::Deferral,
};

/// The past played.
pub(super) struct Played {
    pub(super) past: Past,
    /// The first recomputed snapshot, with the history before it.
    pub(super) first: Option<(Snapshot, Memory)>,
}

impl Played {
    /// Plays what was read. `at` is the time of the sync to explain. `writer` records everything; if a signal comes, it
    /// is an error, so that no half recording stays.
    pub(super) fn of(
        read: &Read,
        at: Option<Timestamp>,
        (mut writer, stop): (Option<&mut RecordingWriter>, Option<&Deferral>),
        zone: &TimeZone,
    ) -> anyhow::Result<Self> {
        let line = Snapshot {
            pods: Shared::default(),
            pod_metrics: None,
            ..read.snapshot.clone()
        };
        let mut failed = None;
        let mut first = None;
        let mut on_sync = |sync: &PastSync<'_>, details: Details<'_>, inputs: &Inputs<'_>| {
            let writer = writer.as_mut().filter(|_| failed.is_none());
            if first.is_some() && writer.is_none() {
                return;
            }
            let mut snapshot = snapshot(&line, sync, details);
            snapshot.history = Some(afterwards(sync, inputs, &read.past.server));
            if let Some(writer) = writer {
                failed = writer.write(&snapshot).err();
            }
            first.get_or_insert_with(|| (snapshot, details.memory.clone()));
        };
        let call = Call::served();
        let is_stopped = || {
            call.as_ref().is_some_and(Call::is_cancelled) || stop.is_some_and(Deferral::has_come)
        };
        let mut request = PlayRequest {
            at,
            on_sync: &mut on_sync,
            is_stopped: &is_stopped,
        };
        let today = read.snapshot.sync_input(&mut Converted::default())?;
        let Some(past) = play(&read.past, today, &mut request, zone) else {
            bail!(CANCELLED);
        };
        if let Some(error) = failed {
            return Err(error).context("cannot write the recording");
        }
        Ok(Self { past, first })
    }
}

/// How a sync is known.
fn afterwards(sync: &PastSync<'_>, inputs: &Inputs<'_>, server: &str) -> ReadAfterwards {
    let certainty = sync
        .recomputed
        .map_or("unknown", |one| certainty(one.certainty));
    let sources = inputs.sources(Some(sync.scrape)).into_iter();
    ReadAfterwards {
        server: server.to_owned(),
        certainty: certainty.to_owned(),
        provenance: sources
            .map(|one| (one.key.to_owned(), one.known.as_str().to_owned()))
            .collect(),
    }
}

/// The sync as a line of a recording.
fn snapshot(line: &Snapshot, sync: &PastSync<'_>, details: Details<'_>) -> Snapshot {
    let mut snapshot = line.with_sync(
        "",
        &Synced {
            observation: details.observation,
            outcome: None,
            now: sync.now,
            controller_started: false,
        },
    );
    let spec = &details.observation.hpa.spec;
    snapshot.hpa.spec.min_replicas = spec.min_replicas;
    snapshot.hpa.spec.max_replicas = spec.max_replicas;
    for (written, metric) in snapshot.hpa.spec.metrics.iter_mut().zip(&spec.metrics) {
        if let (Some(written), Some(target)) = (written.target_mut(), metric.target()) {
            written.average_utilization = target.average_utilization;
            written.average_value = target.average_value.as_ref().map(Into::into);
            written.value = target.value.as_ref().map(Into::into);
        }
    }
    snapshot
}
