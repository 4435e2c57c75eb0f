//! `kubectl hpa completion install`.

use std::{env, ffi::OsStr, path::Path};

use anyhow::{Context as _, bail};
use clap::ValueEnum as _;
use hpa_words::program::{self, typed};

use crate::{
    cli::{CompletionInstallArgs, ShellName},
    completion::pieces::{CompletionFile, PieceState, path_folders, plugin_folder, zsh_folder},
};

/// Installs, and adds what was done to `output`. All destinations are checked before anything is written.
pub(super) fn run(args: &CompletionInstallArgs, output: &mut String) -> anyhow::Result<()> {
    let mut shells = args.shells.clone();
    if shells.is_empty() {
        shells.extend(login_shell());
    }
    shells.sort_unstable();
    shells.dedup();
    let program = program::file();
    let folder = args.dir.clone().or_else(|| plugin_folder(program)).with_context(|| {
        format!(
            "{program} is not in $PATH, so kubectl cannot find it: move it to a folder of $PATH, or use --dir"
        )
    })?;
    if !folder.is_dir() {
        bail!("--dir {}: the folder does not exist", folder.display());
    }
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let mut pieces = vec![CompletionFile::shim(program, &folder)];
    pieces.extend(
        shells
            .iter()
            .filter_map(|shell| CompletionFile::of_shell(program, *shell)),
    );
    let mut found = Vec::new();
    for piece in &pieces {
        found.push(inspect(piece)?);
    }
    for (piece, found) in pieces.iter().zip(found) {
        if found == PieceState::Packaged {
            output.push_str(&format!("there already: {}\n", piece.path.display()));
            continue;
        }
        let verb = match (found, args.dry_run) {
            (PieceState::Same, _) => "there already",
            (PieceState::Older, true) => "would replace",
            (PieceState::Older, false) => "replaced",
            (_, true) => "would write",
            (_, false) => "wrote",
        };
        if found != PieceState::Same && !args.dry_run {
            piece.write().with_context(|| not_written(piece, &folder))?;
        }
        output.push_str(&format!("{verb}: {piece}\n"));
    }
    output.push_str(&remarks(program, &shells, &folder));
    if !args.dry_run {
        let undo = typed("completion uninstall");
        output.push_str(&format!("\nUndo: {undo}\n"));
    }
    Ok(())
}

fn inspect(piece: &CompletionFile) -> anyhow::Result<PieceState> {
    let path = piece.path.display();
    let found = piece
        .found()
        .with_context(|| format!("cannot look at {path}"))?;
    if found == PieceState::Foreign {
        bail!(
            "{path} exists and is not from `{}`. Nothing was written: move the file, or use another folder",
            typed("completion install")
        );
    }
    Ok(found)
}

fn not_written(piece: &CompletionFile, folder: &Path) -> String {
    let mut message = format!("cannot write {}", piece.path.display());
    if piece.path.parent() == Some(folder) {
        message.push_str(" (--dir chooses another folder of $PATH, such as ~/.local/bin)");
    }
    message
}

/// Manual steps: lines for files that are not changed here.
fn remarks(program: &str, shells: &[ShellName], folder: &Path) -> String {
    let mut output = String::new();
    if !path_folders().iter().any(|known| known == folder) {
        let (folder, shim) = (folder.display(), program::shim(program));
        output.push_str(&format!(
            "\n{folder} is not on $PATH; kubectl finds {shim} once it is.\n"
        ));
    }
    output.push_str(&format!(
        "\n{}: needs kubectl's own completion; if Tab completes `kubectl get`, it is there. Else add a line:\n",
        program::name()
    ));
    let all = ShellName::value_variants();
    for shell in if shells.is_empty() { all } else { shells } {
        let (file, line) = match shell {
            ShellName::Bash => ("~/.bashrc", "source <(kubectl completion bash)"),
            ShellName::Fish => (
                "~/.config/fish/config.fish",
                "kubectl completion fish | source",
            ),
            ShellName::Powershell => (
                "$PROFILE",
                "kubectl completion powershell | Out-String | Invoke-Expression",
            ),
            ShellName::Zsh => ("~/.zshrc", "source <(kubectl completion zsh)"),
        };
        output.push_str(&format!("  {file}: {line}\n"));
    }
    for shell in shells {
        output.push_str(&match shell {
            ShellName::Bash => format!(
                "\n{program} in bash: works in new shells that have the package bash-completion.\n\
                 Without it, add to ~/.bashrc:\n  source <({program} completion bash)\n"
            ),
            ShellName::Fish => format!("\n{program} in fish: works in new shells.\n"),
            ShellName::Powershell => format!(
                "\n{program} in PowerShell: add to $PROFILE:\n  \
                 {program} completion powershell | Out-String | Invoke-Expression\n"
            ),
            ShellName::Zsh => zsh_folder().map_or_else(String::new, |folder| {
                format!(
                    "\n{program} in zsh: add to ~/.zshrc, before compinit, unless it is there:\n  \
                     fpath=({} $fpath)\n",
                    folder.display()
                )
            }),
        });
    }
    if shells.is_empty() {
        output.push_str(&format!(
            "\n$SHELL is none of bash, fish, powershell and zsh: --shell sets up completion of {program} without kubectl.\n"
        ));
    }
    output
}

/// The shell in `$SHELL`, if it is supported.
fn login_shell() -> Option<ShellName> {
    let shell = env::var_os("SHELL")?;
    let name = Path::new(&shell).file_stem().and_then(OsStr::to_str)?;
    let name = if name == "pwsh" { "powershell" } else { name };
    ShellName::from_str(name, false).ok()
}
