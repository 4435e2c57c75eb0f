//! Tab in real shells, by the real kubectl and without it, against the real API server.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use portable_pty::CommandBuilder;
use serde_json::json;

use crate::{
    cluster::{cluster, eventually, succeed},
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
    releases,
    terminal::{Terminal, key},
};

#[test]
fn kubectl_completes_names_namespaces_and_contexts() {
    let namespace = with_storefront("complete-words");
    let home = Home::new("kubectl");
    let complete = |words: &[&str], expected: &str| {
        // A busy machine may not answer within the limit of one second.
        eventually(expected, || {
            let mut command = home.kubectl();
            command.args(["__complete", "hpa"]).args(words);
            let reported = succeed(&mut command);
            reported.contains(expected).then_some(reported)
        })
    };
    let name = namespace.name();
    let reported = complete(&["explain", "-n", name, "sto"], "storefront");
    assert!(
        reported.starts_with("storefront\tDeployment/storefront, cpu: "),
        "{reported}"
    );
    assert!(
        reported.ends_with(", replicas: 0\n:4\n") || reported.ends_with(", replicas: 4\n:4\n"),
        "{reported}"
    );
    let reported = complete(&["watch", "--namespace", name, "deploy/"], "deploy/");
    assert_eq!(reported, "deploy/storefront\tHPA storefront\n:4\n");
    let reported = complete(&["list", "-n", "complete-w"], "complete-words");
    assert_eq!(reported, "complete-words\n:4\n");
    let reported = complete(&["capture", "--context", ""], "cluster ");
    assert!(reported.contains(", current\n"), "{reported}");
    assert_eq!(complete(&["replay", ""], ":"), ":0\n");

    // Without the permission to list there are no suggestions, and no message.
    namespace.explain_as_reader(&json!([
        {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get"]},
    ]));
    let mut command = home.kubectl();
    let reader = namespace.reader().unwrap();
    command
        .args(["__complete", "hpa", "explain", "-n", name, ""])
        .env("KUBECONFIG", reader);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), ":4\n");
}

#[test]
fn tab_completes_in_bash() {
    let namespace = with_storefront("tab-in-bash");
    let home = Home::new("bash");
    let functions = "/usr/share/bash-completion/bash_completion";
    assert!(
        Path::new(functions).exists(),
        "{functions} is missing: apt-get install bash-completion"
    );
    home.write(
        "bashrc",
        &format!("PS1='$ '\nsource {functions}\nsource <(kubectl completion bash)\n"),
    );
    let mut command = home.shell("bash");
    command.args(["--rcfile", "bashrc", "-i"]);
    completes(command, &namespace);
}

#[test]
fn tab_completes_in_zsh() {
    let namespace = with_storefront("tab-in-zsh");
    let home = Home::new("zsh");
    home.write(
        ".zshrc",
        "PS1='$ '\nfpath=(~/.local/share/zsh/site-functions $fpath)\n\
         autoload -Uz compinit && compinit -u\nsource <(kubectl completion zsh)\n",
    );
    let mut command = home.shell("zsh");
    command.arg("-i");
    completes(command, &namespace);
}

#[test]
fn tab_completes_in_fish() {
    let namespace = with_storefront("tab-in-fish");
    let home = Home::new("fish");
    home.write(
        ".config/fish/config.fish",
        "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n\
         function fish_prompt; echo '$ '; end\nkubectl completion fish | source\n",
    );
    let mut command = home.shell("fish");
    command.arg("-i");
    completes(command, &namespace);
}

/// Types the beginnings of a namespace and an HPA, and presses Tab: with kubectl, and without.
#[track_caller]
fn completes(command: CommandBuilder, namespace: &Namespace) {
    let mut terminal = Terminal::start((120, 30), command);
    terminal.shows("$");
    let name = namespace.name();
    for program in ["kubectl hpa", "kubectl-hpa"] {
        let begun = &name[..name.len() - 2];
        terminal.press(&format!("{program} explain -n {begun}"));
        terminal.shows(&format!("{program} explain -n {begun}"));
        tab(&mut terminal, &format!("{program} explain -n {name}"));
        terminal.press("sto");
        let line = tab(
            &mut terminal,
            &format!("{program} explain -n {name} storefront"),
        );
        assert!(!line.contains("rror"), "{line}");
        terminal.press("\x15"); // takes the line away
        terminal.shows_no("storefront");
    }
    terminal.press("exit");
    terminal.press(key::ENTER);
    terminal.ends();
}

/// Presses Tab until the line is completed: a busy machine may not answer within the limit of one second.
#[track_caller]
fn tab(terminal: &mut Terminal, expected: &str) -> String {
    let mut looks = 0;
    eventually(expected, || {
        if looks % 25 == 0 {
            terminal.press(key::TAB);
        }
        looks += 1;
        let displayed = terminal.text();
        assert!(
            looks < 290,
            "{expected}: waited in vain; the screen:\n{displayed}"
        );
        displayed.contains(expected).then_some(displayed)
    })
}

fn with_storefront(name: &'static str) -> Namespace {
    let namespace = namespace(name);
    namespace.apply([
        deployment("storefront", 4).pods("cpu", "60m").object(),
        hpa("storefront").cpu(60).object(),
    ]);
    namespace
}

/// A home in which completion is installed for one shell.
struct Home {
    folder: PathBuf,
    path: OsString,
}

impl Home {
    fn new(shell: &str) -> Self {
        let folder = cluster().file(&format!("home-of-{shell}"));
        let binaries = folder.join("bin");
        fs::create_dir_all(&binaries).unwrap();
        let plugin = Path::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        symlink(plugin, binaries.join("kubectl-hpa")).unwrap();
        symlink(releases::program("kubectl"), binaries.join("kubectl")).unwrap();
        let mut path = binaries.into_os_string();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let home = Self { folder, path };
        succeed(
            home.kubectl()
                .args(["hpa", "completion", "install"])
                .env("SHELL", shell),
        );
        home
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn kubectl(&self) -> Command {
        let mut command = Command::new(self.folder.join("bin/kubectl"));
        command
            .env("PATH", &self.path)
            .env("HOME", &self.folder)
            .env("KUBECONFIG", cluster().file("kubeconfig"));
        for name in HOMES {
            command.env_remove(name);
        }
        command
    }

    /// A shell in a terminal. It must be installed: a skipped test would prove nothing.
    #[track_caller]
    fn shell(&self, name: &str) -> CommandBuilder {
        let path = env::var_os("PATH").unwrap_or_default();
        assert!(
            env::split_paths(&path).any(|folder| folder.join(name).is_file()),
            "{name} is not installed, and this test needs it: apt-get install {name}"
        );
        let mut command = CommandBuilder::new(name);
        command.env("PATH", &self.path);
        command.env("HOME", &self.folder);
        command.env("KUBECONFIG", cluster().file("kubeconfig"));
        for name in HOMES {
            command.env_remove(name);
        }
        command.cwd(&self.folder);
        command
    }
}

/// Variables that would lead shells out of the home.
const HOMES: [&str; 5] = [
    "BASH_COMPLETION_USER_DIR",
    "COMPLETE",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "ZDOTDIR",
];
