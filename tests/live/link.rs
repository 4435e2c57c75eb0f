//! A connection to the API server that can be slow, cut, silent, or broken off within an answer.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// A proxy of TCP connections. It does not look into them, so TLS goes through.
pub(crate) struct Link {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    target: SocketAddr,
    is_cut: AtomicBool,
    is_silent: AtomicBool,
    /// How often it fell silent: connections from before stay so.
    silences: AtomicU64,
    /// Milliseconds that answers come later.
    delay: AtomicU64,
    /// Bytes of answers after which all connections break off; negative: never.
    bytes_left: AtomicI64,
    streams: Mutex<Vec<TcpStream>>,
}

impl Link {
    /// Opens a port from which connections go to `target`.
    pub(crate) fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            target,
            is_cut: AtomicBool::new(false),
            is_silent: AtomicBool::new(false),
            silences: AtomicU64::new(0),
            delay: AtomicU64::new(0),
            bytes_left: AtomicI64::new(-1),
            streams: Mutex::new(Vec::new()),
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A cut link drops it at once. The thread ends with the process.
                if !accepting.is_cut.load(SeqCst) {
                    accepting.connect(client);
                }
            }
        });
        Self { address, shared }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Breaks all connections off; new ones are closed immediately.
    pub(crate) fn cut(&self) {
        self.shared.is_cut.store(true, SeqCst);
        self.shared.break_off();
    }

    /// Forwards nothing and closes nothing, like a firewall that has lost a connection. New connections are accepted
    /// and also silent.
    pub(crate) fn fall_silent(&self) {
        self.shared.is_silent.store(true, SeqCst);
        self.shared.silences.fetch_add(1, SeqCst);
    }

    /// Breaks all connections off within the answer that has the byte, counted over all connections from now.
    pub(crate) fn break_off_after(&self, bytes: i64) {
        self.shared.bytes_left.store(bytes, SeqCst);
    }

    /// Whether connections were broken off since `break_off_after`.
    pub(crate) fn has_broken_off(&self) -> bool {
        self.shared.bytes_left.load(SeqCst) < 0
    }

    /// Lets new connections through again.
    pub(crate) fn mend(&self) {
        self.shared.is_silent.store(false, SeqCst);
        self.shared.is_cut.store(false, SeqCst);
    }

    /// Delays data from the target from now on.
    pub(crate) fn delay_answers(&self, delay: Duration) {
        let milliseconds = u64::try_from(delay.as_millis()).unwrap();
        self.shared.delay.store(milliseconds, SeqCst);
    }
}

impl Shared {
    fn connect(self: &Arc<Self>, client: TcpStream) {
        let Ok(server) = TcpStream::connect(self.target) else {
            return; // closes the client's, too
        };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let (is_silent, silences) = (self.is_silent.load(SeqCst), self.silences.load(SeqCst));
        let is_dead = move |shared: &Self| is_silent || shared.silences.load(SeqCst) != silences;
        let copy = |stream: &TcpStream| stream.try_clone().unwrap();
        self.streams
            .lock()
            .unwrap()
            .extend([copy(&client), copy(&server)]);
        let (mut from_client, mut to_server) = (copy(&client), copy(&server));
        let shared = Arc::clone(self);
        thread::spawn(move || {
            let mut buffer = [0; 16 << 10];
            while let Ok(count @ 1..) = from_client.read(&mut buffer) {
                if !is_dead(&shared) && to_server.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
            let _ = to_server.shutdown(Shutdown::Both);
        });
        let (later, held_back) = mpsc::channel::<(Instant, Vec<u8>)>();
        let shared = Arc::clone(self);
        let mut from_server = server;
        thread::spawn(move || {
            let mut buffer = [0; 16 << 10];
            while let Ok(count @ 1..) = from_server.read(&mut buffer) {
                let delay = Duration::from_millis(shared.delay.load(SeqCst));
                let part = (Instant::now() + delay, buffer[..count].to_vec());
                if later.send(part).is_err() {
                    break;
                }
            }
        });
        let shared = Arc::clone(self);
        let mut to_client = client;
        thread::spawn(move || {
            for (due, part) in held_back {
                thread::sleep(due.saturating_duration_since(Instant::now()));
                if is_dead(&shared) {
                    continue;
                }
                let passing = shared.take_passing(part.len());
                if to_client.write_all(&part[..passing]).is_err() {
                    break;
                }
                if passing < part.len() {
                    shared.break_off();
                }
            }
            if !is_dead(&shared) {
                let _ = to_client.shutdown(Shutdown::Both);
            }
        });
    }

    /// How much of a chunk may still pass.
    fn take_passing(&self, length: usize) -> usize {
        let left = self.bytes_left.load(SeqCst);
        let Ok(all) = usize::try_from(left) else {
            return length;
        };
        self.bytes_left
            .store(left - i64::try_from(length).unwrap(), SeqCst);
        all.min(length)
    }

    fn break_off(&self) {
        for stream in self.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
