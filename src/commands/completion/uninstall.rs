//! `kubectl hpa completion uninstall`.

use std::fs;

use anyhow::Context as _;
use clap::ValueEnum as _;
use hpa_words::program;

use crate::{
    cli::{CompletionUninstallArgs, ShellName},
    completion::pieces::{CompletionFile, PieceState, path_folders},
};

/// Removes what `install` wrote, and adds what that was to `output`. Other files stay.
pub(super) fn run(args: &CompletionUninstallArgs, output: &mut String) -> anyhow::Result<()> {
    let folders = match &args.dir {
        Some(folder) => vec![folder.clone()],
        None => path_folders(),
    };
    let program = program::file();
    let shims = folders
        .iter()
        .map(|folder| CompletionFile::shim(program, folder));
    let shells = ShellName::value_variants().iter();
    let files = shells.filter_map(|shell| CompletionFile::of_shell(program, *shell));
    let verb = if args.dry_run {
        "would remove"
    } else {
        "removed"
    };
    for piece in shims.chain(files) {
        let path = piece.path.display();
        // A folder of $PATH may be unreadable; nothing was installed there.
        match piece.found() {
            Ok(PieceState::Same | PieceState::Older) => (),
            Ok(PieceState::Foreign) => {
                output.push_str(&format!("left alone, for it is not from here: {path}\n"));
                continue;
            }
            Ok(PieceState::Packaged) => {
                output.push_str(&format!("left alone, for it came with {program}: {path}\n"));
                continue;
            }
            Ok(PieceState::Nothing) | Err(_) => continue,
        }
        if !args.dry_run {
            fs::remove_file(&piece.path).with_context(|| format!("cannot remove {path}"))?;
        }
        output.push_str(&format!("{verb}: {path}\n"));
    }
    if output.is_empty() {
        output.push_str("nothing to remove\n");
    } else {
        output.push_str(
            "Lines that you added to ~/.bashrc, ~/.zshrc or $PROFILE are yours to take out.\n",
        );
    }
    Ok(())
}
