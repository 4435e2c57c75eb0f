//! A program in its own terminal: its output becomes a screen as a user sees it, and keys go to it.
//!
//! Nothing here waits for a fixed time: `eventually` and its variants wait for the expected screen; on a timeout the
//! test fails with the last screen.
#![allow(dead_code, reason = "each test binary uses its part of it")]

use std::{
    ffi::OsStr,
    io::{Read, Write},
    path::Path,
    process::Command,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Parser, Screen};

/// A terminal with a running program. Dropping it kills the program.
pub(crate) struct Terminal {
    /// `None` after it is pulled, as when a connection breaks.
    master: Option<Box<dyn MasterPty + Send>>,
    keyboard: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    output: Arc<Output>,
    /// The terminal's modes before the program ran.
    modes_before: String,
}

/// The program's output so far.
struct Output {
    received: Mutex<Received>,
    has_changed: Condvar,
}

struct Received {
    parser: Parser,
    bytes: Vec<u8>,
    is_closed: bool,
    /// No more output arrives.
    is_pulled: bool,
}

impl Terminal {
    /// Runs `program` with `arguments` in a terminal of `columns` × `rows`.
    pub(crate) fn run<A: AsRef<OsStr>>(
        (columns, rows): (u16, u16),
        program: impl AsRef<OsStr>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        Self::start((columns, rows), command)
    }

    /// Runs the plugin in the package's folder.
    pub(crate) fn plugin<A: AsRef<OsStr>>(
        size: (u16, u16),
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self::run(size, env!("CARGO_BIN_EXE_kubectl-hpa"), arguments)
    }

    /// Runs a command that the caller builds, for example with its own variables. Sets locale, time zone and terminal
    /// type unless the command does.
    pub(crate) fn start((columns, rows): (u16, u16), mut command: CommandBuilder) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        for (name, value) in [
            ("TERM", "xterm-256color"),
            ("LC_ALL", "C.UTF-8"),
            ("TZ", "UTC"),
        ] {
            let is_set = command
                .iter_extra_env_as_str()
                .any(|(other, _)| other == name);
            if !is_set {
                command.env(name, value);
            }
        }
        for name in ["NO_COLOR", "COLORTERM", "LLVM_PROFILE_FILE"] {
            let is_set = command
                .iter_extra_env_as_str()
                .any(|(other, _)| other == name);
            if !is_set {
                command.env_remove(name);
            }
        }
        if command.get_cwd().is_none() {
            command.cwd(Path::new(env!("CARGO_MANIFEST_DIR")));
        }
        let pair = native_pty_system().openpty(size).unwrap();
        let modes_before = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let output = Arc::new(Output {
            received: Mutex::new(Received {
                parser: Parser::new(rows, columns, 1_000),
                bytes: Vec::new(),
                is_closed: false,
                is_pulled: false,
            }),
            has_changed: Condvar::new(),
        });
        let mut reader = pair.master.try_clone_reader().unwrap();
        let receiver = Arc::clone(&output);
        thread::spawn(move || receiver.receive(&mut *reader));
        Self {
            keyboard: Some(pair.master.take_writer().unwrap()),
            master: Some(pair.master),
            child,
            output,
            modes_before,
        }
    }

    /// Waits until `ask` finds something on the screen.
    #[track_caller]
    pub(crate) fn eventually<T>(&self, what: &str, mut ask: impl FnMut(&Screen) -> Option<T>) -> T {
        let mut received = self.output.lock();
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = ask(received.parser.screen()) {
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero() && !received.is_closed,
                "{what}: waited in vain{}; the screen:\n{}",
                if received.is_closed {
                    ", the program has ended"
                } else {
                    ""
                },
                text_of(received.parser.screen()),
            );
            (received, _) = self
                .output
                .has_changed
                .wait_timeout(received, left)
                .unwrap();
        }
    }

    /// Waits until a line of the screen shows `text`, and returns the whole screen.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> String {
        self.eventually(&format!("{text:?} on the screen"), |screen| {
            Some(text_of(screen)).filter(|displayed| displayed.contains(text))
        })
    }

    /// Waits until the screen no longer shows `text`, and returns the whole screen.
    #[track_caller]
    pub(crate) fn shows_no(&self, text: &str) -> String {
        self.eventually(&format!("no {text:?} on the screen"), |screen| {
            Some(text_of(screen)).filter(|displayed| !displayed.contains(text))
        })
    }

    /// The lines of the current screen, without trailing blanks.
    pub(crate) fn text(&self) -> String {
        text_of(self.output.lock().parser.screen())
    }

    /// The program's whole output so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.output.lock().bytes.clone()
    }

    /// Types text, or the sequences that keys send ([`key`]).
    pub(crate) fn press(&mut self, keys: &str) {
        let keyboard = self.keyboard.as_mut().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
        keyboard.flush().unwrap();
    }

    /// Clicks with the left button, on the column and row counted from 0.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let (x, y) = (column + 1, row + 1);
        self.press(&format!("\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"));
    }

    /// Clicks on the first place of the screen that shows `text`.
    #[track_caller]
    pub(crate) fn click_on(&mut self, text: &str) {
        let (column, row) = self.eventually(&format!("{text:?} to click on"), |screen| {
            place_of(screen, text)
        });
        self.click(column, row);
    }

    /// Turns the wheel one step down, or up, over a place.
    pub(crate) fn wheel(&mut self, is_down: bool, column: u16, row: u16) {
        let (button, x, y) = (64 + u8::from(is_down), column + 1, row + 1);
        self.press(&format!("\x1b[<{button};{x};{y}M"));
    }

    /// Resizes the terminal.
    pub(crate) fn resize(&self, (columns, rows): (u16, u16)) {
        let mut received = self.output.lock();
        received.parser.screen_mut().set_size(rows, columns);
        drop(received);
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// Sends a signal, such as `TERM`, to the program.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(status.unwrap().success(), "kill -s {name} {id}");
    }

    /// The program's process.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Removes the terminal, as when the window is closed or the connection breaks. `keys` must make the program write
    /// something: only then is the last handle released.
    pub(crate) fn pull(&mut self, keys: &str) {
        self.output.lock().is_pulled = true;
        self.press(keys);
        self.keyboard = None;
        self.master = None;
        self.wait_for_last_output();
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub(crate) fn ends(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                if self.master.is_some() {
                    self.wait_for_last_output();
                }
                return status;
            }
            assert!(
                Instant::now() < end,
                "the program goes on; the screen:\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end, and asserts the exit code and that the terminal is as before.
    #[track_caller]
    pub(crate) fn ends_with(&mut self, code: u32) {
        let status = self.ends();
        assert_eq!(
            status.exit_code(),
            code,
            "{status:?}; the screen:\n{}",
            self.text()
        );
        self.assert_restored();
    }

    /// Asserts that nothing of a full screen is left: the main screen, the cursor, the mouse, the modes.
    #[track_caller]
    pub(crate) fn assert_restored(&self) {
        let received = self.output.lock();
        let screen = received.parser.screen();
        let text = text_of(screen);
        assert!(!screen.alternate_screen(), "the alternate screen:\n{text}");
        assert!(!screen.hide_cursor(), "the cursor is hidden:\n{text}");
        assert!(!screen.bracketed_paste(), "bracketed paste is on:\n{text}");
        assert_eq!(
            screen.mouse_protocol_mode(),
            MouseProtocolMode::None,
            "{text}"
        );
        drop(received);
        self.assert_cooked();
    }

    /// Asserts that the terminal edits and echoes lines again, and that Ctrl-C is a signal.
    #[track_caller]
    pub(crate) fn assert_cooked(&self) {
        assert_eq!(modes(&**self.master.as_ref().unwrap()), self.modes_before);
    }

    /// The program's last bytes may arrive after its end.
    fn wait_for_last_output(&self) {
        let mut received = self.output.lock();
        let end = Instant::now() + PATIENCE;
        while !received.is_closed {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "another process holds the terminal");
            (received, _) = self
                .output
                .has_changed
                .wait_timeout(received, left)
                .unwrap();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Output {
    fn lock(&self) -> MutexGuard<'_, Received> {
        // A failing test holds the lock; the received data is still complete.
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads output until the terminal is closed.
    fn receive(&self, reader: &mut dyn Read) {
        let mut buffer = [0; 16 << 10];
        loop {
            let count = reader.read(&mut buffer).unwrap_or(0);
            let mut received = self.lock();
            let bytes = &buffer[..count];
            received.parser.process(bytes);
            received.bytes.extend_from_slice(bytes);
            received.is_closed = count == 0 || received.is_pulled;
            self.has_changed.notify_all();
            if received.is_closed {
                return;
            }
        }
    }
}

/// The lines of a screen, without trailing blanks.
pub(crate) fn text_of(screen: &Screen) -> String {
    let (_, columns) = screen.size();
    let lines = screen.rows(0, columns);
    let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n").trim_end().to_owned()
}

/// Column and row, counted from 0, of the first place that shows `text`.
pub(crate) fn place_of(screen: &Screen, text: &str) -> Option<(u16, u16)> {
    let (rows, columns) = screen.size();
    (0..rows).find_map(|row| {
        let rest = |column| screen.contents_between(row, column, row, columns);
        (0..columns)
            .find(|column| rest(*column).starts_with(text))
            .map(|column| (column, row))
    })
}

/// The sequences that keys send.
pub(crate) mod key {
    pub(crate) const DOWN: &str = "\x1b[B";
    pub(crate) const END: &str = "\x1b[F";
    pub(crate) const ENTER: &str = "\r";
    pub(crate) const ESCAPE: &str = "\x1b";
    pub(crate) const HOME: &str = "\x1b[H";
    pub(crate) const LEFT: &str = "\x1b[D";
    pub(crate) const PAGE_DOWN: &str = "\x1b[6~";
    pub(crate) const PAGE_UP: &str = "\x1b[5~";
    pub(crate) const RIGHT: &str = "\x1b[C";
    pub(crate) const TAB: &str = "\t";
    pub(crate) const UP: &str = "\x1b[A";
    pub(crate) const CTRL_C: &str = "\x03";
    pub(crate) const CTRL_Z: &str = "\x1a";
}

/// The terminal's input and output modes.
fn modes(master: &(dyn MasterPty + Send)) -> String {
    let modes = master.get_termios().unwrap();
    format!(
        "{:?} {:?} {:?}",
        modes.input_flags, modes.output_flags, modes.local_flags
    )
}

/// No test waits this long unless something is broken.
const PATIENCE: Duration = Duration::from_secs(90);
