//! Calls the Go program of `tests/oracle/vectors` while fuzzing: `KUBECTL_HPA_VECTORS` is its path.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
};

/// One running program for each kind of vector.
static ASKED: Mutex<BTreeMap<&'static str, Program>> = Mutex::new(BTreeMap::new());

struct Program {
    _child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The vector of a text as a line of JSON, if the program is available.
pub fn answer(kind: &'static str, text: &str) -> Option<String> {
    let path = std::env::var_os("KUBECTL_HPA_VECTORS")?;
    let mut proposal = ASKED.lock().expect("nobody panics while asking");
    let program = proposal.entry(kind).or_insert_with(|| {
        let mut child = Command::new(&path)
            .arg(kind)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Program {
            questions: child.stdin.take().expect("it is piped"),
            answers: BufReader::new(child.stdout.take().expect("it is piped")),
            _child: child,
        }
    });
    let mut question = serde_json::to_vec(text).expect("it is JSON");
    question.push(b'\n');
    program
        .questions
        .write_all(&question)
        .expect("the program listens");
    let mut line = String::new();
    program
        .answers
        .read_line(&mut line)
        .expect("the program answers");
    Some(line)
}
