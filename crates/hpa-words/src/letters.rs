//! Unsafe characters. Anyone with write access to a cluster can put them into a message.

/// Prefixes of commands that CI runners (GitHub, Azure) accept anywhere in a line.
pub const COMMANDS: [&str; 2] = ["##[", "##vso["];

/// Whether a character controls the terminal, reorders or hides text, is invisible, or has no defined appearance.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || is_ignorable(letter)
        || matches!(
            letter,
            // Line and paragraph separator.
            '\u{2028}' | '\u{2029}'
            // Marks of interlinear annotations, which hide the annotated text.
            | '\u{fff9}'..='\u{fffb}'
            // The Braille pattern without dots, which is blank.
            | '\u{2800}'
            // Private use: its appearance depends on the font.
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'
        )
}

/// Whether a character is invisible. Unicode 17: the property `Default_Ignorable_Code_Point`.
fn is_ignorable(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_unicode_shows_as_nothing_is_unsafe() {
        let known = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").unwrap();
        for letter in '\0'..=char::MAX {
            let text = letter.to_string();
            assert_eq!(is_ignorable(letter), known.is_match(&text), "{letter:?}");
        }
    }
}
