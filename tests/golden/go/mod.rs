//! Comparison with how Go reads a text.

pub mod quantity;
pub mod selector;

use std::fmt::Debug;

/// Records a difference.
#[expect(clippy::needless_pass_by_value, reason = "callers have temporaries")]
fn differ<T: PartialEq + Debug>(what: &str, expected: T, here: T, found: &mut Vec<String>) {
    if expected != here {
        found.push(format!("    {what}: Go {expected:?}, here {here:?}"));
    }
}
