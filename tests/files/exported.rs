//! Four simulated hours of an HPA in the exporter: its memory does not grow.

use assert_cmd::Command;
use hpa_objects::recording::{RecordingReader, Snapshot};
use jiff::SignedDuration;

use super::played::PlayedExporter;

/// A load that rises and falls three times an hour, with the same incidents in each hour.
fn four_hours() -> Vec<Snapshot> {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("four-hours.jsonl.zst");
    let mut simulate = Command::cargo_bin("kubectl-hpa").unwrap();
    simulate
        .args([
            "simulate",
            "--filename=tests/files/web.yaml",
            "--load=sine:500m..3cores/20m",
        ])
        .args(["--for=4h10m", "--seeds=1", "--record"])
        .arg(&recording);
    for hour in 0..4 {
        for event in [
            "05:00: metric-fails 5m",
            "15:00: unready 2 10m",
            "30:00: rollout",
            "45:00: kill 2",
            "50:00: scale 1",
        ] {
            simulate.arg(format!("--event={hour}:{event}"));
        }
    }
    simulate.assert().success();
    let reader = RecordingReader::open(&recording).unwrap();
    reader.map(|line| line.unwrap().snapshot).collect()
}

/// The size of everything kept, measured as the length of its debug output: the same at the end of each hour, except
/// for digits.
#[test]
fn what_an_exporter_keeps_is_as_much_after_four_hours_as_after_one() {
    let snapshots = four_hours();
    let begin = snapshots[0].time;
    let mut exporter = PlayedExporter::new();
    let (mut kept, mut syncs, mut most_series) = (Vec::new(), 0, 0);
    for snapshot in snapshots {
        let hours = i64::try_from(kept.len()).unwrap() + 1;
        if begin + SignedDuration::from_hours(hours) <= snapshot.time && hours <= 4 {
            kept.push(exporter.kept());
        }
        exporter.sync(snapshot);
        syncs += 1;
        if syncs % 20 == 0 {
            let samples = exporter.samples();
            let of_hpa = samples.iter().filter(|(series, _)| series.contains("hpa="));
            most_series = of_hpa.count().max(most_series);
        }
    }
    assert!(960 <= syncs, "{syncs}");
    assert_eq!(kept.len(), 4);
    for later in &kept[1..] {
        for (first, later) in kept[0].iter().zip(later) {
            assert!(later * 10 < first * 11, "session, state, board: {kept:?}");
        }
    }
    // One metric.
    assert!(most_series <= 25 + 4, "{most_series}");
    let samples = exporter.samples();
    let counted = |series: &str| {
        let value = samples
            .iter()
            .find_map(|(name, value)| name.starts_with(series).then_some(value));
        value.unwrap().parse::<f64>().unwrap()
    };
    assert!(24.0 <= counted("kubectl_hpa_rescales_total{"));
}
