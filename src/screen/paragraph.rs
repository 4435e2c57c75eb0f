//! The state of an HPA to paste into a chat: one paragraph without colors.

use super::{
    causes::SharedCause,
    cx::{DrawContext, HpaRow},
    verdict::CachedVerdict,
    view::Screen,
};

impl Screen {
    /// The chosen HPA at the viewed time, as text: headline, sentences, alarms.
    pub(super) fn paragraph(&self, cx: &DrawContext<'_>) -> Option<String> {
        let row = self.row(cx)?;
        let entry = row.entry?;
        let words = if row.is_latest {
            self.verdict_words.as_ref()
        } else {
            self.past_verdict.as_ref()
        };
        let at = if row.is_latest {
            row.hpa.seen_at
        } else {
            entry.at
        };
        let sentences = words
            .filter(|words| words.is_about(row.key, at))
            .and_then(CachedVerdict::sentences)
            .unwrap_or_default();
        let target = &row.hpa.latest.assessment.observation.hpa.spec.scale_target;
        let mut text = format!(
            "{} → {target}: {}, min {}, max {}, {} of {} pods ready ({}).",
            row.key,
            entry.headline,
            entry.min,
            entry.max,
            entry.pods.ready,
            entry.pods.all,
            cx.clock_now().full(at),
        );
        if !sentences.is_empty() {
            text.push_str(&format!(" {sentences}"));
        }
        let rows = self.rows(cx);
        let shared = SharedCause::all(&rows);
        for line in alarms(cx, &row, &shared) {
            text.push(' ');
            text.push_str(&line);
        }
        Some(cx.clean(text.trim_end()))
    }
}

fn alarms(cx: &DrawContext<'_>, row: &HpaRow<'_>, shared: &[SharedCause<'_>]) -> Vec<String> {
    let clock = cx.clock();
    row.alarms()
        .iter()
        .map(|alarm| match shared.iter().find(|one| one.has(alarm)) {
            Some(cause) => format!("{}.", cause.line(cx)),
            None => format!("! {} since {}.", alarm.text, clock.time(alarm.since)),
        })
        .collect()
}
