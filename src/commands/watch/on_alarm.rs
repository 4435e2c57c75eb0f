//! `--on-alarm`: runs a command at each alarm.
//!
//! The command gets the alarm as a line of `-o jsonl` (type `alarm` when it starts, `alarmEnd` when it ends) only on
//! standard input: names and messages of a cluster never become part of a command line. The command does not block
//! watching, cannot write over the screen, and is killed after [`TIME_LIMIT`]. When watching ends, waiting alarms are
//! still processed for that long, and a second signal to stop kills the commands.

use std::{collections::VecDeque, future::pending, mem, pin::pin, process::Stdio, time::Duration};

use hpa_render::watch::jsonl;
use hpa_watch::{State, Update};
use hpa_words::{amount::count, sanitize::one_line};
use jiff::Timestamp;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStderr, Command},
    sync::watch,
    task::{JoinError, JoinSet},
    time::{sleep, timeout},
};

/// Runs a command at each alarm.
pub(super) struct OnAlarm {
    command: String,
    /// Waiting alarms, each as a line of JSON.
    waiting: VecDeque<Vec<u8>>,
    running: JoinSet<Result<(), String>>,
    /// Stops the running commands.
    stopping: watch::Sender<()>,
    time_limit: Duration,
    has_overflowed: bool,
    has_reported: bool,
}

impl OnAlarm {
    /// Runs `command` through the shell.
    pub(super) fn new(command: String) -> Self {
        Self {
            command,
            waiting: VecDeque::new(),
            running: JoinSet::new(),
            stopping: watch::Sender::new(()),
            time_limit: TIME_LIMIT,
            has_overflowed: false,
            has_reported: false,
        }
    }

    /// Runs the command for each alarm in `updates` that starts or ends.
    pub(super) fn take(&mut self, updates: &[Update], state: &State, at: Timestamp) {
        let is_alarm =
            |update: &&Update| matches!(update, Update::AlarmOn { .. } | Update::AlarmOff { .. });
        for update in updates.iter().filter(is_alarm) {
            let Some(Ok(mut line)) =
                jsonl::line(update, state, at).map(|line| serde_json::to_vec(&line))
            else {
                continue;
            };
            line.push(b'\n');
            if self.waiting.len() == MOST_WAITING {
                self.waiting.pop_front();
                self.has_overflowed = true;
            }
            self.waiting.push_back(line);
        }
        self.run_waiting();
    }

    /// Waits for a message to the user; each is returned once. Cancel-safe.
    pub(super) async fn next(&mut self) -> String {
        loop {
            if mem::take(&mut self.has_overflowed) {
                return format!(
                    "--on-alarm: the command is slower than the alarms, and some are left out: {}",
                    one_line(&self.command)
                );
            }
            let Some(ended) = self.running.join_next().await else {
                return pending().await;
            };
            if let Some(news) = self.take_end(ended) {
                return news;
            }
        }
    }

    /// Waits until the command has run for all alarms, and starts no more after the time limit. `stop` also stops
    /// running commands. Returns messages to the user.
    pub(super) async fn finish(mut self, stop: impl Future<Output = ()>) -> Vec<String> {
        let mut stop = pin!(stop);
        let mut limit = pin!(sleep(self.time_limit));
        let mut is_stopped = false;
        let mut left_out = 0;
        let mut news = Vec::new();
        loop {
            tokio::select! {
                ended = self.running.join_next() => match ended {
                    Some(ended) => news.extend(self.take_end(ended)),
                    None => break,
                },
                () = &mut stop, if !is_stopped => {
                    is_stopped = true;
                    left_out += mem::take(&mut self.waiting).len();
                    self.stopping.send_replace(());
                }
                () = &mut limit, if !self.waiting.is_empty() => {
                    left_out += mem::take(&mut self.waiting).len();
                }
            }
        }
        if 0 < left_out {
            let alarms = count(left_out, "alarm");
            news.push(format!(
                "--on-alarm: not handed over to the command: {alarms}"
            ));
        }
        news
    }

    /// Starts the next command, and returns the message about the one that has ended.
    fn take_end(&mut self, ended: Result<Result<(), String>, JoinError>) -> Option<String> {
        self.run_waiting();
        let why = ended.unwrap_or_else(|error| Err(error.to_string())).err()?;
        let is_first = !mem::replace(&mut self.has_reported, true);
        is_first.then(|| format!("--on-alarm: {why}"))
    }

    fn run_waiting(&mut self) {
        while self.running.len() < MOST_RUNNING
            && let Some(line) = self.waiting.pop_front()
        {
            let stopping = self.stopping.subscribe();
            self.running
                .spawn(run(self.command.clone(), line, stopping, self.time_limit));
        }
    }
}

/// Runs the command with `line` as its input, until `stopping` or the time limit. An error is one line.
async fn run(
    command: String,
    line: Vec<u8>,
    mut stopping: watch::Receiver<()>,
    time_limit: Duration,
) -> Result<(), String> {
    let name = one_line(&command).into_owned();
    let mut child = shell(&command)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    let stdin = child.stdin.take();
    let stderr = child.stderr.take();
    let complaint = tokio::spawn(first_of(stderr));
    let ended = timeout(time_limit, async {
        if let Some(mut stdin) = stdin {
            // A command need not read its input.
            let _ = stdin.write_all(&line).await;
        }
        child.wait().await
    });
    let ended = tokio::select! {
        ended = ended => ended.map_err(|_| format!("took longer than {} s and", time_limit.as_secs())),
        _ = stopping.changed() => Err("was not done yet and".to_owned()),
    };
    let status = match ended {
        Ok(status) => status,
        Err(why) => {
            end(&mut child).await;
            return Err(format!("{name} {why} was ended"));
        }
    };
    let status = status.map_err(|error| format!("cannot wait for {name}: {error}"))?;
    if status.success() {
        return Ok(());
    }
    // A process that it left running may keep standard error open.
    let complaint = timeout(COMPLAINT_LIMIT, complaint).await;
    let complaint = complaint.ok().and_then(Result::ok).unwrap_or_default();
    let complaint = one_line(complaint.trim()).into_owned();
    let colon = if complaint.is_empty() { "" } else { ": " };
    Err(format!("{name} ended with {status}{colon}{complaint}"))
}

/// In a process group of its own, so that Ctrl-C stops watching but not a message that is being sent.
fn shell(command: &str) -> Command {
    let mut shell = Command::from(hpa_cluster::shell::shell(command.as_ref()));
    #[cfg(unix)]
    shell.process_group(0);
    shell
}

/// Kills the command, on Unix with all its child processes.
async fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // It may have just ended.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    let _ = child.kill().await;
}

/// The first line of the command's standard error. The rest is read too, so that the command does not block.
async fn first_of(stderr: Option<ChildStderr>) -> String {
    let Some(mut stderr) = stderr else {
        return String::new();
    };
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        match stderr.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(count) if kept.len() < MOST_COMPLAINT => kept.extend_from_slice(&buffer[..count]),
            Ok(_) => {}
        }
    }
    let text = String::from_utf8_lossy(&kept);
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.unwrap_or_default().to_owned()
}

/// Most commands that run at the same time.
const MOST_RUNNING: usize = 4;

/// Most alarms that wait for one of them to end.
const MOST_WAITING: usize = 200;

/// A command that takes longer is killed.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How long to read the standard error of a command that has ended.
const COMPLAINT_LIMIT: Duration = Duration::from_millis(500);

/// Bytes of standard error that are used.
const MOST_COMPLAINT: usize = 4 << 10;

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, future::ready};

    use hpa_engine::model::HpaKey;
    use hpa_watch::{Alarm, AlarmKind};
    use jiff::SignedDuration;

    use super::*;

    fn hpa() -> HpaKey {
        HpaKey {
            namespace: "shop".to_owned(),
            name: "web".to_owned(),
        }
    }

    fn alarm(text: &str) -> Alarm {
        Alarm {
            kind: AlarmKind::UnmetDemand,
            since: Timestamp::UNIX_EPOCH,
            text: text.to_owned(),
            subject: String::new(),
            cause: None,
        }
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    }

    #[test]
    fn alarm_goes_to_standard_input_as_one_object_and_never_into_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("alarms");
        let nasty = "$(touch pwned) `id` \u{1b}[2J 'x' \"y\"";
        runtime().block_on(async {
            let command = format!("cat >> '{}'", file.display());
            let mut on_alarm = OnAlarm::new(command.clone());
            let on = Update::AlarmOn {
                hpas: vec![hpa()],
                alarm: alarm(nasty),
            };
            on_alarm.take(&[on], &State::default(), Timestamp::UNIX_EPOCH);
            assert!(on_alarm.finish(pending()).await.is_empty());
            let mut on_alarm = OnAlarm::new(command);
            let off = Update::AlarmOff {
                hpas: vec![hpa()],
                alarm: alarm("over"),
                lasted: SignedDuration::from_secs(90),
            };
            let deleted = Update::Deleted { hpa: hpa() };
            on_alarm.take(&[deleted, off], &State::default(), Timestamp::UNIX_EPOCH);
            assert!(on_alarm.finish(pending()).await.is_empty());
        });
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["type"], "alarm");
        assert_eq!(lines[0]["text"], nasty);
        assert_eq!(lines[0]["hpa"]["name"], "web");
        assert_eq!(lines[1]["type"], "alarmEnd");
        assert_eq!(lines[1]["seconds"], 90.0);
    }

    #[test]
    fn failing_command_is_reported_once_with_its_output() {
        let reported = runtime().block_on(async {
            let mut on_alarm = OnAlarm::new("echo no such channel >&2; exit 3".to_owned());
            on_alarm.take(&alarms(10), &State::default(), Timestamp::UNIX_EPOCH);
            let first = on_alarm.next().await;
            (first, on_alarm.finish(pending()).await)
        });
        let (first, later) = reported;
        assert!(
            first.ends_with("exit status: 3: no such channel"),
            "{first}"
        );
        assert!(later.is_empty(), "{later:?}");
    }

    #[test]
    fn second_wish_to_stop_ends_what_runs_and_leaves_out_what_waits() {
        let reported = finish_late(TIME_LIMIT, ready(()));
        assert_eq!(
            reported,
            [
                "--on-alarm: sleep 600 & wait was not done yet and was ended",
                "--on-alarm: not handed over to the command: 6 alarms",
            ]
        );
    }

    #[test]
    fn alarms_that_wait_for_slow_commands_at_the_end_are_left_out_and_counted() {
        let reported = finish_late(Duration::ZERO, pending());
        assert_eq!(
            reported,
            [
                "--on-alarm: sleep 600 & wait took longer than 0 s and was ended",
                "--on-alarm: not handed over to the command: 6 alarms",
            ]
        );
    }

    /// The messages at the end if ten alarms have just come and the command is slow.
    fn finish_late(time_limit: Duration, stop: impl Future<Output = ()>) -> Vec<String> {
        runtime().block_on(async {
            let mut on_alarm = OnAlarm::new("sleep 600 & wait".to_owned());
            on_alarm.time_limit = time_limit;
            on_alarm.take(&alarms(10), &State::default(), Timestamp::UNIX_EPOCH);
            on_alarm.finish(stop).await
        })
    }

    fn alarms(count: usize) -> Vec<Update> {
        let on = |_| Update::AlarmOn {
            hpas: vec![hpa()],
            alarm: alarm("x"),
        };
        (0..count).map(on).collect()
    }
}
