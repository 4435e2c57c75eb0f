//! Messages over standard input and output, of a limited length.
//!
//! They are read while the rules run, so that the client never waits, and all that has come is checked together.

use std::{
    io::{self, BufRead, Cursor, Read as _},
    panic,
    thread::{self, JoinHandle},
};

use lsp_server::{Connection, Message};

/// The threads that read and write.
pub(super) struct Transport {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

/// Starts to read and write.
pub(super) fn start() -> (Connection, Transport) {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let reader = thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        while let Some(message) = read(&mut stdin)? {
            let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
            if sender.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    });
    let writer = thread::spawn(move || {
        let mut stdout = io::stdout().lock();
        receiver
            .iter()
            .try_for_each(|message| message.write(&mut stdout))
    });
    (server, Transport { reader, writer })
}

impl Transport {
    /// Waits for the end of both. Fails with the first error of reading or writing.
    pub(super) fn join(self) -> io::Result<()> {
        let ended = |thread: JoinHandle<io::Result<()>>| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| panic::resume_unwind(panic))
        };
        ended(self.reader)?;
        ended(self.writer)
    }
}

/// Reads a message; `None` at the end. Fails before it takes the memory for a message that is too long.
fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut header = Vec::new();
    loop {
        let before = header.len();
        let most = (MOST_HEADER + 1).saturating_sub(before as u64);
        input.by_ref().take(most).read_until(b'\n', &mut header)?;
        if MOST_HEADER < header.len() as u64 {
            let problem = format!("the header of a message has more than {MOST_HEADER} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        match &header[before..] {
            [] | b"\r\n" => break,
            line => refuse_length(line)?,
        }
    }
    Message::read(&mut Cursor::new(header).chain(input))
}

fn refuse_length(line: &[u8]) -> io::Result<()> {
    let line = String::from_utf8_lossy(line);
    let Some((name, value)) = line.split_once(':') else {
        return Ok(());
    };
    let length: Option<u64> = value.trim().parse().ok();
    if name.eq_ignore_ascii_case("Content-Length")
        && length.is_some_and(|length| MOST_BYTES < length)
    {
        let problem = format!(
            "Content-Length {} is more than {} MiB, the limit for a message",
            value.trim(),
            MOST_BYTES >> 20
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(())
}

/// Longest message. A document is in a message as a whole.
const MOST_BYTES: u64 = 64 << 20;
/// Longest header.
const MOST_HEADER: u64 = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_refused_by_its_length_before_its_memory_is_taken() {
        let error = |text: &str| read(&mut text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("Content-Length: 1099511627776\r\n\r\n"),
            "Content-Length 1099511627776 is more than 64 MiB, the limit for a message"
        );
        assert_eq!(
            error(&"x".repeat(20_000)),
            "the header of a message has more than 16384 bytes"
        );
        let good = "Content-Type: x\r\ncontent-length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
        let message = read(&mut good.as_bytes()).unwrap();
        assert!(matches!(message, Some(Message::Notification(note)) if note.method == "exit"));
        assert!(read(&mut &b""[..]).unwrap().is_none());
    }
}
