//! Answers that a client can take: whole values only, and a note of what was left out.

use hpa_objects::recording::visible;
use serde::Serialize;
use serde_json::{Map, Value};

/// The most characters of the JSON of an answer. Clients refuse more than 25,000 tokens, and a token of JSON can have as
/// few as 2.5 characters.
pub(super) const MOST_JSON: usize = 40_000;

/// The most characters of its sentences, and of a single one.
const MOST_SENTENCES: usize = 16_000;
pub(super) const MOST_SENTENCE: usize = 4_000;

/// The length of a value in characters.
pub(super) fn size(value: &impl Serialize) -> anyhow::Result<usize> {
    Ok(visible::json(value)?.chars().count())
}

/// The value at a path of names and numbers, separated by dots. A name after a list is that of each of its items.
pub(super) fn at(value: &Value, path: &str) -> Option<Value> {
    let (first, rest) = match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    };
    let below = |value: &Value| match rest {
        Some(rest) => at(value, rest),
        None => Some(value.clone()),
    };
    match value {
        Value::Object(fields) => fields.get(first).and_then(below),
        Value::Array(items) => {
            if let Ok(index) = first.parse::<usize>() {
                return items.get(index).and_then(below);
            }
            let found: Vec<Option<Value>> = items.iter().map(|item| at(item, path)).collect();
            let is_any = found.iter().any(Option::is_some);
            is_any.then(|| found.into_iter().map(Option::unwrap_or_default).collect())
        }
        _ => None,
    }
}

/// The sentences that fit, with a note of those that do not.
pub(super) fn sentences(all: &[String]) -> Vec<String> {
    let mut left = MOST_SENTENCES;
    let mut fitting: Vec<String> = Vec::new();
    for sentence in all {
        let sentence = shortened(sentence, MOST_SENTENCE);
        let length = sentence.chars().count() + 1;
        if left < length {
            break;
        }
        left -= length;
        fitting.push(sentence);
    }
    let missing = all.len() - fitting.len();
    if missing != 0 {
        fitting.push(format!(
            "{missing} more are left out, because an answer has a bound: name one HPA, or use namespace."
        ));
    }
    fitting
}

/// A text of at most so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… (shortened)", &text[..end]),
        None => text.to_owned(),
    }
}

/// Shortens lists, then texts, then takes away whole fields until the value has at most `most` characters. The notes
/// say what is missing, and how to ask for it.
pub(super) fn fit(value: &mut Value, most: usize) -> anyhow::Result<Vec<String>> {
    if size(value)? <= most {
        return Ok(Vec::new());
    }
    let mut notes = Vec::new();
    for (items, letters) in SHORTER {
        let mut cuts = Cuts {
            items,
            letters,
            lists: Vec::new(),
            texts: 0,
        };
        let mut shorter = value.clone();
        cuts.shorten(&mut shorter, "");
        if size(&shorter)? <= most || (items, letters) == SHORTER[SHORTER.len() - 1] {
            *value = shorter;
            notes = cuts.notes();
            break;
        }
    }
    let mut taken = Vec::new();
    while most < size(value)? {
        let Some(largest) = largest(value)? else {
            break;
        };
        value.as_object_mut().map(|fields| fields.remove(&largest));
        taken.push(largest);
    }
    if !taken.is_empty() {
        let taken = shortened(&taken.join(", "), MOST_SENTENCE);
        notes.push(format!(
            "Left out, because the answer would be too long: {taken}. Ask for a part of it with fields."
        ));
    }
    Ok(notes)
}

fn largest(value: &Value) -> anyhow::Result<Option<String>> {
    let mut sizes = Vec::new();
    for (name, value) in value.as_object().into_iter().flat_map(Map::iter) {
        sizes.push((size(value)? + name.len(), name.clone()));
    }
    Ok(sizes.into_iter().max().map(|(_, name)| name))
}

/// What is made shorter.
struct Cuts {
    items: usize,
    letters: usize,
    /// The lists that were, with their length before.
    lists: Vec<(String, usize)>,
    texts: usize,
}

impl Cuts {
    fn shorten(&mut self, value: &mut Value, path: &str) {
        let below = |name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        match value {
            Value::String(text) => {
                let shorter = shortened(text, self.letters);
                self.texts += usize::from(shorter != *text);
                *text = shorter;
            }
            Value::Array(items) => {
                if self.items < items.len() {
                    self.lists.push((path.to_owned(), items.len()));
                    items.truncate(self.items);
                }
                for (index, item) in items.iter_mut().enumerate() {
                    self.shorten(item, &below(&index.to_string()));
                }
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.shorten(value, &below(name));
                }
            }
            _ => {}
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        let named = self.lists.iter().take(MOST_NAMED);
        let named: Vec<String> = named
            .map(|(path, length)| format!("{path} ({} of {length})", self.items))
            .collect();
        if let Some((path, _)) = self.lists.first() {
            let rest = match self.lists.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                rest => format!(" and {rest} more lists"),
            };
            notes.push(shortened(&format!(
                "Lists are shortened, because the answer would be too long: {}{rest}. With fields [\"{path}\"] one comes whole, with a cursor.",
                named.join(", ")
            ), MOST_SENTENCE));
        }
        if self.texts != 0 {
            notes.push(format!(
                "{} texts are shortened to {} letters.",
                self.texts, self.letters
            ));
        }
        notes
    }
}

/// Items of each list and letters of each text, the longest first.
const SHORTER: [(usize, usize); 11] = [
    (500, 20_000),
    (200, 5_000),
    (100, 5_000),
    (50, 5_000),
    (20, 5_000),
    (10, 2_000),
    (5, 2_000),
    (3, 1_000),
    (2, 500),
    (1, 200),
    (0, 100),
];

/// At most this many lists are named.
const MOST_NAMED: usize = 8;
