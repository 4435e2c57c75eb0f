//! The table of conditions: who asks, with which threshold, and why two of them differ.

use hpa_words::clock::rough;
use jiff::SignedDuration;

use crate::{
    failing_metric as failing,
    flapping::{STILL, TURNS, WITHIN},
    not_reconciled as late, other_writer, pods_not_ready as not_ready,
    pods_not_running as not_running, short_at_max as at_max, startup_cpu as startup,
    unreachable_target as reach,
};

/// A condition with what counts for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionRow {
    /// Its name, as in alarms.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What shows it.
    pub evidence: &'static str,
    /// What `explain`, `list` and `replay` call so now.
    pub now: String,
    /// What raises the alarm of `watch` and `export`, and what keeps it on.
    pub alarm: String,
    /// What the rules of `lint` report, with their codes.
    pub finding: String,
    /// What `history` and `simulate` count.
    pub past: String,
    /// Why some differ.
    pub why: &'static str,
}

/// All conditions that are judged in this package.
pub static CONDITIONS: &[fn() -> ConditionRow] = &[
    flapping,
    short_at_max,
    other_writer,
    not_created,
    unscheduled,
    unready,
    unreachable_target,
    not_reconciled,
    failing_metric,
    blocked_direction,
    pods_of_others,
    startup_cpu,
    vertical,
    idle_memory,
    demand,
];

fn flapping() -> ConditionRow {
    let minutes = WITHIN.as_mins();
    let many = format!("{TURNS} changes of direction within {minutes} min");
    ConditionRow {
        name: "flapping",
        summary: "The HPA scales up and down again and again.",
        evidence: "its rescales: all that were seen, and those that its Events show from before; the larger number counts. \
                   A change by another writer is none",
        now: format!(
            "{many} before now: of a recording those of its earlier lines, of a cluster those that Events show. \
             What [changes more](#what-leads) leads instead"
        ),
        alarm: format!("{many} before now; while it is on, {STILL} keep it on"),
        finding: format!("HPA901: {many}, at any time that the recording or the Events show"),
        past: format!("{many}, at any time; of `history` also those by another writer"),
        why: "A rescale counts from the next sync on, which shows that the controller made it. An alarm that is on ends later than it began, so that it does not go on and off itself. A finding is about \
              the spec, so it also counts what is over. Series of the past do not show who changed the replicas.",
    }
}

fn short_at_max() -> ConditionRow {
    let is_short = "at maxReplicas, or scaling to it now, and the metrics ask for more".to_owned();
    ConditionRow {
        name: "unmet-demand",
        summary: "The metrics ask for more replicas than maxReplicas allows.",
        evidence: "the decision of the sync: its proposal, the replicas after it, maxReplicas",
        now: is_short.clone(),
        alarm: format!("{is_short}, as soon as the controller has written it"),
        finding: format!(
            "HPA804: ScalingLimited with TooManyReplicas for {}; HPA902: {}% of a recording of {}",
            time(at_max::FINDING_DURATION),
            at_max::FINDING_PERCENT,
            time(at_max::FINDING_WINDOW)
        ),
        past: "at maxReplicas, and the metrics asked for more or ScalingLimited said so".to_owned(),
        why: "A finding asks for another spec, and minutes at the maximum do not justify that. The series of the past \
              do not have the proposal of each sync.",
    }
}

fn other_writer() -> ConditionRow {
    let named_for = rough(other_writer::NAMED_FOR);
    ConditionRow {
        name: "foreign-writer",
        summary: "Something else than the HPA changes the replicas.",
        evidence: "changes between two reads that neither Events, status nor managedFields give to the HPA; of a single read, \
                   managedFields and Events. Autoscalers such as KEDA move the replicas by design: they count only for HPA908",
        now: format!("a change within {named_for} before now, or one that the HPA undoes now"),
        alarm: format!("the same, for {named_for} after the change"),
        finding: format!(
            "HPA409: {} changes within {} that Events and managedFields show; HPA908: any in a recording",
            other_writer::FINDING_TIMES,
            time(other_writer::FINDING_WINDOW)
        ),
        past: "-".to_owned(),
        why: "A manual change is over after some minutes. A finding is about what will write again: HPA409 asks for two changes, \
              because one may be manual. In a recording each change is shown, however old.",
    }
}

fn not_created() -> ConditionRow {
    ConditionRow {
        name: "pods-not-running: created",
        summary: "Wanted pods do not exist.",
        evidence: "fewer pods than wanted, both by the target's status and by its selector; Events and conditions with a refusal, \
                   and whether a quota has room now",
        now: "pods are missing and refused; or missing, 1 min after the last rescale and the last new pod".to_owned(),
        alarm: format!(
            "pods are missing for {}, unless a refusal is over or their controller tries again",
            rough(not_running::CREATION_ALARM_WAIT)
        ),
        finding: "HPA705: a quota refuses pods, and has no room now".to_owned(),
        past: "-".to_owned(),
        why: "One look does not show how long pods are missing, so it asks for longer than an alarm, which has seen them missing. \
              A refusal is proof. A finding names the object to change, which only a quota has.",
    }
}

fn unscheduled() -> ConditionRow {
    let takes = rough(not_running::SCHEDULING_TAKES);
    ConditionRow {
        name: "pods-not-running: scheduled",
        summary: "Pods wait for a node.",
        evidence: "the target's pods without a node, and how long ago they were created",
        now: format!(
            "a pod waits for {takes}, or the scheduler says that no node has room; it leads if more pods would change the decision"
        ),
        alarm: format!("a pod waits for {takes}"),
        finding: format!(
            "HPA706: a pod waits for {}, and fewer are ready than wanted",
            time(not_running::FINDING_NO_NODE)
        ),
        past: "`simulate` gives each pod a node immediately, and says how many have none now"
            .to_owned(),
        why: "A new node takes minutes where nodes are added automatically: a finding is about pods that wait longer than that. \
              A simulation cannot know when nodes come.",
    }
}

fn unready() -> ConditionRow {
    ConditionRow {
        name: "unready-pods",
        summary: "Pods of the target are not ready.",
        evidence: "of the page and the finding, the controller's own class, without pods that are just ready: they are ready, and their \
                   sample began before that; of the alarm, UNMET and READY, the condition Ready",
        now: "any pod that the controller does not count as ready, where that changes the decision"
            .to_owned(),
        alarm: format!(
            "{}% of the pods, for {}",
            not_ready::ALARM_PERCENT,
            rough(not_ready::START_TAKES)
        ),
        finding: format!(
            "HPA506: more than {}% of the pods, for {}",
            not_ready::FINDING_PERCENT,
            time(not_ready::FINDING_DURATION)
        ),
        past: "`simulate` counts the pods that are not ready at its end: its pods start by themselves, and the problem of the start is named next to it"
            .to_owned(),
        why: "A page explains one number, so each pod counts that changes it. An alarm is about an outage that begins, and a finding \
              about pods that stay so: it takes fewer of them, for longer.",
    }
}

fn unreachable_target() -> ConditionRow {
    ConditionRow {
        name: "unreachable target",
        summary: "The CPU limits keep the usage below what scales up.",
        evidence: "limits and requests of the pods that count, or of the template; the tolerance; from how much usage on the target scales up",
        now: format!(
            "the limits allow less than that, in the only metric, below maxReplicas; \"can never\" if {}% more would not be enough. \
             Rows that name a usage say of each metric whether it is above the limits of the pods that count",
            reach::OVERSHOOT
        ),
        alarm: "-".to_owned(),
        finding: format!(
            "HPA209: the same for each metric; an error if {}% more would not be enough",
            reach::OVERSHOOT
        ),
        past: "`simulate` caps the usage of a pod at its limit, and names the problem of the start"
            .to_owned(),
        why: "With several metrics another one can scale up, so the page does not lead with it. A usage in a row is one with the pods of now: \
              pods that are not ready raise it. A simulation says whether the load is met, \
              and pods at their limits hide how large it is.",
    }
}

fn not_reconciled() -> ConditionRow {
    let syncs = format!(
        "{} sync periods, and {} if the period is assumed",
        late::SYNCS,
        rough(late::ASSUMED_AT_LEAST)
    );
    ConditionRow {
        name: "not-reconciled",
        summary: "The controller does not sync the HPA.",
        evidence: "a status that a sync would have to change: other replicas, other metric values; when the replicas were changed, \
                   by the reads before, managedFields and lastScaleTime",
        now: format!(
            "the status has had other replicas than the target for {syncs}, at least {}; a new HPA counts from its creation",
            rough(late::ONE_READ_AT_LEAST)
        ),
        alarm: format!(
            "as explain; or a watch has seen other replicas or metric values be due for {syncs}"
        ),
        finding: "HPA808: as explain; or the status belongs to an earlier spec".to_owned(),
        past: "-".to_owned(),
        why: "One read does not show since when a metric has another value; reads one after the other do.",
    }
}

fn failing_metric() -> ConditionRow {
    ConditionRow {
        name: "invalid-metric",
        summary: "A metric cannot be read or computed.",
        evidence: "the recomputed sync; the metric itself, and whether all fail: then nothing is scaled, otherwise nothing is scaled down",
        now: "any metric that fails; it leads if it decides".to_owned(),
        alarm: "any metric that fails, as soon as the controller has written it".to_owned(),
        finding: format!(
            "HPA802: the condition ScalingActive is False; HPA906: the metric fails in more than {}% of the syncs of a recording",
            failing::FINDING_PERCENT
        ),
        past: "each sync in which a metric fails".to_owned(),
        why: "While another metric asks for as many replicas, the condition stays True, so HPA802 does not see each failure. \
              Single failures pass, and a finding asks for a change.",
    }
}

fn blocked_direction() -> ConditionRow {
    ConditionRow {
        name: "blocked direction",
        summary: "selectPolicy Disabled turns a direction off.",
        evidence: "the policy that limits the sync, or the spec",
        now: "the metrics ask for that direction now".to_owned(),
        alarm: "-".to_owned(),
        finding: "HPA306, HPA307, HPA308: the spec turns it off. HPA806, about rate limits, is silent: no later sync takes the rest".to_owned(),
        past: "-".to_owned(),
        why: "A page explains the number of now. A finding is about the spec, whatever the metrics ask for now.",
    }
}

fn pods_of_others() -> ConditionRow {
    ConditionRow {
        name: "pods of other owners",
        summary: "The selector matches pods that the target does not own.",
        evidence: "the owners of the pods that the selector matches. Without owners, as in some recordings, all pods count as the target's",
        now: "any, with the decision without them; it leads if that is another one, or lacks fewer replicas. They do not count as ready, missing or failing pods".to_owned(),
        alarm: "they do not count for unready-pods and pods-not-running".to_owned(),
        finding: "HPA501: any, with the metric that counts them".to_owned(),
        past: "`simulate` keeps them and their usage, and says what the load needs: that can be more replicas than the HPA asks for".to_owned(),
        why: "The controller counts them, the target does not: what is wanted, ready and missing is about the target. The row `pods` of a \
              page has the controller's own classes, with each pod that its selector matches.",
    }
}

fn startup_cpu() -> ConditionRow {
    ConditionRow {
        name: "startup CPU",
        summary: "The CPU that pods use to start counts as load.",
        evidence: "pods that count although their sample covers their start; in a recording, the usage of new pods and of the others",
        now: format!(
            "at least half of the pods that count ran for less than {} when their sample began, were ready within {} of their start, and use \
             more than the others; the metrics ask for more",
            rough(startup::WARM_UP),
            rough(startup::AT_ONCE)
        ),
        alarm: "-".to_owned(),
        finding: format!(
            "HPA905: in a recording, pods use more than {} times as much in their first {} as later",
            startup::FINDING_FACTOR,
            rough(startup::NEW)
        ),
        past: "`simulate`: starting pods use as much as their share of the load, unless `--start-cpu` says more".to_owned(),
        why: "A page explains one number, so it asks which pods make it. One read shows no usage of the same pods later, which a recording does: \
              a finding is about what the pods do at each start.",
    }
}

fn vertical() -> ConditionRow {
    ConditionRow {
        name: "VerticalPodAutoscaler",
        summary: "A VerticalPodAutoscaler changes the requests that the HPA divides by.",
        evidence: "its mode, the resources that it controls, and its recommendations",
        now: "it controls what the deciding metric divides by, and is not off; it leads if the metrics ask for another number with what it recommends".to_owned(),
        alarm: "-".to_owned(),
        finding: "HPA608: it controls what any metric divides by, and is not off, whatever it recommends".to_owned(),
        past: "`simulate` leaves the requests as they are, and names the problem of the start".to_owned(),
        why: "A finding is about two specs that work against each other, also before there is a recommendation. A page leads with what \
              changes a number.",
    }
}

fn idle_memory() -> ConditionRow {
    ConditionRow {
        name: "idle memory",
        summary: "Idle pods use so much memory that the HPA cannot scale down.",
        evidence: "the pod that uses least, while the other metrics ask for fewer replicas; in a recording, the least that any pod used",
        now: "memory decides and asks for more, and would do so with any number of such pods; it leads if the number is another without memory".to_owned(),
        alarm: "-".to_owned(),
        finding: "HPA904: with such pods memory asks for as many replicas as there are, or for more".to_owned(),
        past: "`simulate` plays no HPA that no number of replicas brings below its target".to_owned(),
        why: "Replicas that stay up cost money, which a finding is about; a page says so in the row `stays up`. It leads only where the HPA \
              goes up without end.",
    }
}

fn demand() -> ConditionRow {
    ConditionRow {
        name: "unmet replicas",
        summary: "How many replicas are lacking.",
        evidence: "the decision of the sync, and the ready pods that the target reports; during a rollout these include the surge",
        now: "`list`, UNMET: those beyond maxReplicas, plus wanted ones that are not ready".to_owned(),
        alarm: "those beyond maxReplicas; pods that are not ready have alarms of their own".to_owned(),
        finding: "-".to_owned(),
        past: "`simulate`: the fewest replicas with which the load is at the target. Its load of now is the usage of the pods that are ready".to_owned(),
        why: "The controller rounds utilization down and the replicas up, and scales only outside the tolerance, so it can ask for one more \
              or for fewer than a simulation needs.",
    }
}

fn time(seconds: f64) -> String {
    let time = SignedDuration::try_from_secs_f64(seconds);
    time.map_or_else(|_| String::new(), rough)
}
