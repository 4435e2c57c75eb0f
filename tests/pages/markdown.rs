//! The page for an issue.

use hpa_explain::{Page, learn};
use hpa_render::markdown;
use hpa_testing::World;
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use crate::{
    hostile::{hostile, without_others},
    markup::markup,
    rules::first_of_every_rule,
    world::{AsPage, web},
};

fn document(world: &World) -> String {
    document_of(&[world.report(|page, _| page.clone())])
}

#[test]
fn pods_that_are_not_ready_as_markdown() {
    let world = web(8)
        .at("10:37:15")
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "85m")
        .never_ready("web-7f9c", "100m", "10:23:15", "readiness probe fails")
        .never_ready("web-8d21", "100m", "10:23:15", "readiness probe fails")
        .remembering(&[(8, "10:36:45"), (8, "10:37:00")])
        .status(8, 8, 85, "ReadyForNewScale", "DesiredWithinRange");
    insta::assert_snapshot!(document(&world));
}

#[test]
fn broken_metric_as_markdown() {
    let world = web(6)
        .at("09:43:40")
        .bounds(1, 30)
        .utilization("cpu", 60)
        .queue("queue_depth", "28", "10")
        .ready_pods(6, "100m", "50m")
        .with_sidecar("proxy")
        .failing_since("09:12:40");
    insta::assert_snapshot!(document(&world));
}

#[test]
fn several_hpas_begin_with_a_table_of_their_verdicts() {
    let page = |world: World| world.report(|page, _| page.clone());
    let pages: [Page; 2] = [
        page(
            web(2)
                .named("default", "nginx_deployment")
                .bounds(2, 10)
                .utilization("cpu", 20)
                .ready_pods(2, "20m", "515m")
                .remembering(&[(2, "10:41:15")]),
        ),
        page(
            web(6)
                .utilization("cpu", 60)
                .ready_pods(6, "100m", "58m")
                .other_hpa("web-canary", "app=web"),
        ),
    ];
    insta::assert_snapshot!(document_of(&pages));
}

/// Names and messages, whatever they contain, add no markup.
#[test]
fn hostile_texts_stay_texts_in_markdown() {
    let evil = "<script>alert(1)</script> [x](http://evil.example) ![i](a) `c` **b** @all #1 | a\n# h\u{1b}[31m";
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "96m")
        .pending("web-<b>|x", "100m", evil)
        .refused_write("Forbidden", evil);
    world.observation.hpa.name = "web*[a](b)".to_owned();
    let text = document(&world);
    assert!(text.contains("&lt;script&gt;"), "{text}");
    assert!(!text.contains('\u{1b}'));
    assert_only_ours(&text);
    for (_, world) in first_of_every_rule().values() {
        assert_only_ours(&document(world));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_becomes_markup(text in markup()) {
        for world in [hostile(&text), without_others(hostile(&text))] {
            assert_only_ours(&document(&world));
        }
    }
}

#[track_caller]
fn assert_only_ours(text: &str) {
    let mut is_command = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            // The only code is the answer's command, on one line.
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => is_command = true,
            Event::Text(command) if is_command => {
                assert!(command.starts_with("kubectl "), "{command}\n{text}");
                assert_eq!(command.trim_end().lines().count(), 1, "{text}");
                is_command = false;
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.trim();
                let is_summary = html.starts_with("<summary>") && html.ends_with("</summary>");
                let is_ours = [
                    "<details>",
                    "</details>",
                    "<sub>",
                    "</sub>",
                    "<br>",
                    "<!-- -->",
                    "<span>",
                    "</span>",
                ]
                .contains(&html)
                    || is_summary;
                assert!(is_ours, "{html}\n{text}");
            }
            Event::Start(Tag::Link { dest_url, .. })
                if learn::topics().any(|topic| learn::address(topic) == *dest_url) => {}
            Event::Code(_)
            | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => {
                panic!("{event:?}\n{text}")
            }
            _ => {}
        }
    }
}

/// The pages of all HPAs as one document.
fn document_of(pages: &[Page]) -> String {
    let mut text = Vec::new();
    markdown::write(&mut text, pages.len(), || pages.iter().map(Ok)).unwrap();
    String::from_utf8(text).unwrap()
}
