//! The examples: what one command says of them agrees with what the others say, and the advice can be followed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use assert_cmd::Command;

/// Where no command is printed, or one of kubectl, there is nothing to run here.
#[test]
fn commands_that_a_page_offers_run_on_the_file_of_the_page() {
    let mut files = Vec::new();
    for folder in ["examples", "examples/questions", "examples/worked"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")));
    }
    let mut offered = Vec::new();
    for file in files {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap();
        let command = stdout(&run(&[
            "explain",
            "-f",
            name,
            "-o",
            "jsonpath={.verdict.command}",
        ]));
        let Some(command) = command.strip_prefix("kubectl hpa ") else {
            continue;
        };
        assert!(!command.contains('\''), "needs a shell: {command}");
        let mut words: Vec<&str> = command.split(' ').collect();
        if words[0] == "simulate" {
            words.extend(["--seeds=1", "--for=5m"]);
        }
        let run = run(&words);
        assert_eq!(run.status.code(), Some(0), "{command}: {run:?}");
        offered.push(words[0].to_owned());
    }
    assert!(offered.contains(&"simulate".to_owned()), "{offered:?}");
    assert!(offered.contains(&"explain".to_owned()), "{offered:?}");
}

#[test]
fn pods_without_owners_are_simulated_as_the_targets_and_that_is_said() {
    let file = "examples/worked/percent-and-pods-policies.jsonl";
    let report = stdout(&run(&["simulate", "-f", file, "--seeds=1", "--for=5m"]));
    assert!(
        report.contains("assumed   owner of the pods          Deployment/web"),
        "{report}"
    );
    let explained = stdout(&run(&["simulate", "-f", file, "--at=4m"]));
    assert!(!explained.contains("do not belong"), "{explained}");
}

#[test]
fn last_line_of_a_replay_says_what_the_page_below_it_says() {
    let file = "examples/questions/08-flags-of-the-controller.jsonl";
    let replayed = stdout(&run(&["replay", file]));
    let line = "  23:00:59  4         unclear   inputs may have changed cpu 5\n";
    assert!(replayed.contains(line), "{replayed}");
    assert!(replayed.contains("BETWEEN 4 AND 5"), "{replayed}");
}

#[test]
fn answer_names_the_pods_that_keep_the_rounded_number_down() {
    let file = "examples/worked/failed-and-missing-pods.jsonl";
    let page = stdout(&run(&["explain", "-f", file]));
    let answer = page.split_once("\n\n").unwrap().0;
    insta::assert_snapshot!(answer, @"
    shop/web → Deployment/web                     STAYS AT 14        min 12 · max 16
    Only 12 of 14 wanted pods exist. The HPA is not the problem: find what stops the
    other pods of Deployment/web. CPU asks for 14 replicas. Check web-003 (no
    metrics) and 1 more. With every pod as busy as those that count, CPU would ask
    for 17 replicas, above maxReplicas 16.
      kubectl describe deployment/web -n shop
    ");
}

/// The last instant at which the recommendation of 258 counts. The next sync is 15 s later.
#[test]
fn window_that_ends_at_this_sync_has_no_time_ahead() {
    let file = "examples/worked/old-recommendation.jsonl";
    let page = stdout(&run(&["explain", "-f", file, "--at=10:05:00"]));
    let end = "holds 258 until the next sync, which maxReplicas cuts to 10; then 2 at this load. Nothing to do: ";
    assert!(page.replace('\n', " ").contains(end), "{page}");
    let list = stdout(&run(&["list", "-f", file, "--at=10:05:00"]));
    assert!(list.contains("web   window ends now  10 "), "{list}");
    let replayed = stdout(&run(&["replay", file]));
    let line = "  10:05:00  10        held      window ends now         cpu 0\n";
    assert!(replayed.contains(line), "{replayed}");
}

/// The recording shows 8 replicas at 10:00:15, and 10 at 10:00:30.
#[test]
fn next_step_comes_with_the_next_sync_and_no_sooner() {
    let file = "examples/worked/old-recommendation.jsonl";
    let page = stdout(&run(&["explain", "-f", file, "--at=10:00:00"]));
    let steps = "4 now, 8 and 10 at the next syncs.";
    assert!(page.replace('\n', " ").contains(steps), "{page}");
}

/// The answer there is to wait before maxReplicas is raised.
#[test]
fn higher_maximum_is_no_answer_to_the_cpu_of_a_startup() {
    let offers = |file: &str| {
        let page = stdout(&run(&["explain", "-f", file, "--what-if"]));
        page.contains("with maxReplicas ")
    };
    assert!(offers("examples/questions/16-value-or-average.jsonl"));
    assert!(!offers("examples/questions/09-deploy-scales-to-max.jsonl"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Runs the program in the folder of the repository.
fn run(words: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .current_dir(root())
        .args(words)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap()
}

fn stdout(run: &Output) -> String {
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    String::from_utf8(run.stdout.clone()).unwrap()
}
