//! Which fields of a list's elements a template can read.

use std::collections::BTreeSet;

use super::node::{Filter, TemplateNode};

/// The names of all fields in a template, if it reads elements of the list `list` only by fields: then the elements may
/// lack all others. None: it may print an element, or search all of it.
pub(super) fn fields<'t>(nodes: &'t [TemplateNode], list: &str) -> Option<BTreeSet<&'t str>> {
    let mut names = BTreeSet::new();
    let are_fields = nodes.iter().all(|node| collect(node, list, &mut names));
    are_fields.then_some(names)
}

fn collect<'t>(node: &'t TemplateNode, list: &str, names: &mut BTreeSet<&'t str>) -> bool {
    match node {
        TemplateNode::Field(name) => {
            names.insert(name);
            true
        }
        TemplateNode::List(nodes) => collect_path(nodes, list, names),
        TemplateNode::Union(parts) => {
            let mut parts = parts.iter();
            parts.all(|part| collect_path(part, list, names))
        }
        TemplateNode::Filter(Filter { left, comparison }) => {
            let right = comparison.as_ref().map(|(_, right)| right);
            let mut sides = [Some(left), right].into_iter().flatten();
            sides.all(|side| collect_path(side, list, names))
        }
        TemplateNode::Wildcard | TemplateNode::Recursive => false,
        TemplateNode::Bool(_)
        | TemplateNode::Float(_)
        | TemplateNode::Identifier(_)
        | TemplateNode::Integer(_)
        | TemplateNode::Slice(_)
        | TemplateNode::Text(_) => true,
    }
}

fn collect_path<'t>(path: &'t [TemplateNode], list: &str, names: &mut BTreeSet<&'t str>) -> bool {
    // A range only chooses elements; what is in it reads them.
    let (chooses, path) = match path {
        [TemplateNode::Identifier(_), rest @ ..] => (true, rest),
        path => (false, path),
    };
    (chooses || ends_in_value(path, list))
        && chooses_from_fields(path)
        && path.iter().all(|node| collect(node, list, names))
}

/// Whether a path leads to a value in an element, or to a literal.
fn ends_in_value(path: &[TemplateNode], list: &str) -> bool {
    match path.last() {
        Some(TemplateNode::Field(name)) => name != list,
        Some(TemplateNode::Union(parts)) => parts.iter().all(|part| ends_in_value(part, list)),
        Some(
            TemplateNode::Bool(_)
            | TemplateNode::Float(_)
            | TemplateNode::Integer(_)
            | TemplateNode::Text(_),
        ) => true,
        _ => false,
    }
}

/// Whether only values of fields are indexed and filtered. An error about an element would show all of it.
fn chooses_from_fields(path: &[TemplateNode]) -> bool {
    let chooses =
        |node: &TemplateNode| matches!(node, TemplateNode::Slice(_) | TemplateNode::Filter(_));
    !path.first().is_some_and(chooses)
        && path
            .windows(2)
            .all(|pair| !chooses(&pair[1]) || matches!(pair[0], TemplateNode::Field(_)))
}

#[cfg(test)]
mod tests {
    use crate::Template;

    #[test]
    fn only_templates_that_name_fields_of_elements_need_no_others() {
        let fields = |template: &str| {
            let template = Template::parse(template).unwrap();
            let fields = template.fields("items");
            fields.map(|names| names.into_iter().collect::<Vec<_>>().join(" "))
        };
        for (template, expected) in [
            ("{.items[*].hpa.name}", "hpa items name"),
            ("{.items[0].labels['a\\.b']}", "a.b items labels"),
            ("{range .items[*]}{.name}{\"\\n\"}{end}", "items name"),
            (
                "{range .items[?(@.verdict.to>2)]}{@.name}={['to','from']}{end}",
                "from items name to verdict",
            ),
            ("{.schemaVersion} {1}", "schemaVersion"),
        ] {
            assert_eq!(fields(template).as_deref(), Some(expected), "{template}");
        }
        for template in [
            "{.items}",
            "{.items[0]}",
            "{..name}",
            "{.items[*].*}",
            "{.*}",
            "{@}",
            "{range .items[*]}{@}{end}",
            "{range .items[*]}{[0].name}{end}",
            "{range .items[*]}{[?(@.name)].name}{end}",
            "{.items[0][?(@.name)].name}",
            "{.items[?(@==1)].name}",
        ] {
            assert_eq!(fields(template), None, "{template}");
        }
    }
}
