//! What is printed of the worlds of the pages.

use hpa_analysis::Analysis;
use hpa_engine::model::{ControllerConfig, Input, SyncInput};
use hpa_explain::{ExplainContext, Page};
use hpa_render::{
    Style,
    json::Explanation,
    terminal::{PageDetail, page},
};
use hpa_testing::{World, hpa};
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;

/// An HPA `shop/web` of 2 to 20 replicas at 10:41:30 UTC, whose controller's version and memory are not known.
pub(crate) fn web(replicas: i32) -> World {
    let mut web = hpa("web").bounds(2, 20).with_replicas(replicas);
    web.observation.controller =
        ControllerConfig::defaults(Input::inferred("1.36".parse().unwrap()));
    let hpa = &mut web.observation.hpa;
    (hpa.generation, hpa.created) = (None, Some(hpa_testing::at("01:00:00")));
    web.memory = None;
    web.at("10:41:30")
}

/// What is printed of a world.
pub(crate) trait AsPage {
    fn analysis(&self) -> Analysis;

    fn report<T>(&self, report: impl FnOnce(&Page, &ExplainContext<'_>) -> T) -> T;

    fn text(&self, detail: PageDetail, style: Style) -> String {
        self.report(|reported, cx| {
            let mut reported = reported.clone();
            if detail.with_what_ifs {
                reported = reported.with_all_what_ifs(cx);
            }
            page(&reported, detail, style)
        })
    }

    /// The page with default settings.
    fn page(&self) -> String {
        self.text(PageDetail::default(), Style::plain())
    }

    /// The first lines of the page: verdict and answer.
    fn answer(&self) -> String {
        let page = self.page();
        page.split("\n\n").next().unwrap().to_owned()
    }

    fn json(&self) -> Explanation {
        self.report(Explanation::new)
    }

    /// What the page says about the context, as one line.
    fn around(&self) -> String {
        let notes = self.report(|page, _| page.around.clone());
        let lines = notes
            .iter()
            .map(|note| format!("{} {}: {}", note.weight.as_str(), note.title, note.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    fn says(&self, text: &str) -> &Self {
        assert!(self.around().contains(text), "{}", self.around());
        self
    }

    #[track_caller]
    fn does_not_say(&self, text: &str) -> &Self {
        assert!(!self.around().contains(text), "{}", self.around());
        self
    }

    /// The page with `--what-if`.
    fn what_if(&self) -> String {
        let detail = PageDetail {
            with_what_ifs: true,
            ..PageDetail::default()
        };
        self.text(detail, Style::plain())
    }

    /// The lines `without` and `with` of the short page.
    fn lines(&self) -> Vec<String> {
        self.report(|page, _| {
            page.next
                .iter()
                .filter(|next| next.title == "what if")
                .map(|next| next.text.clone())
                .collect()
        })
    }
}

impl AsPage for World {
    fn analysis(&self) -> Analysis {
        Analysis::new(&SyncInput {
            observation: self.observation.clone(),
            context: self.context.clone(),
            memory: self.memory.clone(),
            now: self.now,
        })
    }

    fn report<T>(&self, report: impl FnOnce(&Page, &ExplainContext<'_>) -> T) -> T {
        let analysis = self.analysis();
        let clock = Clock::new(TimeZone::UTC, self.now);
        let cx = ExplainContext::new(&self.observation, &self.context, &analysis, &clock);
        report(&Page::new(&cx), &cx)
    }
}
