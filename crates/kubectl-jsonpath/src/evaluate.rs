//! Evaluates a template on a document.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{
    compare::compare,
    node::{Filter, Slice, SliceEnd, TemplateNode},
    print::go_value,
};

/// A match: a value of the document, or a literal. None: no value, as in the walk of a range without items.
pub(super) type MatchedItem<'d> = Option<Cow<'d, Value>>;

/// Why an evaluation failed, and its matches so far. A filter that only tests for existence uses these.
struct EvaluationFailure<'d> {
    partial: Vec<MatchedItem<'d>>,
    message: String,
}

type Matches<'d> = Result<Vec<MatchedItem<'d>>, EvaluationFailure<'d>>;

/// Evaluates the nodes of a template one by one, on their own or within ranges.
pub(super) struct Evaluation<'t> {
    nodes: &'t [TemplateNode],
    is_missing_allowed: bool,
    /// `range` nodes read whose loop has not started.
    begins_range: usize,
    /// Loops around this node.
    in_range: usize,
    /// `end` nodes read whose loop has not ended.
    ends_range: usize,
    /// Index of the `end` that was read last.
    last_end: Option<usize>,
    /// Matches so far, including intermediate ones.
    results: usize,
}

impl<'t> Evaluation<'t> {
    pub(super) fn new(nodes: &'t [TemplateNode], is_missing_allowed: bool) -> Self {
        Self {
            nodes,
            is_missing_allowed,
            begins_range: 0,
            in_range: 0,
            ends_range: 0,
            last_end: None,
            results: 0,
        }
    }

    /// The matches of each node from `from` on in `data`.
    pub(super) fn find<'d>(
        &mut self,
        data: &MatchedItem<'d>,
        from: usize,
    ) -> Result<Vec<Vec<MatchedItem<'d>>>, String> {
        if DEEPEST_RANGE < self.in_range {
            return Err(format!("more than {DEEPEST_RANGE} ranges in each other"));
        }
        let mut found = Vec::new();
        let mut index = from;
        while let Some(node) = self.nodes.get(index) {
            let results = self
                .walk(vec![data.clone()], node)
                .map_err(|failure| failure.message)?;
            if 0 < self.ends_range && self.ends_range <= self.in_range {
                self.ends_range -= 1;
                self.last_end = Some(index);
                break;
            }
            if 0 < self.begins_range {
                self.begins_range -= 1;
                self.in_range += 1;
                for item in &results {
                    found.extend(self.find(item, index + 1)?);
                }
                if results.is_empty() {
                    // Without items, the nodes are walked once to find the end.
                    self.find(&None, index + 1)?;
                }
                self.in_range -= 1;
                index = self.last_end.filter(|end| index < *end).unwrap_or(index);
            } else {
                found.push(results);
            }
            index += 1;
        }
        Ok(found)
    }

    fn walk<'d>(&mut self, input: Vec<MatchedItem<'d>>, node: &TemplateNode) -> Matches<'d> {
        let found = self.walk_one(input, node)?;
        // A step without matches also counts.
        self.results = self.results.saturating_add(found.len()).saturating_add(1);
        if MOST_RESULTS < self.results {
            return fail(Vec::new(), format!("more than {MOST_RESULTS} results"));
        }
        Ok(found)
    }

    fn walk_one<'d>(&mut self, input: Vec<MatchedItem<'d>>, node: &TemplateNode) -> Matches<'d> {
        let literal = |value: Value| input.iter().map(|_| Some(owned(value.clone()))).collect();
        match node {
            TemplateNode::Bool(value) => Ok(literal((*value).into())),
            TemplateNode::Float(value) => Ok(literal((*value).into())),
            TemplateNode::Integer(value) => Ok(literal((*value).into())),
            TemplateNode::Text(text) => Ok(vec![Some(owned(text.as_str().into()))]),
            TemplateNode::List(nodes) => self.walk_all(input, nodes),
            TemplateNode::Field(name) => self.field(input, name),
            TemplateNode::Slice(of) => slice(input, *of),
            TemplateNode::Wildcard => Ok(input
                .iter()
                .flat_map(children)
                .take(MOST_RESULTS + 1)
                .collect()),
            TemplateNode::Recursive => {
                let mut found = Vec::new();
                for item in &input {
                    if MOST_RESULTS < found.len() {
                        break;
                    }
                    descend(item, &mut found);
                }
                Ok(found)
            }
            TemplateNode::Filter(filter) => self.filter(input, filter),
            TemplateNode::Union(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    if MOST_RESULTS < found.len() {
                        break;
                    }
                    match self.walk_all(input.clone(), part) {
                        Ok(more) => found.extend(more),
                        Err(failure) => return fail(input, failure.message),
                    }
                }
                Ok(found)
            }
            TemplateNode::Identifier(name) => self.identifier(input, name),
        }
    }

    fn walk_all<'d>(&mut self, input: Vec<MatchedItem<'d>>, nodes: &[TemplateNode]) -> Matches<'d> {
        nodes
            .iter()
            .try_fold(input, |found, node| self.walk(found, node))
    }

    fn identifier<'d>(&mut self, input: Vec<MatchedItem<'d>>, name: &str) -> Matches<'d> {
        match name {
            "range" => {
                self.begins_range += 1;
                Ok(input)
            }
            "end" if 0 < self.in_range => {
                self.ends_range += 1;
                Ok(Vec::new())
            }
            "end" => fail(Vec::new(), "not in range, nothing to end"),
            other => fail(input, format!("unrecognized identifier {other}")),
        }
    }

    fn field<'d>(&self, input: Vec<MatchedItem<'d>>, name: &str) -> Matches<'d> {
        if input.is_empty() {
            return Ok(Vec::new());
        }
        let found: Vec<MatchedItem<'d>> = input
            .into_iter()
            .filter_map(|item| match item? {
                Cow::Borrowed(value) => value.get(name).map(Cow::Borrowed),
                Cow::Owned(value) => value.get(name).cloned().map(Cow::Owned),
            })
            .map(Some)
            .collect();
        if found.is_empty() && !self.is_missing_allowed {
            return fail(found, format!("{name} is not found"));
        }
        Ok(found)
    }

    fn filter<'d>(&mut self, input: Vec<MatchedItem<'d>>, filter: &Filter) -> Matches<'d> {
        let mut passed = Vec::new();
        for item in &input {
            let Some(Value::Array(_)) = item.as_deref() else {
                let text = item.as_deref().map_or_else(|| "<nil>".to_owned(), go_value);
                let message = format!("{text} is not array or slice and cannot be filtered");
                return fail(input, message);
            };
            for element in children(item) {
                match self.passes(&element, filter) {
                    Ok(true) => passed.push(element),
                    Ok(false) => {}
                    Err(message) => return fail(input, message),
                }
            }
        }
        Ok(passed)
    }

    fn passes(&mut self, element: &MatchedItem<'_>, filter: &Filter) -> Result<bool, String> {
        let left = self.walk_all(vec![element.clone()], &filter.left);
        let Some((operator, right)) = &filter.comparison else {
            let found = left.unwrap_or_else(|failure| failure.partial);
            return Ok(!found.is_empty());
        };
        let Some(left) = single(left)? else {
            return Ok(false);
        };
        let Some(right) = single(self.walk_all(vec![element.clone()], right))? else {
            return Ok(false);
        };
        compare(&left, operator, &right)
    }
}

/// The single match. None if there is none.
fn single(found: Matches<'_>) -> Result<Option<Value>, String> {
    let mut found = found.map_err(|failure| failure.message)?;
    if 1 < found.len() {
        return Err("can only compare one element at a time".to_owned());
    }
    let only = found.pop();
    Ok(only.map(|item| item.map_or(Value::Null, Cow::into_owned)))
}

fn slice(input: Vec<MatchedItem<'_>>, slice: Slice) -> Matches<'_> {
    let mut found = Vec::new();
    for item in &input {
        if MOST_RESULTS < found.len() {
            break;
        }
        let Some(value) = item.as_deref() else {
            return fail(input, "<nil> is not array or slice");
        };
        let Value::Array(elements) = value else {
            if value.is_null() {
                continue;
            }
            let message = format!("{} is not array or slice", go_type(value));
            return fail(input, message);
        };
        let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
        let from_end = |at: i64| {
            if at < 0 {
                at.saturating_add(length)
            } else {
                at
            }
        };
        let begin = from_end(slice.begin.unwrap_or(0));
        let end = match slice.end {
            SliceEnd::AfterBegin(0) | SliceEnd::Last => length,
            SliceEnd::AfterBegin(end) | SliceEnd::At(end) => from_end(end),
        };
        if begin == end {
            return Ok(found);
        }
        let out = |index: i64| format!("array index out of bounds: index {index}, length {length}");
        if !(0..length).contains(&begin) {
            return fail(input, out(begin));
        }
        if !(0..=length).contains(&end) {
            return fail(input, out(end.saturating_sub(1)));
        }
        if end < begin {
            let message = format!("starting index {begin} is greater than ending index {end}");
            return fail(input, message);
        }
        let step = match slice.step.map(usize::try_from) {
            None => 1,
            Some(Ok(step)) if 0 < step => step,
            Some(_) => return fail(input, "step must be > 0"),
        };
        let before = usize::try_from(begin).unwrap_or(usize::MAX);
        let number = usize::try_from(end.saturating_sub(begin)).unwrap_or(0);
        found.extend(children(item).skip(before).take(number).step_by(step));
    }
    Ok(found)
}

/// Collects the value and all descendants that have children.
fn descend<'d>(item: &MatchedItem<'d>, found: &mut Vec<MatchedItem<'d>>) {
    let below: Vec<MatchedItem<'d>> = children(item).collect();
    if below.is_empty() {
        return;
    }
    found.push(item.clone());
    for child in &below {
        descend(child, found);
    }
}

/// The children of a map in the order of its keys, of a list, or of a string: as in kubectl, its bytes.
fn children<'d>(item: &MatchedItem<'d>) -> Box<dyn Iterator<Item = MatchedItem<'d>> + 'd> {
    match item {
        Some(Cow::Borrowed(Value::Array(elements))) => {
            Box::new(elements.iter().map(|value| Some(Cow::Borrowed(value))))
        }
        Some(Cow::Borrowed(Value::Object(fields))) => {
            Box::new(sorted(fields).map(|(_, value)| Some(Cow::Borrowed(value))))
        }
        Some(Cow::Owned(Value::Array(elements))) => {
            Box::new(elements.clone().into_iter().map(owned).map(Some))
        }
        Some(Cow::Owned(Value::Object(fields))) => {
            let values: Vec<Value> = sorted(fields).map(|(_, value)| value.clone()).collect();
            Box::new(values.into_iter().map(owned).map(Some))
        }
        Some(text) => match text.as_ref() {
            Value::String(text) => {
                let bytes = text.clone().into_bytes();
                Box::new(bytes.into_iter().map(|byte| Some(owned(byte.into()))))
            }
            _ => Box::new(std::iter::empty()),
        },
        None => Box::new(std::iter::empty()),
    }
}

/// The fields sorted by name, independent of the map's order.
pub(super) fn sorted(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(name, _)| *name);
    fields.into_iter()
}

fn owned<'d>(value: Value) -> Cow<'d, Value> {
    Cow::Owned(value)
}

fn fail(partial: Vec<MatchedItem<'_>>, message: impl Into<String>) -> Matches<'_> {
    Err(EvaluationFailure {
        partial,
        message: message.into(),
    })
}

/// Go's name for the type of a decoded value.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "[]interface {}",
        Value::Bool(_) => "bool",
        Value::Null => "<nil>",
        Value::Number(number) if number.is_i64() => "int64",
        Value::Number(_) => "float64",
        Value::Object(_) => "map[string]interface {}",
        Value::String(_) => "string",
    }
}

/// No real template nests deeper.
const DEEPEST_RANGE: usize = 100;

/// Ranges within ranges multiply the matches. Upstream would compute for years on some one-line templates.
const MOST_RESULTS: usize = 5_000_000;
