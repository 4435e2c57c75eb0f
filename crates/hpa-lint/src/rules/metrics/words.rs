//! The words of a metric's name.

/// Splits a name at changes between letters and other characters, and before capitals. Returns lower-case words.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for one in name.chars() {
        let starts = one.is_uppercase() && was_lower;
        if (starts || !one.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if one.is_alphanumeric() {
            word.extend(one.to_lowercase());
        }
        was_lower = one.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
