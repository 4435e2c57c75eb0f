//! An exporter that gets recordings instead of a cluster: what the loop of `export` does with each sync, without its
//! requests.

use hpa_objects::recording::Snapshot;
use hpa_playback::Session;
use hpa_render::export::{Exposition, SharedBoard, TextFormat};
use hpa_watch::{Event, State, reduce};
use jiff::Timestamp;

/// The core of a running exporter.
pub(crate) struct PlayedExporter {
    session: Session,
    state: State,
    board: SharedBoard,
    exposition: Exposition,
}

impl PlayedExporter {
    /// An exporter without data.
    pub(crate) fn new() -> Self {
        let board = SharedBoard::default();
        board.lock().unwrap().begin(Timestamp::UNIX_EPOCH);
        Self {
            session: Session::of_recordings(),
            state: State::brief(),
            exposition: Exposition::new(board.clone()),
            board,
        }
    }

    /// A sync of the controller.
    pub(crate) fn sync(&mut self, snapshot: Snapshot) {
        let at = snapshot.time;
        let pushed = self.session.push(snapshot).unwrap();
        for compared in pushed.compared.into_iter().filter(|one| one.is_final) {
            let event = Event::Compared {
                at: compared.time,
                agreement: compared.agreement(),
                hpa: compared.hpa,
            };
            self.take(event, at);
        }
        let seen = pushed.reconcile.seen();
        self.take(Event::Reconciled(Box::new(seen)), at);
    }

    fn take(&mut self, event: Event, at: Timestamp) {
        let mut board = self.board.lock().unwrap();
        board.before(&event, at);
        let updates = reduce(&mut self.state, event, at);
        board.after(&updates, &self.state, None);
    }

    /// The sizes of its session, its state and its board, measured as the length of their debug output.
    #[allow(dead_code, reason = "not all tests that play measure")]
    pub(crate) fn kept(&self) -> [usize; 3] {
        let board = self.board.lock().unwrap();
        [
            format!("{:?}", self.session).len(),
            format!("{:?}", self.state).len(),
            format!("{board:?}").len(),
        ]
    }

    /// The served series and their values.
    pub(crate) fn samples(&self) -> Vec<(String, String)> {
        let text = self
            .exposition
            .write(TextFormat::OpenMetrics, None)
            .unwrap();
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        samples
            .map(|sample| {
                let (series, value) = sample.rsplit_once(' ').unwrap();
                (series.to_owned(), value.to_owned())
            })
            .collect()
    }
}
