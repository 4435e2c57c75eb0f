//! A command's answer for a program that passes it to a model: sentences, then the JSON.

use hpa_explain::{FullAnswer, Verdict};
use hpa_objects::recording::visible;
use serde::Serialize;

/// The answer of a command.
pub(crate) struct Answer {
    /// The verdicts in words. They contain text from the cluster.
    pub(crate) sentences: Vec<String>,
    /// The output of `-o json`, on one line.
    pub(crate) json: String,
}

impl Answer {
    /// An answer with the document that `-o json` prints.
    pub(crate) fn new(sentences: Vec<String>, document: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self {
            sentences,
            json: visible::json(document)?,
        })
    }

    /// The verdict on an HPA in one line.
    pub(crate) fn verdict(hpa: &str, verdict: &Verdict, answer: &FullAnswer) -> String {
        format!("{hpa}: {}. {}", verdict.headline, answer.text())
    }
}
