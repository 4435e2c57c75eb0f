//! The page of `explain` on any snapshots, in every format.

use std::{io, iter};

use hpa_analysis::{Assessment, Follower, apply_inferred, infer_settings};
use hpa_explain::{ExplainContext, Page};
use hpa_objects::recording::{Converted, RecordingReader, Snapshot};
use hpa_render::{
    Style, html,
    json::Explanation,
    markdown,
    terminal::{PageDetail, page as terminal_page},
};
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;

use super::terminal::assert_harmless;

/// At most this many snapshots of one input get a page; all of them are followed.
const PAGES: usize = 2;

pub fn page(bytes: &[u8]) {
    let mut follower = Follower::default();
    let mut pages = 0;
    for line in RecordingReader::new(bytes) {
        let Ok(line) = line else { continue };
        if let Some(written) = write(&line.snapshot, &mut follower) {
            for text in &written {
                assert_harmless(text);
            }
            pages += 1;
        }
        if pages == PAGES {
            break;
        }
    }
}

/// The pages of a usable snapshot.
pub(super) fn write(snapshot: &Snapshot, follower: &mut Follower) -> Option<Vec<String>> {
    let mut input = snapshot.sync_input(&mut Converted::default()).ok()?;
    let (observation, context) = (&mut input.observation, &mut input.context);
    let now = input.now;
    let followed = follower.follow(observation, context, snapshot.controller_started, now);
    let settings = infer_settings([(&*observation, &*context)]);
    apply_inferred(observation, context, &settings);
    input.memory = followed.before;
    let assessment = Assessment::new(input);
    let clock = Clock::new(TimeZone::UTC, now);
    let cx = ExplainContext::of(&assessment, &clock);
    let page = Page::new(&cx);
    let whole = page.clone().with_all_what_ifs(&cx);
    let detail = PageDetail {
        is_wide: true,
        is_verbose: true,
        with_what_ifs: true,
    };
    let ascii = Style {
        has_unicode: false,
        ..Style::plain().with_width(40)
    };
    let json = serde_json::to_value(Explanation::new(&page, &cx)).expect("it is JSON");
    assert!(json.is_object());
    Some(vec![
        terminal_page(&page, PageDetail::default(), Style::plain()),
        terminal_page(&whole, detail, ascii),
        written(|out| markdown::write(out, 1, || iter::once(Ok(&whole)))),
        written(|out| html::write(out, 1, || iter::once(Ok(&whole)))),
    ])
}

fn written(write: impl Fn(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text).expect("a Vec takes everything");
    String::from_utf8(text).expect("it is text")
}
