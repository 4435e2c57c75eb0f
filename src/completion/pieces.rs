//! The files for completion: their places, their contents, and whether an existing file was written by this program.

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
};

use hpa_objects::output_file::write_link;
use hpa_objects::output_file::{FileAccess, write_file};
#[cfg(unix)]
use hpa_words::program::{self, typed};

use crate::{
    cli::ShellName,
    completion::{COMPLETE, zsh_function},
};

/// A file to install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompletionFile {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its content.
    pub(crate) content: PieceContent,
    /// The plugin that it runs.
    program: String,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PieceContent {
    /// A symbolic link to the program of this name in the same folder.
    Link(String),
    /// An executable script.
    Program(String),
    /// A script that a shell sources.
    Script(String),
}

/// What exists at the path of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceState {
    /// Nothing.
    Nothing,
    /// The same content.
    Same,
    /// A file that an earlier `install` wrote.
    Older,
    /// The script that an archive or a package ships next to the plugin; it does the same.
    Packaged,
    /// A file that is not from this program.
    Foreign,
}

impl CompletionFile {
    /// The file in this folder that kubectl runs to complete the plugin.
    pub(crate) fn shim(program: &str, folder: &Path) -> Self {
        let path = folder.join(program::shim(program));
        let (path, content) = if cfg!(windows) {
            let script = format!("@rem {}\r\n@{program} {COMPLETE}%*\r\n", mark());
            (path.with_extension("cmd"), PieceContent::Program(script))
        } else if folder.join(program).exists() {
            (path, PieceContent::Link(program.to_owned()))
        } else {
            let script = format!(
                "#!/bin/sh\n# {}\nexec {program} {COMPLETE} \"$@\"\n",
                mark()
            );
            (path, PieceContent::Program(script))
        };
        Self {
            path,
            content,
            program: program.to_owned(),
        }
    }

    /// The file that the shell sources to complete the plugin under its own name. `None` if the shell has no folder
    /// for that.
    pub(crate) fn of_shell(program: &str, shell: ShellName) -> Option<Self> {
        let (path, script) = match shell {
            ShellName::Bash => {
                let folder = variable("BASH_COMPLETION_USER_DIR")
                    .or_else(|| Some(data_home()?.join("bash-completion")))?;
                let script = format!("# {}\neval \"$({program} completion bash)\"\n", mark());
                (folder.join("completions").join(program), script)
            }
            ShellName::Fish => {
                let folder =
                    variable("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?;
                let folder = folder.join("fish").join("completions");
                let script = format!("# {}\n{program} completion fish | source\n", mark());
                (folder.join(format!("{program}.fish")), script)
            }
            ShellName::Powershell => return None,
            ShellName::Zsh => {
                let function = zsh_function(program);
                let script = format!(
                    "#compdef {program}\n# {}\neval \"$({program} completion zsh)\"\n{function} \"$@\"\n",
                    mark()
                );
                (zsh_folder()?.join(format!("_{program}")), script)
            }
        };
        Some(Self {
            path,
            content: PieceContent::Script(script),
            program: program.to_owned(),
        })
    }

    /// What exists at its path.
    pub(crate) fn found(&self) -> io::Result<PieceState> {
        let metadata = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(PieceState::Nothing);
            }
            metadata => metadata?,
        };
        if metadata.is_symlink() {
            let target = fs::read_link(&self.path)?;
            return Ok(match &self.content {
                PieceContent::Link(program) if target == Path::new(program) => PieceState::Same,
                _ if target.file_name() == Some(self.program.as_ref()) => PieceState::Older,
                _ => PieceState::Foreign,
            });
        }
        if !metadata.is_file() {
            return Ok(PieceState::Foreign);
        }
        let there = fs::read(&self.path)?;
        let contains = |part: &str| String::from_utf8_lossy(&there).contains(part);
        // As release/package.sh writes it.
        let packaged = format!("{}{}\" {COMPLETE} ", self.program, env::consts::EXE_SUFFIX);
        Ok(match &self.content {
            PieceContent::Program(text) | PieceContent::Script(text)
                if there == text.as_bytes() =>
            {
                PieceState::Same
            }
            _ if contains(&mark()) => PieceState::Older,
            PieceContent::Link(_) | PieceContent::Program(_) if contains(&packaged) => {
                PieceState::Packaged
            }
            _ => PieceState::Foreign,
        })
    }

    /// Writes it, replacing an existing file.
    pub(crate) fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let (text, access) = match &self.content {
            PieceContent::Link(program) => return link(&self.path, program),
            PieceContent::Script(text) => (text, FileAccess::Kept),
            PieceContent::Program(text) => (text, FileAccess::Program),
        };
        write_file(&self.path, access, |file| file.write_all(text.as_bytes()))
    }
}

impl fmt::Display for CompletionFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, program) = (self.path.display(), &self.program);
        match &self.content {
            PieceContent::Link(_) => write!(formatter, "{path}, a link to {program} next to it"),
            PieceContent::Program(_) => write!(formatter, "{path}, a script that runs {program}"),
            PieceContent::Script(_) => write!(formatter, "{path}"),
        }
    }
}

/// The folders of `$PATH`, without duplicates.
pub(crate) fn path_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in env::split_paths(&path) {
        if !folder.as_os_str().is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// The first folder of `$PATH` that has the plugin.
pub(crate) fn plugin_folder(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    path_folders()
        .into_iter()
        .find(|folder| folder.join(&name).is_file())
}

/// The folder of zsh's file. By default `$fpath` has no folder of the user, so `~/.zshrc` needs a line for it.
pub(crate) fn zsh_folder() -> Option<PathBuf> {
    Some(data_home()?.join("zsh").join("site-functions"))
}

fn data_home() -> Option<PathBuf> {
    variable("XDG_DATA_HOME").or_else(|| Some(home()?.join(".local").join("share")))
}

fn home() -> Option<PathBuf> {
    env::home_dir().filter(|home| !home.as_os_str().is_empty())
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

#[cfg(unix)]
fn link(path: &Path, target: &str) -> io::Result<()> {
    write_link(path, target)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &str) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// The mark in files from this program.
fn mark() -> String {
    let (install, uninstall) = (typed("completion install"), typed("completion uninstall"));
    format!("Written by `{install}`; `{uninstall}` removes it.")
}
