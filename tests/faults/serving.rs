//! Serves a router on 127.0.0.1 in a thread, until it is dropped.

use std::{
    net::{SocketAddr, TcpListener},
    thread::{self, JoinHandle},
};

use axum::Router;
use tokio::sync::oneshot;

/// A running server.
pub(crate) struct Serving {
    address: SocketAddr,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

/// Serves at `address`; port 0 means any free port.
pub(crate) fn serve(address: SocketAddr, router: Router) -> Serving {
    let listener = TcpListener::bind(address).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            tokio::select! {
                served = axum::serve(listener, router) => served.unwrap(),
                _ = stopped => {}
            }
        });
    });
    Serving {
        address,
        running: Some((stop, thread)),
    }
}

/// Any free port.
pub(crate) const ANYWHERE: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

impl Serving {
    /// Its address.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its URL, as in a kubeconfig.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Serving {
    /// All connections break.
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            // A panic in an answer has failed the requesting test.
            let _ = thread.join();
        }
    }
}
