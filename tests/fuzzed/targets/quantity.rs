//! Quantities: compared with Go if the Go program is available, and checked for invariants in any case.

use hpa_engine::model::{Quantity, quantity::Overflow};

use super::super::{go, vectors};

pub fn quantity(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let parsed = Quantity::parse(text);
    if !is_endless(text)
        && let Some(line) = go::answer("quantity", text)
    {
        let vector = serde_json::from_str(&line).expect("Go answers with a vector");
        assert_eq!(
            vectors::quantity::differences(&vector, Overflow::Wrap),
            [""; 0],
            "{text:?}"
        );
    }
    let Ok(parsed) = parsed else { return };
    let (value, milli) = (
        parsed.value(Overflow::Saturate),
        parsed.milli_value(Overflow::Saturate),
    );
    if milli.unsigned_abs() < i64::MAX.unsigned_abs() {
        let away_from_zero = milli / 1000 + (milli % 1000).signum();
        assert_eq!(value, away_from_zero, "{text:?}");
    }
    let printed = parsed.to_string();
    let again = parsed.as_read_back();
    // This does not hold beyond the largest suffix, which Go omits.
    if printed == again.to_string() && again == parsed {
        assert_eq!(again.value(Overflow::Saturate), value, "{text:?}");
    }
    let doubled = parsed.plus(&parsed);
    assert_eq!(
        doubled.cmp_value(&parsed),
        parsed.cmp_value(&Quantity::from_value(0, parsed.format())),
        "{text:?}"
    );
    assert_eq!(
        doubled.cmp_value(&again.plus(&parsed)),
        parsed.cmp_value(&again)
    );
}

/// Whether Go would compute for hours; such a text is rejected here.
fn is_endless(text: &str) -> bool {
    let exponent = text.split_once(['e', 'E']).map(|(_, after)| after);
    #[expect(clippy::cast_possible_truncation, reason = "as Go does")]
    let exponent = exponent
        .and_then(|text| text.parse::<i64>().ok())
        .map(|long| long as i32);
    9_999 < text.len() || exponent.is_some_and(|exponent| 9_999 < exponent.unsigned_abs())
}
