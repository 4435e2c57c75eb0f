//! A recording of a whole day on the screen of `replay --tui`: `cargo bench --bench day`.
//!
//! The day is that of five HPAs at a sync every 15 s: the incidents of `examples`, again and again, with their times moved.
//! That is more than happens on any day: scaling, alarms and edits all the time. What a key does is timed from the key to
//! the screen that it leads to. `KUBECTL_HPA` names another program than the one built for this.

#[cfg(unix)]
mod unix;

fn main() {
    #[cfg(unix)]
    unix::run();
}
