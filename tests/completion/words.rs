//! The candidates at the cursor.

use std::fs;

use crate::{Home, offered, run};

#[test]
fn kubectl_gets_commands_flags_and_values_with_what_they_mean() {
    let home = Home::new();
    assert_eq!(
        home.reported(&["expl"]),
        "explain\tExplain why an HPA scales, or why it does not\n:4\n"
    );
    // One list, without the flags that would hide it.
    let commands = home.reported(&[""]);
    assert!(
        commands.contains("\nlint\t") && commands.ends_with("\n:4\n") && !commands.contains("\n-"),
        "{commands}"
    );
    assert!(
        home.reported(&["explain", "--what"])
            .starts_with("--what-if\tAlso show what one")
    );
    let formats = home.reported(&["explain", "-o", "ma"]);
    assert_eq!(formats, "markdown\tFor an issue or a post-mortem\n:4\n");
    assert_eq!(
        home.reported(&["lint", "--output=sa"]),
        "--output=sarif\tSARIF 2.1.0, for code scanning\n:4\n"
    );
    assert_eq!(
        home.reported(&["list", "--sort-by", "u"]),
        "unmet\nurgency\n:4\n"
    );
    let topics = home.reported(&["explain", "--learn", "toler"]);
    assert!(
        topics.contains("\ntolerance\tIs the ratio ") && topics.ends_with("\n:4\n"),
        "{topics}"
    );
    assert_eq!(home.reported(&["watch", "--until", "st"]), "stable\n:4\n");
    assert_eq!(
        home.reported(&["explain", "--feature-gate", "HPAScale"]),
        "HPAScaleToZero=true\nHPAScaleToZero=false\n:4\n"
    );
    assert!(
        home.reported(&["explain", "--kube-version", ""])
            .starts_with("1.38\n1.37\n")
    );
}

#[test]
fn rules_are_offered_by_code_or_by_name_and_after_a_comma() {
    let home = Home::new();
    let codes = home.reported(&["rules", "HPA10"]);
    assert!(codes.starts_with("HPA101\tmin-gt-max: "), "{codes}");
    let names = home.reported(&["rules", "min-gt"]);
    assert!(names.starts_with("min-gt-max\tHPA101: "), "{names}");
    assert_eq!(names.lines().count(), 2, "{names}");
    let selected = home.reported(&["lint", "--select", "HPA3,min-gt"]);
    assert!(
        selected.starts_with("HPA3,min-gt-max\tHPA101: "),
        "{selected}"
    );
}

#[test]
fn paths_are_left_to_the_shell() {
    let home = Home::new();
    home.write("incident.jsonl", "");
    for words in [
        &["explain", "-f", ""][..],
        &["explain", "--kubeconfig", "inc"],
        &["replay", "inc"],
        &["lint", "--filename="],
        &["completion", "install", "--dir", ""],
    ] {
        assert_eq!(home.reported(words), ":0\n", "{words:?}");
    }
}

#[test]
fn kubeconfig_gives_contexts_clusters_and_users() {
    let home = Home::new();
    let kubeconfig = "\
apiVersion: v1
kind: Config
current-context: prod
clusters:
- {name: east, cluster: {server: 'https://east.example.com'}}
contexts:
- {name: prod, context: {cluster: east, user: ada, namespace: shop}}
- {name: test, context: {cluster: east, user: ada}}
- {name: \"sly\\e[2Jname\", context: {cluster: east, user: ada}}
- {name: \"sly\\u202ename\\u2066\", context: {cluster: east, user: ada}}
- {name: \"sly$(id)\", context: {cluster: east, user: ada}}
- {name: \"--sly\", context: {cluster: east, user: ada}}
- {name: 'arn:aws:eks:eu-west-1:123456789012:cluster/a', context: {cluster: east, user: ada}}
- {name: ada+b=c@gke_shop_x.eksctl.io, context: {cluster: east, user: ada}}
users:
- {name: ada, user: {token: secret}}
";
    home.write(".kube/config", kubeconfig);
    // Text that would control the terminal or the shell is left out.
    assert_eq!(
        home.reported(&["explain", "--context", ""]),
        "prod\tcluster east, namespace shop, current\ntest\tcluster east\n\
         arn:aws:eks:eu-west-1:123456789012:cluster/a\tcluster east\n\
         ada+b=c@gke_shop_x.eksctl.io\tcluster east\n:4\n"
    );
    assert_eq!(
        home.reported(&["explain", "--cluster="]),
        "--cluster=east\thttps://east.example.com\n:4\n"
    );
    assert_eq!(home.reported(&["list", "--user", "a"]), "ada\n:4\n");
    assert!(
        home.reported(&["lint", "--contexts", "prod,te"])
            .starts_with("prod,test\t")
    );

    // The kubeconfig that the line names, valid or not.
    home.write("other", &kubeconfig.replace("prod", "elsewhere"));
    assert!(
        home.reported(&["watch", "--kubeconfig", "other", "--context", "else"])
            .starts_with("elsewhere\t")
    );
    home.write("broken", "clusters: 7\n");
    for flag in ["--context", "--cluster", "--user", "--namespace"] {
        home.reports_nothing(&["watch", "--kubeconfig=broken", flag, ""]);
        home.reports_nothing(&["watch", "--kubeconfig=nowhere", flag, ""]);
    }
}

#[test]
fn shells_get_the_same_answer_in_their_own_form() {
    let home = Home::new();
    home.write("incident.jsonl", "");
    let ask = |shell: &str, index: &str, words: &[&str]| {
        offered(
            home.command("kubectl-hpa")
                .env("COMPLETE", shell)
                .env("_CLAP_COMPLETE_INDEX", index)
                .env("_CLAP_IFS", "\n")
                .arg("--")
                .args(words),
        )
    };
    let explain = "Explain why an HPA scales, or why it does not";
    assert_eq!(ask("bash", "1", &["kubectl-hpa", "expl"]), "explain");
    assert_eq!(
        ask("zsh", "1", &["kubectl-hpa", "expl"]),
        format!("explain:{explain}")
    );
    let in_shell = |shell: &str, word: &str| {
        let mut command = home.command("kubectl-hpa");
        command.env("COMPLETE", shell);
        offered(command.args(["--", "kubectl-hpa", word]))
    };
    let in_fish = in_shell("fish", "expl");
    assert_eq!(in_fish, format!("explain\t{explain}\n"));
    assert_eq!(in_shell("powershell", "expl"), in_fish);
    let all = in_shell("powershell", "");
    assert!(all.contains(&in_fish), "{all}");
    // Files are completed here.
    assert_eq!(
        ask("zsh", "2", &["kubectl-hpa", "replay", "inc"]),
        "incident.jsonl"
    );
    // Bash and PowerShell would execute a part of the file name.
    home.write("incident$(id).jsonl", "");
    let words = ["kubectl-hpa", "replay", "inc"];
    assert_eq!(ask("bash", "2", &words), "incident.jsonl");
    assert_eq!(ask("powershell", "2", &words), "incident.jsonl\n");
    // Bash splits words at = and :.
    let words = ["kubectl-hpa", "lint", "--output", "=", "sa"];
    assert_eq!(ask("bash", "4", &words), "sarif");
    // zsh omits an empty last word.
    let formats = ask("zsh", "3", &["kubectl-hpa", "version", "-o"]);
    assert!(formats.contains("yaml:For programs, as YAML"), "{formats}");
}

#[test]
fn variable_left_over_from_something_else_changes_nothing() {
    let home = Home::new();
    for name in ["bash", "1", "everything"] {
        let run = run(home
            .command("kubectl-hpa")
            .env("COMPLETE", name)
            .args(["version", "--client"]));
        assert!(run.stdout.starts_with("Client Version: v"), "{run:?}");
    }
    let script = run(home.command("kubectl-hpa").env("COMPLETE", "bash"));
    assert!(script.stdout.contains("complete -o nospace"), "{script:?}");
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/completions/kubectl-hpa.fish");
    assert_eq!(
        home.run(&["completion", "fish"]).stdout,
        fs::read_to_string(committed).unwrap()
    );
}
