//! Installing and uninstalling.

use std::{fs, path::PathBuf};

use crate::{Home, offered, run};

#[test]
fn install_says_what_it_does_and_uninstall_undoes_it() {
    let home = Home::new();
    let shim = home.path("bin/kubectl_complete-hpa");
    let zsh = home.path(".local/share/zsh/site-functions/_kubectl-hpa");
    let before = files(&home);

    let dry = home.run(&["completion", "install", "--dry-run"]);
    assert_eq!(dry.code, Some(0), "{dry:?}");
    let link = format!("{}, a link to kubectl-hpa next to it\n", shim.display());
    assert!(
        dry.stdout.starts_with(&format!(
            "would write: {link}would write: {}\n",
            zsh.display()
        )),
        "{}",
        dry.stdout
    );
    assert_eq!(files(&home), before, "--dry-run changes nothing");

    let done = home.run(&["completion", "install"]);
    assert!(
        done.stdout
            .starts_with(&format!("wrote: {link}wrote: {}\n", zsh.display())),
        "{done:?}"
    );
    for needed in [
        "  ~/.zshrc: source <(kubectl completion zsh)\n",
        "before compinit",
        "\nUndo: kubectl hpa completion uninstall\n",
    ] {
        assert!(
            done.stdout.contains(needed),
            "no {needed:?} in\n{}",
            done.stdout
        );
    }
    assert_eq!(fs::read_link(&shim).unwrap(), PathBuf::from("kubectl-hpa"));
    let names = offered(home.command("kubectl_complete-hpa").arg("capt"));
    assert!(names.starts_with("capture\t"), "{names}");

    let again = home.run(&[
        "completion",
        "install",
        "--shell",
        "bash",
        "--shell",
        "fish",
    ]);
    assert!(
        again
            .stdout
            .starts_with(&format!("there already: {link}wrote: ")),
        "{again:?}"
    );
    let bash = home.path(".local/share/bash-completion/completions/kubectl-hpa");
    let fish = home.path(".config/fish/completions/kubectl-hpa.fish");
    assert!(bash.is_file() && fish.is_file());
    // A file of an earlier version is updated.
    let text = fs::read_to_string(&fish).unwrap();
    fs::write(&fish, format!("{text}# and more\n")).unwrap();
    let again = home.run(&["completion", "install", "--shell", "fish"]);
    assert!(
        again
            .stdout
            .contains(&format!("replaced: {}\n", fish.display())),
        "{again:?}"
    );
    assert_eq!(fs::read_to_string(&fish).unwrap(), text);

    let undone = home.run(&["completion", "uninstall"]);
    for path in [&shim, &zsh, &bash, &fish] {
        assert!(
            undone
                .stdout
                .contains(&format!("removed: {}\n", path.display())),
            "{undone:?}"
        );
        assert!(fs::symlink_metadata(path).is_err(), "{}", path.display());
    }
    assert_eq!(files(&home), before);
    assert_eq!(
        home.run(&["completion", "uninstall"]).stdout,
        "nothing to remove\n"
    );
}

#[test]
fn files_that_are_not_from_here_stay_and_then_nothing_is_written() {
    let home = Home::new();
    home.write(".config/fish/completions/kubectl-hpa.fish", "# mine\n");
    let before = files(&home);
    let run = home.run(&["completion", "install", "--shell", "fish"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("kubectl-hpa.fish exists and is not from `kubectl hpa completion install`. Nothing was written"),
        "{run:?}"
    );
    assert_eq!(files(&home), before);
    let run = home.run(&["completion", "uninstall"]);
    assert!(
        run.stdout
            .starts_with("left alone, for it is not from here: "),
        "{run:?}"
    );
    assert_eq!(files(&home), before);

    home.write("bin/kubectl_complete-hpa", "#!/bin/sh\n");
    let run = home.run(&["completion", "install", "--shell", "bash"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(!home.path(".local").exists());
}

#[test]
fn another_folder_gets_a_script_that_finds_the_plugin_on_the_path() {
    let home = Home::new();
    fs::create_dir(home.path("other")).unwrap();
    let done = home.run(&[
        "completion",
        "install",
        "--dir",
        "other",
        "--shell",
        "powershell",
    ]);
    let shim = home.path("other/kubectl_complete-hpa");
    for needed in [
        &format!(
            "wrote: {}, a script that runs kubectl-hpa\n",
            shim.canonicalize().unwrap().display()
        ),
        "/other is not on $PATH",
        "$PROFILE",
    ] {
        assert!(
            done.stdout.contains(needed),
            "no {needed:?} in\n{}",
            done.stdout
        );
    }
    let formats = offered(
        home.command("../other/kubectl_complete-hpa")
            .args(["rules", "-o", ""]),
    );
    assert!(formats.contains("\njson\t"), "{formats}");
    let undone = home.run(&["completion", "uninstall", "--dir", "other"]);
    assert!(undone.stdout.starts_with("removed: "), "{undone:?}");

    let run = home.run(&["completion", "install", "--dir", "nowhere"]);
    assert_eq!(
        run.stderr,
        "error: --dir nowhere: the folder does not exist\n"
    );
    fs::remove_file(home.path("bin/kubectl-hpa")).unwrap();
    let mut lost = std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    lost.args(["completion", "install"])
        .env("PATH", home.path("bin"));
    assert!(
        crate::run(&mut lost)
            .stderr
            .contains("kubectl-hpa is not in $PATH")
    );
}

#[test]
fn all_places_are_looked_at_before_anything_is_written() {
    let home = Home::new();
    // A file exists where a folder is needed.
    home.write(".local", "");
    let run = home.run(&["completion", "install"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    assert!(
        run.stderr.starts_with("error: cannot look at ") && run.stderr.contains("/_kubectl-hpa"),
        "{run:?}"
    );
    assert!(!home.path("bin/kubectl_complete-hpa").exists());
}

#[test]
fn under_krews_second_name_everything_goes_by_that_name() {
    let home = Home::new();
    let before = files(&home);
    let plugin = home.path("bin/kubectl-explain_hpa");
    fs::rename(home.path("bin/kubectl-hpa"), plugin).unwrap();
    let explain_hpa = |words: &[&str]| run(home.command("kubectl-explain_hpa").args(words));
    let done = explain_hpa(&["completion", "install", "--shell", "zsh"]);
    assert!(
        done.stdout
            .contains("\nUndo: kubectl explain-hpa completion uninstall\n"),
        "{done:?}"
    );
    let shim = home.path("bin/kubectl_complete-explain_hpa");
    assert_eq!(
        fs::read_link(&shim).unwrap(),
        PathBuf::from("kubectl-explain_hpa")
    );
    let names = offered(home.command("kubectl_complete-explain_hpa").arg("capt"));
    assert!(names.starts_with("capture\t"), "{names}");
    let script = explain_hpa(&["completion", "zsh"]).stdout;
    assert!(
        script.starts_with("#compdef kubectl-explain_hpa\n")
            && script.contains("\n    _clap_dynamic_completer_kubectl_explain_hpa \"$@\"\n"),
        "{script}"
    );
    let undone = explain_hpa(&["completion", "uninstall"]);
    assert!(undone.stdout.starts_with("removed: "), "{undone:?}");
    assert_eq!(files(&home).len(), before.len());
}

#[test]
fn guide_names_what_there_is_to_set_up() {
    let guide = Home::new().run(&["completion"]).stdout;
    for needed in [
        "completion install",
        "kubectl_complete-hpa",
        "krew",
        "source <(kubectl-hpa completion bash)",
    ] {
        assert!(guide.contains(needed), "no {needed:?} in\n{guide}");
    }
    assert!(guide.lines().all(|line| line.chars().count() <= 120));
}

/// All files below the home, with their contents.
fn files(home: &Home) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![home.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_symlink() {
                found.push((
                    path.clone(),
                    fs::read_link(path).unwrap().display().to_string(),
                ));
            } else {
                found.push((path.clone(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
