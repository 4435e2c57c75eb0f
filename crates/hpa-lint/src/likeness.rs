//! How alike two names are.

/// No name that is meant has more bytes. Longer ones are not compared letter by letter, which would never end.
const LONGEST: usize = 300;

/// How many letters are wrong if the one name is meant by the other; two swapped letters are one mistake.
pub fn wrong_letters(one: &str, other: &str) -> usize {
    match one.len().max(other.len()) {
        _ if one == other => 0,
        length if LONGEST < length => length,
        _ => strsim::damerau_levenshtein(one, other),
    }
}

/// The similarity of two names, from 0 to 1.
pub fn similarity(one: &str, other: &str) -> f64 {
    if LONGEST < one.len().max(other.len()) {
        return if one == other { 1.0 } else { 0.0 };
    }
    strsim::jaro_winkler(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_are_compared() {
        assert_eq!(wrong_letters("web", "wbe"), 1);
        let (long, other) = ("a".repeat(1 << 20), "b".repeat(1 << 20));
        assert_eq!(wrong_letters(&long, &other), 1 << 20);
        assert_eq!(wrong_letters("web", &other), 1 << 20);
        assert!(similarity(&long, &other) < 0.1 && 0.9 < similarity("web-1", "web-2"));
        assert_eq!(wrong_letters(&long, &long.clone()), 0);
    }
}
