//! Answers that a client has not read to their end: they stay in memory, so that later portions continue the same list.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context as _, bail};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    fitted,
    portion::{Given, Portion},
    tools::HpaTool,
};
use crate::commands::answer::Answer;

/// The answers of a server whose ends are missing.
pub(super) struct KeptAnswers {
    /// Tells its cursors from those of an earlier server.
    server: i64,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    next: u64,
    all: VecDeque<Arc<KeptAnswer>>,
}

/// An answer with the call that it is for.
struct KeptAnswer {
    number: u64,
    tool: &'static str,
    input: Map<String, Value>,
    portion: Portion,
    answer: Answer,
    size: usize,
}

impl KeptAnswers {
    pub(super) fn new() -> Self {
        Self {
            server: Timestamp::now().as_millisecond(),
            known: Mutex::default(),
        }
    }

    /// The portion that a call asks for. `answer` is called unless it continues an earlier one.
    pub(super) fn portion(
        &self,
        tool: &'static HpaTool,
        mut input: Map<String, Value>,
        answer: impl FnOnce(Map<String, Value>) -> anyhow::Result<Answer>,
    ) -> anyhow::Result<Given> {
        let portion = Portion::take(&mut input)?;
        if let Some(cursor) = &portion.cursor {
            let (kept, first) = self.find(cursor)?;
            let is_other = |(name, value): (&String, &Value)| kept.input.get(name) != Some(value);
            if kept.tool != tool.name || input.iter().any(is_other) {
                bail!(
                    "cursor {cursor:?} is for a call of {} with other inputs: leave them out",
                    kept.tool
                );
            }
            let portion = kept.portion.continued(&portion)?;
            let cursor = |next| self.cursor(kept.number, next);
            return portion.of(tool, &kept.answer, first, cursor);
        }
        let answer = answer(input.clone())?;
        let number = {
            let mut known = self.known();
            known.next += 1;
            known.next
        };
        let given = portion.of(tool, &answer, 0, |next| self.cursor(number, next))?;
        if given.next.is_some() {
            self.keep(KeptAnswer {
                number,
                tool: tool.name,
                input,
                portion,
                size: fitted::size(&answer.document)?,
                answer,
            });
        }
        Ok(given)
    }

    fn cursor(&self, number: u64, next: usize) -> String {
        format!("{:x}-{number}-{next}", self.server)
    }

    fn find(&self, cursor: &str) -> anyhow::Result<(Arc<KeptAnswer>, usize)> {
        let mut parts = cursor.split('-');
        let found = (|| {
            let server = i64::from_str_radix(parts.next()?, 16).ok()?;
            let number: u64 = parts.next()?.parse().ok()?;
            let first = parts.next()?.parse().ok()?;
            let known = self.known();
            let kept = known.all.iter().find(|one| one.number == number)?;
            (server == self.server).then(|| (Arc::clone(kept), first))
        })();
        found.with_context(|| {
            format!("cursor {cursor:?} is not known: this server keeps the last {MOST} answers that have more. Call again without cursor")
        })
    }

    fn keep(&self, kept: KeptAnswer) {
        let mut known = self.known();
        known.all.push_back(Arc::new(kept));
        let size = |known: &Known| known.all.iter().map(|one| one.size).sum::<usize>();
        while 1 < known.all.len() && (MOST < known.all.len() || MOST_CHARACTERS < size(&known)) {
            known.all.pop_front();
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answers that are kept.
const MOST: usize = 8;
/// Their characters together.
const MOST_CHARACTERS: usize = 64 << 20;
