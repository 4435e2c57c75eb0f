//! The list of rules in a terminal.

use hpa_lint::{Rule, rules};

use crate::{
    Style,
    style::Role,
    styled::StyledText,
    table::{INDENT, LEAST_TEXT, Table},
};

/// One line for each rule: code, severity, name, what it flags. A wide list adds what it needs and how it runs.
pub fn list(chosen: &[&Rule], is_wide: bool, style: Style) -> String {
    let mut table = Table::new(style);
    for rule in chosen {
        let mut cells = vec![
            (Role::Strong, rule.code.to_owned()),
            (rule.severity.into(), rule.severity.to_string()),
            (Role::Text, rule.name.to_owned()),
        ];
        if is_wide {
            let flags = [(rule.is_opt_in, "opt-in"), (rule.is_fixable, "fix")];
            let flags = flags.into_iter().filter(|(is_so, _)| *is_so);
            let flags: Vec<&str> = flags.map(|(_, flag)| flag).collect();
            cells.push((Role::Text, rules::needs(rule.needs).to_owned()));
            cells.push((Role::Text, flags.join(",")));
        }
        cells.push((Role::Text, rule.summary.to_owned()));
        table.push_cells(cells);
    }
    let mut text = StyledText::default();
    if is_wide {
        table.write(&mut text);
    } else {
        table.write_rows(LEAST_TEXT, INDENT, &mut text);
    }
    text.paint(style)
}
