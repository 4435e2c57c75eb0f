//! Writes lines to a file: compressed, and each of them completely or not at all.

use std::{
    fs::File,
    io::{self, Seek as _, SeekFrom, Write},
    path::Path,
};

use flate2::{Compression, Crc, write::GzEncoder};
use serde::Serialize;

use super::visible;

/// Writes lines to a file, each compressed and passed to the operating system in one piece.
///
/// If a line cannot be written, the file ends after the previous line: the compressed stream is ended there. The next
/// line starts another stream in the same file. `zcat`, `zstdcat` and this program read both as one.
pub(super) struct LineWriter {
    sink: Sink,
    format: FileFormat,
    /// None: the next line starts another stream.
    encoder: Option<Encoder>,
    /// The bytes that end the stream after the lines in the file.
    end: Vec<u8>,
    /// Length of the file in bytes.
    length: u64,
    /// Number of lines in the file.
    count: usize,
}

/// Where lines are written.
pub(super) enum Sink {
    /// A new file: an incomplete line can be cut off again.
    File(File),
    /// A sink shared with other programs, such as a pipe.
    Stream(Box<dyn Write + Send>),
}

/// The format, by the ending of the file name.
#[derive(Clone, Copy)]
enum FileFormat {
    Gzip,
    Plain,
    Zstd,
}

/// Its output is drained after each line.
enum Encoder {
    Gzip(GzEncoder<Vec<u8>>, Crc),
    Plain(Vec<u8>),
    Zstd(zstd::Encoder<'static, Vec<u8>>),
}

impl LineWriter {
    /// Starts a file: gzip or zstd if its name ends in `.gz` or `.zst`.
    pub(super) fn begin(path: &Path, sink: Sink) -> io::Result<Self> {
        let format = FileFormat::of(path);
        Ok(Self {
            sink,
            format,
            encoder: Some(Encoder::new(format, Vec::new())?),
            end: Vec::new(),
            length: 0,
            count: 0,
        })
    }

    /// Writes one line.
    pub(super) fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let written = self.try_write(line);
        if written.is_err() {
            // The encoder's state includes the lost line.
            self.encoder = None;
            // If even this does not fit, it is written before the next line.
            let _ = self.end();
        }
        written
    }

    fn try_write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => none.insert(Encoder::new(self.format, self.end.clone())?),
        };
        let bytes = encoder.line(line)?;
        let end = encoder.end();
        self.append(&bytes, &end)?;
        self.end = end;
        self.count += 1;
        Ok(())
    }

    /// Ends the compressed stream. Readers would treat a file without its end as interrupted.
    pub(super) fn end(&mut self) -> io::Result<()> {
        let end = match self.encoder.take() {
            Some(encoder) if self.end.is_empty() => encoder.finish()?,
            // There is room for this.
            _ => self.end.clone(),
        };
        self.append(&end, &[])?;
        self.end.clear();
        Ok(())
    }

    /// Flushes to disk, so that the data survives a power failure.
    pub(super) fn sync(&self) -> io::Result<()> {
        match &self.sink {
            Sink::File(file) => file.sync_data(),
            Sink::Stream(_) => Ok(()),
        }
    }

    /// Length of the file in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Number of lines in the file.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Writes all of `bytes` or nothing. Also writes nothing if a file has no room for `end` after them.
    fn append(&mut self, bytes: &[u8], end: &[u8]) -> io::Result<()> {
        let length = self.length.saturating_add(bytes.len() as u64);
        match &mut self.sink {
            Sink::File(file) => {
                file.seek(SeekFrom::Start(self.length))?;
                let written = file.write_all(&[bytes, end].concat());
                // A file that cannot be truncated ends in an incomplete line, which readers recognize, or as it would
                // end now.
                let _ = match &written {
                    Ok(()) if end.is_empty() => Ok(()),
                    Ok(()) => file.set_len(length),
                    Err(_) => file.set_len(self.length),
                };
                written?;
            }
            Sink::Stream(stream) => {
                stream.write_all(bytes)?;
                stream.flush()?;
            }
        }
        self.length = length;
        Ok(())
    }
}

impl FileFormat {
    fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstd,
            _ => Self::Plain,
        }
    }
}

impl Encoder {
    /// A stream that comes after `before`.
    fn new(format: FileFormat, before: Vec<u8>) -> io::Result<Self> {
        Ok(match format {
            FileFormat::Gzip => Self::Gzip(
                GzEncoder::new(before, Compression::default()),
                Crc::default(),
            ),
            FileFormat::Plain => Self::Plain(before),
            FileFormat::Zstd => {
                Self::Zstd(zstd::Encoder::new(before, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        })
    }

    /// The bytes of one more line.
    fn line(&mut self, line: &impl Serialize) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder, crc) => {
                let mut text = Vec::new();
                write_line(&mut text, line)?;
                crc.update(&text);
                encoder.write_all(&text)?;
                encoder.flush()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
            Self::Plain(buffer) => {
                write_line(buffer, line)?;
                Ok(std::mem::take(buffer))
            }
            Self::Zstd(encoder) => {
                write_line(encoder, line)?;
                encoder.flush()?;
                Ok(std::mem::take(encoder.get_mut()))
            }
        }
    }

    /// The bytes that end the stream after the lines so far. Each line ends at a byte boundary.
    fn end(&self) -> Vec<u8> {
        match self {
            Self::Gzip(_, crc) => [
                &EMPTY_BLOCK_OF_DEFLATE[..],
                &crc.sum().to_le_bytes(),
                &crc.amount().to_le_bytes(),
            ]
            .concat(),
            Self::Plain(_) => Vec::new(),
            Self::Zstd(_) => EMPTY_BLOCK_OF_ZSTD.to_vec(),
        }
    }

    /// Finishes the stream itself.
    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gzip(encoder, _) => encoder.finish(),
            Self::Plain(buffer) => Ok(buffer),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    visible::write_json(&mut *output, line)?;
    output.write_all(b"\n")
}

/// The last block, with fixed codes: RFC 1951, section 3.2.6.
const EMPTY_BLOCK_OF_DEFLATE: [u8; 2] = [0x03, 0x00];

/// The last block, raw: RFC 8878, section 3.1.1.2.
const EMPTY_BLOCK_OF_ZSTD: [u8; 3] = [0x01, 0x00, 0x00];
