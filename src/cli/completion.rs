//! Arguments of `kubectl hpa completion`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Arguments of `kubectl hpa completion`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # Set it up, for kubectl and for this shell; first see what that does
  kubectl hpa completion install --dry-run
  kubectl hpa completion install

  # Only in this session, for kubectl-hpa without kubectl
  source <(kubectl-hpa completion bash)
  source <(kubectl-hpa completion zsh)
  kubectl-hpa completion fish | source

  # Undo it
  kubectl hpa completion uninstall

Without a command it lists what can be set up.")]
pub struct CompletionArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<CompletionCommand>,
}

/// The commands of `kubectl hpa completion`.
#[derive(Debug, Subcommand)]
pub enum CompletionCommand {
    /// Print the script for bash, for kubectl-hpa without kubectl.
    Bash,
    /// Print the script for fish, for kubectl-hpa without kubectl.
    Fish,
    /// Print the script for PowerShell, for kubectl-hpa without kubectl.
    Powershell,
    /// Print the script for zsh, for kubectl-hpa without kubectl.
    Zsh,
    /// Set up completion, and say what was done and how to undo it.
    Install(CompletionInstallArgs),
    /// Remove what `install` wrote.
    Uninstall(CompletionUninstallArgs),
}

/// Arguments of `kubectl hpa completion install`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes kubectl_complete-hpa next to kubectl-hpa: kubectl runs it to complete `kubectl hpa`. Also writes the completion
file for kubectl-hpa where the shell looks for it. Nothing else is written: a line that ~/.zshrc or another file still
needs is printed. Files from others are not overwritten.")]
pub struct CompletionInstallArgs {
    /// Shell to set up; may be repeated (default: the one in $SHELL).
    #[arg(long = "shell", value_name = "SHELL")]
    pub shells: Vec<ShellName>,
    /// Folder of $PATH for kubectl_complete-hpa (default: the one that has kubectl-hpa).
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
    /// Print what would be done, and do nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `kubectl hpa completion uninstall`.
#[derive(Args, Debug)]
pub struct CompletionUninstallArgs {
    /// Folder that has kubectl_complete-hpa (default: all folders of $PATH).
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
    /// Say what would be removed, and do nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Shells that can be completed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum ShellName {
    /// Bash.
    Bash,
    /// Fish.
    Fish,
    /// PowerShell.
    Powershell,
    /// Zsh.
    Zsh,
}
