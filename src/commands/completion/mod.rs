//! `kubectl hpa completion`.

mod install;
mod uninstall;

use std::io::{self, Write as _};

use hpa_words::program::{self, as_installed};

use crate::{
    cli::{CompletionArgs, CompletionCommand, ShellName},
    completion::script,
    exit_code::ExitStatus,
};

/// Runs `kubectl hpa completion`. If a step fails, the steps before it are still reported.
pub(super) fn run(args: &CompletionArgs) -> anyhow::Result<ExitStatus> {
    let mut output = String::new();
    let result = match &args.command {
        None => print(&as_installed(GUIDE)),
        Some(CompletionCommand::Bash) => print_script(ShellName::Bash),
        Some(CompletionCommand::Fish) => print_script(ShellName::Fish),
        Some(CompletionCommand::Powershell) => print_script(ShellName::Powershell),
        Some(CompletionCommand::Zsh) => print_script(ShellName::Zsh),
        Some(CompletionCommand::Install(args)) => install::run(args, &mut output),
        Some(CompletionCommand::Uninstall(args)) => uninstall::run(args, &mut output),
    };
    print(&output)?;
    result.map(|()| ExitStatus::Success)
}

fn print_script(shell: ShellName) -> anyhow::Result<()> {
    print(&script(shell, program::file())?)
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

const GUIDE: &str = "\
Tab completes commands, flags and formats, the names of HPAs and of the workloads that they scale, namespaces, contexts,
clusters, users and rules.

  kubectl hpa completion install --dry-run   says what would be set up
  kubectl hpa completion install             sets it up for kubectl and for the shell in $SHELL
  kubectl hpa completion uninstall           undoes it

With kubectl: the shell completes kubectl (`source <(kubectl completion bash)`, or as your shell does it), and kubectl
runs kubectl_complete-hpa, which has to be on $PATH. `install` puts it next to kubectl-hpa. krew cannot: it links one
program for a plugin, so run `install` once after `kubectl krew install`.

Without kubectl, for `kubectl-hpa` typed as such, in this session only:

  bash        source <(kubectl-hpa completion bash)
  zsh         source <(kubectl-hpa completion zsh)
  fish        kubectl-hpa completion fish | source
  PowerShell  kubectl-hpa completion powershell | Out-String | Invoke-Expression

What it asks of a cluster: the list of HPAs or of namespaces, as `kubectl get` would print it, with the flags that are
on the line. It waits a second at most, and says nothing without an answer.
";
