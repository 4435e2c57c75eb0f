//! The sentences of an answer, and which of them fit it.

use std::collections::VecDeque;

use hpa_words::wrap::wrap;

/// The sentences of an answer, each with how well the answer can do without it: 0, not at all.
#[derive(Default)]
pub(super) struct Sentences {
    pub(super) sentences: Vec<(String, u8)>,
    /// How the demand was computed, which is also in the rows.
    pub(super) calculation: Option<String>,
    /// How important the sentence is that has it.
    pub(super) calculation_rank: u8,
    /// The sentences with names of pods, and the same in one, ever shorter.
    pub(super) names: (Vec<String>, Vec<String>),
    /// How important the first of these is.
    pub(super) names_rank: u8,
    /// The quota behind the decision, without what to do about it.
    pub(super) quota: String,
    /// What to do about a quota behind the decision, which its row also says.
    pub(super) remedy: String,
    /// How important the sentence with it is.
    pub(super) remedy_rank: u8,
    /// How important the pods to check are.
    pub(super) check: u8,
    /// What also fits in fewer words, and those: the last resort, in this order.
    pub(super) shorter: VecDeque<(String, String)>,
    /// Whether a problem comes before the decision.
    pub(super) is_led: bool,
    /// The sentence about the decision after what leads, and the same in a few words.
    pub(super) brief: Option<(String, String)>,
}

impl Sentences {
    pub(super) fn add(&mut self, sentences: impl IntoIterator<Item = String>, rank: u8) {
        let sentences = sentences.into_iter().map(|one| (one, rank));
        self.sentences.extend(sentences);
    }

    pub(super) fn all(self) -> Vec<String> {
        self.sentences.into_iter().map(|(text, _)| text).collect()
    }

    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self
            .sentences
            .iter()
            .map(|(text, _)| text.as_str())
            .collect();
        texts.join(" ")
    }

    fn replace(&mut self, what: &str, with: &str) {
        let brief = self.brief.iter_mut().map(|(decision, _)| decision);
        let sentences = self.sentences.iter_mut().map(|(text, _)| text);
        for text in sentences.chain(brief) {
            *text = text.replacen(what, with, 1);
        }
    }

    fn shorten_names(&mut self) {
        let (names, shorter) = &mut self.names;
        let short = vec![shorter.remove(0)];
        let long = std::mem::replace(names, short);
        if let ([first, others @ ..], [short]) = (long.as_slice(), names.clone().as_slice()) {
            self.sentences.retain(|(text, _)| !others.contains(text));
            self.replace(first, short);
        }
    }

    /// As many of them as fit: the rows of the page have what the others say. Details go first, then names, then whole
    /// sentences, and last the calculation of the sentence that has it.
    pub(super) fn fitting(mut self) -> Vec<String> {
        let mut dropped = Vec::new();
        while LINES < wrap(&self.text(), COLUMNS).len() {
            let ranks = self.sentences.iter().map(|(_, rank)| *rank);
            let rank = ranks.max().unwrap_or(MUST);
            // Why the first pod waits goes last: its command shows it.
            let shortens = match self.names.1.len() {
                0 => false,
                1 => rank <= self.names_rank.max(SECOND),
                _ => rank < DETAIL,
            };
            if shortens {
                self.shorten_names();
            } else if rank <= self.calculation_rank
                && let Some(calculation) = self.calculation.take()
            {
                self.replace(&format!(" ({calculation})"), "");
            } else if rank == SECOND
                && let Some((decision, brief)) = self.brief.take()
            {
                self.replace(&decision, &brief);
            } else if rank <= self.remedy_rank && !self.remedy.is_empty() {
                let remedy = std::mem::take(&mut self.remedy);
                self.replace(&remedy, "");
            } else if rank == MUST {
                let Some((long, short)) = self.shorter.pop_front() else {
                    break;
                };
                self.replace(&long, &short);
            } else if let Some(place) = self.sentences.iter().rposition(|(_, one)| *one == rank) {
                let sentence = self.sentences.remove(place);
                if self.names.0.first() == Some(&sentence.0) || self.quota == sentence.0 {
                    dropped.push((place, sentence));
                }
            }
        }
        // What went after them may have made room for pods and a quota.
        while let Some((place, sentence)) = dropped.pop() {
            let place = place.min(self.sentences.len());
            self.sentences.insert(place, sentence);
            if LINES < wrap(&self.text(), COLUMNS).len() {
                self.sentences.remove(place);
            }
        }
        self.all()
    }
}

/// What is so, and what to do.
pub(super) const MUST: u8 = 0;

/// Pods that the command names as well.
pub(super) const NAMED: u8 = 1;

/// The decision after what leads, and what it would be with pods that wait.
pub(super) const SECOND: u8 = 2;

/// Why something is so that is not what leads.
pub(super) const CAUSE: u8 = 3;

/// More about the decision.
pub(super) const DETAIL: u8 = 4;

/// An answer that is longer is not read in an incident.
const LINES: usize = 4;

/// The width of a terminal.
const COLUMNS: usize = 80;
