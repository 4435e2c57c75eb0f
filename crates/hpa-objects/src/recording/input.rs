//! Bytes of a file or of stdin, decompressed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Chain, Cursor, Read},
    path::Path,
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

/// An input from any source.
pub type ByteSource = Box<dyn BufRead>;

/// Opens `path`, or standard input for `-`. Recognizes gzip, zstd and UTF-16 by the first bytes, not by the file name.
pub fn open(path: &Path) -> io::Result<ByteSource> {
    if path.as_os_str() == STDIN_OR_STDOUT {
        decompressed(io::stdin())
    } else {
        decompressed(File::open(path)?)
    }
}

/// Reads all bytes of `source`. Fails if it has more than `mebibytes` MiB, as a device or a compressed file can.
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
fn decompressed(source: impl Read + 'static) -> io::Result<ByteSource> {
    let mut source = with_head(source)?;
    let head = source.get_ref().get_ref().0.get_ref().as_slice();
    Ok(if head.starts_with(&GZIP) {
        Box::new(buffered(Decompressed::new(
            "gzip",
            MultiGzDecoder::new(source),
        )))
    } else if head.starts_with(&ZSTD) {
        let decoder = zstd::Decoder::with_buffer(source)?;
        Box::new(buffered(Decompressed::new("zstd", decoder)))
    } else if let Some(utf_16) = Utf16::of(head) {
        Box::new(buffered(utf_16.decoder(source)))
    } else if head.starts_with(&BOM_OF_UTF_8) {
        source.read_exact(&mut [0; BOM_OF_UTF_8.len()])?;
        Box::new(source)
    } else {
        Box::new(source)
    })
}

/// Says of which file format the data is damaged, and where, instead of the decoder's words. Fails again after an error.
struct Decompressed<R> {
    decoder: R,
    format: &'static str,
    /// Bytes of text so far.
    length: u64,
    failed: Option<io::ErrorKind>,
}

impl<R> Decompressed<R> {
    fn new(format: &'static str, decoder: R) -> Self {
        Self {
            decoder,
            format,
            length: 0,
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
