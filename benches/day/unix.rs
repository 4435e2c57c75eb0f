//! The screen in a terminal of its own, which this bench needs and which exists only on Unix.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benchmark")]

#[path = "../../tests/screen/terminal.rs"]
mod terminal;

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use regex::Regex;
use terminal::{Terminal, key, text_of};

/// Builds the day, shows it, and prints what it takes.
pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("day.jsonl.zst");
    let snapshots = record(&path);
    let kibibytes = fs::metadata(&path).unwrap().len() >> 10;
    println!("{snapshots} snapshots, {kibibytes} KiB");

    let begin = Instant::now();
    let program = env::var("KUBECTL_HPA");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_kubectl-hpa").to_owned());
    let file = path.to_str().unwrap();
    let mut terminal = Terminal::run((120, 40), program, ["replay", "--tui", file]);
    terminal.shows("q quit");
    println!("first screen: {}", milliseconds(begin));
    for quarter in 1..=4_usize {
        let some = snapshots / 4 * quarter;
        terminal.eventually("what was read", |screen| {
            (some <= read(&text_of(screen))).then_some(())
        });
        println!(
            "{some} read: {}, of these {:.1} s on a core; {} MiB resident",
            milliseconds(begin),
            processor(&terminal).as_secs_f64(),
            resident(&terminal)
        );
    }
    let top = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let is_elsewhere = |before: &str, text: &str| top(before) != top(text);
    for (what, keys) in [
        ("to the begin", "0"),
        ("next scaling", "n"),
        ("next alarm", "a"),
        ("a minute forward", "\x1b[1;2C"),
        ("to the end", "."),
        ("previous alarm", "A"),
    ] {
        timed(&mut terminal, what, keys, is_elsewhere);
    }
    let page = "as seen at";
    timed(&mut terminal, "explanation", key::ENTER, |_, text| {
        text.contains(page)
    });
    timed(&mut terminal, "back", key::ESCAPE, |_, text| {
        !text.contains(page)
    });
    for (what, keys, shows) in [
        ("sorted by the last change", "ssss", "by last change"),
        ("filter", "/api\r", "1 of 5 HPAs"),
    ] {
        timed(&mut terminal, what, keys, |_, text| text.contains(shows));
    }
    println!("{} MiB resident at the end", resident(&terminal));
    terminal.press("q");
    terminal.ends_with(0);
}

/// Presses keys, and prints the time until the expected screen appears, given the screen before.
fn timed(terminal: &mut Terminal, what: &str, keys: &str, is_there: impl Fn(&str, &str) -> bool) {
    let before = terminal.text();
    let begin = Instant::now();
    terminal.press(keys);
    terminal.eventually(what, |screen| {
        is_there(&before, &text_of(screen)).then_some(())
    });
    println!("{what}: {}", milliseconds(begin));
}

fn milliseconds(begin: Instant) -> String {
    let elapsed: Duration = begin.elapsed();
    format!("{} ms", elapsed.as_millis())
}

/// How many snapshots the screen says it has read.
fn read(text: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = words
        .windows(2)
        .find(|pair| pair[1].starts_with("snapshots"));
    number.map_or(0, |pair| pair[0].parse().unwrap_or(0))
}

/// The CPU time that the program has used so far.
fn processor(terminal: &Terminal) -> Duration {
    let path = format!("/proc/{}/stat", terminal.process_id());
    let stat = fs::read_to_string(path).unwrap();
    // After the name, which may contain blanks; 100 ticks are a second.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Memory of the program, in MiB.
fn resident(terminal: &Terminal) -> u64 {
    let path = format!("/proc/{}/status", terminal.process_id());
    let status = fs::read_to_string(path).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS"))
        .unwrap();
    let kibibytes = line.split_whitespace().nth(1).unwrap();
    kibibytes.parse::<u64>().unwrap() >> 10
}

/// Writes the day, and returns the number of its snapshots.
fn record(path: &Path) -> usize {
    let time = Regex::new(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z").unwrap();
    let recordings: Vec<Vec<Line>> = fs::read_dir("examples")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
        .map(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().map(|line| Line::of(line, &time)).collect()
        })
        .collect();
    let file = File::create(path).unwrap();
    let mut writer = zstd::Encoder::new(file, 1).unwrap().auto_finish();
    let mut snapshots = 0;
    for slot in 0..SYNCS {
        for lines in &recordings {
            let line = &lines[slot % lines.len()];
            let rounds = i64::try_from(slot / lines.len() * lines.len()).unwrap();
            let later = SignedDuration::from_secs(PERIOD * rounds);
            line.write(&mut writer, later).unwrap();
            snapshots += 1;
        }
    }
    snapshots
}

/// A line of a recording, split at its times.
struct Line {
    pieces: Vec<(String, Timestamp)>,
    rest: String,
}

impl Line {
    fn of(line: &str, time: &Regex) -> Self {
        let mut end = 0;
        let pieces = time.find_iter(line).map(|found| {
            let before = line[end..found.start()].to_owned();
            end = found.end();
            (before, found.as_str().parse().unwrap())
        });
        Self {
            pieces: pieces.collect(),
            rest: line[end..].to_owned(),
        }
    }

    fn write(&self, out: &mut impl Write, later: SignedDuration) -> io::Result<()> {
        for (before, at) in &self.pieces {
            write!(out, "{before}{}", *at + later)?;
        }
        writeln!(out, "{}", self.rest)
    }
}

/// Seconds between two syncs.
const PERIOD: i64 = 15;

/// Syncs in a day.
const SYNCS: usize = 24 * 3600 / 15;
