//! The layout of the screen, for every size.

use ratatui::layout::Rect;

/// The areas of the screen's parts. A part without room has an empty area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) header: Rect,
    pub(super) causes: Rect,
    pub(super) table: Rect,
    pub(super) verdict: Rect,
    pub(super) charts: Rect,
    pub(super) pods: Rect,
    pub(super) lists: Rect,
    pub(super) scrubber: Rect,
    pub(super) status: Rect,
}

/// Which parts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ScreenParts {
    /// All, with priority for the table.
    #[default]
    Table,
    /// The table alone.
    TableAlone,
    /// All, with priority for the charts.
    Charts,
}

impl ScreenParts {
    /// The next one, wrapping around.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Table => Self::TableAlone,
            Self::TableAlone => Self::Charts,
            Self::Charts => Self::Table,
        }
    }

    /// In words.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Table => "table first",
            Self::TableAlone => "table alone",
            Self::Charts => "charts first",
        }
    }
}

/// The inputs of the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayoutNeeds {
    /// Rows of the table without its heading.
    pub(super) rows: usize,
    /// Causes that affect several HPAs.
    pub(super) causes: usize,
    pub(super) parts: ScreenParts,
    /// Alarms and Events of the chosen HPA.
    pub(super) lists: usize,
    /// Metrics of the chosen HPA.
    pub(super) metrics: usize,
    /// Lines that the words about the chosen HPA fill.
    pub(super) words: usize,
    /// Whether there is a replay line.
    pub(super) has_scrubber: bool,
}

impl Places {
    /// Divides the screen; `None` if it is too small for anything useful.
    pub(super) fn of(area: Rect, needs: LayoutNeeds) -> Option<Self> {
        if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
            return None;
        }
        let mut rest = area;
        let mut places = Self {
            header: take_top(&mut rest, 1),
            status: take_bottom(&mut rest, if area.height < 16 { 1 } else { 2 }),
            ..Self::default()
        };
        if needs.has_scrubber {
            places.scrubber = take_bottom(&mut rest, 1);
        }
        let causes = u16::try_from(needs.causes).unwrap_or(u16::MAX);
        let most = rest.height / 8;
        places.causes = take_top(&mut rest, causes.min(most));
        let words = u16::try_from(needs.words).unwrap_or(u16::MAX);
        if needs.parts == ScreenParts::TableAlone {
            places.alone(rest, needs.rows, words);
            return Some(places);
        }
        let rows = u16::try_from(needs.rows).unwrap_or(u16::MAX).clamp(1, 200);
        let lists = u16::try_from(needs.lists).unwrap_or(u16::MAX);
        if is_side_by_side(area) {
            places.side_by_side(rest, lists, words);
        } else {
            let first = if needs.parts == ScreenParts::Charts {
                rows.min(5).min((rest.height / 4).max(2)) + 1
            } else {
                let most = (rest.height * 2 / 5).max(10);
                with_footer(rows, most).min((rest.height * 3 / 5).max(2))
            };
            places.below_each_other(rest, rows, first, lists, needs.metrics);
            places.grow_words(words);
        }
        Some(places)
    }

    /// The table, and below it the words: a row that is chosen is never without them.
    fn alone(&mut self, mut rest: Rect, rows: usize, words: u16) {
        let rows = u16::try_from(rows).unwrap_or(u16::MAX);
        let spare = rest.height.saturating_sub(rows.saturating_add(1).max(2));
        let least = (rest.height * 3 / 10).clamp(3, LEAST_WORDS);
        let height = spare.max(least).min(words.max(LEAST_WORDS));
        self.verdict = take_bottom(&mut rest, height);
        self.table = rest;
    }

    /// Gives the words lines of higher charts.
    fn grow_words(&mut self, words: u16) {
        let spare = self.charts.height.saturating_sub(LEAST_CHART);
        let more = words.saturating_sub(self.verdict.height).min(spare);
        self.verdict.height += more;
        self.charts.y += more;
        self.charts.height -= more;
    }

    fn side_by_side(&mut self, rest: Rect, lists: u16, words: u16) {
        let left = left_width(rest.width);
        let mut right = Rect {
            x: rest.x + left + 2,
            width: rest.width - left - 2,
            ..rest
        };
        let mut left = Rect {
            width: left,
            ..rest
        };
        let height = lists.clamp(4, left.height / 3);
        self.lists = take_bottom(&mut left, height);
        take_bottom(&mut left, 1);
        self.table = left;
        self.verdict = take_top(&mut right, words.clamp(9, 12));
        self.pods = take_top(&mut right, 1);
        take_top(&mut right, 1);
        self.charts = right;
    }

    fn below_each_other(
        &mut self,
        mut rest: Rect,
        rows: u16,
        table: u16,
        lists: u16,
        metrics: usize,
    ) {
        let height = rest.height;
        // The minimum of each part besides the table, the least important last.
        let verdict = if height < 14 { 3 } else { 4 };
        let mut extra = height.saturating_sub(table + verdict);
        let mut take = |most: u16, least: u16| {
            let taken = if extra < least { 0 } else { most.min(extra) };
            extra -= taken;
            taken
        };
        let pods = take(1, 1);
        // The words of any HPA come before a chart, and before them only the table.
        let for_words = FULL_WORDS - verdict;
        let charts = take(8, LEAST_CHART + for_words);
        // As if there were some, so that the height of the table is the same for every chosen HPA.
        let for_lists = take(2, 1);
        let mut lists_height = lists.min(for_lists);
        let mut table = table;
        let mut verdict = verdict;
        let mut charts = charts;
        // The rest: first more lines of text, then more rows, text and lists, and higher charts.
        let more = extra.min(if charts == 0 { for_words } else { 1 });
        verdict += more;
        extra -= more;
        let more = (rows + 1).saturating_sub(table).min(extra * 2 / 5);
        table += more;
        extra -= more;
        extra += for_lists - lists_height;
        let more = extra.min(4).min(extra / 3);
        verdict += more;
        extra -= more;
        let more = lists.saturating_sub(lists_height).min(extra / 3).min(8);
        lists_height += more;
        extra -= more;
        if charts != 0 {
            // Higher charts only as far as that helps.
            let most = if 1 < metrics { 30 } else { 20 };
            let more = extra.min(most);
            charts += more;
            extra -= more;
        }
        lists_height += lists.saturating_sub(lists_height).min(extra);
        self.table = take_top(&mut rest, table);
        self.verdict = take_top(&mut rest, verdict);
        self.charts = take_top(&mut rest, charts);
        self.pods = take_top(&mut rest, pods);
        self.lists = take_top(&mut rest, lists_height);
    }
}

/// The columns of the words about an HPA.
pub(super) fn words_width(area: Rect, parts: ScreenParts) -> u16 {
    if parts != ScreenParts::TableAlone && is_side_by_side(area) {
        area.width - left_width(area.width) - 2
    } else {
        area.width
    }
}

/// Whether table and charts are next to each other.
fn is_side_by_side(area: Rect) -> bool {
    160 <= area.width && 30 <= area.height
}

/// The columns of the table next to the charts.
fn left_width(width: u16) -> u16 {
    (width * 52 / 100).max(80)
}

/// Lines of a table with this many rows, heading included, of which at most `most` are visible: a separate line counts
/// the others.
fn with_footer(rows: u16, most: u16) -> u16 {
    if rows <= most { 1 + rows } else { 2 + most }
}

fn take_top(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    let taken = Rect { height, ..*rest };
    rest.y += height;
    rest.height -= height;
    taken
}

fn take_bottom(rest: &mut Rect, height: u16) -> Rect {
    let height = height.min(rest.height);
    rest.height -= height;
    Rect {
        y: rest.bottom(),
        height,
        ..*rest
    }
}

/// A lower chart shows nothing.
const LEAST_CHART: u16 = 6;

/// The least room for words below a table that is alone: a title, sentences and a command.
const LEAST_WORDS: u16 = 6;

/// The lines of nearly all words, with what may come next.
const FULL_WORDS: u16 = 7;

/// The smallest size that has a layout.
pub(super) const LEAST_WIDTH: u16 = 40;
pub(super) const LEAST_HEIGHT: u16 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_never_overlap_or_leave_the_screen_at_any_size() {
        for width in (1..260).step_by(7) {
            for height in 1..70 {
                for (rows, lists, metrics, has_scrubber) in
                    [(0, 0, 0, false), (3, 1, 1, false), (200, 40, 5, true)]
                {
                    let area = Rect::new(0, 0, width, height);
                    let parts = if height % 2 == 0 {
                        ScreenParts::Table
                    } else {
                        ScreenParts::TableAlone
                    };
                    let needs = LayoutNeeds {
                        rows,
                        lists,
                        metrics,
                        has_scrubber,
                        words: lists * 3,
                        causes: lists / 10,
                        parts,
                    };
                    let Some(places) = Places::of(area, needs) else {
                        assert!(width < LEAST_WIDTH || height < LEAST_HEIGHT);
                        continue;
                    };
                    let parts = [
                        places.header,
                        places.causes,
                        places.table,
                        places.verdict,
                        places.charts,
                        places.pods,
                        places.lists,
                        places.scrubber,
                        places.status,
                    ];
                    for (index, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(area).area(), part.area(), "{part:?}");
                        for other in &parts[..index] {
                            assert!(
                                !part.intersects(*other) || part.is_empty() || other.is_empty()
                            );
                        }
                    }
                    assert!(2 <= places.table.height);
                    assert!(3 <= places.verdict.height);
                }
            }
        }
    }
}
