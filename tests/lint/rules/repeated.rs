//! Documents of long examples that differ in a name only.

/// The line `# again with web-b, web-c for web-a` stands for the documents before it that name web-a, with those names.
pub(crate) fn with_repeated(page: &str) -> String {
    let mut whole: Vec<String> = Vec::new();
    for document in page.split("\n---\n") {
        let line = document.strip_prefix("# again with ");
        let Some((names, rest)) = line.and_then(|line| line.split_once(" for ")) else {
            whole.push(document.to_owned());
            continue;
        };
        let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let count = whole.iter().rev().take_while(|one| one.contains(first));
        let named = whole[whole.len() - count.count()..].to_vec();
        for name in names.split(", ") {
            whole.extend(named.iter().map(|one| one.replace(first, name)));
        }
        // The example ends with that line.
        if let Some(last) = whole.last_mut().filter(|_| !after.is_empty()) {
            *last += &format!("\n{after}");
        }
    }
    whole.join("\n---\n")
}
