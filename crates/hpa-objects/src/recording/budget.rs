//! Limits how much memory a JSON text may take once decoded: three bytes of text can take hundreds.

/// Upper limits for a text.
#[derive(Clone, Copy, Debug)]
pub struct SizeBudget {
    /// Elements of one list.
    pub elements: usize,
    /// Objects and lists.
    pub collections: usize,
    /// Values of any kind.
    pub values: usize,
}

/// A text that exceeds its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Too many elements in one list.
    #[error("a list of more than {0} elements")]
    Elements(usize),
    /// Too many objects and lists.
    #[error("more than {0} objects and lists")]
    Collections(usize),
    /// Too many values.
    #[error("more than {0} values")]
    Values(usize),
}

/// Counts the values in a text, piece by piece. Invalid JSON is left to the parser.
#[derive(Clone, Debug)]
pub struct Count {
    budget: SizeBudget,
    collections: usize,
    values: usize,
    /// The open objects and lists; for a list, its elements so far.
    open: Vec<Option<usize>>,
    place: BudgetPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BudgetPlace {
    Outside,
    InText,
    AfterBackslash,
}

impl SizeBudget {
    /// For a file. A snapshot of 50,000 pods uses a quarter of it, and a tenth of the elements.
    pub const FILE: Self = Self {
        elements: 500_000,
        collections: 5_000_000,
        values: 20_000_000,
    };
    /// For a server's answer. Requests ask for 500 objects, or 5,000 events, but not every server supports paging.
    pub const ANSWER: Self = Self {
        elements: 200_000,
        collections: 3_000_000,
        values: 10_000_000,
    };

    /// Checks a whole text. Fails with the byte offset up to which it is within the budget.
    pub fn check(self, json: &[u8]) -> Result<(), (usize, Excess)> {
        let collections = self.collections.min(most_collections(json.len()));
        // Each value but the first is after one of these, and no limit is lower.
        if marks(json) < self.elements.min(collections) {
            return Ok(());
        }
        let limited = Self {
            collections,
            values: self.values.min(most_values(json.len())),
            ..self
        };
        Count::new(limited).take_until(json)
    }
}

/// Upper limit for the objects and lists in a text of this length: each takes some hundred bytes once decoded. Snapshots
/// have one in fifty bytes.
fn most_collections(length: usize) -> usize {
    50_000 + length / 16
}

/// Upper limit for the values in a text of this length: each takes up to 64 bytes once decoded. Texts of objects have
/// one in twelve bytes or more.
pub(crate) fn most_values(length: usize) -> usize {
    1_000_000 + length / 8
}

/// How many bytes a text takes once it is decoded to JSON values, about. The maximum: more than a file may have.
pub fn decoded_size(json: &[u8]) -> usize {
    let mut count = Count::new(SizeBudget::FILE);
    match count.take(json) {
        Ok(()) => json.len() + count.collections * COLLECTION + count.values * VALUE,
        Err(_) => usize::MAX,
    }
}

/// How many bytes one object may take once it is decoded, which is far more than an API server stores of one.
/// Recordings in YAML, or over several lines of JSON, are one object for each snapshot.
pub(crate) fn most_of_object(length: usize) -> usize {
    (24 << 20) + 5 * length
}

/// Bytes of an object or a list of JSON: a node of its tree has room for eleven entries.
const COLLECTION: usize = 11 * (size_of::<String>() + size_of::<serde_json::Value>()) + 16;

/// Bytes of a value: in a list, with room for more, or the text of its key.
const VALUE: usize = size_of::<serde_json::Value>() + 8;

/// The commas and opening brackets in a text, those in its strings too. The sums of short pieces fit in bytes, so the
/// compiler adds many at once.
fn marks(json: &[u8]) -> usize {
    let is_mark = |byte: &u8| u8::from(matches!(byte, b',' | b'[' | b'{'));
    json.chunks(usize::from(u8::MAX))
        .map(|piece| usize::from(piece.iter().map(is_mark).sum::<u8>()))
        .sum()
}

impl Count {
    /// For a text of which nothing has been read yet.
    pub fn new(budget: SizeBudget) -> Self {
        Self {
            budget,
            collections: 0,
            values: 0,
            open: Vec::new(),
            place: BudgetPlace::Outside,
        }
    }

    /// Counts the next bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Excess> {
        self.take_until(bytes).map_err(|(_, excess)| excess)
    }

    /// Like [`take`](Self::take). Fails with the byte offset up to which the text is within the budget.
    fn take_until(&mut self, bytes: &[u8]) -> Result<(), (usize, Excess)> {
        let mut begin = 0;
        while let Some(rest) = bytes.get(begin..) {
            // Most bytes of a text change nothing.
            let next = match self.place {
                BudgetPlace::AfterBackslash => (!rest.is_empty()).then_some(0),
                BudgetPlace::InText => rest.iter().position(|byte| matches!(byte, b'"' | b'\\')),
                BudgetPlace::Outside => rest
                    .iter()
                    .position(|byte| matches!(byte, b'"' | b',' | b'[' | b']' | b'{' | b'}')),
            };
            let Some(next) = next else {
                break;
            };
            let at = begin + next;
            self.take_byte(rest[next]).map_err(|excess| (at, excess))?;
            begin = at + 1;
        }
        Ok(())
    }

    fn take_byte(&mut self, byte: u8) -> Result<(), Excess> {
        match (self.place, byte) {
            (BudgetPlace::InText, b'\\') => self.place = BudgetPlace::AfterBackslash,
            (BudgetPlace::InText, b'"') => self.place = BudgetPlace::Outside,
            (BudgetPlace::AfterBackslash, _) | (BudgetPlace::Outside, b'"') => {
                self.place = BudgetPlace::InText;
            }
            (BudgetPlace::Outside, b'[') => self.begin(Some(0))?,
            (BudgetPlace::Outside, b'{') => self.begin(None)?,
            (BudgetPlace::Outside, b']' | b'}') => {
                self.open.pop();
            }
            (BudgetPlace::Outside, b',') => self.next()?,
            (BudgetPlace::InText | BudgetPlace::Outside, _) => {}
        }
        Ok(())
    }

    fn begin(&mut self, elements: Option<usize>) -> Result<(), Excess> {
        self.open.push(elements);
        self.collections += 1;
        if self.budget.collections < self.collections {
            return Err(Excess::Collections(self.budget.collections));
        }
        self.value()
    }

    /// At a comma: another element of a list, or another field.
    fn next(&mut self) -> Result<(), Excess> {
        if let Some(Some(elements)) = self.open.last_mut() {
            *elements += 1;
            // Elements are one more than commas.
            if self.budget.elements <= *elements {
                return Err(Excess::Elements(self.budget.elements));
            }
        }
        self.value()
    }

    fn value(&mut self) -> Result<(), Excess> {
        self.values += 1;
        if self.budget.values < self.values {
            return Err(Excess::Values(self.budget.values));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: SizeBudget = SizeBudget {
        elements: 3,
        collections: 4,
        values: 8,
    };

    #[track_caller]
    fn check(json: &str, expected: Result<(), Excess>) {
        let found = SMALL.check(json.as_bytes());
        assert_eq!(found.map_err(|(_, excess)| excess), expected, "{json}");
    }

    #[test]
    fn what_a_text_becomes_is_counted_before_it_is_decoded() {
        check("[1,2,3]", Ok(()));
        check("[1,2,3,4]", Err(Excess::Elements(3)));
        check(r#"{"a":[1,2,3],"b":[1,2,3]}"#, Ok(()));
        check(r#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, Ok(()));
        check("[[[{}]]]", Ok(()));
        check("[[[[{}]]]]", Err(Excess::Collections(4)));
        check("{}{}{}{}{}", Err(Excess::Collections(4)));
        check(
            "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}",
            Err(Excess::Values(8)),
        );
    }

    #[test]
    fn nothing_within_a_text_is_a_value() {
        check(r#"{"a":"[[[[[[,,,,,,,,,,","b\"[[[[[":"\\"}"#, Ok(()));
        check(r#"["\\",2,3,4]"#, Err(Excess::Elements(3)));
    }

    #[test]
    fn fifty_thousand_pods_in_one_line_are_within_the_budget_of_a_file() {
        let line = include_str!("../../../../examples/not-ready-pods.jsonl");
        let line = line.lines().next().unwrap();
        let snapshot: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut count = Count::new(SizeBudget::FILE);
        count.take(b"{").unwrap();
        for list in ["pods", "podMetrics"] {
            let items = snapshot.pointer(&format!("/{list}/items"));
            let item = items.or(snapshot.get(list)).unwrap()[0].to_string();
            count.take(b"[").unwrap();
            for _ in 0..50_000 {
                count.take(item.as_bytes()).unwrap();
                count.take(b",").unwrap();
            }
            count.take(b"]").unwrap();
        }
        assert!(
            count.collections * 2 < SizeBudget::FILE.collections,
            "{}",
            count.collections
        );
        assert!(
            count.values * 2 < SizeBudget::FILE.values,
            "{}",
            count.values
        );
    }
}
