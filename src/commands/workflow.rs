//! Standard output in a job of GitHub or Azure, whose runner takes commands from what it reads there.

use std::{
    env,
    io::{self, StdoutLock, Write},
};

use crate::render::sanitize::without_commands;

/// Whether what is printed goes into the log of a job whose runner takes commands from it.
pub(super) fn is_workflow() -> bool {
    let is_true = |name| env::var_os(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    is_true("GITHUB_ACTIONS") || is_true("TF_BUILD")
}

/// Standard output for what people read. In a job it has nothing that a runner would take for a command.
pub(super) fn stdout() -> WorkflowOutput {
    WorkflowOutput {
        out: io::stdout().lock(),
        line: is_workflow().then(Vec::new),
    }
}

/// Says something on standard error, where a runner reads, too. Nothing is left to do if that cannot be written.
pub(super) fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", without_commands(text));
}

/// Standard output, a line at a time where commands are taken out of it.
pub(super) struct WorkflowOutput {
    out: StdoutLock<'static>,
    /// The line so far; none: everything is written as it is.
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
        // Who cares for errors has flushed.
        let _ = self.write_line();
    }
}
