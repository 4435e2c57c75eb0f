//! The first lines in situations drawn at random: they fit, say what to do or why nothing, name the pods that change the number,
//! and have the numbers that lead to it.

use std::sync::LazyLock;

use hpa_analysis::Analysis;
use hpa_diagnosis::{
    other_writer::{UndoneWrite, undone_now},
    pods_not_running::existing_pods,
};
use hpa_engine::{
    model::{Direction, Pod, ScalingRules, SyncInput},
    trace::{Decision, PodClass},
};
use hpa_explain::{Decider, ExplainContext, FullAnswer, Overview, Urgency, Verdict};
use hpa_testing::World;
use hpa_words::{clock::Clock, wrap::wrap};
use jiff::tz::TimeZone;
use proptest::prelude::*;
use regex::Regex;

use crate::generate::situation::{Situation, situation};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn first_lines_are_short_end_with_a_step_name_pods_and_can_be_recomputed(situation in situation()) {
        holds(&situation)?;
    }
}

/// All that holds for the first lines of a situation.
fn holds(situation: &Situation) -> Result<(), TestCaseError> {
    let world = situation.world();
    let analysis = analysis(&world);
    let clock = Clock::new(TimeZone::UTC, world.now);
    let cx = ExplainContext::new(&world.observation, &world.context, &analysis, &clock);
    let answer = FullAnswer::of(&cx);
    let text = answer.text();
    prop_assert!(wrap(&text, 80).len() <= 4, "{text}");
    let is_all_clear = text.contains("Nothing to do: ");
    prop_assert!(
        answer.command.is_some() || is_all_clear || ADVICE.is_match(&text),
        "{text}"
    );
    if is_all_clear {
        let overview = Overview::new(&cx, false);
        prop_assert!(
            matches!(overview.urgency, Urgency::None | Urgency::Scaling),
            "{:?}: {text}",
            overview.urgency
        );
        prop_assert!(overview.unmet.above_max.unwrap_or(0) == 0, "{text}");
    }
    recomputed(&text)?;
    averaged(&text)?;
    let spec = &world.observation.hpa.spec;
    bounded(&text, spec.min_replicas(), spec.max_replicas)?;
    introduced(&answer)?;
    let decided = matches!(
        analysis.trace.decision,
        Decision::Hold { .. } | Decision::Rescale { .. }
    );
    let waiting = waiting(&world, &cx);
    // Where the inputs may have moved, the answer is to look again.
    let is_open = text.contains("run this again");
    let is_edited = text.contains("edit");
    // A program that writes again and again comes before pods.
    let is_fought = answer.command.as_ref().is_some_and(|command| {
        command.contains("--show-managed-fields") && text.contains(" after the HPA had ")
    });
    let is_about_pods = cx.facts.failed().is_empty() && !is_fought;
    if decided && !is_open && is_about_pods && !waiting.is_empty() {
        let is_named = waiting.iter().any(|pod| text.contains(&pod.name));
        // Those without a node are named by the command.
        let command = answer.command.clone().unwrap_or_default();
        let is_in_command = waiting.iter().any(|pod| command.contains(&pod.name));
        prop_assert!(is_named || is_in_command, "{text}");
        all_named(&text, &waiting)?;
    }
    if decided && !is_open && !is_edited && cx.contradiction().is_none() {
        for failed in cx.facts.failed() {
            prop_assert!(text.to_lowercase().contains(&failed.name()), "{text}");
        }
    }
    // A program that writes again and again also comes before what a quota would refuse, and what an old recommendation asks for
    // for some minutes is nothing that the load needs.
    let is_passing = cx.rule.decider() == Decider::OldRecommendation;
    let is_binding = decided && !is_open && !is_fought && !is_passing;
    if is_binding && cx.contradiction().is_none() && cx.kept_instead().is_none() {
        let allowed = situation.allowed();
        binding(&text, &cx, allowed.and_then(|one| i32::try_from(one).ok()))?;
    }
    if decided && !is_open && !is_edited && cx.contradiction().is_none() {
        written(&world, &cx, &text)?;
        held(&cx, &text)?;
    }
    let own = existing_pods(&world.observation, &world.context);
    let mut waits = own.iter().map(|pod| pod.waiting.as_deref());
    let crashes = waits.any(|why| why == Some("CrashLoopBackOff"));
    let command = answer.command.as_deref().unwrap_or_default();
    // Pods without a node may lead, and pods that are added to the average.
    let describes = command.starts_with("kubectl describe pod")
        && !text.contains("Pending (")
        && !has_added(&cx);
    prop_assert!(!crashes || !describes, "{text}");
    let verdict = Verdict::of(&cx);
    if let (Decision::Rescale { from, to, .. }, None) = (&analysis.trace.decision, cx.range()) {
        let headline = format!("SCALES {from} → {to}");
        prop_assert!(
            verdict.headline.starts_with(&headline),
            "{}",
            verdict.headline
        );
    }
    agrees(&verdict, &text, cx.facts.failed().is_empty())
}

/// A constraint that defeats what the answer promises or advises is named, and the HPA has not done its part where it scales.
fn binding(text: &str, cx: &ExplainContext<'_>, allowed: Option<i32>) -> Result<(), TestCaseError> {
    let trace = cx.facts.trace;
    let current = trace.current().unwrap();
    let sets = trace.decision.replicas().unwrap();
    prop_assert!(sets == current || !text.contains("done its part"), "{text}");
    let rules = cx.facts.observation.hpa.spec.rules(Direction::Up);
    let is_off = rules.is_some_and(ScalingRules::is_disabled);
    prop_assert!(
        !is_off || !RAISED.is_match(text) || text.contains("scaleUp.selectPolicy"),
        "{text}"
    );
    let Some(allowed) = allowed else {
        return Ok(());
    };
    let promised = PROMISED.captures_iter(text).filter_map(|found| {
        let number = found.iter().skip(1).flatten().next()?;
        number.as_str().parse::<i32>().ok()
    });
    // A metric that fails matters more than what comes later.
    let is_clear = cx.facts.failed().is_empty();
    let last = cx.analysis.timeline.last().filter(|_| is_clear);
    let later = last.map_or(sets, |last| last.to);
    let most = promised.chain([sets, later]).max().unwrap();
    let lower = text.to_lowercase();
    let names_quota = lower.contains("quota few") || lower.contains("below: few allows");
    let longer = format!("{text} Quota few allows only {allowed} replicas.");
    let has_room = wrap(&longer, 80).len() <= 4;
    prop_assert!(
        most <= allowed || most <= current || names_quota || !is_clear && !has_room,
        "{most} of {allowed}: {text}"
    );
    // What it is raised to is enough for what the HPA sets.
    for found in ENOUGH.captures_iter(text) {
        let enough: i32 = found[1].parse().unwrap();
        prop_assert!(sets <= enough && allowed < enough, "{text}");
    }
    Ok(())
}

/// What another writer set is named once where the HPA undoes it, with the number that the HPA sets and why; nobody is advised to
/// keep what the load does not allow.
fn written(world: &World, cx: &ExplainContext<'_>, text: &str) -> Result<(), TestCaseError> {
    let (observation, context) = (&world.observation, &world.context);
    let decision = &cx.facts.trace.decision;
    let Some(undone) = undone_now(observation, context, decision, world.now) else {
        return Ok(());
    };
    let UndoneWrite { write, to, .. } = undone;
    let edit = format!(" set {} replica", write.replicas);
    // Nothing but more important facts keeps it out.
    let longer = format!("{text} kubectl{edit}s after the HPA had decided on 10.");
    let has_room = wrap(&longer, 80).len() <= 4;
    let is_named = text.contains(&edit);
    prop_assert!(is_named || !has_room, "{edit}: {text}");
    let times = text.matches(" after the HPA had ").count();
    prop_assert_eq!(times, usize::from(is_named), "{}", text);
    let numbers: Vec<&str> = NUMBER.find_iter(text).map(|one| one.as_str()).collect();
    // A metric that fails may leave no room for the one that decides, and of a range no number is known.
    if cx.facts.failed().is_empty() && cx.analysis.range.is_none() {
        let is_set = numbers.contains(&to.to_string().as_str());
        prop_assert!(is_set && REASON.is_match(text), "{to}: {text}");
    }
    let is_kept = text.contains("To keep at least");
    prop_assert!(!is_kept || to < write.replicas, "{to}: {text}");
    Ok(())
}

/// A window that decides comes with its direction and its end.
fn held(cx: &ExplainContext<'_>, text: &str) -> Result<(), TestCaseError> {
    let decider = cx.rule.decider();
    let is_held = cx.facts.failed().is_empty()
        && matches!(decider, Decider::Window | Decider::OldRecommendation);
    prop_assert!(!is_held || WINDOW.is_match(text), "{text}");
    prop_assert!(!text.contains("the window"), "{text}");
    Ok(())
}

/// What programs read agrees with the headline.
fn agrees(verdict: &Verdict, text: &str, has_metrics: bool) -> Result<(), TestCaseError> {
    let headline = verdict.full_headline();
    let is_rescale = headline.starts_with("SCALES");
    prop_assert!(verdict.due.is_some() <= is_rescale, "{headline}");
    prop_assert!(
        verdict.due_by.is_some() <= verdict.due.is_some(),
        "{headline}"
    );
    let stuck = [
        ("CANNOT SCALE UP", vec![Direction::Up]),
        ("CANNOT SCALE DOWN", vec![Direction::Down]),
        ("NOT SCALING", vec![Direction::Up, Direction::Down]),
    ];
    for (start, blocked) in stuck {
        let is_blocked = blocked.iter().all(|one| verdict.blocked.contains(one));
        prop_assert!(
            !headline.starts_with(start) || is_blocked,
            "{headline}: {:?}",
            verdict.blocked
        );
    }
    let is_down_blocked = verdict.blocked.contains(&Direction::Down);
    prop_assert!(has_metrics || is_down_blocked, "{headline}: {text}");
    let is_up_blocked = verdict.blocked.contains(&Direction::Up);
    let is_up_promised = text.contains("It still scales up") || text.contains("It scales up");
    prop_assert!(!is_up_blocked || !is_up_promised, "{text}");
    Ok(())
}

/// Whether pods are added to the average of the metric that decides: they come first.
fn has_added(cx: &ExplainContext<'_>) -> bool {
    let winner = cx.facts.winner();
    let adjusted = winner.filter(|winner| winner.adjustment.is_some());
    let added = adjusted.and_then(|winner| winner.add_back);
    added.is_some_and(|step| !step.added.is_empty())
}

/// Where the text names pods to check, it names or counts all that are not ready or not counted.
fn all_named(text: &str, waiting: &[&Pod]) -> Result<(), TestCaseError> {
    let named = waiting
        .iter()
        .filter(|pod| text.contains(&pod.name))
        .count();
    let more: usize = MORE
        .captures_iter(text)
        .map(|one| one[1].parse::<usize>().unwrap())
        .sum();
    let is_partial = text.contains("Pending (") || text.contains(" in CrashLoopBackOff (");
    let is_early = |pod: &&&Pod| pod.is_ready();
    let early = waiting.iter().filter(is_early).count();
    prop_assert!(
        named == 0 || is_partial || waiting.len() <= named + more + early,
        "{named} and {more} of {}: {text}",
        waiting.len()
    );
    Ok(())
}

static MORE: LazyLock<Regex> = LazyLock::new(|| Regex::new("and ([0-9]+) more").unwrap());

fn analysis(world: &World) -> Analysis {
    Analysis::new(&SyncInput {
        observation: world.observation.clone(),
        context: world.context.clone(),
        memory: world.memory.clone(),
        now: world.now,
    })
}

/// The target's pods that are not ready, or that the deciding metric does not count.
fn waiting<'w>(world: &'w World, cx: &ExplainContext<'_>) -> Vec<&'w Pod> {
    let pods = world.observation.pods.read().unwrap();
    let groups = cx.facts.winner().and_then(|winner| winner.groups);
    let is_counted = |name: &str| {
        groups.is_none_or(|groups| {
            groups
                .pods
                .iter()
                .any(|one| pods[one.pod].name == name && one.class == PodClass::Ready)
        })
    };
    let own = existing_pods(&world.observation, &world.context);
    let waits = |pod: &&Pod| !pod.is_ready() || !is_counted(&pod.name);
    own.into_iter().filter(waits).collect()
}

/// Every calculation leads to its result, and its result to the replicas that are asked for.
fn recomputed(text: &str) -> Result<(), TestCaseError> {
    for found in CALCULATION.captures_iter(text) {
        let number = |name: &str| {
            found
                .name(name)
                .map(|one| one.as_str().parse::<f64>().unwrap())
        };
        let (usage, target) = (number("usage").unwrap(), number("target").unwrap());
        let product = usage / target * number("pods").unwrap_or(1.0);
        let printed = number("product").unwrap();
        // Usage and target are printed with as many digits as it takes to tell them apart.
        prop_assert!(
            (product - printed).abs() <= 0.06 + printed * 0.01,
            "{product}: {text}"
        );
        if let Some(asks) = number("asks") {
            prop_assert!((printed.ceil() - asks).abs() < 1e-9, "{text}");
        }
    }
    Ok(())
}

/// The average over pods that are added back follows from the pods that the sentence counts.
fn averaged(text: &str) -> Result<(), TestCaseError> {
    let Some(found) = AVERAGE.captures(text) else {
        return Ok(());
    };
    let number = |name: &str| {
        found
            .name(name)
            .map_or(0.0, |one| one.as_str().parse().unwrap())
    };
    let sum = |of: &Regex, text: &str| -> f64 {
        of.captures_iter(text)
            .map(|one| one[1].parse::<f64>().unwrap())
            .sum()
    };
    let left_out = found
        .name("left")
        .map_or(0.0, |left| sum(&NUMBER, left.as_str()));
    let absent = sum(&ABSENT, &found["absent"]);
    let added = found
        .name("added")
        .map_or(absent, |added| added.as_str().parse().unwrap());
    let counted = number("all") - added - left_out;
    let average = (number("at") * counted + number("fill") * added) / (counted + added);
    // What is printed is cut off.
    prop_assert!(
        (average - number("average")).abs() <= 1.5,
        "{average}: {text}"
    );
    Ok(())
}

/// A number beyond a bound comes with the bound.
fn bounded(text: &str, min: i32, max: i32) -> Result<(), TestCaseError> {
    for found in ASKED.captures_iter(text) {
        let asks: i32 = found[1].parse().unwrap();
        prop_assert!(asks <= max || text.contains("maxReplicas"), "{text}");
        prop_assert!(min <= asks.max(1) || text.contains("minReplicas"), "{text}");
    }
    Ok(())
}

/// A simulation comes with what it is for, and that it changes nothing.
fn introduced(answer: &FullAnswer) -> Result<(), TestCaseError> {
    let command = answer.command.as_deref().unwrap_or_default();
    let text = answer.text();
    let is_introduced =
        text.ends_with("nothing changes):") || text.ends_with("nothing is written):");
    prop_assert!(
        is_introduced || !command.contains("hpa simulate"),
        "{text}\n{command}"
    );
    Ok(())
}

static AVERAGE: LazyLock<Regex> = LazyLock::new(|| {
    let average = r"is at (?<at>[0-9.]+)(?:%|m) ?(?:per pod )?\(target [^)]*\), but (?<absent>[0-9]+ of (?<all>[0-9]+) pods .*?), (?:which|of which (?<added>[0-9]+)) counts? as (?<fill>[0-9.]+)(?:%|m)? for a scale-(?:up|down)(?: \((?<left>.*?) left out\))?: (?<average>[0-9.]+)(?:%|m) ";
    Regex::new(average).unwrap()
});

static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("([0-9]+) (?:of [0-9]+ pods? )?(?:is|are|has|have|became)").unwrap()
});

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new("([0-9]+)").unwrap());

static REASON: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("asks? for|window holds|minReplicas|maxReplicas").unwrap());

static WINDOW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("scale-(up|down) window holds .* until (at most )?([0-9:-]+|the next sync)").unwrap()
});

static ASKED: LazyLock<Regex> = LazyLock::new(|| Regex::new("asks? for ([0-9]+) replica").unwrap());

static CALCULATION: LazyLock<Regex> = LazyLock::new(|| {
    let calculation = r"(?:asks for (?<asks>[0-9]+) replicas? \()?(?<usage>[0-9.]+)(?:m|%| MiB| in total)? / (?<target>[0-9.]+)(?:m|%| MiB)?(?: × (?<pods>[0-9]+) (?:ready |counted )?pods?)? = (?<product>[0-9]+(?:\.[0-9]+)?)";
    Regex::new(calculation).unwrap()
});

static RAISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("raise maxReplicas|raising it|To try [0-9]").unwrap());

/// Replicas that a remedy or a load leads to.
static PROMISED: LazyLock<Regex> = LazyLock::new(|| {
    let promised = r"raise maxReplicas \(to ([0-9]+)|To try ([0-9]+) |It scales up to ([0-9]+)|At this load (?:it|the HPA) scales (?:up )?to ([0-9]+)";
    Regex::new(promised).unwrap()
});

static ENOUGH: LazyLock<Regex> = LazyLock::new(|| Regex::new("pods=([0-9]+)").unwrap());

/// What tells the reader what to do, where no command does.
static ADVICE: LazyLock<Regex> = LazyLock::new(|| {
    let advice = r"Fix: |Remove metric [0-9]+: |until container .* has a |[Cc]heck |add node capacity|[Rr]aise (maxReplicas|it|quota)|use AverageValue|If that is not intended, remove|too slow, shorten |set both\.|If these steps are too slow, |if that is unexpected, check|The HPA counts .* from |the others may follow|That ends by itself|Wait until the update ends|Look again after|run this again in |takes effect at the next sync|Give new pods a minute|See \x22";
    Regex::new(advice).unwrap()
});
