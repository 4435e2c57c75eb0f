//! A situation around the decision that changes what the reader does next: it belongs in the answer, not only in a
//! note.

use hpa_diagnosis::effect::Effect;

use super::command::ShellCommand;

/// What a situation adds to the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    /// Its position relative to the sentences about the decision.
    pub(super) place: Place,
    /// The problem in a few words, for a line of a table; none: it is none, and the decision says enough.
    pub(super) words: Option<String>,
    /// Full sentences: what is wrong, why, and what to do.
    pub(super) sentences: Vec<String>,
    /// The command to run next.
    pub(super) command: Option<ShellCommand>,
}

/// A problem around the decision, with what would be different without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MeasuredProblem {
    /// What it changes.
    pub(super) effect: Effect,
    /// What is said of it.
    pub(super) situation: Situation,
}

impl Situation {
    /// It as a problem, if it changes something.
    pub(super) fn measured(self, effect: Option<Effect>) -> Option<MeasuredProblem> {
        effect.map(|effect| MeasuredProblem {
            effect,
            situation: self,
        })
    }
}

/// Where a situation goes relative to the sentences about the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It replaces the decision, which would mislead.
    Instead,
    /// It comes first.
    Before,
    /// It qualifies the decision, and its last sentence is the step to take.
    After,
    /// It qualifies the decision, and has no step of its own.
    Aside,
    /// It is over with this sync: it comes after the decision, and after what has a step.
    Undone,
}

/// The words, or others where a name makes them too long for a table.
pub(super) fn within_a_cell(words: String, otherwise: impl FnOnce() -> String) -> String {
    if words.chars().count() <= LONGEST_WORDS {
        words
    } else {
        otherwise()
    }
}

/// So many letters are a few words.
const LONGEST_WORDS: usize = 24;
