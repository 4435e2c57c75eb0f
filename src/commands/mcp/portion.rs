//! How much of an answer a client gets: some rows or fields at a time, and never more than it can take.

use anyhow::{Context as _, bail};
use hpa_objects::recording::visible;
use hpa_words::{amount::names, sanitize::one_line};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{fitted, input::parse, tools::HpaTool};
use crate::commands::answer::Answer;

/// The part of an answer that a call asks for: inputs of every tool.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Portion {
    /// short (default), or full for the whole JSON of the command.
    detail: Option<String>,
    /// Only these fields in JSON: of each row of a list, such as name or verdict.sentence; else of the answer, such as
    /// pods or variants.0.rescales. One field that is a list comes row by row, with a cursor.
    #[serde(default)]
    fields: Vec<String>,
    /// At most this many rows (default: 50). There are fewer if they are long.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Continue after an earlier answer: its nextCursor. The other inputs are those of that call.
    pub(super) cursor: Option<String>,
}

/// The texts of an answer.
pub(super) struct Given {
    /// Counts or verdict, and what was left out.
    pub(super) sentences: Vec<String>,
    /// JSON, if rows or fields were asked for.
    pub(super) json: Option<String>,
    /// The first row that was not given.
    pub(super) next: Option<usize>,
}

impl Portion {
    /// Takes these inputs out of those of a tool.
    pub(super) fn take(input: &mut Map<String, Value>) -> anyhow::Result<Self> {
        let mut own = Map::new();
        for name in NAMES {
            own.extend(input.remove_entry(name));
        }
        let portion: Self = parse(own)?;
        if let Some(detail) = &portion.detail
            && !matches!(&detail[..], "short" | "full")
        {
            bail!("detail is {detail:?}: use short or full");
        }
        if let Some(limit) = portion.limit
            && !(1..=MOST_ROWS).contains(&limit)
        {
            bail!("limit is {limit}: use 1 to {MOST_ROWS}");
        }
        Ok(portion)
    }

    /// The same for a later portion, which may have another limit.
    pub(super) fn continued(&self, later: &Self) -> anyhow::Result<Self> {
        let is_other = later.detail.is_some() && later.detail != self.detail
            || !later.fields.is_empty() && later.fields != self.fields;
        if is_other {
            bail!("detail and fields are those of the first call: leave them out next to cursor");
        }
        Ok(Self {
            limit: later.limit.or(self.limit),
            ..self.clone()
        })
    }

    /// The portion of an answer that begins with a row. `cursor` is for the row after it.
    pub(super) fn of(
        &self,
        tool: &HpaTool,
        answer: &Answer,
        first: usize,
        cursor: impl Fn(usize) -> String,
    ) -> anyhow::Result<Given> {
        let document = &answer.document;
        if let Some(rows) = document.get(tool.rows).and_then(Value::as_array) {
            let fields: Vec<&str> = match &self.fields[..] {
                [] if self.is_full() => Vec::new(),
                [] => tool.short.to_vec(),
                chosen => chosen.iter().map(String::as_str).collect(),
            };
            let is_default = self.fields.is_empty();
            let rows = Rows {
                name: tool.rows,
                all: projected(rows, &fields, is_default)?,
            };
            return self.rows(tool, answer, (&rows, first), cursor);
        }
        if let [field] = &self.fields[..]
            && let Some(Value::Array(all)) = fitted::at(document, field)
        {
            let rows = Rows { name: field, all };
            return self.rows(tool, answer, (&rows, first), cursor);
        }
        let mut sentences = fitted::sentences(&answer.sentences);
        let Some(mut asked) = self.asked(document)? else {
            sentences.push(more(document)?);
            return Ok(Given {
                sentences,
                json: None,
                next: None,
            });
        };
        sentences.extend(fitted::fit(&mut asked, fitted::MOST_JSON)?);
        Ok(Given {
            sentences,
            json: Some(visible::json(&asked)?),
            next: None,
        })
    }

    fn is_full(&self) -> bool {
        self.detail.as_deref() == Some("full")
    }

    /// What is asked for of a document that is no list; none: only its sentences.
    fn asked(&self, document: &Value) -> anyhow::Result<Option<Value>> {
        if self.fields.is_empty() {
            return Ok(self.is_full().then(|| document.clone()));
        }
        let mut asked = Map::new();
        for field in &self.fields {
            let value = fitted::at(document, field);
            let value = value.with_context(|| no_field(field, document))?;
            asked.insert(field.clone(), value);
        }
        Ok(Some(asked.into()))
    }

    /// So many rows as fit.
    fn rows(
        &self,
        tool: &HpaTool,
        answer: &Answer,
        (rows, first): (&Rows<'_>, usize),
        cursor: impl Fn(usize) -> String,
    ) -> anyhow::Result<Given> {
        let is_list = rows.name == tool.rows;
        let mut sentences = Vec::new();
        let mut document = Map::new();
        if first == 0 {
            sentences = fitted::sentences(&answer.sentences);
            if is_list {
                let mut rest = answer.document.as_object().cloned().unwrap_or_default();
                rest.retain(|name, _| name != tool.rows && (self.is_full() || name == SUMMARY));
                let mut rest = Value::Object(rest);
                sentences.extend(fitted::fit(&mut rest, fitted::MOST_JSON / 2)?);
                document.extend(rest.as_object().cloned().unwrap_or_default());
            }
        }
        let mut left = fitted::MOST_JSON.saturating_sub(fitted::size(&document)?);
        let mut given = Vec::new();
        for row in rows
            .all
            .iter()
            .skip(first)
            .take(self.limit.unwrap_or(LIMIT))
        {
            let size = fitted::size(row)? + 1;
            if size <= left {
                given.push(row.clone());
                left -= size;
                continue;
            }
            if given.is_empty() {
                let mut row = row.clone();
                sentences.extend(fitted::fit(&mut row, left)?);
                given.push(row);
            }
            break;
        }
        let next = first + given.len();
        let remaining = rows.all.len().saturating_sub(next);
        let total = rows.all.len();
        if next <= total && (first != 0 || remaining != 0) {
            sentences.push(format!(
                "{}: {} to {next} of {total}{}.",
                one_line(rows.name),
                (first + 1).min(next),
                if is_list { tool.order } else { "" }
            ));
        }
        document.insert(rows.name.to_owned(), given.into());
        document.insert("total".to_owned(), json!(total));
        document.insert("remaining".to_owned(), json!(remaining));
        if remaining != 0 {
            let cursor = cursor(next);
            sentences.push(format!(
                "{remaining} remain: call {} with cursor {cursor:?} for the next ones.",
                tool.name
            ));
            document.insert("nextCursor".to_owned(), cursor.into());
        }
        Ok(Given {
            sentences,
            json: Some(visible::json(&document)?),
            next: (remaining != 0).then_some(next),
        })
    }
}

/// The rows of a list.
struct Rows<'a> {
    name: &'a str,
    all: Vec<Value>,
}

/// The rows with these fields; none: all. `is_default`: nobody asked for them, so one may be missing.
fn projected(rows: &[Value], fields: &[&str], is_default: bool) -> anyhow::Result<Vec<Value>> {
    if fields.is_empty() {
        return Ok(rows.to_vec());
    }
    for field in fields {
        if let Some(row) = rows.first()
            && !is_default
            && rows.iter().all(|row| fitted::at(row, field).is_none())
        {
            bail!(no_field(field, row));
        }
    }
    let project = |row: &Value| -> Value {
        let values = fields
            .iter()
            .filter_map(|field| Some(((*field).to_owned(), fitted::at(row, field)?)));
        values
            .filter(|(_, value)| !is_default || !is_empty(value))
            .collect::<Map<_, _>>()
            .into()
    };
    Ok(rows.iter().map(project).collect())
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn no_field(field: &str, document: &Value) -> String {
    let known: Vec<&String> = document
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    format!(
        "no field {:?}: use {}",
        one_line(field),
        names(&known, MOST_NAMED)
    )
}

/// What else can be asked for.
fn more(document: &Value) -> anyhow::Result<String> {
    let parts: Vec<&String> = document
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    Ok(format!(
        "For numbers, call again with fields, such as fields [\"{}\"], or with detail full (about {} tokens). The fields: {}.",
        parts.last().map_or("items", |last| last),
        (fitted::size(document)?).min(fitted::MOST_JSON) / 4,
        names(&parts, MOST_NAMED)
    ))
}

/// The counts of a list.
const SUMMARY: &str = "summary";

/// The inputs.
const NAMES: [&str; 4] = ["detail", "fields", "limit", "cursor"];

/// The rows of an answer, if the client does not say how many.
const LIMIT: usize = 50;
/// The most that it can ask for.
const MOST_ROWS: usize = 500;

/// At most this many fields are named.
const MOST_NAMED: usize = 40;
