//! Label selectors: compared with Go if the Go program is available, and checked for invariants in any case.

use std::collections::BTreeMap;

use hpa_engine::model::{
    KubeVersion, Selector,
    label_selector::{SelectorIndex, Wording},
};

use super::super::{go, vectors};

pub fn selector(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Some(line) = go::answer("selector", text) {
        let vector = serde_json::from_str(&line).expect("Go answers with a vector");
        assert_eq!(vectors::selector::differences(&vector), [""; 0], "{text:?}");
    }
    let wordings = [23, 34, 36].map(|minor| Wording::of(KubeVersion { minor, patch: None }));
    let parsed = wordings.map(|wording| Selector::parse(text, wording));
    let [Ok(first), Ok(second), Ok(third)] = parsed else {
        assert!(parsed.iter().all(Result::is_err), "{text:?}");
        return;
    };
    let printed = first.to_string();
    assert!(
        printed == second.to_string() && printed == third.to_string(),
        "{text:?}"
    );
    let again = Selector::parse(&printed, wordings[2]).expect("what is printed can be read");
    let once_more = again.to_string();
    // Sorted again, more than twelve requirements may have another order of equal keys.
    if printed.matches(',').count() < 12 {
        assert_eq!(once_more, printed, "{text:?}");
    }
    assert_eq!(once_more.len(), printed.len(), "{text:?}");

    // Texts of the selector, used as labels.
    let words: Vec<&str> = text
        .split(|letter: char| " \t\r\n,=!<>()".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let index = SelectorIndex::new(vec![first.clone(), again.clone()]);
    for skipped in 0..words.len().min(4) {
        let labels: BTreeMap<String, String> = words
            .iter()
            .zip(words.iter().skip(skipped).chain(&[""]))
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        let matches = first.matches(&labels);
        assert_eq!(again.matches(&labels), matches, "{text:?} {labels:?}");
        let places: &[usize] = if matches { &[0, 1] } else { &[] };
        assert_eq!(index.matching(&labels), places, "{text:?} {labels:?}");
    }
}
