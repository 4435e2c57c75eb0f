//! Duplicate keys of a mapping.

use super::{Entry, RepeatedKey, Span, room::FEW};

/// Keeps only the last of the entries with the same key. Calls `record` with duplicates that were written in the
/// mapping itself, not merged into it.
pub(super) fn settle<E>(
    entries: &mut Vec<Entry>,
    mapping: Span,
    mut record: impl FnMut(RepeatedKey) -> Result<(), E>,
) -> Result<(), E> {
    let Some(overwritten) = overwritten(entries) else {
        return Ok(());
    };
    let is_written =
        |entry: &Entry| entry.key_span.start >= mapping.start && entry.key_span.end <= mapping.end;
    for (first, again) in &overwritten {
        let [first, again] = [&entries[*first], &entries[*again]];
        if is_written(first) && is_written(again) {
            record(RepeatedKey {
                key: first.key.clone().into_string().into(),
                first: first.key_span,
                again: again.key_span,
            })?;
        }
    }
    let mut overwritten = overwritten.into_iter().map(|(first, _)| first).peekable();
    let mut index = 0;
    entries.retain(|_| {
        let is_kept = overwritten.next_if_eq(&index).is_none();
        index += 1;
        is_kept
    });
    Ok(())
}

/// Pairs of an overwritten entry and the next one with its key, in the order of the former.
fn overwritten(entries: &[Entry]) -> Option<Vec<(usize, usize)>> {
    // Nearly all mappings are small; comparing all pairs is cheaper there than sorting.
    let has_any = if entries.len() <= FEW {
        (1..entries.len()).any(|index| {
            entries[..index]
                .iter()
                .any(|entry| entry.key == entries[index].key)
        })
    } else {
        true
    };
    if !has_any {
        return None;
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|one, other| entries[*one].key.cmp(&entries[*other].key));
    let mut pairs: Vec<(usize, usize)> = order
        .windows(2)
        .filter(|pair| entries[pair[0]].key == entries[pair[1]].key)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    pairs.sort_unstable();
    (!pairs.is_empty()).then_some(pairs)
}
