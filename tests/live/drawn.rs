//! Situations drawn by a seed: what the page says is what the controller then does, and its answer is short, says what to do and
//! names a pod that does not count.
//!
//! `SEED=7 COUNT=50` draws others; `OUT=FOLDER` writes what was said, what was true, and a snapshot to explain again, for people to
//! compare.

use std::{
    env, fs,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
    thread,
};

use regex::Regex;
use serde_json::Value;
use textwrap::{Options, WordSplitter};

use crate::{
    cluster::Cluster,
    decision::Decision,
    namespace::{Namespace, namespace_in},
    situation::{Situation, situations},
};

#[test]
fn drawn_situations_are_decided_as_the_page_says_and_answered_in_short() {
    let number = |name: &str| Some(env::var(name).ok()?.parse::<u64>().expect("it is a number"));
    let (seed, count) = (number("SEED").unwrap_or(5), number("COUNT").unwrap_or(12));
    let out = env::var_os("OUT").map(PathBuf::from);
    if let Some(out) = &out {
        fs::create_dir_all(out).unwrap();
    }
    let cluster = Cluster::with_audit("drawn", &["--horizontal-pod-autoscaler-sync-period=15s"]);
    let all = situations(seed, usize::try_from(count).unwrap());
    let all: Vec<(usize, Situation)> = (1..).zip(all).collect();
    let mut report = String::new();
    for some in all.chunks(AT_A_TIME) {
        let said = thread::scope(|scope| {
            let (cluster, out) = (&cluster, out.as_deref());
            let play = |one| scope.spawn(move || played(cluster, out, one));
            let threads: Vec<_> = some.iter().map(play).collect();
            let said = threads.into_iter().map(|thread| thread.join().unwrap());
            said.collect::<String>()
        });
        report += &said;
    }
    assert!(report.is_empty(), "seed {seed}:\n{report}");
}

/// More of them at once only make a small machine slow, and the states that are drawn last four minutes.
const AT_A_TIME: usize = 12;

/// Plays a situation and returns it with all that is wrong; nothing if nothing is.
fn played(cluster: &Arc<Cluster>, out: Option<&Path>, one: &(usize, Situation)) -> String {
    let (index, situation) = one;
    // One that fails leaves the others.
    let play = panic::catch_unwind(AssertUnwindSafe(|| {
        let namespace = namespace_in(cluster, format!("drawn-{index:02}").leak());
        let file = |kind: &str| Some(out?.join(format!("{index:02}.{kind}")));
        compared(&namespace, situation, file)
    }));
    let wrong = play.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        message.unwrap_or_else(|| "it failed".to_owned())
    });
    if wrong.is_empty() {
        return wrong;
    }
    format!("{index:02}: {situation:?}\n{wrong}\n")
}

/// Compares what was said with what was done, writes both to files, if there are to be any, and returns what is wrong.
fn compared(
    namespace: &Namespace,
    drawn: &Situation,
    file: impl Fn(&str) -> Option<PathBuf>,
) -> String {
    let write = |kind: &str, text: &str| {
        if let Some(file) = file(kind) {
            fs::write(file, text).unwrap();
        }
    };
    let changed = drawn.make(namespace);
    let pods = namespace.list("pods");
    if let Some(snapshot) = file("jsonl") {
        namespace.run(["hpa", "capture", "web", "-o", snapshot.to_str().unwrap()]);
    }
    let decision = namespace.asked("web");
    write("txt", &decision.text);
    write("json", &format!("{:#}\n", decision.page));
    let (decision, mut wrong) = decision.compared(namespace);
    let range = &decision.page["verdict"]["range"];
    let desired = decision.status("/desiredReplicas").as_i64();
    // The page leaves open which of them it is.
    if range.is_object() && range["min"].as_i64() <= desired && desired <= range["max"].as_i64() {
        wrong.clear();
    }
    wrong.extend(wrong_words(&decision, &pods));
    let made = decision.made();
    let mut truth = format!("controller {made}; drawn {drawn:?}; pods {changed:?}");
    for one in &wrong {
        truth += &format!("; WRONG {}", one.replace('\n', " "));
    }
    write("truth", &format!("{truth}\n"));
    if wrong.is_empty() {
        return String::new();
    }
    format!("  {}\n{}", wrong.join("\n  "), decision.text)
}

/// What is wrong with the answer.
fn wrong_words(decision: &Decision, pods: &[Value]) -> Vec<String> {
    let verdict = &decision.page["verdict"];
    let sentence = verdict["sentence"].as_str().unwrap();
    let command = verdict["command"].as_str().unwrap_or_default();
    let mut wrong = Vec::new();
    let columns = Options::new(80).word_splitter(WordSplitter::NoHyphenation);
    let lines = textwrap::wrap(sentence, columns).len();
    if 4 < lines {
        wrong.push(format!("the answer has {lines} lines: {sentence}"));
    }
    let is_all_clear = sentence.contains("Nothing to do: ");
    if command.is_empty() && !is_all_clear && !ADVICE.is_match(sentence) {
        wrong.push(format!("neither command nor advice: {sentence}"));
    }
    // Pods that cannot be created come before those that wait.
    let lacks_pods = sentence.starts_with("Quota ") || sentence.contains(" wanted pods exist");
    let waiting = if lacks_pods {
        Vec::new()
    } else {
        waiting(&decision.page, pods)
    };
    let is_named = |name: &&str| sentence.contains(name) || command.contains(name);
    if !waiting.is_empty() && !waiting.iter().any(is_named) {
        wrong.push(format!("no name of {}: {sentence}", waiting.join(", ")));
    }
    wrong
}

/// The target's pods that are not ready or that a metric does not count; none where no number is decided, or a metric fails.
fn waiting<'p>(page: &'p Value, pods: &'p [Value]) -> Vec<&'p str> {
    let action = page["verdict"]["action"].as_str().unwrap_or_default();
    let mut steps = page["steps"].as_array().unwrap().iter();
    if !matches!(action, "hold" | "scaleUp" | "scaleDown")
        || steps.any(|step| step["failed"] == true)
    {
        return Vec::new();
    }
    let not_counted = |name: &&str| {
        let mut rows = page["pods"].as_array().unwrap().iter();
        rows.any(|row| {
            row["name"] == *name && !matches!(row["class"].as_str(), Some("ready") | None)
        })
    };
    let names = pods.iter().filter_map(|pod| {
        let name = pod["metadata"]["name"].as_str().unwrap();
        (!is_ready(pod) || not_counted(&name)).then_some(name)
    });
    names.collect()
}

fn is_ready(pod: &Value) -> bool {
    let mut conditions = pod["status"]["conditions"].as_array().unwrap().iter();
    conditions.any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// Says to do something. Verbs that also say what the HPA does are none here.
static ADVICE: LazyLock<Regex> = LazyLock::new(|| {
    let verbs = "add|check|correct|delete|find|fix|give|look|lower|raise|remove|see|shorten|the HPA counts|use|wait";
    Regex::new(&format!(r"(?i)\b({verbs})\b")).unwrap()
});
