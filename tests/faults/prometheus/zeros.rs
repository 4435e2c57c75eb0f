//! Missing and interrupted samples never become a zero: neither in a recording of the past, nor in its course.

use std::fs;

use serde_json::{Value, json};

use super::history::{FROM, TO, World};

/// Ways in which a server can lack samples.
#[derive(Clone, Debug)]
enum Fault {
    /// A missing series.
    Absent(String),
    /// Gaps of up to two minutes at different times for each series, by this seed.
    Gaps(u64),
    /// Container restarts at different times, by this seed: counters restart at zero.
    Resets(u64),
    /// Only one sample in this many seconds.
    Thinned(u64),
    /// No series has a sample after this time.
    Ends(f64),
}

/// A number from 0 to 99 determined by the words and the seed.
fn dice(words: &str, seed: u64) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = words.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, mix);
    (hash ^ (hash >> 29)) % 100
}

impl Fault {
    fn change(&self, labels: &Value, time: f64, value: &str) -> Option<String> {
        let name = labels["__name__"].as_str().unwrap();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a time of a test"
        )]
        let second = time as u64;
        let whole = || Some(value.to_owned());
        match self {
            Self::Absent(absent) if absent == name => None,
            // Each two-minute piece of a series is missing with a probability of one third.
            Self::Gaps(seed) if dice(&format!("{labels}{}", second / 120), *seed) < 33 => None,
            Self::Thinned(seconds)
                if !second.is_multiple_of(*seconds) && 15 <= second % seconds =>
            {
                None
            }
            Self::Ends(end) if *end < time => None,
            Self::Resets(seed) if name == "container_cpu_usage_seconds_total" => {
                // It restarts in some second of these four minutes.
                let began = second / 240 * 240 + 2 * dice(&labels.to_string(), *seed);
                let value: f64 = value.parse().unwrap();
                let is_reset = began <= second;
                Some(if is_reset { value % 7.0 } else { value }.to_string())
            }
            _ => whole(),
        }
    }
}

/// The zeros in a past: columns of its course, and fields of its recording.
fn zeros(fault: &Fault) -> Vec<String> {
    let change = fault.clone();
    let world = World::new(move |labels, time, value| change.change(labels, time, value));
    let mut zeros = Vec::new();
    let run = world.history(&[
        "--from",
        FROM,
        "--to",
        TO,
        "-o",
        "csv",
        "--record",
        "past.jsonl",
    ]);
    assert_eq!(run.code, Some(0), "{fault:?}: {run:?}");
    let mut lines = run.stdout.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    for line in lines {
        let cells = head.iter().zip(line.split(','));
        let is_zero = |cell: &str| cell.parse() == Ok(0.0);
        let found = cells.filter(|(_, cell)| is_zero(cell));
        zeros.extend(found.map(|(name, _)| (*name).to_owned()));
    }
    let text = fs::read_to_string(world.plugin.path("past.jsonl")).unwrap();
    for line in text.lines() {
        let snapshot: Value = serde_json::from_str(line).unwrap();
        find_zeros(&snapshot, &mut String::new(), &mut |path| {
            // The spec contains this zero.
            if !path.starts_with(".hpa.spec.behavior.") {
                zeros.push(path.to_owned());
            }
        });
    }
    zeros
}

/// Paths of all zeros in a value: numbers and quantities.
fn find_zeros(value: &Value, path: &mut String, visit: &mut dyn FnMut(&str)) {
    let length = path.len();
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push('.');
                path.push_str(name);
                find_zeros(field, path, visit);
                path.truncate(length);
            }
        }
        Value::Array(all) => all.iter().for_each(|one| find_zeros(one, path, visit)),
        Value::Number(number) if number.as_f64() == Some(0.0) => visit(path),
        Value::String(text) if ["0", "0n", "0u", "0m", "0k", "0Ki"].contains(&text.as_str()) => {
            visit(path);
        }
        _ => {}
    }
}

#[test]
fn no_fault_of_the_samples_becomes_a_zero() {
    let whole = World::whole().json();
    let names = whole["series"].as_array().unwrap().iter();
    let names = names.filter(|one| one["found"] != json!(0));
    let absent = names.map(|one| Fault::Absent(one["name"].as_str().unwrap().to_owned()));
    let seeds = || 0..6_u64;
    let faults: Vec<Fault> = absent
        .chain(seeds().map(Fault::Gaps))
        .chain(seeds().map(Fault::Resets))
        .chain([30, 60, 120, 300].map(Fault::Thinned))
        .chain([1_795_655_160.0, 1_795_655_000.0, 0.0].map(Fault::Ends))
        .collect();
    assert!(30 < faults.len(), "{faults:?}");
    assert_eq!(zeros(&Fault::Ends(f64::MAX)), [""; 0]);
    // The past has values that could be zero.
    assert!(5 < whole["rescales"].as_array().unwrap().len());
    for fault in faults {
        assert_eq!(zeros(&fault), [""; 0], "{fault:?}");
    }
}
