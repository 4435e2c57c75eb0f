//! A recording of a whole day on the screen of `replay --tui`: `cargo bench --bench day`.
//!
//! The day is that of five HPAs with a sync every 15 s: the incidents of `examples` repeated, with shifted times.
//! Scaling, alarms and edits happen all the time, which is more than on any real day. The time of a key is measured
//! from the key press to the resulting screen. `KUBECTL_HPA` names another program than the one built for this bench.

#[cfg(unix)]
mod unix;

fn main() {
    #[cfg(unix)]
    unix::run();
}
