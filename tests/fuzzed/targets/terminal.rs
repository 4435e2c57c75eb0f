//! Any text in a terminal: sanitized by itself, and in all places of a page where a cluster may put it.

use std::sync::OnceLock;

use hpa_analysis::Follower;
use hpa_objects::recording::Snapshot;
use hpa_words::sanitize::{lines, one_line};
use serde_json::Value;

use super::page::write;

/// A snapshot with pods of all kinds.
const WORLD: &str = include_str!("../../../examples/questions/06-pods-use-less.jsonl");

pub fn terminal(bytes: &[u8]) {
    let Some((chosen, text)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(text);
    let cleaned = one_line(&text);
    assert_harmless(&cleaned);
    assert!(!cleaned.contains('\n'), "{text:?}");
    assert_eq!(one_line(&cleaned), cleaned, "{text:?}");
    assert_harmless(&lines(&text));

    let (world, places) = world();
    let mut world = world.clone();
    for (number, place) in places.iter().enumerate() {
        // A selection that depends on the first byte; replacing all texts would leave nothing to report.
        if (number.wrapping_mul(usize::from(*chosen) | 1) >> 2) % 4 == 0 {
            let Some(Value::String(old)) = world.pointer_mut(place) else {
                unreachable!("places are those of texts");
            };
            if chosen % 2 == 0 {
                old.push_str(&text);
            } else {
                text.as_ref().clone_into(old);
            }
        }
    }
    // A text may make it invalid, such as a label.
    let Ok(snapshot) = serde_json::from_value::<Snapshot>(world) else {
        return;
    };
    for written in write(&snapshot, &mut Follower::default())
        .into_iter()
        .flatten()
    {
        assert_harmless(&written);
    }
}

/// Checks that nothing in it controls a terminal or reorders letters.
pub(super) fn assert_harmless(text: &str) {
    let is_harmful = |letter: char| {
        letter.is_control() && letter != '\n'
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(at) = text.find(is_harmful) {
        let before = text[..at].chars().rev().take(40).collect::<Vec<_>>();
        let before: String = before.into_iter().rev().collect();
        let after: String = text[at..].chars().take(20).collect();
        panic!("{after:?} came out behind {before:?}");
    }
}

/// The snapshot, and pointers to those of its texts that may be arbitrary.
fn world() -> &'static (Value, Vec<String>) {
    static FOUND: OnceLock<(Value, Vec<String>)> = OnceLock::new();
    FOUND.get_or_init(|| {
        let line = WORLD.lines().next_back().expect("it has lines");
        let world: Value = serde_json::from_str(line).expect("it is JSON");
        let mut places = Vec::new();
        texts(&world, &mut String::new(), &mut places);
        places.retain(|place| {
            let mut changed = world.clone();
            if let Some(text) = changed.pointer_mut(place) {
                *text = "?\u{1b}[31m".into();
            }
            let snapshot = serde_json::from_value::<Snapshot>(changed);
            snapshot.is_ok_and(|snapshot| snapshot.observation().is_ok())
        });
        (world, places)
    })
}

fn texts(value: &Value, place: &mut String, places: &mut Vec<String>) {
    let length = place.len();
    match value {
        Value::String(_) => places.push(place.clone()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push_str(&format!("/{index}"));
                texts(item, place, places);
                place.truncate(length);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                texts(value, place, places);
                place.truncate(length);
            }
        }
        _ => {}
    }
}
