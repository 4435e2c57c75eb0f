//! Lines of a chart from the points of a past, with gaps where nothing is known.

use std::collections::BTreeSet;

use hpa_history::{HistoryReport, IntervalKind, Millis, Point};

use crate::chart::{ChartClock, ChartPoint};

/// The time that charts cover: from the first to the last observed sync.
pub(super) struct Frame<'a> {
    report: &'a HistoryReport,
    start: Millis,
    pub(super) length: Millis,
    /// How long a point holds if no other one follows.
    hold: Millis,
    /// Times of points after a gap in the scrapes.
    after_gaps: BTreeSet<Millis>,
}

impl<'a> Frame<'a> {
    /// `None` if there is nothing to show.
    pub(super) fn of(report: &'a HistoryReport) -> Option<Self> {
        let (start, last) = report.edges()?;
        let hold = report.spacing().max(1);
        let is_gap = |kind: IntervalKind| kind == IntervalKind::NoData;
        let gaps = report.course.intervals.iter();
        Some(Self {
            report,
            start,
            length: last - start + hold,
            hold,
            after_gaps: gaps
                .filter(|one| is_gap(one.kind))
                .map(|one| one.to)
                .collect(),
        })
    }

    pub(super) fn clock(&self) -> ChartClock {
        ChartClock {
            start: self.report.zoned(self.start).timestamp(),
            zone: self.report.zone.clone(),
        }
    }

    /// The position of a time on the axis.
    pub(super) fn at(&self, time: Millis) -> Millis {
        (time - self.start).clamp(0, self.length)
    }

    /// A value over time, with gaps where it is missing.
    pub(super) fn pieces(&self, of: impl Fn(&Point) -> Option<f64>) -> Vec<Vec<ChartPoint>> {
        let points = self.report.course.points.iter();
        self.joined(points.map(|point| (point.time, of(point))))
    }

    /// A line without gaps, within the frame.
    pub(super) fn line(&self, points: &[(Millis, f64)]) -> Vec<ChartPoint> {
        let end = self.start + self.length;
        let within = points
            .iter()
            .filter(|(time, _)| (self.start..=end).contains(time));
        let line = within.map(|(time, value)| (self.at(*time), 0.0, *value));
        self.thinned(line.collect())
    }

    fn joined(&self, points: impl Iterator<Item = (Millis, Option<f64>)>) -> Vec<Vec<ChartPoint>> {
        let mut pieces = Vec::new();
        let mut piece: Vec<ChartPoint> = Vec::new();
        for (time, value) in points {
            let at = self.at(time);
            if value.is_none() || self.after_gaps.contains(&time) {
                self.close(&mut piece, at, &mut pieces);
            }
            piece.extend(value.map(|value| (at, 0.0, value)));
        }
        self.close(&mut piece, self.length, &mut pieces);
        pieces
    }

    /// Ends a piece: its last point holds for a while, but not beyond the next one.
    fn close(&self, piece: &mut Vec<ChartPoint>, next: Millis, pieces: &mut Vec<Vec<ChartPoint>>) {
        let Some((at, low, high)) = piece.last().copied() else {
            return;
        };
        piece.push(((at + self.hold).min(next), low, high));
        pieces.push(self.thinned(std::mem::take(piece)));
    }

    /// Reduces the points to those that a screen can show: first, lowest, highest and last of each column.
    fn thinned(&self, points: Vec<ChartPoint>) -> Vec<ChartPoint> {
        let column = self.length / COLUMNS;
        if column <= 2 * self.hold {
            return points;
        }
        let mut kept = Vec::new();
        for group in points.chunk_by(|one, next| one.0 / column == next.0 / column) {
            let value = |index: &usize| group[*index].2;
            let by_value = |one: &usize, other: &usize| value(one).total_cmp(&value(other));
            let places = 0..group.len();
            let mut visible = vec![0, group.len() - 1];
            visible.extend(places.clone().min_by(by_value));
            visible.extend(places.max_by(by_value));
            visible.sort_unstable();
            visible.dedup();
            kept.extend(visible.into_iter().map(|index| group[index]));
        }
        kept
    }
}

/// A chart is hardly wider in pixels.
const COLUMNS: Millis = 1000;
