//! Settings of the controller that are worked out from what it wrote.

use kubectl_hpa::{
    inference::{Agreement, Look, LookInput},
    model::{Context, Memory},
};

use crate::inference::{add_events, recordings};

#[test]
fn controller_whose_settings_are_known_is_seldom_said_to_have_others() {
    let (mut all, mut blamed) = (0, Vec::new());
    for family in ["cpu", "edge", "memory", "container", "multi"] {
        let mut name = String::new();
        let mut context = Context::default();
        for snapshot in recordings(family) {
            if snapshot.metadata.name != name {
                name.clone_from(&snapshot.metadata.name);
                context = Context::default();
            }
            let observation = snapshot.observation().unwrap();
            let look = Look::new(&LookInput {
                observation: &observation,
                context: &context,
                memory: snapshot.controller_started.then_some(&Memory::default()),
                now: snapshot.time,
            });
            add_events(&mut context, &snapshot);
            all += 1;
            let check = look.cross_check;
            let fitting = check.hypotheses.iter().find(|one| one.fits);
            if let (Agreement::Differs, Some(one)) = (check.agreement, fitting) {
                blamed.push(format!("{name} {} {:?}", snapshot.time, one.cause));
            }
        }
    }
    // From one look, a window that ended since and metrics that moved can pass for a setting.
    assert!(
        2000 < all && 200 * blamed.len() <= all,
        "{} of {all}\n{}",
        blamed.len(),
        blamed.join("\n")
    );
}
