//! Tests that most runs leave out.

/// Whether such a test runs. If not, prints what runs it.
#[expect(clippy::print_stderr, reason = "who runs the tests is to know")]
pub(crate) fn is_played(is_chosen: bool, how: &str) -> bool {
    if !is_chosen {
        eprintln!("left out: {how}");
    }
    is_chosen
}
