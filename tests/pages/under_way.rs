//! A rescale under way: looks between the controller's write of the scale, its write of the status, and the arrival of
//! the pods. What the page says contains what the controller does next.

use hpa_engine::{
    engine::decide,
    model::{FieldManager, HpaStatus, Memory, Reading, Target},
};
use hpa_testing::{World, at, down, up};
use jiff::{SignedDuration, Timestamp};

use crate::world::{AsPage, web};

/// What has arrived of a rescale at a look.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Arrived {
    /// The scale. Who wrote it is in `managedFields`.
    Scale,
    /// The scale, and the Event; `managedFields` cannot be read.
    ScaleAndEvent,
    /// The scale, and the load has changed since.
    ScaleAndLoad,
    Status,
    PendingPods,
    ReadyPods,
}

impl Arrived {
    const ALL: [Self; 6] = [
        Self::Scale,
        Self::ScaleAndEvent,
        Self::ScaleAndLoad,
        Self::Status,
        Self::PendingPods,
        Self::ReadyPods,
    ];

    /// Whether the status is older than the scale.
    fn is_mixed(self) -> bool {
        matches!(self, Self::Scale | Self::ScaleAndEvent | Self::ScaleAndLoad)
    }
}

/// One HPA under a load, with the controller's real memory.
struct Controlled {
    world: World,
    memory: Memory,
    /// When each pod was created.
    births: Vec<Timestamp>,
}

/// A sync that rescales: what it found, and what it wrote.
struct Rescale {
    found: World,
    status: HpaStatus,
    births: Vec<Timestamp>,
    to: i32,
}

impl Controlled {
    fn new(world: World) -> Self {
        let births = vec![at("01:00:00"); number(replicas(&world))];
        Self {
            world,
            memory: Memory::default(),
            births,
        }
    }

    /// The next sync, at this load in millicores.
    fn sync(&mut self, load: i32) -> Option<Rescale> {
        self.world.now += SignedDuration::from_secs(15);
        set_load(&mut self.world, &self.births, load);
        let found = self.world.clone();
        let now = found.now;
        let decided = decide(&found.observation, &mut self.memory, now);
        let outcome = decided.outcome.unwrap();
        let births = self.births.clone();
        self.world.observation.hpa.status = outcome.status.clone();
        let to = outcome.scale_to?;
        self.births.resize(number(to), now);
        if let Reading::Read(scale) = &mut self.world.observation.scale {
            (scale.spec_replicas, scale.status_replicas) = (to, to);
        }
        Some(Rescale {
            found,
            status: outcome.status,
            births,
            to,
        })
    }
}

impl Rescale {
    fn from(&self) -> i32 {
        replicas(&self.found)
    }

    /// The state seconds after it.
    fn look(&self, arrived: Arrived, load: i32) -> World {
        let mut look = self.found.clone();
        let synced = look.now;
        look.now += SignedDuration::from_secs(3);
        if let Reading::Read(scale) = &mut look.observation.scale {
            scale.spec_replicas = self.to;
        }
        look.context.target = Some(written_by_the_controller());
        match arrived {
            Arrived::Scale => return look,
            Arrived::ScaleAndLoad => {
                set_load(&mut look, &self.births, load);
                return look;
            }
            Arrived::ScaleAndEvent => {
                look.context.target = None;
                let time = synced.strftime("%H:%M:%S").to_string();
                return look.rescaled(&time, self.to, "");
            }
            Arrived::Status | Arrived::PendingPods | Arrived::ReadyPods => {}
        }
        look.observation.hpa.status = self.status.clone();
        if arrived != Arrived::Status {
            look = self.with_pods(look, arrived, synced);
        }
        look
    }

    /// The pods follow.
    fn with_pods(&self, mut look: World, arrived: Arrived, synced: Timestamp) -> World {
        for index in self.from()..self.to {
            let name = format!("new-{index}");
            look = match arrived {
                Arrived::PendingPods => look.pending(&name, "100m", "no room"),
                _ => look.without_sample(&name, "100m"),
            };
        }
        if let Reading::Read(pods) = &mut look.observation.pods {
            pods.truncate(number(self.to));
            for pod in pods.iter_mut().filter(|pod| pod.name.starts_with("new-")) {
                pod.created = Some(synced);
                pod.started = pod.started.map(|_| synced);
                if let Some(ready) = &mut pod.ready {
                    ready.last_transition = Some(synced + SignedDuration::from_secs(2));
                }
            }
        }
        if let Reading::Read(scale) = &mut look.observation.scale {
            scale.status_replicas = self.to;
        }
        look
    }
}

fn written_by_the_controller() -> Target {
    let writer = FieldManager {
        manager: "kube-controller-manager".to_owned(),
        operation: "Update".to_owned(),
        subresource: Some("scale".to_owned()),
        time: None,
    };
    Target {
        kind: "Deployment".to_owned(),
        name: "web".to_owned(),
        replicas_written_by: vec![writer],
        ..Target::default()
    }
}

fn replicas(world: &World) -> i32 {
    world.observation.scale.read().unwrap().spec_replicas
}

fn number(replicas: i32) -> usize {
    usize::try_from(replicas).unwrap()
}

/// One pod for each of `births`, which share the load.
fn set_load(world: &mut World, births: &[Timestamp], load: i32) {
    if let Reading::Read(pods) = &mut world.observation.pods {
        pods.clear();
    }
    if let Reading::Read(samples) = &mut world.observation.pod_metrics {
        samples.clear();
    }
    let each = load / i32::try_from(births.len()).unwrap().max(1);
    *world = world
        .clone()
        .ready_pods(births.len(), "100m", &format!("{each}m"));
    if let Reading::Read(pods) = &mut world.observation.pods {
        for (pod, born) in pods.iter_mut().zip(births) {
            pod.created = Some(*born);
            pod.started = Some(*born);
            if let Some(ready) = &mut pod.ready {
                ready.last_transition = Some(*born + SignedDuration::from_secs(2));
            }
        }
    }
}

fn behaved(world: World, behavior: usize) -> World {
    match behavior {
        1 => world
            .behavior(up().pods(4, 60))
            .behavior(down().pods(2, 60)),
        2 => world.behavior(down().window(0).pods(100, 15)),
        3 => world.behavior(up().window(30).pods(100, 15)),
        _ => world,
    }
}

/// Loads before and after a change, in millicores.
const LOADS: [(i32, i32); 6] = [
    (300, 400),
    (300, 1500),
    (600, 150),
    (600, 900),
    (1200, 900),
    (1200, 2500),
];

#[test]
fn what_the_page_says_while_a_rescale_is_under_way_contains_what_comes_next() {
    let (mut mixed, mut exact) = (0, 0);
    for behavior in 0..4 {
        for (before, then) in LOADS {
            for max in [6, 16, 40] {
                let world = web(5).bounds(1, max).utilization("cpu", 50);
                let mut controlled = Controlled::new(behaved(world, behavior));
                for step in 0..50 {
                    let is_changed = (21..25).contains(&step);
                    let load = if is_changed { then } else { before };
                    let rescale = controlled.sync(load);
                    // Before the first status there is nothing to compare the scale with.
                    let Some(rescale) = rescale.filter(|_| 0 < step) else {
                        continue;
                    };
                    for arrived in Arrived::ALL {
                        let case = format!(
                            "{behavior}: {before} to {then}, max {max}, {arrived:?} {step}"
                        );
                        let is_exact = check(&case, &rescale, arrived, load, &controlled.memory);
                        mixed += usize::from(arrived.is_mixed());
                        exact += usize::from(arrived.is_mixed() && is_exact);
                    }
                }
            }
        }
    }
    assert!(300 < mixed && mixed * 9 < exact * 10, "{exact} of {mixed}");
}

/// Returns whether the page knows the number.
#[track_caller]
fn check(case: &str, rescale: &Rescale, arrived: Arrived, load: i32, memory: &Memory) -> bool {
    let look = rescale.look(arrived, load * 11 / 10);
    let mut real = look.observation.clone();
    real.hpa.status = rescale.status.clone();
    let next = decide(&real, &mut memory.clone(), look.now);
    let next = next.decision.replicas().unwrap();
    let analysis = look.analysis();
    let decided = analysis.trace.decision.replicas().unwrap();
    let (low, high) = analysis.range.unwrap_or((decided, decided));
    let answer = look.answer();
    let (from, to) = (rescale.from(), rescale.to);
    let case = format!("{case}, {from} → {to}, next {next}\n{answer}");
    assert!((low..=high).contains(&next), "{low} to {high}: {case}");
    for claim in ["(recomputed:", "find what stops"] {
        assert!(!answer.contains(claim), "{case}");
    }
    let words = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("The HPA has scaled {from} → {to} since it wrote its status.");
    assert_eq!(words.contains(&said), arrived.is_mixed(), "{case}");
    if arrived.is_mixed() {
        assert_eq!(look.json().cross_check.agreement, "torn", "{case}");
    }
    low == high
}

#[test]
fn replicas_of_another_writer_or_another_hpa_are_no_rescale() {
    let mut world = web(6)
        .bounds(1, 20)
        .utilization("cpu", 50)
        .ready_pods(6, "100m", "50m")
        .status(4, 4, 50, "ReadyForNewScale", "DesiredWithinRange");
    let says = |world: &World| world.answer().contains("since it wrote");
    world.context.target = Some(written_by_the_controller());
    assert!(says(&world), "{}", world.answer());
    assert!(!says(&world.clone().other_hpa("other", "app=web")));
    let writer = |world: &mut World, manager: &str| {
        let target = world.context.target.as_mut().unwrap();
        target.replicas_written_by[0].manager = manager.to_owned();
    };
    writer(&mut world, "kubectl");
    assert!(!says(&world));
    // An Event of the HPA says nothing about what was written after it.
    let world = world.rescaled("10:41:20", 6, "");
    assert!(!says(&world));
}

/// A maximum was raised, and the first step went to twice the replicas. The metrics ask for slightly less than before.
#[test]
fn replicas_that_go_up_by_an_earlier_recommendation_are_not_held_and_first_go_up() {
    // The limit of the sync before hides whether that asked for more than 15.
    for (max, headline) in [(15, "SCALES 12 → 15"), (16, "BETWEEN 15 AND 16")] {
        let mut world = web(12)
            .bounds(1, max)
            .utilization("cpu", 50)
            .ready_pods(6, "100m", "115m")
            .status(6, 12, 121, "SucceededRescale", "ScaleUpLimit");
        world.observation.hpa.status.last_scale_time = Some(at("10:41:24"));
        let answer = world.answer();
        let words = answer.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(answer.contains(headline), "{answer}");
        let asked = "and asks for 14 replicas (115 / 50 × 6 pods = 13.8), but without spec.behavior the 5 min \
                     scale-down window holds 15 until at most 10:46:39 (inferred)";
        assert!(words.contains(asked), "{answer}");
        for claim in ["still holds", "scales down"] {
            assert!(!words.contains(claim), "{answer}");
        }
        let json = world.json();
        assert_eq!(json.verdict.rule, "old-recommendation");
    }
}
