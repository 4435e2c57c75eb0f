//! Texts of the controller whose words come in the order of a Go map, which is another one in every sync.

/// A text of the controller without what the order of a Go map decides: which of several offending pods or containers an
/// error names, and the order of HPA names. Two texts that differ only there say the same.
pub(crate) fn unordered(text: &str) -> String {
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
    match text
        .split_once(HPA_LIST)
        .map(|(before, list)| (before, list.split_once(']')))
    {
        Some((before, Some((names, after)))) => {
            let mut names: Vec<&str> = names.split(' ').collect();
            names.sort_unstable();
            format!("{before}{HPA_LIST}{}]{after}", names.join(" "))
        }
        _ => text,
    }
}

const HPA_LIST: &str = "controlled by multiple HPAs: [";
