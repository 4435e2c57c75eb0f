//! Limits for the body of an answer: a broken server must neither fill the memory nor block a command.

use std::{
    error::Error as StdError,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hpa_objects::recording::{Count, Excess, SizeBudget};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Bytes;
use kube::client::Body;
use tokio::time::{Instant, Sleep, sleep_until};

/// A body that ends with an error at its limit.
pub(super) struct Bounded {
    body: Body,
    limit: Limit,
    /// Bytes of the body, or of the current line, so far.
    read: usize,
    /// The memory that these bytes take once decoded; `None` if that is checked once they are all there.
    count: Option<Count>,
    patience: Option<Patience>,
}

/// A limit on the length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Whole,
    Line,
}

struct Patience {
    time: Duration,
    /// Whether the time applies to each piece, and not to the whole body.
    is_for_each: bool,
    end: Pin<Box<Sleep>>,
}

/// No answer within this time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("no answer within {0:?}")]
pub(super) struct TooLate(pub(super) Duration);

/// Why the rest of an answer is not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum CutOff {
    /// It is longer than any valid answer.
    #[error("it is longer than {} MiB", .0 >> 20)]
    TooLong(usize),
    /// It would fill the memory, however short it is.
    #[error("it has {0}")]
    TooMuch(#[from] Excess),
    /// The list that it belongs to does not end.
    #[error("its list has no end: {0}")]
    Endless(&'static str),
    /// It is too late.
    #[error(transparent)]
    TooLate(#[from] TooLate),
    /// The connection broke. kube needs the cause to decide whether a watch has merely ended.
    #[error("{}", innermost(.0))]
    Broken(#[source] kube::Error),
}

impl Bounded {
    /// An answer that ends by itself.
    pub(super) fn whole(body: Body) -> Self {
        Self {
            body,
            limit: Limit::Whole,
            read: 0,
            count: Some(Count::new(SizeBudget::ANSWER)),
            patience: None,
        }
    }

    /// An endless answer of lines, as for watches.
    pub(super) fn lines(body: Body) -> Self {
        Self {
            limit: Limit::Line,
            ..Self::whole(body)
        }
    }

    /// The whole body must arrive until `end`. `time` is named in the error.
    pub(super) fn until(self, end: Instant, time: Duration) -> Self {
        self.with_patience(end, time, false)
    }

    /// Each piece must arrive within this time.
    pub(super) fn each_within(self, time: Duration) -> Self {
        self.with_patience(Instant::now() + time, time, true)
    }

    fn with_patience(self, end: Instant, time: Duration, is_for_each: bool) -> Self {
        let patience = Patience {
            time,
            is_for_each,
            end: Box::pin(sleep_until(end)),
        };
        Self {
            patience: Some(patience),
            ..self
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), CutOff> {
        let (longest, read) = match self.limit {
            Limit::Whole => (LONGEST_ANSWER, self.read + bytes.len()),
            Limit::Line => {
                let read = match bytes.iter().rposition(|byte| *byte == b'\n') {
                    Some(end) => bytes.len() - end - 1,
                    None => self.read + bytes.len(),
                };
                (LONGEST_LINE, read)
            }
        };
        self.read = read;
        if longest < read {
            return Err(CutOff::TooLong(longest));
        }
        let Some(count) = &mut self.count else {
            return Ok(());
        };
        if self.limit == Limit::Whole {
            return Ok(count.take(bytes)?);
        }
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            count.take(line)?;
            if line.ends_with(b"\n") {
                *count = Count::new(SizeBudget::ANSWER);
            }
        }
        Ok(())
    }
}

impl http_body::Body for Bounded {
    type Data = Bytes;
    type Error = CutOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CutOff>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) else {
            if let Some(patience) = &mut this.patience
                && patience.end.as_mut().poll(context).is_ready()
            {
                return Poll::Ready(Some(Err(TooLate(patience.time).into())));
            }
            return Poll::Pending;
        };
        if let Some(patience) = this
            .patience
            .as_mut()
            .filter(|patience| patience.is_for_each)
        {
            patience.end.as_mut().reset(Instant::now() + patience.time);
        }
        Poll::Ready(frame.map(|frame| {
            let frame = frame.map_err(CutOff::Broken)?;
            if let Some(bytes) = frame.data_ref() {
                this.take(bytes)?;
            }
            Ok(frame)
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The bytes of an answer in JSON that ends by itself. They are checked together, which is faster than piece by piece.
pub(super) async fn whole(body: Body) -> Result<Bytes, CutOff> {
    let body = bytes(body).await?;
    let checked = SizeBudget::ANSWER.check(&body);
    checked.map_err(|(_, excess)| excess)?;
    Ok(body)
}

/// The bytes of an answer that ends by itself. Only their number is checked.
pub(super) async fn bytes(body: Body) -> Result<Bytes, CutOff> {
    let body = Bounded {
        count: None,
        ..Bounded::whole(body)
    };
    Ok(body.collect().await?.to_bytes())
}

/// The innermost cause of an error.
pub(super) fn innermost(error: &dyn StdError) -> String {
    causes(error)
        .last()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// The chain of causes of an error.
pub(super) fn causes<'a>(
    error: &'a dyn StdError,
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(error.source(), |cause| (**cause).source())
}

/// Longest answer that is read, in bytes: about ten times that of five hundred pods.
const LONGEST_ANSWER: usize = 64 << 20;
/// Longest event of a watch, in bytes: more than ten times the largest object that can be stored.
const LONGEST_LINE: usize = 16 << 20;
