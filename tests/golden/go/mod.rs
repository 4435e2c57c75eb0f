//! Comparison with what Go makes of a text.

pub mod quantity;
pub mod selector;

use std::fmt::Debug;

/// Notes what differs.
#[expect(clippy::needless_pass_by_value, reason = "callers have temporaries")]
fn differ<T: PartialEq + Debug>(what: &str, expected: T, here: T, found: &mut Vec<String>) {
    if expected != here {
        found.push(format!("    {what}: Go {expected:?}, here {here:?}"));
    }
}
