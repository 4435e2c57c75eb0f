//! A template and its execution on a document.

use std::{borrow::Cow, collections::BTreeSet};

use serde_json::Value;
use thiserror::Error;

use super::{
    evaluate::{Evaluation, MatchedItem},
    fields::fields,
    node::TemplateNode,
    parse::parse,
    print::{MOST_OUTPUT, print, print_as_json},
};

/// A parsed template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    nodes: Vec<TemplateNode>,
}

/// How a template is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateOptions {
    /// A missing field is empty instead of an error: `--allow-missing-template-keys`.
    pub is_missing_allowed: bool,
    /// Prints JSON lists instead of plain text: `-o jsonpath-as-json`.
    pub is_json: bool,
}

/// Why a template fails, in kubectl's words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// It is not a valid template.
    #[error("error parsing jsonpath {template}, {message}")]
    Parse {
        /// The template.
        template: String,
        /// What is wrong.
        message: String,
    },
    /// It does not fit the document.
    #[error("error executing jsonpath {template:?}: {message}")]
    Execute {
        /// The template.
        template: String,
        /// What is wrong.
        message: String,
    },
}

impl Template {
    /// Parses a template such as `{.verdict.to}` or `{range .steps[*]}{.title}{"\n"}{end}`.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        match parse(text) {
            Ok(nodes) => Ok(Self {
                text: text.to_owned(),
                nodes,
            }),
            Err(message) => Err(TemplateError::Parse {
                template: text.to_owned(),
                message,
            }),
        }
    }

    /// The original text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of all fields in the template, if it reads elements of the list `list` only by fields: then the result is
    /// the same if the elements lack all others. None: it may print an element, or search all of it.
    pub fn fields(&self, list: &str) -> Option<BTreeSet<&str>> {
        fields(&self.nodes, list)
    }

    /// The first match of the template in `document`. Missing fields are not errors.
    pub fn first(&self, document: &Value) -> Result<Option<Value>, TemplateError> {
        let found = self.find(document, true)?;
        let first = found.into_iter().flatten().next().flatten();
        Ok(first.map(Cow::into_owned))
    }

    /// The output of the template for `document`.
    pub fn execute(
        &self,
        document: &Value,
        options: TemplateOptions,
    ) -> Result<String, TemplateError> {
        let found = self.find(document, options.is_missing_allowed)?;
        let mut out = String::new();
        for results in &found {
            if options.is_json {
                print_as_json(results, &mut out);
            } else {
                print(results, &mut out);
            }
            if MOST_OUTPUT < out.len() {
                return Err(TemplateError::Execute {
                    template: self.text.clone(),
                    message: format!("more than {} MiB of output", MOST_OUTPUT >> 20),
                });
            }
        }
        Ok(out)
    }

    pub(super) fn find<'d>(
        &self,
        document: &'d Value,
        is_missing_allowed: bool,
    ) -> Result<Vec<Vec<MatchedItem<'d>>>, TemplateError> {
        let mut evaluation = Evaluation::new(&self.nodes, is_missing_allowed);
        let found = evaluation.find(&Some(Cow::Borrowed(document)), 0);
        found.map_err(|message| TemplateError::Execute {
            template: self.text.clone(),
            message,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn execute(template: &str, is_missing_allowed: bool) -> Result<String, String> {
        let document = json!({
            "name": "x", "n": null, "i": 5, "f": 1.5, "g": 1e21, "h": 1e-7, "w": 2.0, "t": true, "s": "<a&b>",
            "labels": {"a.b": "dotted"},
            "parts": [
                {"name": "one", "v": 1, "ok": true, "tags": ["a", "b"]},
                {"name": "two", "v": 2, "ok": false, "tags": []},
                {"name": "three", "v": 3, "x": {"y": "z"}},
            ],
        });
        let options = TemplateOptions {
            is_missing_allowed,
            is_json: false,
        };
        Template::parse(template)
            .and_then(|template| template.execute(&document, options))
            .map_err(|error| error.to_string())
    }

    /// What kubectl 1.36 prints; `tests/live/jsonpath.rs` compares with a real one.
    #[test]
    fn templates_find_what_kubectl_finds() {
        for (template, expected) in [
            ("{.name}", "x"),
            (".name", ".name"),
            ("{@.i} {$.f}", "5 1.5"),
            ("{.g} {.h} {.w} {.n}", "1e+21 1e-07 2 null"),
            ("{.parts[*].name}", "one two three"),
            (
                "{.parts[-1:].name}{.parts[].name}{.parts[-2].name}",
                "threeonetwo",
            ),
            ("{.parts[0,2].name}", "one three"),
            ("{['i','t']}", "5 true"),
            ("{.parts[0:3:2].name}", "one three"),
            ("{.parts[1:1]}", ""),
            ("{.parts[?(@.ok==true)].name}", "one"),
            ("{.parts[?(@.v>=2)].name}", "two three"),
            ("{.parts[?(@.name!=\"two\")].v}", "1 3"),
            ("{.parts[?(@.x)].name}", "three"),
            ("{.parts[?(@.tags[5])].name}", "one two"),
            ("{..name}", "x one two three"),
            ("{.labels.a\\.b}{.labels['a\\.b']}", "dotteddotted"),
            ("{.parts[0].*}", "one true [\"a\",\"b\"] 1"),
            ("{.parts[2].x}", "{\"y\":\"z\"}"),
            ("{.nope.x}|{.n.x}|{.n[0]}|{.nope[0]}", "|||"),
            ("{\"a\\tb\"}{'c'}{1}{-2}{1.5}{true}", "a\tbc1-21.5true"),
            (
                "{range .parts[*]}{.name}={.v}{\"\\n\"}{end}.",
                "one=1\ntwo=2\nthree=3\n.",
            ),
            (
                "{range .parts[*]}[{.name}]{range .tags[*]}({@}){end}{end}z",
                "[one](a)(b)[two][three]z",
            ),
            ("{range .nope[*]}{.name}{end}x", "x"),
            ("{range .parts[*]}{.name}", "onetwothreex"),
            ("{.}", ""),
            ("", ""),
        ] {
            assert_eq!(
                execute(template, true).as_deref(),
                Ok(expected),
                "{template}"
            );
        }
    }

    #[test]
    fn errors_are_worded_as_in_kubectl() {
        for (template, expected) in [
            ("{.x", "error parsing jsonpath {.x, unclosed action"),
            (
                "{.parts[",
                "error parsing jsonpath {.parts[, unterminated array",
            ),
            (
                "{.parts[a]}",
                "error parsing jsonpath {.parts[a]}, invalid array index a",
            ),
            (
                "{.parts[?(@.v==1]}",
                "error parsing jsonpath {.parts[?(@.v==1]}, unterminated filter",
            ),
            (
                "{#}",
                "error parsing jsonpath {#}, unrecognized character in action: U+0023 '#'",
            ),
            (
                "{foo}",
                "error executing jsonpath \"{foo}\": unrecognized identifier foo",
            ),
            (
                "{end}",
                "error executing jsonpath \"{end}\": not in range, nothing to end",
            ),
            (
                "{.parts[5]}",
                "error executing jsonpath \"{.parts[5]}\": array index out of bounds: index 5, length 3",
            ),
            (
                "{.parts[?(@.v==1.5)]}",
                "error executing jsonpath \"{.parts[?(@.v==1.5)]}\": incompatible types for comparison",
            ),
            (
                "{.i[0]}",
                "error executing jsonpath \"{.i[0]}\": int64 is not array or slice",
            ),
        ] {
            assert_eq!(execute(template, true).unwrap_err(), expected, "{template}");
        }
        assert_eq!(
            execute("{.nope}", false).unwrap_err(),
            "error executing jsonpath \"{.nope}\": nope is not found"
        );
    }

    #[test]
    fn endless_nesting_is_refused() {
        let template = "{range .parts[0]}".repeat(5000);
        let error = execute(&template, true).unwrap_err();
        assert!(error.ends_with("more than 100 ranges in each other"));
    }
}
