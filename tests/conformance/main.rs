//! Recordings of the real controller, sync by sync: everything in `outcome` is predicted exactly.
//!
//! The files and the meaning of equality are described in `README.md` next to this file. There is no list of
//! exceptions.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead as _, BufReader},
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread,
};

use flate2::bufread::MultiGzDecoder;
use hpa_engine::{
    engine::decide,
    model::{KubeVersion, Memory},
};
use hpa_objects::recording::{Outcome, Snapshot, differences};

#[test]
fn every_recorded_reconcile_is_predicted_exactly() {
    let tally = replay_all(&recordings());
    let at_least = if fresh_recordings().is_some() {
        1
    } else {
        47_000
    };
    assert!(
        tally.reconciles >= at_least,
        "only {} reconciles were found",
        tally.reconciles
    );
    assert!(
        tally.wrong.is_empty(),
        "{} of {} reconciles differ; the first:\n{}",
        tally.wrong.len(),
        tally.reconciles,
        tally
            .wrong
            .iter()
            .take(12)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
    );
}

/// What the program and the pages say of releases is what the folders here have.
#[test]
fn releases_that_are_called_recorded_are_those_of_the_recordings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a page");
    let minor = |release: &str| {
        let version: KubeVersion = release.parse().expect("a version");
        format!("1.{}", version.minor)
    };
    let folders: BTreeSet<String> = std::fs::read_dir(root.join("tests/conformance"))
        .expect("the folder of recordings is there")
        .map(|entry| entry.expect("an entry of the folder"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("a version"))
        .collect();
    let recorded: BTreeSet<String> = KubeVersion::RECORDED.map(minor).into();
    assert_eq!(folders, recorded);
    let known: BTreeSet<String> = (KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor)
        .map(|minor| format!("1.{minor}"))
        .collect();
    let read_in_source = KubeVersion::READ_IN_SOURCE.map(minor);
    assert_eq!(
        recorded
            .into_iter()
            .chain(read_in_source)
            .collect::<BTreeSet<_>>(),
        known
    );
    let page = read("tests/conformance/README.md");
    for release in KubeVersion::RECORDED {
        assert!(
            page.contains(release),
            "tests/conformance/README.md: {release}"
        );
    }
    let releases: Vec<&str> = KubeVersion::RECORDED
        .into_iter()
        .filter(|one| !one.contains('-'))
        .collect();
    let betas: Vec<&str> = KubeVersion::RECORDED
        .into_iter()
        .filter(|one| one.contains('-'))
        .collect();
    let (first, last) = (minor(releases[0]), minor(releases[releases.len() - 1]));
    let of_releases = format!("Kubernetes {first} to {last}");
    for page in [
        "README.md",
        "crates/hpa-engine/README.md",
        "docs/comparison.md",
        "docs/dev/ARCHITECTURE.md",
        "docs/dev/reliability.md",
        "docs/library.md",
        "docs/simulation-model.md",
    ] {
        let text = read(page);
        for said in [of_releases.as_str()]
            .iter()
            .chain(&betas)
            .chain(&KubeVersion::READ_IN_SOURCE)
        {
            assert!(text.contains(said), "{page}: {said}");
        }
    }
}

#[derive(Default)]
struct Tally {
    reconciles: usize,
    wrong: Vec<String>,
}

/// A folder with recordings other than those of the repository.
fn fresh_recordings() -> Option<PathBuf> {
    std::env::var_os("CONFORMANCE_RECORDINGS").map(PathBuf::from)
}

/// One folder per Kubernetes release, one file per family of situations.
fn recordings() -> Vec<PathBuf> {
    let root = fresh_recordings()
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the folder of recordings is there")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.is_dir())
        .flat_map(|folder| std::fs::read_dir(folder).expect("the folder of a release is there"))
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.to_string_lossy().ends_with(".jsonl.gz"))
        .collect();
    files.sort();
    files
}

/// Replays the files on all cores.
fn replay_all(files: &[PathBuf]) -> Tally {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = |first| {
        let mut tally = Tally::default();
        for file in files.iter().skip(first).step_by(threads) {
            replay(file, &mut tally);
        }
        tally
    };
    let part = &part;
    let mut all = Tally::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || part(first)))
            .collect();
        for part in parts {
            let tally = part.join().unwrap_or_else(|panic| resume_unwind(panic));
            all.reconciles += tally.reconciles;
            all.wrong.extend(tally.wrong);
        }
    });
    all.wrong.sort();
    all
}

fn replay(file: &Path, tally: &mut Tally) {
    let reader = BufReader::new(File::open(file).expect("the recording opens"));
    let mut memory = Memory::default();
    let mut differing = BTreeSet::new();
    for (index, line) in BufReader::new(MultiGzDecoder::new(reader))
        .lines()
        .enumerate()
    {
        let line = line.expect("the recording is text");
        let place = format!("{}:{}", file.display(), index + 1);
        let snapshot: Snapshot =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{place}: {error}"));
        let observation = snapshot
            .observation()
            .unwrap_or_else(|error| panic!("{place}: {error}"));
        if snapshot.controller_started {
            memory = Memory::default();
        }
        let trace = decide(&observation, &mut memory, snapshot.time());
        let predicted = Outcome::from(trace.outcome.as_ref().expect("nothing is unread"));
        let recorded = snapshot
            .outcome
            .as_ref()
            .expect("the recording has outcomes");
        let differences = differences(&predicted, recorded);
        tally.reconciles += 1;
        if !differences.is_empty() {
            let name = &snapshot.metadata.name;
            differing.insert(name.clone());
            let list: Vec<String> = differences
                .iter()
                .map(|d| {
                    format!(
                        "    {}: predicted {}, recorded {}",
                        d.path, d.predicted, d.recorded
                    )
                })
                .collect();
            tally
                .wrong
                .push(format!("{place} ({name})\n{}", list.join("\n")));
        }
    }
    keep(file, &differing);
}

/// Writes the recordings that differ completely into the folder `CONFORMANCE_KEEP`, if set.
fn keep(file: &Path, differing: &BTreeSet<String>) {
    let Some(folder) = std::env::var_os("CONFORMANCE_KEEP") else {
        return;
    };
    if differing.is_empty() {
        return;
    }
    for name in differing {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let path = Path::new(&folder).join(format!("{name}.jsonl"));
        let marked = format!("\"metadata\":{{\"name\":\"{name}\"}}");
        let reader = File::open(file).expect("the recording opens again");
        let lines = BufReader::new(MultiGzDecoder::new(BufReader::new(reader))).lines();
        let kept: Vec<String> = lines
            .map(|line| line.expect("the recording is text"))
            .filter(|line| line.contains(&marked))
            .collect();
        std::fs::write(path, kept.join("\n") + "\n").expect("the recording can be kept");
    }
}
