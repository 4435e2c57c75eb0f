//! A command's answer for a program that passes it to a model: sentences, and the document of `-o json`.

use hpa_explain::{FullAnswer, Verdict};
use serde::Serialize;
use serde_json::Value;

/// The answer of a command.
pub(crate) struct Answer {
    /// The counts of a list, or the verdict on one HPA in words. They contain text from the cluster.
    pub(crate) sentences: Vec<String>,
    /// What `-o json` prints.
    pub(crate) document: Value,
}

impl Answer {
    /// An answer with the document that `-o json` prints.
    pub(crate) fn new(sentences: Vec<String>, document: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self {
            sentences,
            document: serde_json::to_value(document)?,
        })
    }

    /// The verdict on an HPA in one line.
    pub(crate) fn verdict(hpa: &str, verdict: &Verdict, answer: &FullAnswer) -> String {
        format!("{hpa}: {}. {}", verdict.headline, answer.text())
    }
}
