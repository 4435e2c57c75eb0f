//! The Snapshot format against the recordings of the real controller, and against broken ones.

use std::{
    fs,
    io::{BufRead as _, BufReader, Cursor, Write as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use hpa_objects::recording::{RecordingReader, RecordingWriter, Snapshot};
use proptest::prelude::*;

pub(crate) fn conformance(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/conformance")
        .join(file)
}

/// The first lines of a recording of the real controller.
fn some_lines() -> Vec<String> {
    let file = fs::File::open(conformance("1.36/cpu.jsonl.gz")).unwrap();
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.take(3).map(Result::unwrap).collect()
}

/// The result of reading `bytes` from a file: a line number for each snapshot, and the errors.
fn read(bytes: &[u8]) -> Vec<Result<u64, String>> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    RecordingReader::open(file.path())
        .unwrap()
        .map(|line| match line {
            Ok(line) => line
                .snapshot
                .observation()
                .map(|_| line.number)
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        })
        .collect()
}

/// Checks the error in the only line of a recording, after replacing `from` in a valid line by `to`.
#[track_caller]
fn check_error(from: &str, to: &str, error: &str) {
    let line = some_lines().remove(0);
    assert!(line.contains(from), "{from}");
    let results = read(format!("{}\n", line.replacen(from, to, 1)).as_bytes());
    assert_eq!(results, [Err(error.to_owned())]);
}

#[test]
fn every_line_of_the_recordings_is_an_observation_and_survives_writing() {
    let mut lines = 0;
    for entry in fs::read_dir(conformance("1.36")).unwrap() {
        for line in RecordingReader::open(&entry.unwrap().path()).unwrap() {
            let snapshot = line.unwrap().snapshot;
            assert_eq!(snapshot.observation().unwrap().hpa.namespace, "shop");
            let written = serde_json::to_vec(&snapshot).unwrap();
            let read = RecordingReader::new(Cursor::new(written))
                .next()
                .unwrap()
                .unwrap();
            assert_eq!(read.snapshot, snapshot);
            lines += 1;
        }
    }
    assert!(lines > 5000, "{lines}");
}

proptest! {
    /// Whether a ratio is within tolerance can depend on its last bit.
    #[test]
    fn tolerance_is_read_to_its_last_bit(tolerance in 0.0..1.0_f64) {
        let given = format!(r#""tolerance":{tolerance},"#);
        let line = some_lines().remove(0).replacen(r#""tolerance":0.1,"#, &given, 1);
        let snapshot = RecordingReader::new(Cursor::new(line)).next().unwrap().unwrap().snapshot;
        let read = snapshot.observation().unwrap().controller.tolerance.value;
        prop_assert_eq!(read.to_bits(), tolerance.to_bits());
    }
}

#[test]
fn plain_gzip_and_zstd_are_distinguished_by_their_bytes() {
    let text = some_lines().join("\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let whole = [Ok(1), Ok(2), Ok(3)];
    assert_eq!(read(text.as_bytes()), whole);
    assert_eq!(read(&gzip.finish().unwrap()), whole);
    assert_eq!(read(&zstd::encode_all(text.as_bytes(), 1).unwrap()), whole);
}

#[test]
fn interrupted_recording_is_good_up_to_its_last_whole_line() {
    let text = some_lines().join("\n");
    let cut = &text.as_bytes()[..text.len() - 100];
    let interrupted = [
        Ok(1),
        Ok(2),
        Err(
            "the file ends in the middle of line 3: the recording was interrupted there, the lines before it are complete"
                .to_owned(),
        ),
    ];
    assert_eq!(read(cut), interrupted);
    // A compressed stream without its end, after everything written to it.
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    zstd.write_all(cut).unwrap();
    zstd.flush().unwrap();
    assert_eq!(read(zstd.get_ref()), interrupted);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(cut).unwrap();
    gzip.flush().unwrap();
    assert_eq!(read(gzip.get_ref()), interrupted);
    // The stream was cut off after a complete line.
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(format!("{}\n", some_lines()[0]).as_bytes())
        .unwrap();
    gzip.flush().unwrap();
    let [Ok(1), Err(error)] = &read(gzip.get_ref())[..] else {
        panic!("one line and an error");
    };
    assert!(
        error.starts_with("the file ends in the middle of line 2:"),
        "{error}"
    );
}

#[test]
fn blank_lines_are_skipped_and_counted() {
    let [first, second, _] = &some_lines()[..] else {
        panic!("three lines");
    };
    let text = format!("\n{first}\r\n   \n{second}\n\n");
    assert_eq!(read(text.as_bytes()), [Ok(2), Ok(4)]);
    assert_eq!(read(b""), []);
}

#[test]
fn garbage_in_one_line_leaves_the_others_readable() {
    let [first, second, _] = &some_lines()[..] else {
        panic!("three lines");
    };
    let text = format!("{first}\nreplicas?\n{second}\n");
    assert_eq!(
        read(text.as_bytes()),
        [
            Ok(1),
            Err("line 2, column 1: expected value; each line of a recording is a snapshot, as `kubectl hpa capture` writes it".to_owned()),
            Ok(3)
        ]
    );
}

#[test]
fn other_objects_are_refused_by_name() {
    check_error(
        r#""kind":"Snapshot""#,
        r#""kind":"Pod""#,
        "line 1 is not a snapshot: apiVersion \"kubectl-hpa/v1\", kind \"Pod\" (expected \"kubectl-hpa/v1\", \
         \"Snapshot\", as `kubectl hpa capture` writes)",
    );
    assert_eq!(
        read(br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#).len(),
        1
    );
}

#[test]
fn errors_name_line_and_field() {
    check_error(
        r#","maxReplicas":3"#,
        "",
        "line 1: hpa.spec.maxReplicas: missing field",
    );
    check_error(
        r#""maxReplicas":3"#,
        r#""maxReplicas":"3""#,
        "line 1: hpa.spec.maxReplicas: invalid type: string \"3\", expected an integer",
    );
    // Values are converted after decoding, so their errors have no line here: `replay` adds it.
    check_error(
        r#""usage":{"cpu":"65m""#,
        r#""usage":{"cpu":"12q""#,
        "podMetrics.items[0].containers[0].usage.cpu: invalid quantity \"12q\" (wanted: a number and one of the suffixes \
         n u m k M G T P E Ki Mi Gi Ti Pi Ei, as in 250m, 1.5 or 64Mi)",
    );
    check_error(
        r#""window":"17.341s""#,
        r#""window":"17.341""#,
        "podMetrics.items[0].window: invalid duration \"17.341\": use a number with a unit, such as 300ms, 15s or 1h30m",
    );
    check_error(
        r#""syncPeriodSeconds":15"#,
        r#""syncPeriodSeconds":1e12"#,
        "controller.syncPeriodSeconds: 1000000000000 s is too long: use at most 9223372036 s (292 years)",
    );
    check_error(
        r#""version":"1.36""#,
        r#""version":"latest""#,
        "controller.version: invalid Kubernetes version \"latest\": use 1.MINOR or 1.MINOR.PATCH, such as 1.36",
    );
}

#[test]
fn wrong_types_are_named_in_words_of_the_file() {
    check_error(
        r#""pods":[{"#,
        r#""pods":["web",{"#,
        "line 1: pods[0]: invalid type: string \"web\", expected a mapping",
    );
    check_error(
        r#""scaleTargetRef":{"#,
        r#""scaleTargetRef":["web"],"other":{"#,
        "line 1: hpa.spec.scaleTargetRef: invalid type: list, expected a mapping",
    );
    check_error(
        r#""tolerance":0.1"#,
        r#""tolerance":"10%""#,
        "line 1: controller.tolerance: invalid type: string \"10%\", expected a number",
    );
}

#[test]
fn values_that_no_cluster_has_are_refused() {
    check_error(
        r#""syncPeriodSeconds":15"#,
        r#""syncPeriodSeconds":0"#,
        "line 1: controller.syncPeriodSeconds: impossible value 0: use a time above 0, such as 15",
    );
    check_error(
        r#""tolerance":0.1"#,
        r#""tolerance":-0.1"#,
        "line 1: controller.tolerance: impossible value -0.1: use a number from 0 up",
    );
    check_error(
        r#""tolerance":0.1"#,
        r#""tolerance":1e12"#,
        "line 1: controller.tolerance: impossible value 1000000000000: use a number from 0 to 1000000, such as 0.1",
    );
    check_error(
        r#""minReplicas":1"#,
        r#""minReplicas":-1"#,
        "line 1: hpa.spec.minReplicas: impossible value -1: use a number from 0 up",
    );
    // The controller takes such a flag, and a custom resource such a scale.
    let line = some_lines().remove(0);
    for (from, to) in [
        (
            r#""tolerance":0.1"#,
            r#""tolerance":-0.1,"provenance":{"tolerance":"observed"}"#,
        ),
        (r#""spec":{"replicas":2}"#, r#""spec":{"replicas":-2}"#),
    ] {
        assert!(line.contains(from), "{from}");
        assert_eq!(read(line.replacen(from, to, 1).as_bytes()), [Ok(1)]);
    }
}

#[test]
fn line_that_is_cut_off_is_reported_as_such_wherever_it_is() {
    let [first, second, _] = &some_lines()[..] else {
        panic!("three lines");
    };
    // In the middle of a string, in which the line break is another mistake, and between two values.
    let string = &first[..first.find(r#""namespace":""#).unwrap() + 15];
    let value = &first[..first.find(r#""hpa":"#).unwrap()];
    for cut in [string, value] {
        assert_eq!(
            read(format!("{second}\n{cut}\n{second}\n").as_bytes()),
            [
                Ok(1),
                Err("line 2 ends in the middle of a snapshot: each line of a recording is a whole one, as `kubectl hpa capture` writes it".to_owned()),
                Ok(3),
            ]
        );
        assert_eq!(
            read(format!("{second}\n{cut}\n\n").as_bytes()),
            [
                Ok(1),
                Err("the file ends in the middle of line 2: the recording was interrupted there, the lines before it are complete".to_owned()),
            ]
        );
    }
}

#[test]
fn damaged_archive_is_named_with_the_place() {
    let text = some_lines().join("\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    zstd.include_checksum(true).unwrap();
    zstd.write_all(text.as_bytes()).unwrap();
    let zstd = zstd.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, good, head) in [("a.gz", gzip, 3), ("a.zst", zstd, 5)] {
        // In the header, and in the data.
        for at in [head, good.len() / 2] {
            let mut bytes = good.clone();
            bytes[at] ^= 0xff;
            fs::write(folder.path().join(name), bytes).unwrap();
            for words in [["replay", name, "--check"], ["explain", "-f", name]] {
                let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
                let run = command.args(words).current_dir(&folder).output().unwrap();
                let error = String::from_utf8(run.stderr).unwrap();
                assert_eq!(run.status.code(), Some(2), "{error}");
                let format = name
                    .replace("a.", "")
                    .replace("gz", "gzip")
                    .replace("zst", "zstd");
                let damage = format!("its {format} data is damaged, after ");
                assert!(
                    error.contains(name)
                        && error.contains(&damage)
                        && error
                            .trim_end()
                            .ends_with("bytes of text: copy the file again"),
                    "{words:?} {at}: {error}"
                );
            }
        }
    }
}

#[test]
fn whole_api_objects_are_read_and_only_the_named_fields_kept() {
    let line = some_lines().remove(0).replacen(
        r#""spec":{"containers":[{"name":"app""#,
        r#""spec":{"nodeName":"n1","containers":[{"name":"app","image":"shop:1","env":[{"name":"TOKEN","value":"secret"}]"#,
        1,
    );
    let line = line.replacen(
        r#""metadata":{"name":"web","namespace":"shop""#,
        r#""metadata":{"name":"web","namespace":"shop","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"secret","autoscaling.alpha.kubernetes.io/metrics":"[]"}"#,
        1,
    );
    assert_eq!(line.matches("secret").count(), 2);
    let snapshot: Snapshot = serde_json::from_str(&line).unwrap();
    let written = serde_json::to_string(&snapshot).unwrap();
    assert!(!written.contains("secret"), "{written}");
    assert!(written.contains("autoscaling.alpha.kubernetes.io/metrics"));
}

#[test]
fn recording_has_its_name_only_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let snapshots: Vec<Snapshot> = RecordingReader::new(some_lines().join("\n").as_bytes())
        .map(|line| line.unwrap().snapshot)
        .collect();
    for name in ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"] {
        let path = folder.path().join(name);
        let mut writer = RecordingWriter::create(&path).unwrap();
        for snapshot in &snapshots {
            writer.write(snapshot).unwrap();
        }
        // Killed now, the hidden file would be left.
        assert!(!path.exists());
        let hidden = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.extension().is_some_and(|ending| ending == "partial"))
            .unwrap();
        let partial: Vec<_> = read(&fs::read(&hidden).unwrap());
        assert_eq!(partial[..3], [Ok(1), Ok(2), Ok(3)]);

        writer.finish().unwrap();
        let written: Vec<Snapshot> = RecordingReader::open(&path)
            .unwrap()
            .map(|line| line.unwrap().snapshot)
            .collect();
        assert_eq!(written, snapshots);
        assert!(!hidden.exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(
                fs::metadata(&path).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
    }
    let magic = |name| fs::read(folder.path().join(name)).unwrap()[..2].to_vec();
    assert_eq!(magic("a.jsonl"), b"{\"");
    assert_eq!(magic("a.jsonl.gz"), [0x1f, 0x8b]);
    assert_eq!(magic("a.jsonl.zst"), [0x28, 0xb5]);
}

#[test]
fn given_up_recording_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = RecordingWriter::create(&folder.path().join("a.jsonl")).unwrap();
    writer.write(&"{}").unwrap();
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let error = RecordingWriter::create(&folder.path().join("no/such/folder.jsonl"))
        .err()
        .unwrap();
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}

#[test]
fn line_that_would_fill_the_memory_is_refused_and_the_next_is_read() {
    let good = some_lines().remove(0);
    let (before, rest) = good.split_once("\"pods\":[").unwrap();
    let (_, after) = rest.split_once("],\"podMetrics\"").unwrap();
    let many = "{},".repeat(500_000);
    let bad = format!("{before}\"pods\":[{many}{{}}],\"podMetrics\"{after}");
    let results = read(format!("{bad}\n{good}\n").as_bytes());
    let [Err(error), Ok(2)] = &results[..] else {
        panic!("{results:?}");
    };
    assert!(
        error.starts_with("line 1, column ")
            && error.contains(" objects and lists; each line of a recording"),
        "{error}"
    );
}

/// If failing pods lead the answer, nothing else explains why the ratio is multiplied by more pods than replicas.
#[test]
fn rollout_that_the_answer_does_not_name_leaves_the_ready_pods_in_it() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/questions/13-more-during-a-rollout.jsonl");
    let explain = |path: &Path| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.args(["explain", "-f"]).arg(path).output().unwrap();
        let page = String::from_utf8(output.stdout).unwrap();
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = fs::read_to_string(&example).unwrap();
    let mut snapshot: serde_json::Value = serde_json::from_str(&text).unwrap();
    let waiting = serde_json::json!({"waiting": {"reason": "CrashLoopBackOff"}});
    snapshot["pods"][0]["status"]["containerStatuses"][0]["state"] = waiting;
    let mut file = tempfile::NamedTempFile::with_suffix(".jsonl").unwrap();
    writeln!(file, "{snapshot}").unwrap();
    let page = explain(file.path());
    assert!(page.contains(" × 6 pods = 8)"), "{page}");
    let page = explain(&example);
    assert!(page.contains("A rollout is running"), "{page}");
}
