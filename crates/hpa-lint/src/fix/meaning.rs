//! The meaning of steps, independent of the text.

use kubectl_hpa_yaml::{Entry, Span, YamlNode, YamlValue, steps};

use super::written::WrittenValue;
use crate::FixStep;

/// Applies a step to the values.
pub(super) fn apply(object: &mut YamlNode, step: &FixStep) -> Result<(), String> {
    match step {
        FixStep::SetScalar { path, text } => {
            let node = value_at(object, path).ok_or_else(|| format!("{path} is missing"))?;
            *node = WrittenValue::parse(text)?.into_node();
        }
        FixStep::RenameKey { path, key } => {
            let (parent, last) = parent(object, path)?;
            let YamlValue::Mapping(entries) = &mut parent.value else {
                return Err(format!("{path} is not an entry of a mapping"));
            };
            if entries.iter().any(|entry| *entry.key == **key) {
                return Err(format!("{key} already exists"));
            }
            let entry = entries.iter_mut().rev().find(|entry| *entry.key == *last);
            entry.ok_or_else(|| format!("{path} is missing"))?.key = key.as_str().into();
        }
        FixStep::Remove { path } => {
            let (parent, last) = parent(object, path)?;
            match &mut parent.value {
                YamlValue::Mapping(entries) => entries.retain(|entry| *entry.key != *last),
                YamlValue::Sequence(items) => {
                    let index = last.parse().ok().filter(|index| *index < items.len());
                    items.remove(index.ok_or_else(|| format!("{path} is missing"))?);
                }
                _ => return Err(format!("{path} is missing")),
            }
        }
        FixStep::Insert { path, key, text } => {
            let node = value_at(object, path).ok_or_else(|| format!("{path} is missing"))?;
            let YamlValue::Mapping(entries) = &mut node.value else {
                return Err(format!("{path} is not a mapping"));
            };
            entries.push(Entry {
                key: key.as_str().into(),
                key_span: Span::default(),
                node: WrittenValue::parse(text)?.into_node(),
            });
        }
    }
    Ok(())
}

fn parent<'a, 'p>(
    object: &'a mut YamlNode,
    path: &'p str,
) -> Result<(&'a mut YamlNode, &'p str), String> {
    let missing = || format!("{path} is missing");
    let all: Vec<&str> = steps(path).collect();
    let (last, before) = all.split_last().ok_or_else(missing)?;
    let parent = walk(object, before.iter().copied()).ok_or_else(missing)?;
    Ok((parent, last))
}

/// The value at a path, for writing.
pub(crate) fn value_at<'a>(object: &'a mut YamlNode, path: &str) -> Option<&'a mut YamlNode> {
    walk(object, steps(path))
}

fn walk<'a, 'p>(
    object: &'a mut YamlNode,
    steps: impl Iterator<Item = &'p str>,
) -> Option<&'a mut YamlNode> {
    let mut node = object;
    for step in steps {
        node = match &mut node.value {
            YamlValue::Mapping(entries) => {
                &mut entries
                    .iter_mut()
                    .rev()
                    .find(|entry| *entry.key == *step)?
                    .node
            }
            YamlValue::Sequence(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(node)
}
