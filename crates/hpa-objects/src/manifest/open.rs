//! Opens a file of unknown content: a recording, or ordinary objects.

use std::{
    io::{self, BufRead, Read as _},
    path::Path,
};

use super::ManifestError;
use crate::recording::{
    API_VERSION, ByteSource, LINE_LIMIT, ReadError, RecordingReader, open_input,
};

/// The contents of the file.
pub enum Opened {
    /// The text of ordinary objects, as [`read`](super::read) takes it.
    Objects(Vec<u8>),
    /// A recording, to be read line by line.
    Recording(RecordingReader),
}

/// Opens `path`, or standard input for `-`: a recording or objects, plain, gzip or zstd.
pub fn open(path: &Path) -> Result<Opened, ManifestError> {
    let unreadable = |source| ReadError::Open {
        path: path.to_owned(),
        source,
    };
    let mut input = open_input(path).map_err(unreadable)?;
    let head = first_line(&mut input).map_err(unreadable)?;
    if is_snapshot_line(&head) {
        return Ok(Opened::Recording(RecordingReader::behind(head, input)));
    }
    let text = input.read_whole(head, MOST_MEBIBYTES).map_err(unreadable)?;
    Ok(Opened::Objects(text))
}

/// Reads up to the end of the first line that is not blank. Keeps what comes before it, so line numbers stay right.
fn first_line(input: &mut ByteSource) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    loop {
        let length = head.len();
        match input.take(LINE_LIMIT).read_until(b'\n', &mut head) {
            Ok(_) => {}
            // A recording that was cut off in its first line; the reader reports that.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(head),
            Err(error) => return Err(error),
        }
        if head.len() == length || !head[length..].trim_ascii().is_empty() {
            return Ok(head);
        }
        if MOST_BLANK_MEBIBYTES << 20 < head.len() as u64 {
            let problem =
                format!("it begins with more than {MOST_BLANK_MEBIBYTES} MiB of blank lines");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
    }
}

/// Maximum size of a text that is read as a whole.
const MOST_MEBIBYTES: u64 = 1024;

/// Maximum size of the blank lines before the first other line.
const MOST_BLANK_MEBIBYTES: u64 = 1;

/// Whether a line is a snapshot, or the start of one that was cut off. A line of an object in multi-line JSON is not.
fn is_snapshot_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let name = API_VERSION.as_bytes();
    line.len() > 1
        && line.starts_with(b"{")
        && line.windows(name.len()).any(|window| window == name)
}
