//! An External metric whose average is over the replicas of a target that makes and removes its pods slowly.

use super::{compared::assert_certain_is_right, pace, plays_long, run::Run};

/// Between two scrapes the target can have any number of replicas on its way, and within the tolerance the controller asks for just as
/// many.
#[test]
fn what_is_certain_is_right_while_a_target_is_slow() {
    if !plays_long() {
        return;
    }
    let run = Run::of(&pace::slow());
    let report = run.report("slow", &[]);
    eprintln!("slow: {}", report["trust"]);
    let real = run.real_syncs("slow");
    let on_its_way = real.iter().filter(|sync| sync.existing != sync.current);
    let count = on_its_way.count();
    eprintln!("{count} of {} syncs found a target on its way", real.len());
    assert!(10 <= count, "only {count} syncs found a target on its way");
    assert_certain_is_right(&run.syncs("slow", &[]), "slow", 0);
}
