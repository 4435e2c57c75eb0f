//! The figures of the past, and of the same past under other specs.

use hpa_history::{WhatIfReport, WhatIfRow};
use hpa_words::amount::number;

use crate::{
    chart::variant_class,
    spec_table::{Figure, LINE, SpecRow, SpecTable},
};

/// The actual past, today's spec in the model, and the variants.
pub(super) fn specs(what_if: &WhatIfReport, has_chart: bool) -> SpecTable {
    let mut columns = vec!["pod hours", "hours at max", "unmet pod hours", "rescales"];
    if what_if.price.is_some() {
        columns.insert(1, "cost");
    }
    let row = |row: &WhatIfRow, legend| {
        let mut figures = vec![
            Figure::of(&row.pod_hours, number),
            Figure::of(&row.hours_at_max, number),
            Figure::of(&row.unmet_pod_hours, number),
            Figure::of(&row.rescales, |one| format!("{one:.0}")),
        ];
        if let Some(price) = what_if.price {
            let cost = format!("{:.2}", price * row.pod_hours.median);
            figures.insert(1, Figure::only(cost));
        }
        SpecRow {
            name: row.name.clone(),
            legend: has_chart.then_some(legend),
            figures,
        }
    };
    let mut rows = vec![row(&what_if.actual, ("area actual".to_owned(), AREA))];
    let variants = what_if.variants.iter().enumerate();
    rows.extend(variants.map(|(index, one)| row(one, (variant_class(index), LINE))));
    SpecTable {
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows,
        has_ranges: true,
    }
}

/// How a legend draws an area.
const AREA: &str = "M1 1H25V11H1Z";
