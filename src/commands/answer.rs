//! What a command answers a program that hands it to a model: sentences, then the JSON.

use serde::Serialize;

use crate::{explain::Verdict, recording::visible};

/// The answer of a command.
pub(super) struct Answer {
    /// The verdicts in words. They quote the cluster.
    pub(super) sentences: Vec<String>,
    /// What `-o json` prints, in one line.
    pub(super) json: String,
}

impl Answer {
    /// With the document that `-o json` prints.
    pub(super) fn new(sentences: Vec<String>, document: &impl Serialize) -> anyhow::Result<Self> {
        Ok(Self {
            sentences,
            json: visible::json(document)?,
        })
    }

    /// What happens to an HPA, and why, in one line.
    pub(super) fn verdict(hpa: &str, verdict: &Verdict) -> String {
        format!("{hpa}: {}. {}", verdict.headline, verdict.text())
    }
}
