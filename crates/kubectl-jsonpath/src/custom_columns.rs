//! The columns of `-o custom-columns=…`: a header and a path each.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::{
    print::go_value,
    template::{Template, TemplateError},
};

/// The columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomColumns(Vec<CustomColumn>);

#[derive(Clone, Debug, PartialEq)]
struct CustomColumn {
    header: String,
    path: Template,
}

/// Why columns cannot be parsed, in kubectl's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CustomColumnsError {
    /// There is none.
    #[error("custom-columns format specified but no custom columns given")]
    None,
    /// A column has no header, or no path.
    #[error("unexpected custom-columns spec: {0}, expected <header>:<json-path-expr>")]
    NoPath(String),
    /// A path has other braces than those around it.
    #[error(
        "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{{name1.name2}}' or '{{.name1.name2}}'"
    )]
    Path,
    /// A file has not both lines.
    #[error(
        "invalid template, missing {0} line. Expected format is one line of space separated headers, one line of space separated column specs."
    )]
    NoLine(&'static str),
    /// The lines of a file have another number of columns each.
    #[error("number of headers ({headers}) and field specifications ({paths}) do not match")]
    Number {
        /// In the first line.
        headers: usize,
        /// In the second line.
        paths: usize,
    },
    /// A path is not valid.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl CustomColumns {
    /// Parses `NAME:.name,MAX:.spec.maxReplicas`.
    pub fn parse(text: &str) -> Result<Self, CustomColumnsError> {
        if text.is_empty() {
            return Err(CustomColumnsError::None);
        }
        let columns = text.split(',').map(|column| {
            let (header, path) = column
                .split_once(':')
                .ok_or_else(|| CustomColumnsError::NoPath(column.to_owned()))?;
            CustomColumn::new(header, path)
        });
        columns.collect::<Result<_, _>>().map(Self)
    }

    /// Parses a file: a line with the headers, and one with the paths.
    pub fn parse_file(text: &str) -> Result<Self, CustomColumnsError> {
        let mut lines = text.lines();
        let mut line = |what| {
            let words = lines.next().map(|line| line.split_whitespace().collect());
            words.ok_or(CustomColumnsError::NoLine(what))
        };
        let headers: Vec<&str> = line("header")?;
        let paths: Vec<&str> = line("spec")?;
        if headers.len() != paths.len() {
            return Err(CustomColumnsError::Number {
                headers: headers.len(),
                paths: paths.len(),
            });
        }
        let columns = headers.into_iter().zip(paths);
        let columns = columns.map(|(header, path)| CustomColumn::new(header, path));
        columns.collect::<Result<_, _>>().map(Self)
    }

    /// The headers.
    pub fn headers(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|column| &*column.header)
    }

    /// The cells of an object.
    pub fn cells(&self, object: &Value) -> Result<Vec<String>, TemplateError> {
        self.0.iter().map(|column| column.cell(object)).collect()
    }

    /// The names of all fields that are read, as [`Template::fields`] has them.
    pub fn fields(&self, list: &str) -> Option<BTreeSet<&str>> {
        let mut fields = BTreeSet::new();
        for column in &self.0 {
            fields.extend(column.path.fields(list)?);
        }
        Some(fields)
    }
}

impl CustomColumn {
    /// Upstream: `RelaxedJSONPathExpression`.
    fn new(header: &str, path: &str) -> Result<Self, CustomColumnsError> {
        let inner = path
            .strip_prefix('{')
            .and_then(|path| path.strip_suffix('}'));
        let inner = inner.unwrap_or(path);
        if inner.contains(['{', '}']) || inner.is_empty() && !path.is_empty() {
            return Err(CustomColumnsError::Path);
        }
        let inner = match inner.strip_prefix('.') {
            Some(after) if !after.is_empty() => after,
            _ => inner,
        };
        let path = if path.is_empty() {
            String::new()
        } else {
            format!("{{.{inner}}}")
        };
        Ok(Self {
            header: header.to_owned(),
            path: Template::parse(&path)?,
        })
    }

    fn cell(&self, object: &Value) -> Result<String, TemplateError> {
        let found = self.path.find(object, true)?;
        let found = found.into_iter().next().unwrap_or_default();
        let cells: Vec<String> = found
            .into_iter()
            .map(|value| value.as_deref().map_or(NO_VALUE.into(), go_value))
            .collect();
        Ok(if cells.is_empty() {
            NO_VALUE.to_owned()
        } else {
            cells.join(",")
        })
    }
}

const NO_VALUE: &str = "<none>";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cells(columns: &CustomColumns) -> Vec<String> {
        let object = json!({
            "name": "web", "n": null, "f": 1.5, "g": 1e21, "w": 2.0, "t": true, "o": {"b": 1, "a": "x y"},
            "empty": [], "parts": [{"name": "one", "v": 1}, {"name": "two", "v": 2}],
        });
        columns.cells(&object).unwrap()
    }

    /// What kubectl 1.37.2 prints.
    #[test]
    fn cells_are_written_as_kubectl_writes_them() {
        for (path, cell) in [
            (".name", "web"),
            ("name", "web"),
            ("{name}", "web"),
            ("{.name}", "web"),
            (".n", "<nil>"),
            (".missing", "<none>"),
            (".missing.deeper", "<none>"),
            (".parts[*].name", "one,two"),
            (".parts[?(@.v==2)].name", "two"),
            ("..name", "web,one,two"),
            (".empty", "[]"),
            (".empty[*]", "<none>"),
            (".o", "map[a:x y b:1]"),
            (".parts", "[map[name:one v:1] map[name:two v:2]]"),
            (".f", "1.5"),
            (".g", "1e+21"),
            (".w", "2"),
            (".t", "true"),
            ("", "<none>"),
        ] {
            let columns = CustomColumns::parse(&format!("A:{path}")).unwrap();
            assert_eq!(cells(&columns), [cell], "{path}");
        }
    }

    #[test]
    fn file_has_a_line_of_headers_and_one_of_paths() {
        let columns = CustomColumns::parse_file("NAME   T\nname  {.t}\nmore\n").unwrap();
        assert_eq!(columns.headers().collect::<Vec<_>>(), ["NAME", "T"]);
        assert_eq!(cells(&columns), ["web", "true"]);
    }

    #[test]
    fn errors_are_those_of_kubectl() {
        let of_file = CustomColumns::parse_file;
        for (parsed, error) in [
            (
                CustomColumns::parse(""),
                "custom-columns format specified but no custom columns given",
            ),
            (
                CustomColumns::parse("NAME"),
                "unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>",
            ),
            (
                CustomColumns::parse("A:{.x}{.y}"),
                "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
            ),
            (
                CustomColumns::parse("A:{}"),
                "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
            ),
            (
                of_file("NAME MAX\nname\n"),
                "number of headers (2) and field specifications (1) do not match",
            ),
            (
                of_file("NAME MAX\n"),
                "invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.",
            ),
            (
                of_file(""),
                "invalid template, missing header line. Expected format is one line of space separated headers, one line of space separated column specs.",
            ),
        ] {
            assert_eq!(parsed.unwrap_err().to_string(), error);
        }
    }
}
