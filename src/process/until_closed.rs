//! Output whose reader may close it early, as `head` does, while the exit code still depends on the rest.

use std::io::{self, ErrorKind, Write};

/// Writes until the pipe is closed; later output is dropped without an error.
pub(crate) struct UntilClosed<W>(Option<W>);

impl<W: Write> UntilClosed<W> {
    /// Wraps a writer.
    pub(crate) fn new(writer: W) -> Self {
        Self(Some(writer))
    }

    fn with<T>(&mut self, closed: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        let Some(writer) = &mut self.0 else {
            return Ok(closed);
        };
        match write(writer) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.0 = None;
                Ok(closed)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(bytes.len(), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with((), Write::flush)
    }
}
