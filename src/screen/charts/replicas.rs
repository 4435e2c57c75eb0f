//! The replicas over time: what runs, what is wanted, what the metrics ask for, and what limits it.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    columns::{Column, Stretch},
    frame,
    plot::Plot,
};
use crate::{
    screen::{
        Tick,
        palette::Role,
        scene::{Scene, Shown},
    },
    watch::Moment,
};

/// Draws the chart of the replicas.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: &Shown<'_>,
    stretch: &Stretch<'_>,
    ticks: &[Tick],
) {
    let columns =
        |value: fn(&Moment) -> Option<i32>| stretch.columns(|moment| value(moment).map(f64::from));
    let ready = columns(|moment| i32::try_from(moment.pods.ready).ok());
    let desired = columns(|moment| moment.desired.or(moment.current));
    let asked = columns(|moment| moment.asked);
    let window = columns(|moment| moment.stabilized);
    let least = columns(|moment| limits(moment).0);
    let most = columns(|moment| limits(moment).1);
    let min = columns(|moment| Some(moment.min));
    let max = columns(|moment| Some(moment.max));
    let high = height([&ready, &desired], [&asked, &window, &most, &max]);

    let glyphs = scene.glyphs();
    let cells = frame::inside(area);
    let mut plot = Plot {
        buffer,
        area: cells,
        high,
        glyphs,
    };
    // What lies below the pods matters once they are gone.
    plot.levels(&min, glyphs.bound, scene.style(Role::Bound));
    plot.levels(&least, glyphs.least, scene.style(Role::Limit));
    plot.bars(&ready, scene.style(Role::Ready));
    plot.levels(&max, glyphs.bound, scene.style(Role::Bound));
    plot.levels(&most, glyphs.most, scene.style(Role::Limit));
    plot.levels(&window, glyphs.window, scene.style(Role::Limit));
    let proposal = [glyphs.proposal, glyphs.beyond];
    plot.marks_or_beyond(&asked, proposal, scene.style(Role::Proposal));
    plot.steps(&desired, scene.style(Role::Line));

    frame::legend(scene, buffer, area, "replicas", &legend(scene, shown, high));
    frame::number(scene, buffer, area, 0, &format!("{high:.0}"));
    if 1 < cells.height {
        frame::number(scene, buffer, area, cells.height - 1, "0");
    }
    frame::times(scene, buffer, area, stretch.axis, ticks);
    frame::cursor(scene, buffer, area, stretch.axis);
}

/// What the height of the chart stands for: all that runs or is wanted, and of what is asked for or allowed as much as
/// does not make the rest too small to read.
fn height(must: [&[Option<Column>]; 2], may: [&[Option<Column>]; 4]) -> f64 {
    let most = |columns: &[Option<Column>]| {
        let known = columns.iter().flatten();
        known.map(|column| column.most).fold(0.0, f64::max)
    };
    let needed = must.into_iter().map(most).fold(1.0, f64::max);
    let reach = (needed * 1.5).max(4.0);
    let asked = may[0].iter().flatten().map(|column| column.most.min(reach));
    let needed_with_asked = asked.fold(needed, f64::max);
    let others = may.into_iter().map(most).filter(|one| *one <= reach);
    // A little room above, so that a line at the top is seen as one.
    (others.fold(needed_with_asked, f64::max) * 1.1).ceil()
}

/// The least and the most that policies allow, where that is not what the bounds allow.
fn limits(moment: &Moment) -> (Option<i32>, Option<i32>) {
    let (least, most) = moment.limits.unzip();
    (
        least.filter(|least| moment.min < *least),
        most.filter(|most| *most < moment.max),
    )
}

fn legend(scene: &Scene<'_>, shown: &Shown<'_>, high: f64) -> Vec<(Role, &'static str, String)> {
    let glyphs = scene.glyphs();
    let Some(moment) = shown.moment else {
        return Vec::new();
    };
    let number =
        |replicas: Option<i32>| replicas.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let desired = format!("desired {}", number(moment.desired.or(moment.current)));
    let mut entries = vec![
        (Role::Line, glyphs.steps[0], desired),
        (
            Role::Ready,
            glyphs.fill[7],
            format!("ready {}", moment.pods.ready),
        ),
    ];
    if let Some(asked) = moment.asked {
        let (glyph, above) = if high < f64::from(asked) {
            (glyphs.beyond, " (above)")
        } else {
            (glyphs.proposal, "")
        };
        entries.push((Role::Proposal, glyph, format!("asks {asked}{above}")));
    }
    entries.push((
        Role::Bound,
        glyphs.bound,
        format!("min {} max {}", moment.min, moment.max),
    ));
    let (least, most) = limits(moment);
    if let Some(most) = most {
        entries.push((Role::Limit, glyphs.most, format!("most {most}")));
    }
    if let Some(least) = least {
        entries.push((Role::Limit, glyphs.least, format!("least {least}")));
    }
    if moment.stabilized.is_some() {
        entries.push((
            Role::Limit,
            glyphs.window,
            format!("window {}", number(moment.stabilized)),
        ));
    }
    entries
}
