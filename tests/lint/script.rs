//! Scripts that tests put in place of programs.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

/// Writes an executable file.
///
/// Another process writes it. If this one did, a process that another thread starts meanwhile would have the file open for a
/// moment, and a file that is open for writing cannot be run ("Text file busy").
#[track_caller]
pub(crate) fn script(path: &Path, text: &str) {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = writer.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    assert!(writer.wait().unwrap().success(), "{}", path.display());
}
