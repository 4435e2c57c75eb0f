//! Writes files. No other code of the program opens one for writing.
//!
//! A file is complete under its name, or not there: its bytes go to a hidden file in the same folder, which then takes
//! the name. So a link of that name is replaced and never followed: whoever can place a link in the folder chooses no
//! file elsewhere. Folders of the path may be links.
//!
//! What is neither a regular file nor a link, such as a FIFO or a device, is written in place. So are the names of what
//! the process has open already: `/dev/stdout`, `/dev/stderr`, `/dev/fd/3`, `/proc/self/fd/3`.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, PathPersistError, TempPath};

/// Who may do what with a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// Whoever could before. A new file has the usual permissions, and so has one in the place of a link.
    Kept,
    /// Its owner only: 0600.
    OwnerOnly,
    /// All may run it: 0755.
    Program,
}

/// Writes a file with the output of `write`: completely or not at all.
pub fn write_file(
    path: &Path,
    access: FileAccess,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match OpenedFile::open(path, access)? {
        OpenedFile::Stream(stream) => {
            let mut stream = BufWriter::new(stream);
            write(&mut stream)?;
            stream.flush()
        }
        OpenedFile::Hidden(file, hidden) => {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.into_inner()?.sync_all()?;
            hidden.take_name().map_err(|(error, _)| error)
        }
    }
}

/// Creates a file that grows under its name, for its owner only. Nothing may have the name, not even a link.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a symbolic link to `target`, replacing what has the name.
#[cfg(unix)]
pub fn write_link(path: &Path, target: &str) -> io::Result<()> {
    let (prefix, folder) = hidden_place(path)?;
    let link = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(SUFFIX)
        .make_in(folder, |hidden| std::os::unix::fs::symlink(target, hidden))?;
    link.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// What swallows everything, for reading and writing.
#[cfg(unix)]
pub fn null_device() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/null")
}

/// Whether the path is standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || STDOUT_OF_UNIX.iter().any(|name| path == Path::new(name))
}

/// A file that is open for writing.
pub(crate) enum OpenedFile {
    /// A hidden file, which is written first.
    Hidden(File, HiddenFile),
    /// What is written in place, after what is in it.
    Stream(Box<dyn Write + Send>),
}

impl OpenedFile {
    /// Checks that a file can be written there, and leaves nothing. What is written in place is not opened: a reader
    /// may wait at its other end.
    pub(crate) fn check(path: &Path, access: FileAccess) -> io::Result<()> {
        let known = fs::symlink_metadata(path).ok();
        if is_stdout(path) || is_written_in_place(path, known.as_ref()) {
            return Ok(());
        }
        Self::open(path, access).map(drop)
    }

    /// Opens it.
    pub(crate) fn open(path: &Path, access: FileAccess) -> io::Result<Self> {
        if is_stdout(path) {
            return Ok(Self::Stream(Box::new(io::stdout())));
        }
        let known = fs::symlink_metadata(path).ok();
        if is_written_in_place(path, known.as_ref()) {
            return Ok(Self::Stream(Box::new(in_place(path)?)));
        }
        let known = known.filter(fs::Metadata::is_file);
        let (file, hidden) = hidden_file(path, access, known.as_ref())?.into_parts();
        let hidden = HiddenFile {
            hidden,
            path: path.to_owned(),
        };
        Ok(Self::Hidden(file, hidden))
    }
}

/// The hidden file of a file that is written. It is removed when this is dropped.
pub(crate) struct HiddenFile {
    hidden: TempPath,
    path: PathBuf,
}

impl HiddenFile {
    /// Gives it the name of the file, replacing what has it.
    pub(crate) fn take_name(self) -> Result<(), (io::Error, Self)> {
        let Self { hidden, path } = self;
        hidden.persist(&path).map_err(
            |PathPersistError {
                 error,
                 path: hidden,
             }| (error, Self { hidden, path }),
        )
    }

    /// Keeps it under the name of the file if nothing has that, else under its own. Returns its path, unless it cannot
    /// be kept.
    pub(crate) fn keep(self) -> Option<PathBuf> {
        match self.hidden.persist_noclobber(&self.path) {
            Ok(()) => Some(self.path),
            Err(error) => error.path.keep().ok(),
        }
    }
}

/// Whether the path is written in place: it names an open file of the process, or exists and is neither a regular file
/// nor a link. Any other link may belong to another user and is not followed.
fn is_written_in_place(path: &Path, known: Option<&fs::Metadata>) -> bool {
    is_open(path) || known.is_some_and(|about| !about.is_file() && !about.is_symlink())
}

/// Whether the path names an open file of the process.
fn is_open(path: &Path) -> bool {
    path == Path::new("/dev/stderr")
        || OPEN
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)))
}

/// Opens the existing file for appending.
fn in_place(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    // With O_CREAT, Linux refuses to open another user's FIFO in a world-writable folder (`fs.protected_fifos`).
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
        // It was no link a moment ago.
        if !is_open(path) {
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
    }
    options.open(path)
}

/// An empty file in the same folder, because a rename does not cross file systems. From the start it is readable only by
/// those who may read the complete file.
fn hidden_file(
    path: &Path,
    access: FileAccess,
    known: Option<&fs::Metadata>,
) -> io::Result<NamedTempFile> {
    let (prefix, folder) = hidden_place(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = match access {
            FileAccess::Kept => known.map_or(0o666, |known| known.permissions().mode() & 0o777),
            FileAccess::OwnerOnly => 0o600,
            FileAccess::Program => 0o755,
        };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let file = builder.tempfile_in(folder)?;
    // The umask does not count for these.
    match (access, known) {
        (FileAccess::Kept, Some(known)) => file.as_file().set_permissions(known.permissions())?,
        #[cfg(unix)]
        (FileAccess::Program, _) => {
            use std::os::unix::fs::PermissionsExt as _;
            let all = fs::Permissions::from_mode(0o755);
            file.as_file().set_permissions(all)?;
        }
        _ => {}
    }
    Ok(file)
}

/// The start of the name of a hidden file, and its folder. If there is no folder, the error names it; that of tempfile
/// would name the hidden file.
fn hidden_place(path: &Path) -> io::Result<(OsString, &Path)> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::IsADirectory, "the path is not a file name")
    })?;
    let mut prefix = OsString::from(".");
    prefix.push(if name.len() < LONGEST_NAME {
        name
    } else {
        "kubectl-hpa".as_ref()
    });
    prefix.push(".");
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.exists() {
        let problem = format!("the folder {} does not exist", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, problem));
    }
    Ok((prefix, folder))
}

/// Other names of standard output.
const STDOUT_OF_UNIX: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Folders with a name for each open file of the process.
const OPEN: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// The end of the name of a hidden file.
const SUFFIX: &str = ".partial";

/// From this length on, in bytes, a hidden file is not named after the file: file systems take 255.
const LONGEST_NAME: usize = 230;

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn in_place(path: &Path) -> bool {
        is_written_in_place(path, fs::symlink_metadata(path).ok().as_ref())
    }

    #[test]
    fn devices_and_names_of_what_is_open_are_no_files_to_be_replaced() {
        for name in ["-", "/dev/stdout", "/dev//stdout", "/dev/fd/1"] {
            assert!(is_stdout(Path::new(name)), "{name}");
        }
        for name in ["/dev/stderr", "/dev/fd/63", "/proc/self/fd/3", "/dev/null"] {
            assert!(in_place(Path::new(name)), "{name}");
            assert!(!is_stdout(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn links_of_others_are_replaced_wherever_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        let target = folder.path().join("file");
        fs::write(&target, "mine").unwrap();
        for (index, leads_to) in ["/dev/null", "file", "nowhere", "."]
            .into_iter()
            .enumerate()
        {
            symlink(leads_to, &link).unwrap();
            assert!(!in_place(&link), "{leads_to}");
            let text = format!("text {index}");
            write_file(&link, FileAccess::Kept, |file| {
                file.write_all(text.as_bytes())
            })
            .unwrap();
            assert!(!link.is_symlink(), "{leads_to}");
            assert_eq!(fs::read_to_string(&link).unwrap(), text);
            fs::remove_file(&link).unwrap();
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        assert!(!folder.path().join("nowhere").exists());
    }

    #[test]
    fn a_file_has_the_permissions_that_it_is_written_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "before").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let known = fs::metadata(&path).unwrap();
        let hidden = hidden_file(&path, FileAccess::Kept, Some(&known)).unwrap();
        assert_eq!(
            mode(hidden.path()),
            0o640,
            "no more open than what it replaces"
        );
        for (access, expected) in [
            (FileAccess::Kept, 0o640),
            (FileAccess::Program, 0o755),
            (FileAccess::OwnerOnly, 0o600),
        ] {
            write_file(&path, access, |file| file.write_all(b"after")).unwrap();
            assert_eq!(mode(&path), expected);
        }
    }

    #[test]
    fn what_cannot_be_written_completely_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "before").unwrap();
        let failed = write_file(&path, FileAccess::Kept, |file| {
            file.write_all(&vec![b'a'; 100_000])?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_file(folder.path(), FileAccess::Kept, |_| Ok(())).is_err());
        assert!(create_new(&path).is_err());
    }

    #[test]
    fn a_name_may_be_as_long_as_file_systems_take() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a".repeat(255));
        write_file(&path, FileAccess::Kept, |file| file.write_all(b"text")).unwrap();
        assert!(path.is_file());
    }
}
