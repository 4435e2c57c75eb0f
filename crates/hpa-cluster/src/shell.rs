//! The shell that runs a command line of the user.

use std::{ffi::OsStr, process::Command};

/// The shell that runs `command`, which may have arguments.
#[cfg(not(windows))]
pub fn shell(command: &OsStr) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    shell
}

/// The shell that runs `command`, which may have arguments.
#[cfg(windows)]
pub fn shell(command: &OsStr) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut shell = Command::new("cmd");
    shell.arg("/C").raw_arg(command);
    shell
}
