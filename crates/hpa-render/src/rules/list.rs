//! The list of rules in a terminal.

use hpa_lint::{Rule, Severity, rules};
use unicode_width::UnicodeWidthStr as _;

use crate::{Style, style::Role, wrap::wrap};

/// One line for each rule: code, severity, name, what it flags. A wide list adds what it needs and how it runs.
pub fn list(chosen: &[&Rule], is_wide: bool, style: Style) -> String {
    let widest = |text: fn(&Rule) -> &str| {
        let widths = chosen.iter().map(|rule| text(rule).width());
        widths.max().unwrap_or(0)
    };
    let names = widest(|rule| rule.name);
    let needs = widest(|rule| rules::needs(rule.needs));
    let mut out = String::new();
    for rule in chosen {
        let severity = format!("{:<7}", rule.severity);
        let severity = match rule.severity {
            Severity::Error => style.paint(Role::Error, &severity),
            Severity::Warning => style.paint(Role::Warning, &severity),
            Severity::Info | Severity::Note => severity,
        };
        let mut before = format!("{}  ", style.paint(Role::Strong, rule.code));
        let mut width = rule.code.len() + 2;
        before.push_str(&format!("{severity}  {:<names$}  ", rule.name));
        width += 7 + 2 + names + 2;
        if is_wide {
            let mark = |is_so, letter| if is_so { letter } else { "" };
            let flags = [mark(rule.is_opt_in, "opt-in"), mark(rule.is_fixable, "fix")];
            let flags: Vec<&str> = flags.into_iter().filter(|flag| !flag.is_empty()).collect();
            before.push_str(&format!(
                "{:<needs$}  {:<10}  ",
                rules::needs(rule.needs),
                flags.join(",")
            ));
            width += needs + 2 + 10 + 2;
        }
        let summary = style.clean(rule.summary);
        let room = style.width.saturating_sub(width);
        let lines = if is_wide || room < LEAST_ROOM {
            vec![summary]
        } else {
            wrap(&summary, room)
        };
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                out.push_str(&before);
            } else {
                out.push_str(&" ".repeat(width));
            }
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Columns below which a summary is not wrapped.
const LEAST_ROOM: usize = 20;
