//! The progress of slow reading: on a terminal, and nowhere else.

use std::{fs, time::Duration};

use regex::Regex;

use super::history::{FROM, TO, World, answer, of_the_past, series, today};
use crate::{pty::text_of, watch_screen::screen};

/// A past of which only the usage of the pods is slow to read.
fn slow() -> World {
    World::of(&today()["hpa"], |asked| {
        let is_slow = asked.query["query"].contains("container_cpu_usage_seconds_total");
        let delay = Duration::from_secs(if is_slow { 5 } else { 0 });
        answer(series(), asked, &|_, _, value| Some(value.to_owned())).after(delay)
    })
}

#[test]
fn bar_shows_the_answered_requests_and_is_gone_afterwards() {
    let world = slow();
    let url = world.url();
    let words = of_the_past(&url);
    let mut terminal = screen(&world.plugin, &words, "exec > page;");
    let bar = Regex::new(r"(?m)^\[(#*)(\.*)\] (\d+) of (\d+) requests$").unwrap();
    // Only one request is slow.
    let (filled, empty, done, total) = terminal.eventually("the bar", |screen| {
        let text = text_of(screen);
        let [filled, empty, done, total] = bar.captures(&text)?.extract().1;
        let [done, total]: [usize; 2] = [done, total].map(|number| number.parse().unwrap());
        (done + 1 == total).then_some((filled.len(), empty.len(), done, total))
    });
    let expected = 30 * done / total;
    assert_eq!((filled, empty), (expected, 30 - expected));
    terminal.ends_with(0);
    let left = terminal.text();
    assert!(!left.contains("requests"), "{left}");
    let page = fs::read_to_string(world.plugin.path("page")).unwrap();
    assert!(page.starts_with("shop/web → Deployment/web"), "{page}");
}

#[test]
fn without_a_terminal_nothing_is_shown_however_slow_it_is() {
    let run = slow().history(&["--from", FROM, "--to", TO]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stdout.starts_with("shop/web → "), "{run:?}");
}
