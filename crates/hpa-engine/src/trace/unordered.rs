//! Controller texts that follow the order of a Go map, which changes with every sync.

/// Removes what the order of a Go map decides: which of several offending pods or containers an error names, and the
/// order of HPA names. Two texts are equivalent if they differ only there.
fn unordered(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for index in 0..words.len() {
        match words[..index] {
            [.., "in", "Pod"] => words[index] = "*",
            [.., "in", "container", _, "of", "Pod"] => {
                words[index] = "*";
                words[index - 3] = "*";
            }
            _ => {}
        }
    }
    let text = words.join(" ");
    for list in [ALL_HPAS, SOME_HPAS] {
        if let Some((before, mut names, after)) = split(&text, list) {
            names.sort_unstable();
            return format!("{before}{list}{}]{after}", names.join(" "));
        }
    }
    text
}

/// Predicts the HPA names when the controller names two of several, in the order of a Go map.
pub(crate) fn two_of(hpas: &[String]) -> String {
    format!("{TWO_OF}{}])", hpas.join(" "))
}

/// Whether the controller may write `written` where `predicted` is predicted. They may differ in the order of a Go map,
/// and `written` may name any two of the predicted HPAs.
pub fn may_be(predicted: &str, written: &str) -> bool {
    if let (Some((before, candidates, after)), Some((start, named, end))) =
        (split(predicted, TWO_OF), split(written, SOME_HPAS))
    {
        return before == start
            && after == end
            && matches!(named[..], [one, other] if one != other)
            && named.iter().all(|name| candidates.contains(name));
    }
    predicted == written || unordered(predicted) == unordered(written)
}

/// Splits a text at a list of names that starts with `list`: the text before it, the names, and the text after.
fn split<'a>(text: &'a str, list: &str) -> Option<(&'a str, Vec<&'a str>, &'a str)> {
    let (before, rest) = text.split_once(list)?;
    let (names, after) = rest.split_once(']')?;
    Some((before, names.split(' ').collect(), after))
}

/// Names all HPAs. Up to 1.36, and from 1.37 on without the gate `HPAOptimizedSelectorStore`.
const ALL_HPAS: &str = "controlled by multiple HPAs: [";

/// From 1.37 on.
const SOME_HPAS: &str = "controlled by more than one HPA (e.g. [";

/// The same in a prediction, which cannot know which two.
const TWO_OF: &str = "controlled by more than one HPA (e.g. two of [";

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "pods by selector app=web are controlled by more than one HPA (e.g. ";

    #[test]
    fn any_two_of_the_predicted_hpas_may_be_written() {
        let hpas = ["shop/a", "shop/b", "shop/c"].map(str::to_owned);
        let predicted = format!("pods by selector app=web are {}", two_of(&hpas));
        assert_eq!(predicted, format!("{START}two of [shop/a shop/b shop/c])"));
        for names in ["shop/a shop/b", "shop/c shop/a", "shop/b shop/c"] {
            assert!(may_be(&predicted, &format!("{START}[{names}])")), "{names}");
        }
        for names in [
            "shop/a shop/d",
            "shop/a",
            "shop/a shop/a",
            "shop/a shop/b shop/c",
        ] {
            assert!(
                !may_be(&predicted, &format!("{START}[{names}])")),
                "{names}"
            );
        }
        let other = format!("{START}[shop/a shop/b])").replace("app=web", "app=api");
        assert!(!may_be(&predicted, &other));
    }

    #[test]
    fn two_hpas_may_come_in_any_order() {
        let text = |names| format!("{START}[{names}])");
        assert!(may_be(&text("shop/a shop/b"), &text("shop/b shop/a")));
        assert!(!may_be(&text("shop/a shop/b"), &text("shop/a shop/c")));
    }
}
