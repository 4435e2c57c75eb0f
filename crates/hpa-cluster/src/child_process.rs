//! A child process that ends with what started it.

use std::io;

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    process::{Child, ChildStderr, ChildStdout, Command},
};

/// A running program that is killed on drop, unless it has ended. On Unix its child processes are killed as well, if it
/// has a process group.
#[derive(Debug)]
pub struct ChildProcess {
    child: Child,
    #[cfg(unix)]
    has_group: bool,
}

/// Whether a program shares our process group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessGroup {
    /// It has one of its own, and Ctrl-C in the terminal does not reach it.
    Own,
    /// It is in ours, because it may read from the terminal: in another group it would be stopped then.
    Ours,
}

impl ChildProcess {
    /// Starts a program.
    pub fn start(mut command: Command, group: ProcessGroup) -> io::Result<Self> {
        command.kill_on_drop(true);
        #[cfg(unix)]
        if group == ProcessGroup::Own {
            command.process_group(0);
        }
        Ok(Self {
            child: command.spawn()?,
            #[cfg(unix)]
            has_group: group == ProcessGroup::Own,
        })
    }

    /// Its standard output and standard error, as far as they are pipes that were not taken before.
    pub fn outputs(&mut self) -> (Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdout.take(), self.child.stderr.take())
    }

    /// Waits for its end. Its outputs must have been read before.
    pub async fn wait(&mut self) -> io::Result<std::process::ExitStatus> {
        self.child.wait().await
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // A process that has ended has no id any more.
            let number = self.child.id().filter(|_| self.has_group);
            if let Some(group) =
                number.and_then(|number| Pid::from_raw(i32::try_from(number).ok()?))
            {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
    }
}

/// All that a program prints; `None` if that is more than `most` bytes.
pub async fn all_of(output: Option<impl AsyncRead + Unpin>, most: u64) -> Option<Vec<u8>> {
    let mut printed = Vec::new();
    if let Some(output) = output {
        // After a read error the output so far counts.
        let _ = output.take(most + 1).read_to_end(&mut printed).await;
    }
    let is_too_much = u64::try_from(printed.len()).is_ok_and(|length| most < length);
    (!is_too_much).then_some(printed)
}

/// Reads to the end and keeps the last `most` bytes.
pub async fn last_of(output: Option<impl AsyncRead + Unpin>, most: usize) -> String {
    let Some(mut output) = output else {
        return String::new();
    };
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut buffer).await {
        kept.extend_from_slice(&buffer[..count]);
        kept.drain(..kept.len().saturating_sub(most));
    }
    String::from_utf8_lossy(&kept).into_owned()
}
