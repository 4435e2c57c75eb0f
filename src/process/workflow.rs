//! Standard output in a GitHub or Azure job, whose runner interprets commands in it.

use std::{
    env,
    io::{self, StdoutLock, Write},
};

use hpa_words::sanitize::{brief, one_line, without_commands};

/// Whether output goes to the log of a job whose runner interprets commands in it.
pub(crate) fn is_workflow() -> bool {
    let is_true = |name| env::var_os(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    is_true("GITHUB_ACTIONS") || is_true("TF_BUILD")
}

/// Standard output for text. In a job it contains nothing that a runner would interpret as a command.
pub(crate) fn stdout() -> WorkflowOutput {
    WorkflowOutput {
        out: io::stdout().lock(),
        line: is_workflow().then(Vec::new),
    }
}

/// Prints a message to standard error, which a runner also reads. A failed write is ignored.
pub(crate) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", without_commands(&brief(text)));
}

/// Prints a note to standard error, on one line.
pub(crate) fn note(text: &str) {
    say(&format!("note: {}", one_line(text)));
}

/// Standard output, line by line if commands must be removed from it.
pub(crate) struct WorkflowOutput {
    out: StdoutLock<'static>,
    /// The line so far; none: everything is written unchanged.
    line: Option<Vec<u8>>,
}

impl WorkflowOutput {
    fn write_line(&mut self) -> io::Result<()> {
        let Some(line) = self.line.as_mut().filter(|line| !line.is_empty()) else {
            return Ok(());
        };
        let text = String::from_utf8_lossy(line);
        let written = self.out.write_all(without_commands(&text).as_bytes());
        line.clear();
        written
    }
}

impl Write for WorkflowOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(line) = &mut self.line else {
            return self.out.write(bytes);
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..taken]);
        if end.is_some() {
            self.write_line()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.out.flush()
    }
}

impl Drop for WorkflowOutput {
    fn drop(&mut self) {
        // A caller that needs the error has flushed before.
        let _ = self.write_line();
    }
}
