//! Bytes of a file or of stdin, decompressed, and how much of them may be kept in memory.
//!
//! A device or a pipe can be endless, and a small compressed file can have gigabytes of text. So a text is kept only up
//! to a size that its source makes plausible, and what is no text is refused early.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufRead, BufReader, Chain, Cursor, Read},
    path::Path,
    rc::Rc,
};

use flate2::bufread::MultiGzDecoder;

use super::utf_16::Utf16;

/// The file name for standard input or output.
pub(super) const STDIN_OR_STDOUT: &str = "-";

/// The name of the input at `path` in errors.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == STDIN_OR_STDOUT {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// An input from any source: its text, decompressed.
pub struct ByteSource {
    text: Box<dyn BufRead>,
    origin: TextOrigin,
}

/// What is known about the size of a text.
enum TextOrigin {
    /// A regular file.
    File,
    /// A pipe, a device or standard input, which may be endless.
    Stream,
    /// The number of compressed bytes that were read so far.
    Compressed(Rc<Cell<u64>>),
}

impl ByteSource {
    /// Reads the whole text, which begins with `head`. Fails if it has more than `mebibytes` MiB, or more than its
    /// source makes plausible.
    pub fn read_whole(mut self, head: Vec<u8>, mebibytes: u64) -> io::Result<Vec<u8>> {
        let mut text = head;
        loop {
            let most = match &self.origin {
                TextOrigin::File => mebibytes,
                TextOrigin::Stream => mebibytes.min(STREAM_MEBIBYTES),
                TextOrigin::Compressed(read) => mebibytes.min(plausible(read.get()) >> 20),
            };
            let piece = self.fill_buf()?;
            let length = piece.len();
            if length == 0 {
                return Ok(text);
            }
            if most << 20 < (text.len() + length) as u64 {
                return Err(match &self.origin {
                    TextOrigin::Compressed(read) if most < mebibytes => implausible(read.get()),
                    TextOrigin::Stream if most < mebibytes => {
                        let problem = format!(
                            "it has more than {most} MiB: write it to a file, and give that"
                        );
                        io::Error::new(io::ErrorKind::FileTooLarge, problem)
                    }
                    _ => too_long(most),
                });
            }
            text.extend_from_slice(piece);
            self.consume(length);
        }
    }
}

impl Read for ByteSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for ByteSource {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

/// Opens `path`, or standard input for `-`. Recognizes gzip, zstd and UTF-16 by the first bytes, not by the file name.
pub fn open(path: &Path) -> io::Result<ByteSource> {
    if path.as_os_str() == STDIN_OR_STDOUT {
        return decompressed(io::stdin(), TextOrigin::Stream);
    }
    let file = File::open(path)?;
    let origin = if file.metadata()?.is_file() {
        TextOrigin::File
    } else {
        TextOrigin::Stream
    };
    decompressed(file, origin)
}

/// How many bytes a text or a line may have that was decompressed from `read` bytes so far. Snapshots of pods that
/// differ only in name and usage compress to a fortieth.
fn plausible(read: u64) -> u64 {
    (PLAUSIBLE_MEBIBYTES << 20).saturating_add(read.saturating_mul(PLAUSIBLE_RATIO))
}

fn implausible(read: u64) -> io::Error {
    let problem = format!(
        "{read} compressed bytes became more than {} MiB, which no snapshot and no manifest does: decompress it first \
         if it is genuine",
        plausible(read) >> 20
    );
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// A compressed text of this size is always read.
const PLAUSIBLE_MEBIBYTES: u64 = 32;

/// A larger one if its compressed form has at least one byte for so many.
const PLAUSIBLE_RATIO: u64 = 100;

/// Maximum size of a text that is read as a whole from what may be endless.
const STREAM_MEBIBYTES: u64 = 256;

/// Reads all bytes of `source`. Fails if it has more than `mebibytes` MiB, as a device can.
pub fn read_at_most(source: impl Read, mebibytes: u64) -> io::Result<Vec<u8>> {
    let most = mebibytes << 20;
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if most < bytes.len() as u64 {
        return Err(too_long(mebibytes));
    }
    Ok(bytes)
}

/// The error for a file larger than `mebibytes` MiB.
pub fn too_long(mebibytes: u64) -> io::Error {
    let kind = io::ErrorKind::FileTooLarge;
    io::Error::new(kind, format!("it has more than {mebibytes} MiB"))
}

/// Decompresses `source` if it is gzip or zstd. A byte order mark selects the encoding and is removed.
fn decompressed(source: impl Read + 'static, origin: TextOrigin) -> io::Result<ByteSource> {
    let read = Rc::new(Cell::new(0));
    let counted = CountedBytes {
        source,
        read: Rc::clone(&read),
    };
    let mut source = with_head(counted)?;
    let head = source.get_ref().get_ref().0.get_ref().clone();
    let compressed = TextOrigin::Compressed(Rc::clone(&read));
    let (text, origin): (Box<dyn BufRead>, TextOrigin) = if head.starts_with(&GZIP) {
        let decoder = Decompressed::new("gzip", read, MultiGzDecoder::new(source));
        (Box::new(buffered(OnlyText::new(decoder))), compressed)
    } else if head.starts_with(&ZSTD) {
        let decoder = Decompressed::new("zstd", read, zstd::Decoder::with_buffer(source)?);
        (Box::new(buffered(OnlyText::new(decoder))), compressed)
    } else if let Some(utf_16) = Utf16::of(&head) {
        let decoder = OnlyText::new(utf_16.decoder(source));
        (Box::new(buffered(decoder)), origin)
    } else {
        if head.starts_with(&BOM_OF_UTF_8) {
            source.read_exact(&mut [0; BOM_OF_UTF_8.len()])?;
        }
        (Box::new(buffered(OnlyText::new(source))), origin)
    };
    Ok(ByteSource { text, origin })
}

/// Counts what is read.
struct CountedBytes<R> {
    source: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for CountedBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.read.set(self.read.get().saturating_add(read as u64));
        Ok(read)
    }
}

/// Refuses what is no text, such as a device, once it is longer than a parser's error is worth.
struct OnlyText<R> {
    source: R,
    length: u64,
}

impl<R> OnlyText<R> {
    fn new(source: R) -> Self {
        Self { source, length: 0 }
    }
}

impl<R: Read> Read for OnlyText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.length = self.length.saturating_add(read as u64);
        if SURELY_TEXT < self.length {
            is_text(&buffer[..read])?;
        }
        Ok(read)
    }
}

/// Fails if a piece of a long input has a byte that neither JSON nor YAML has.
pub fn is_text(piece: &[u8]) -> io::Result<()> {
    if piece.contains(&0) {
        let problem = "it is not text: it has NUL bytes";
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    Ok(())
}

/// Up to this length, the parser says what is wrong with the input, and where.
const SURELY_TEXT: u64 = 1 << 20;

/// Says of which file format the data is damaged, and where, instead of the decoder's words. Fails again after an error.
struct Decompressed<R> {
    decoder: R,
    format: &'static str,
    /// Bytes of text so far.
    length: u64,
    /// Bytes of text since the last line break.
    line: u64,
    /// Compressed bytes that were read so far.
    compressed: Rc<Cell<u64>>,
    failed: Option<io::ErrorKind>,
}

impl<R> Decompressed<R> {
    fn new(format: &'static str, compressed: Rc<Cell<u64>>, decoder: R) -> Self {
        Self {
            decoder,
            format,
            length: 0,
            line: 0,
            compressed,
            failed: None,
        }
    }

    fn damage(&self, kind: io::ErrorKind) -> io::Error {
        let Self { format, length, .. } = self;
        let what = match kind {
            io::ErrorKind::UnexpectedEof => "ends early",
            _ => "is damaged",
        };
        let problem =
            format!("its {format} data {what}, after {length} bytes of text: copy the file again");
        io::Error::new(kind, problem)
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(kind) = self.failed {
            return Err(self.damage(kind));
        }
        match self.decoder.read(buffer) {
            Ok(read) => {
                self.length += read as u64;
                let text = &buffer[..read];
                self.line = match text.iter().rposition(|byte| *byte == b'\n') {
                    Some(end) => (read - end) as u64,
                    None => self.line.saturating_add(read as u64),
                };
                if plausible(self.compressed.get()) < self.line {
                    return Err(implausible(self.compressed.get()));
                }
                Ok(read)
            }
            // The disk's own error.
            Err(error)
                if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted =>
            {
                Err(error)
            }
            Err(error) => {
                let kind = match error.kind() {
                    io::ErrorKind::UnexpectedEof => io::ErrorKind::UnexpectedEof,
                    _ => io::ErrorKind::InvalidData,
                };
                self.failed = Some(kind);
                Err(self.damage(kind))
            }
        }
    }
}

/// A reader whose first bytes were peeked.
type WithHead<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// A pipe can deliver single bytes, so this reads until the head is complete.
fn with_head<R: Read>(mut source: R) -> io::Result<WithHead<R>> {
    let mut head = Vec::with_capacity(ZSTD.len());
    (&mut source)
        .take(ZSTD.len() as u64)
        .read_to_end(&mut head)?;
    Ok(buffered(Cursor::new(head).chain(source)))
}

fn buffered<R: Read>(source: R) -> BufReader<R> {
    BufReader::with_capacity(BUFFER_SIZE, source)
}

const BUFFER_SIZE: usize = 256 * 1024;

/// RFC 1952, section 2.3.1.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// U+FEFF, which Windows programs put at the start of a text.
const BOM_OF_UTF_8: [u8; 3] = [0xef, 0xbb, 0xbf];

/// RFC 8878, section 3.1.1.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
