//! The terminal itself: enters the full screen, and restores the terminal on every exit.
//!
//! The mode of a terminal outlives the process, so it is restored when [`Terminal`] is dropped, before a panic is
//! reported (a release build aborts after that), and around a suspension. Signals do not end the process by
//! themselves: [`Signals`] turns them into events, and the command that shows the screen returns.

use std::{
    io::{self, IsTerminal as _, Write},
    panic,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use crossterm::{
    cursor,
    event::{self, DisableBracketedPaste, EnableBracketedPaste, Event},
    execute, queue, terminal,
};
use ratatui::{Frame, backend::CrosstermBackend};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The terminal as a full screen. It is restored on drop.
#[derive(Debug)]
pub struct Terminal {
    screen: ratatui::Terminal<CrosstermBackend<PendingFrame>>,
}

impl Terminal {
    /// Why a full screen is not possible, as a sentence fragment; `None` if it is. The keys may come from a terminal
    /// other than standard input, so that a recording can come through a pipe.
    pub fn is_missing() -> Option<&'static str> {
        if !io::stdout().is_terminal() {
            return Some("standard output is not a terminal");
        }
        if cfg!(unix) && !io::stdin().is_terminal() && std::fs::File::open("/dev/tty").is_err() {
            return Some("no terminal to read keys from was found");
        }
        None
    }

    /// Enters the full screen: alternate screen, raw keys, mouse, bracketed paste.
    pub fn enter() -> io::Result<Self> {
        restore_before_panics();
        enter()?;
        let screen = ratatui::Terminal::new(CrosstermBackend::new(PendingFrame::default()));
        Ok(Self {
            screen: screen.inspect_err(|_| restore())?,
        })
    }

    /// Draws a frame. Only the difference to the previous one is sent, in one piece.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.screen.draw(draw)?;
        Ok(())
    }

    /// Forgets the content of the terminal, so that the next frame is sent completely: another program has written to
    /// it.
    pub fn redraw(&mut self) -> io::Result<()> {
        // ratatui's own method asks the terminal for the cursor position, and the answer would go to `TerminalInput`.
        execute!(io::stdout(), terminal::Clear(terminal::ClearType::All))?;
        self.screen = ratatui::Terminal::new(CrosstermBackend::new(PendingFrame::default()))?;
        Ok(())
    }

    /// Sends a text to the terminal's clipboard (OSC 52). A terminal does not report whether it accepted it.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
        out.flush()
    }

    /// Whether the terminal still exists. A closed one does not answer.
    pub fn is_alive(&self) -> bool {
        // On Unix `size` falls back to another program; on Windows `window_size` always fails.
        if cfg!(windows) {
            terminal::size().is_ok()
        } else {
            terminal::window_size().is_ok()
        }
    }

    /// Restores the terminal and stops the process, as Ctrl-Z does. Returns when the shell continues it, with the full
    /// screen. Returns false if no shell would continue it, and then does nothing.
    #[cfg(unix)]
    pub fn suspend(&mut self) -> io::Result<bool> {
        use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};
        // A shell with job control gives each command a process group and stays in its own.
        if getsid(None)? == getpgrp() {
            return Ok(false);
        }
        restore();
        let stopped = kill_current_process_group(Signal::STOP);
        enter()?;
        stopped?;
        self.redraw()?;
        Ok(true)
    }

    /// Not supported on this system.
    #[cfg(not(unix))]
    pub fn suspend(&mut self) -> io::Result<bool> {
        Ok(false)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Events of the terminal: keys, mouse, pasted text, sizes.
#[derive(Debug)]
pub struct TerminalInput {
    events: UnboundedReceiver<io::Result<Event>>,
}

impl TerminalInput {
    /// Starts to read in a separate thread: crossterm's stream polls in the calling thread, and would never return
    /// there from a closed terminal.
    pub fn start() -> Self {
        let (sender, events) = unbounded_channel();
        thread::spawn(move || {
            loop {
                let event = event::read();
                let is_over = event.is_err();
                if sender.send(event).is_err() || is_over {
                    return;
                }
            }
        });
        Self { events }
    }

    /// Waits for the next event. `None` if the terminal was closed. Cancel-safe.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await?.ok()
    }
}

/// A signal that concerns the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The terminal was closed, or the connection to it broke.
    Hangup,
    /// A request to stop the process for a while. Ctrl-Z itself arrives as a key.
    Suspend,
}

/// Signals that concern the terminal. While it listens, they have no effect by themselves.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    #[cfg(unix)]
    suspend: tokio::signal::unix::Signal,
}

impl Signals {
    /// Starts to listen; requires a tokio runtime.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let suspend = rustix::process::Signal::TSTP.as_raw();
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            suspend: signal(SignalKind::from_raw(suspend))?,
        })
    }

    /// Such signals do not exist on this system.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next signal. Cancel-safe.
    pub async fn next(&mut self) -> Signal {
        #[cfg(unix)]
        tokio::select! {
            _ = self.hangup.recv() => Signal::Hangup,
            _ = self.suspend.recv() => Signal::Suspend,
        }
        #[cfg(not(unix))]
        std::future::pending().await
    }
}

/// Output that is held until a frame is complete: over a slow line a partial frame flickers. An incomplete frame is
/// never sent, so that nothing follows after the terminal is restored.
#[derive(Debug, Default)]
struct PendingFrame {
    bytes: Vec<u8>,
}

impl Write for PendingFrame {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Even a frame without any change hides the cursor again; each cell is written at a position, by `H`.
        if !self.bytes.iter().any(|byte| matches!(byte, b'H' | b'J')) {
            self.bytes.clear();
            return Ok(());
        }
        let mut frame = Vec::with_capacity(self.bytes.len() + 32);
        queue!(frame, terminal::BeginSynchronizedUpdate)?;
        frame.append(&mut self.bytes);
        queue!(frame, terminal::EndSynchronizedUpdate)?;
        let mut out = io::stdout().lock();
        out.write_all(&frame)?;
        out.flush()
    }
}

/// The bytes in base64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 0x3f) as usize];
            let is_filled = index <= chunk.len();
            text.push(if is_filled { letter.into() } else { '=' });
        }
    }
    text
}

/// Whether the terminal is in full screen mode.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    IS_ENTERED.store(true, Ordering::SeqCst);
    execute!(
        io::stdout(),
        terminal::EnterAlternateScreen,
        mouse::Enable,
        EnableBracketedPaste,
        cursor::Hide,
    )
    .inspect_err(|_| restore())
}

/// Restores the terminal. A closed terminal needs nothing.
fn restore() {
    if !IS_ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        mouse::Disable,
        terminal::LeaveAlternateScreen,
        cursor::Show,
    );
    let _ = terminal::disable_raw_mode();
}

/// Restores before a panic is reported, so that the report is readable; a release build ends with it.
fn restore_before_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
    });
}

/// Clicks, drags and the wheel. crossterm's own command also requests every movement of the mouse, which floods a slow
/// line.
mod mouse {
    use std::fmt;

    use crossterm::Command;
    #[cfg(windows)]
    use crossterm::event::{DisableMouseCapture, EnableMouseCapture};

    pub(super) struct Enable;
    pub(super) struct Disable;

    impl Command for Enable {
        fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
            out.write_str("\x1b[?1000h\x1b[?1002h\x1b[?1006h")
        }

        #[cfg(windows)]
        fn execute_winapi(&self) -> std::io::Result<()> {
            EnableMouseCapture.execute_winapi()
        }

        #[cfg(windows)]
        fn is_ansi_code_supported(&self) -> bool {
            false
        }
    }

    impl Command for Disable {
        fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
            out.write_str("\x1b[?1006l\x1b[?1002l\x1b[?1000l")
        }

        #[cfg(windows)]
        fn execute_winapi(&self) -> std::io::Result<()> {
            DisableMouseCapture.execute_winapi()
        }

        #[cfg(windows)]
        fn is_ansi_code_supported(&self) -> bool {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn copied_text_is_in_base64() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("hp", "aHA="),
            ("foo", "Zm9v"),
            ("shop/web → 20", "c2hvcC93ZWIg4oaSIDIw"),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
