//! The page for a browser, read as a browser reads it.

use hpa_testing::World;
use std::{cell::RefCell, collections::BTreeSet};

use hpa_explain::{Page, learn};
use hpa_render::html;
use html5ever::{parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

use crate::{
    hostile::{hostile, without_others},
    markup::markup,
    rules::first_of_every_rule,
    world::{AsPage, web},
};

/// A parsed page: its elements, with attributes, and its texts.
pub(crate) struct Parsed {
    elements: Vec<(String, Vec<(String, String)>)>,
    pub(crate) text: String,
    errors: Vec<String>,
}

impl Parsed {
    pub(crate) fn of(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(html);
        let mut parsed = Self {
            elements: Vec::new(),
            text: String::new(),
            errors: RefCell::borrow(&dom.errors)
                .iter()
                .map(ToString::to_string)
                .collect(),
        };
        parsed.add(&dom.document);
        parsed
    }

    fn add(&mut self, node: &Handle) {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attributes = RefCell::borrow(attrs)
                    .iter()
                    .map(|one| (one.name.local.to_string(), one.value.to_string()))
                    .collect();
                self.elements.push((name.local.to_string(), attributes));
                if &*name.local == "style" {
                    return;
                }
            }
            NodeData::Text { contents } => {
                self.text += RefCell::borrow(contents).as_ref();
            }
            _ => {}
        }
        let is_apart = !is_piece(node);
        for child in RefCell::borrow(&node.children).iter() {
            if is_apart && !is_piece(child) && !matches!(child.data, NodeData::Text { .. }) {
                self.text += " ";
            }
            self.add(child);
        }
        if is_apart && matches!(node.data, NodeData::Element { .. }) {
            self.text += " ";
        }
    }

    /// The names of its elements and of their attributes, without those that only keep names in one piece.
    pub(crate) fn shape(self) -> Vec<(String, Vec<String>)> {
        let names = |attributes: Vec<(String, String)>| {
            let names = attributes.into_iter().map(|(name, _)| name);
            names.collect()
        };
        let elements = self.elements.into_iter();
        let is_piece = |attributes: &[(String, String)]| {
            let mut values = attributes.iter().map(|(_, value)| value.as_str());
            values.any(|value| ["piece", "whole", "long"].contains(&value))
        };
        elements
            .filter(|(_, attributes)| !is_piece(attributes))
            .map(|(name, attributes)| (name, names(attributes)))
            .collect()
    }

    fn attributes<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        self.elements
            .iter()
            .flat_map(|(_, attributes)| attributes)
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, element: &str) -> usize {
        let is_it = |(name, _): &&(String, Vec<(String, String)>)| name == element;
        self.elements.iter().filter(is_it).count()
    }

    /// Asserts that it is well-formed, inert and self-contained, and that every referenced id exists once.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        assert_eq!(self.errors, [""; 0]);
        for (name, attributes) in &self.elements {
            let is_active = ["script", "iframe", "object", "embed", "form", "base", "img"];
            assert!(!is_active.contains(&name.as_str()), "{name}");
            for (attribute, value) in attributes {
                assert!(!attribute.starts_with("on"), "{attribute}={value}");
            }
        }
        for address in self.attributes("href").chain(self.attributes("src")) {
            let is_ours = address.starts_with('#') || is_of_the_book(address);
            assert!(is_ours || address == "data:,", "{address}");
        }
        let ids: Vec<&str> = self.attributes("id").collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{ids:?}");
        for label in self.attributes("aria-labelledby") {
            assert!(label.split(' ').all(|id| unique.contains(id)), "{label}");
        }
        for address in self.attributes("href") {
            let id = address.trim_start_matches('#');
            assert!(
                unique.contains(id) || is_of_the_book(address) || address == "data:,",
                "{address}"
            );
        }
    }
}

/// Whether it is a name, a flag or a command in one piece, in the middle of a sentence.
fn is_piece(node: &Handle) -> bool {
    let NodeData::Element { attrs, .. } = &node.data else {
        return false;
    };
    let attrs = RefCell::borrow(attrs);
    attrs
        .iter()
        .any(|one| ["piece", "long"].contains(&&*one.value))
}

/// Whether a link leads to a page about the algorithm.
fn is_of_the_book(address: &str) -> bool {
    learn::topics().any(|topic| learn::address(topic) == address)
}

fn page(world: &World) -> Page {
    world.report(|page, cx| page.clone().with_all_what_ifs(cx))
}

#[test]
fn every_rule_has_a_sound_page_that_says_everything() {
    for (rule, (_, world)) in first_of_every_rule() {
        let page = page(world);
        let html = document(std::slice::from_ref(&page));
        assert_eq!(html, document(std::slice::from_ref(&page)));
        let parsed = Parsed::of(&html);
        parsed.assert_sound();
        let mut printed = vec![page.hpa.clone(), page.verdict.headline.clone()];
        printed.push(page.answer.sentences.join(" "));
        printed.extend(page.steps.iter().map(|step| step.how.clone()));
        printed.extend(page.next.iter().map(|next| next.text.clone()));
        printed.extend(page.trust.iter().map(|trust| trust.text.clone()));
        printed.extend(page.pods.iter().map(|pod| pod.name.clone()));
        printed.extend(page.inputs.iter().map(|input| input.value.clone()));
        for text in printed {
            assert!(parsed.text.contains(&text), "{}: {text}", rule.as_str());
        }
        assert!(parsed.number("details") >= page.steps.len());
    }
}

#[test]
fn picture_shows_bounds_proposals_window_limits_and_result() {
    let world = web(9)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "24m")
        .remembering(&[(9, "10:36:45"), (9, "10:37:15"), (4, "10:37:30")])
        .status(9, 9, 24, "ScaleDownStabilized", "DesiredWithinRange");
    let page = page(&world);
    let picture = page.picture.as_ref().unwrap();
    let lanes: Vec<String> = picture
        .lanes
        .iter()
        .map(|lane| {
            let mark = if lane.is_deciding { " ◀" } else { "" };
            format!("{}: {} {:?}{mark}", lane.title, lane.outcome, lane.shape)
        })
        .collect();
    insta::assert_snapshot!(lanes.join("\n"));
    let html = document(&[page]);
    let words = "now: 9 replicas; min/max: 2–20; cpu: asks for 4; window: gives 9, which decides; \
                 rate limit: allows 9; result: stays at 9";
    assert_eq!(html.matches(words).count(), 2, "once for each form");
}

/// Users copy names into commands. A browser breaks a line after a hyphen; no sentence, row or command has one outside a
/// piece.
#[test]
fn names_flags_and_commands_stay_in_one_piece_in_a_browser() {
    for (rule, (_, world)) in first_of_every_rule() {
        let html = document(&[page(world)]);
        let dom = parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(&*html);
        let mut broken = Vec::new();
        broken_words(&dom.document, &mut broken);
        assert!(broken.is_empty(), "{}: {broken:?}", rule.as_str());
    }
}

/// The words with a hyphen within that are in no piece, and so may be broken.
fn broken_words(node: &Handle, broken: &mut Vec<String>) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attrs = RefCell::borrow(attrs);
        let is_whole = |class: &str| ["piece", "whole", "long"].contains(&class);
        let is_text = !["svg", "style", "title", "footer"].contains(&&*name.local);
        if !is_text || attrs.iter().any(|one| is_whole(&one.value)) {
            return;
        }
    }
    if let NodeData::Text { contents } = &node.data {
        let text = RefCell::borrow(contents);
        let words = text.split_whitespace().filter(|word| {
            let inside = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            inside.contains('-')
        });
        broken.extend(words.map(str::to_owned));
    }
    for child in RefCell::borrow(&node.children).iter() {
        broken_words(child, broken);
    }
}

/// Users copy names into commands.
#[test]
fn names_of_pods_do_not_break_unless_they_are_very_long() {
    let long = format!("web-{}", "a".repeat(60));
    let world = web(3)
        .utilization("cpu", 60)
        .ready_pods(2, "100m", "50m")
        .without_sample(&long, "100m");
    let html = document(&[page(&world)]);
    for pod in ["web-00", "web-01"] {
        let whole = format!(r#"<span class="whole">{pod}</span></th>"#);
        assert!(html.contains(&whole), "{pod}");
    }
    assert!(html.contains(&format!(r#"<span class="long">{long}</span>"#)));
    assert!(html.contains("table .piece, .whole { white-space: nowrap; }"));
}

#[test]
fn several_hpas_are_one_file_with_contents() {
    let worlds: Vec<&World> = first_of_every_rule()
        .values()
        .map(|(_, world)| world)
        .collect();
    let pages: Vec<Page> = worlds.into_iter().map(page).collect();
    let parsed = Parsed::of(&document(&pages));
    parsed.assert_sound();
    assert_eq!(parsed.number("article"), pages.len());
    for number in 1..=pages.len() {
        let address = format!("#hpa-{number}");
        assert_eq!(
            parsed
                .attributes("href")
                .filter(|href| *href == address)
                .count(),
            1
        );
    }
}

#[test]
fn hostile_texts_stay_texts_in_a_browser() {
    let evil = "</title></style></svg><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x\u{1b}]0;owned\u{7}\u{202e}";
    let displayed =
        "</title></style></svg><script>alert(1)</script><img src=x onerror=alert(2)>\" onload=\"x";
    let world = hostile(evil);
    for world in [world.clone(), without_others(world)] {
        let html = document(&[page(&world)]);
        let parsed = Parsed::of(&html);
        parsed.assert_sound();
        assert!(parsed.text.contains(displayed));
        assert!(!parsed.text.contains("owned"));
        let bad = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
        assert!(!html.contains(bad));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Elements and their attributes are the same as on a page with ordinary texts.
    #[test]
    fn no_text_becomes_an_element(text in markup()) {
        for world in [hostile, |text: &str| without_others(hostile(text))] {
            let [found, expected] = [text.as_str(), "x"].map(|text| {
                let parsed = Parsed::of(&document(&[page(&world(text))]));
                parsed.assert_sound();
                parsed.shape()
            });
            prop_assert_eq!(found, expected);
        }
    }
}

/// The pages of all HPAs as one document.
fn document(pages: &[Page]) -> String {
    let mut text = Vec::new();
    html::write(&mut text, pages.len(), || pages.iter().map(Ok)).unwrap();
    String::from_utf8(text).unwrap()
}
