//! Bytes of a file or of stdin, decompressed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Chain, Cursor, Read},
    path::Path,
};

use flate2::bufread::MultiGzDecoder;

use super::utf_16::Utf16;

/// The file name that means standard input or output.
pub(super) const STDIN_OR_STDOUT: &str = "-";

/// What errors call the input at `path`.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == STDIN_OR_STDOUT {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Bytes to be read, whatever they come from.
pub type ByteSource = Box<dyn BufRead>;

/// Opens `path`, or stdin for `-`. Gzip, zstd and UTF-16 are recognized by their first bytes, not by the file's name.
pub fn open(path: &Path) -> io::Result<ByteSource> {
    if path.as_os_str() == STDIN_OR_STDOUT {
        decompressed(io::stdin())
    } else {
        decompressed(File::open(path)?)
    }
}

/// All bytes of `source`. Where it has more than so many MiB, as a device or a decompressed file may, that is an error.
pub fn read_at_most(source: impl Read, mebibytes: u64) -> io::Result<Vec<u8>> {
    let most = mebibytes << 20;
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if most < bytes.len() as u64 {
        return Err(too_long(mebibytes));
    }
    Ok(bytes)
}

/// What is wrong with a file that has more than so many MiB.
pub fn too_long(mebibytes: u64) -> io::Error {
    let kind = io::ErrorKind::FileTooLarge;
    io::Error::new(kind, format!("it has more than {mebibytes} MiB"))
}

/// Decompresses `source` if it begins as gzip or zstd does. A byte order mark says how text is encoded, and is no part of it.
fn decompressed(source: impl Read + 'static) -> io::Result<ByteSource> {
    let mut source = with_head(source)?;
    let head = source.get_ref().get_ref().0.get_ref().as_slice();
    Ok(if head.starts_with(&GZIP) {
        Box::new(buffered(MultiGzDecoder::new(source)))
    } else if head.starts_with(&ZSTD) {
        Box::new(buffered(zstd::Decoder::with_buffer(source)?))
    } else if let Some(utf_16) = Utf16::of(head) {
        Box::new(buffered(utf_16.decoder(source)))
    } else if head.starts_with(&BOM_OF_UTF_8) {
        source.read_exact(&mut [0; BOM_OF_UTF_8.len()])?;
        Box::new(source)
    } else {
        Box::new(source)
    })
}

/// The first bytes, read for a look and put back before the rest.
type WithHead<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// A pipe may deliver byte by byte, so the head is asked for until it is there.
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

/// U+FEFF, which programs of Windows put before text.
const BOM_OF_UTF_8: [u8; 3] = [0xef, 0xbb, 0xbf];

/// RFC 8878, section 3.1.1.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
