//! Letters that are no text: whoever may write to a cluster may put them into a message.

/// Whether a character steers the terminal, or reorders or hides letters.
pub(crate) fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            // Line and paragraph separator.
            '\u{2028}' | '\u{2029}'
            // Marks, embeddings, overrides and isolates of bidirectional text.
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Invisible: soft hyphen, zero width, word joiner, deprecated format characters, byte order mark, tags.
            | '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}'
            | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}
