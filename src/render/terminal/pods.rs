//! The pods behind the selector as a table.

use comfy_table::{ContentArrangement, Table};

use super::rows::push_line;
use crate::{
    explain::PodView,
    render::style::{Role, Style},
    trace::PodClass,
};

/// Writes every pod with class, sample, request and reason.
pub(super) fn write_pods(pods: &[PodView], style: Style, out: &mut String) {
    let mut table = Table::new();
    table
        .load_style(comfy_table::presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(style.width).unwrap_or(u16::MAX))
        .set_header(["POD", "CLASS", "USAGE", "REQUEST", "WHY", "OWNER"]);
    for pod in pods {
        let cell = |text: &Option<String>| {
            text.as_ref()
                .map_or_else(|| "-".to_owned(), |text| style.clean(text))
        };
        table.add_row([
            style.clean(&pod.name),
            pod.class.map_or("-", PodClass::as_str).to_owned(),
            cell(&pod.usage),
            cell(&pod.request),
            style.clean(&pod.why),
            cell(&pod.owner),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    for (number, line) in table.lines().enumerate() {
        let is_counted = number
            .checked_sub(1)
            .and_then(|number| pods.get(number))
            .is_none_or(|pod| pod.class == Some(PodClass::Ready));
        let role = if is_counted {
            Role::Text
        } else {
            Role::Warning
        };
        push_line(&style.paint(role, line.trim_end()), out);
    }
}
