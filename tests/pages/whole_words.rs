//! Names, flags, URLs and commands stay in one piece at every width: a broken one cannot be copied or searched for.

use std::collections::BTreeSet;

use hpa_render::{Style, terminal::PageDetail};

use crate::{rules::first_of_every_rule, world::AsPage as _};

#[test]
fn no_word_of_a_page_is_broken_at_any_width() {
    let everything = PageDetail {
        is_verbose: true,
        with_what_ifs: true,
        ..PageDetail::default()
    };
    for (rule, (_, world)) in first_of_every_rule() {
        let at = |width| Style {
            width,
            ..Style::plain()
        };
        let whole = world.text(everything, at(4000));
        let words: BTreeSet<&str> = whole.split_whitespace().collect();
        for width in [40, 60, 72, 80, 120] {
            let page = world.text(everything, at(width));
            let broken: Vec<&str> = page
                .split_whitespace()
                .filter(|word| !words.contains(word))
                .collect();
            assert!(
                broken.is_empty(),
                "{rule:?} at {width}: {broken:?} in\n{page}"
            );
        }
    }
}
