//! Messages as lines of standard input and output. What is too long or no message is answered with an error.

use std::{borrow::Cow, io, mem, sync::Arc};

use hpa_objects::recording::{Count, SizeBudget};
use rmcp::{
    ErrorData, RoleServer,
    model::{GetExtensions as _, JsonRpcMessage, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::{Mutex, Notify},
};

use crate::{commands::mcp::long_line::LongLine, process::workflow::say};

/// The longest message in bytes.
const LONGEST: usize = 16 << 20;

/// What a message may have: a call has few values, however long its texts are.
const BUDGET: SizeBudget = SizeBudget {
    elements: 10_000,
    collections: 10_000,
    values: 50_000,
};

/// Memory that stays reserved for the next message.
const RESERVED: usize = 1 << 16;

/// The length of the line of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineLength(pub(super) usize);

/// Messages as lines.
pub(super) struct LineTransport<R, W> {
    read: BufReader<R>,
    /// The line so far. Waiting for the rest can be given up at any time.
    line: Vec<u8>,
    /// A line that is too long, of which nothing is kept.
    long: Option<LongLine>,
    /// An error that is not yet in the output.
    error: Option<Value>,
    /// Whether an error waits in the output.
    has_error: bool,
    out: Arc<Mutex<Out<W>>>,
    closed: Arc<Notify>,
}

/// The output, with what is not yet written.
struct Out<W> {
    writer: Option<W>,
    waiting: Vec<u8>,
    written: usize,
}

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    pub(super) fn new(read: R, writer: W) -> Self {
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            long: None,
            error: None,
            has_error: false,
            out: Arc::new(Mutex::new(Out {
                writer: Some(writer),
                waiting: Vec::new(),
                written: 0,
            })),
            closed: Arc::default(),
        }
    }

    /// Is notified when the input has ended.
    pub(super) fn closed(&self) -> Arc<Notify> {
        Arc::clone(&self.closed)
    }

    /// Reads until a line is complete. False: the input has ended.
    async fn read_line(&mut self) -> bool {
        loop {
            let Ok(bytes) = self.read.fill_buf().await else {
                return false;
            };
            if bytes.is_empty() {
                return self.long.is_some() || !self.line.is_empty();
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(bytes.len(), |end| end + 1);
            let bytes = &bytes[..used];
            if let Some(long) = &mut self.long {
                long.take(bytes);
            } else if LONGEST < self.line.len() + bytes.len() {
                let mut long = LongLine::default();
                long.take(&mem::take(&mut self.line));
                long.take(bytes);
                self.long = Some(long);
            } else {
                self.line.extend_from_slice(bytes);
            }
            self.read.consume(used);
            if end.is_some() {
                return true;
            }
        }
    }

    /// The message of the line, or what to answer instead. None: nothing.
    fn message(&mut self) -> Option<Result<RxJsonRpcMessage<RoleServer>, Refusal>> {
        if let Some(long) = self.long.take() {
            let limit = LONGEST >> 20;
            say(&format!(
                "note: a message of {} bytes was not read: at most {limit} MiB are",
                long.length()
            ));
            let text = format!("the message has more than {limit} MiB: send less");
            return Some(Err((ErrorData::invalid_request(text, None), long.id())));
        }
        if Count::new(BUDGET).take(&self.line).is_err() {
            let mut dense = LongLine::default();
            dense.take(&mem::take(&mut self.line));
            let most = BUDGET.values;
            say(&format!(
                "note: a message was not read: at most {most} values are"
            ));
            let text = format!("the message has more than {most} values: send less");
            return Some(Err((ErrorData::invalid_request(text, None), dense.id())));
        }
        let parsed = parsed(self.line.trim_ascii());
        self.line.clear();
        self.line.shrink_to(RESERVED);
        parsed
    }
}

impl<R, W: AsyncWrite + Unpin> LineTransport<R, W> {
    /// Writes the error that waits, if there is one.
    async fn answer(&mut self) -> io::Result<()> {
        if self.error.is_none() && !self.has_error {
            return Ok(());
        }
        let mut out = self.out.lock().await;
        if let Some(error) = self.error.take() {
            out.push(&error)?;
            self.has_error = true;
        }
        out.flush().await?;
        self.has_error = false;
        Ok(())
    }
}

/// An error, and the request that it answers.
type Refusal = (ErrorData, Option<RequestId>);

fn parsed(line: &[u8]) -> Option<Result<RxJsonRpcMessage<RoleServer>, Refusal>> {
    if line.is_empty() {
        return None;
    }
    if let Ok(mut message) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line) {
        if let JsonRpcMessage::Request(request) = &mut message {
            let extensions = request.request.extensions_mut();
            extensions.insert(LineLength(line.len()));
        }
        return Some(Ok(message));
    }
    let refused = |error, id| Some(Err((error, id)));
    let value = match serde_json::from_slice::<Value>(line) {
        Ok(value) => value,
        Err(error) => {
            let text = format!("not a message: {error}");
            return refused(ErrorData::parse_error(Cow::Owned(text), None), None);
        }
    };
    let id = value.get("id");
    if id.is_none() && value.get("method").is_some_and(Value::is_string) {
        // A notification gets no answer, and unknown ones are ignored.
        return None;
    }
    let id = id.and_then(|id| serde_json::from_value(id.clone()).ok());
    let text = "not a message of the Model Context Protocol";
    refused(ErrorData::invalid_request(text, None), id)
}

impl<W: AsyncWrite + Unpin> Out<W> {
    fn push(&mut self, message: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.waiting, message)?;
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Writes what waits. If that is given up, the next one goes on where it was.
    async fn flush(&mut self) -> io::Result<()> {
        let Some(writer) = &mut self.writer else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        while self.written < self.waiting.len() {
            let count = writer.write(&self.waiting[self.written..]).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.written += count;
        }
        self.waiting.clear();
        self.waiting.shrink_to(RESERVED);
        self.written = 0;
        writer.flush().await
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = Arc::clone(&self.out);
        async move {
            let mut out = out.lock().await;
            out.push(&item)?;
            out.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // A client that does not read its errors is not read either.
            if self.answer().await.is_err() || !self.read_line().await {
                self.closed.notify_one();
                return None;
            }
            match self.message() {
                Some(Ok(message)) => return Some(message),
                Some(Err((error, id))) => {
                    // Without an id it has null, which the library leaves out.
                    self.error = Some(json!({"jsonrpc": "2.0", "id": id, "error": error}));
                }
                None => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out.lock().await.writer = None;
        Ok(())
    }
}
