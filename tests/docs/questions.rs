//! The pages of `docs/questions`: their transcripts match the program's output, and each page is complete.
//!
//! `UPDATE_GENERATED=1 cargo test --test docs` rewrites the transcripts. A line `...` marks lines that were cut; if a
//! cut transcript no longer matches, it is written completely and must be cut again.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn transcripts_are_what_the_program_prints() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = text_of(&page);
        let now = with_transcripts_of_now(&text);
        if now == text {
            continue;
        }
        if env::var_os("UPDATE_GENERATED").is_some() {
            fs::write(&page, now).unwrap();
        } else {
            wrong.push(format!(
                "{}: {}",
                page.display(),
                first_difference(&text, &now)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "other output than in the transcripts; see the first lines of this test:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn each_page_is_listed_whole_and_short() {
    let contents = text_of(&folder().join("README.md"));
    let pages = pages();
    assert_eq!(pages.len(), 22);
    for page in pages {
        let name = page.file_name().unwrap().to_str().unwrap();
        let text = text_of(&page);
        let number: u8 = name.split('-').next().unwrap().parse().unwrap();
        let (title, answer) = text
            .strip_prefix("# ")
            .and_then(|text| text.split_once("\n\n"))
            .unwrap();
        let row = format!("| {number} | [{title}]({name}) |");
        assert!(contents.contains(&row), "README.md has no row {row:?}");
        assert!(
            answer.starts_with(|first: char| first.is_alphabetic()),
            "{name} does not begin with its answer"
        );
        let headings: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        assert_eq!(headings, SECTIONS, "{name}");
        let incident = text.contains("\n$ kubectl hpa explain -f examples/");
        assert!(incident, "{name} explains no incident");
        let lines = text.lines().count();
        assert!((40..=100).contains(&lines), "{name} has {lines} lines");
    }
}

#[test]
fn each_recording_is_that_of_a_page() {
    let pages: String = pages().iter().map(|page| text_of(page)).collect();
    for entry in fs::read_dir(root().join("examples/questions")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let used = pages.contains(&format!("examples/questions/{name}"));
        assert!(used || name == "record.sh", "no page explains {name}");
    }
}

/// The parts of a page, in their order, after the short answer.
const SECTIONS: [&str; 5] = [
    "How it comes about",
    "What the report says",
    "What to do",
    "What cannot be known from outside",
    "More",
];

/// The page with each outdated transcript replaced.
fn with_transcripts_of_now(text: &str) -> String {
    let begin = "```console\n$ kubectl hpa ";
    let mut now = String::new();
    let mut rest = text;
    while let Some((before, transcript)) = rest.split_once(begin) {
        let (transcript, after) = transcript.split_once("\n```\n").unwrap();
        let (command, displayed) = transcript.split_once('\n').unwrap();
        let printed = run(command);
        let displayed = if fits(displayed, &printed) {
            displayed
        } else {
            &printed
        };
        now.extend([before, begin, command, "\n", displayed, "\n```\n"]);
        rest = after;
    }
    now + rest
}

/// Whether the transcript matches the output, except for lines that were cut.
fn fits(displayed: &str, printed: &str) -> bool {
    let displayed: Vec<&str> = displayed.lines().collect();
    let parts: Vec<&[&str]> = displayed.split(|line| *line == "...").collect();
    let printed: Vec<&str> = printed.lines().collect();
    if let [whole] = parts[..] {
        return whole == printed;
    }
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    let mut place = 0;
    for part in &parts {
        let Some(found) = (place..=printed.len()).find(|at| printed[*at..].starts_with(part))
        else {
            return false;
        };
        place = found + part.len();
    }
    printed.starts_with(first) && printed.ends_with(last)
}

/// The output of `kubectl hpa` with these arguments, in UTC, without trailing spaces.
fn run(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args(arguments.split_whitespace())
        .current_dir(root())
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let code = output.status.code();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(code, Some(0 | 1)), "{arguments}: {complaints}");
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.trim_end().to_owned()
}

/// The first line that differs, in the page and now.
fn first_difference(stands: &str, now: &str) -> String {
    let mut lines = stands.lines().zip(now.lines());
    let difference = lines.find(|(stands, now)| stands != now);
    difference.map_or("its length".to_owned(), |(stands, now)| {
        format!("{stands:?} is now {now:?}")
    })
}

/// The text of a file, with Unix line endings.
fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// The pages, in their order.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("README.md"))
        .collect();
    pages.sort();
    pages
}

fn folder() -> PathBuf {
    root().join("docs/questions")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
