//! `history` with real answers of Prometheus, and with everything that can be missing from them.
//!
//! They are those of `crates/hpa-history/tests/answers`: 2 → 3 → 4 → 6 → 7 → 10 → 7 → 6 → 4 → 2 replicas in eleven
//! minutes.

use std::{
    fs::File,
    io::Read as _,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use flate2::read::GzDecoder;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::fake::{Asked, Fake, Reply, SERVICE, span};
use crate::{
    lint_live::plugin_of,
    plugin::{Plugin, Run},
    server::Server,
    world::{HPAS, PODS, SCALE, list},
};

/// Start of the time range.
pub(crate) const FROM: &str = "2026-11-26T01:00:50Z";
/// End of the time range.
pub(crate) const TO: &str = "2026-11-26T01:11:40Z";

/// The words of `history` of the whole past, read from `url`.
pub(super) fn of_the_past(url: &str) -> [&str; 8] {
    [
        "history",
        "web",
        "--prometheus",
        url,
        "--from",
        FROM,
        "--to",
        TO,
    ]
}

fn recorded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/hpa-history/tests/answers");
    let file = File::open(folder.join(name)).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// The current HPA with its context.
pub(super) fn today() -> Value {
    serde_json::from_str(&recorded("today.json.gz")).unwrap()
}

pub(super) fn series() -> &'static Vec<Value> {
    static SERIES: OnceLock<Vec<Value>> = OnceLock::new();
    SERIES.get_or_init(|| serde_json::from_str(&recorded("prometheus.json.gz")).unwrap())
}

/// Whether a query selects a series, by its name and by whether it has a container.
fn is_asked(query: &str, labels: &Value) -> bool {
    let name = labels["__name__"].as_str().unwrap();
    if query.contains("container!=\"\"") && labels.get("container").is_none() {
        return false;
    }
    for label in ["condition", "status"] {
        if let Some((_, rest)) = query.split_once(&format!(",{label}=\""))
            && labels[label].as_str() != rest.split('"').next()
        {
            return false;
        }
    }
    let names = match query.split_once("__name__=~\"") {
        Some((_, rest)) => rest.split('"').next().unwrap(),
        None => query.split('{').next().unwrap(),
    };
    names.split('|').any(|one| one == name)
}

/// Prometheus' answer from these series, after `change` of each sample; `None` drops the sample.
pub(super) fn answer(
    series: &[Value],
    asked: &Asked,
    change: &dyn Fn(&Value, f64, &str) -> Option<String>,
) -> Reply {
    let (from, to) = span(asked);
    let query = &asked.query["query"];
    let mut found = Vec::new();
    for one in series {
        let labels = &one["metric"];
        if !is_asked(query, labels) {
            continue;
        }
        let samples = one["values"].as_array().unwrap().iter().filter_map(|pair| {
            let time = pair[0].as_f64().unwrap();
            #[expect(clippy::cast_possible_truncation, reason = "a time of a test")]
            let millis = (time * 1000.0).round() as i64;
            let is_within = from < millis && millis <= to;
            let value = change(labels, time, pair[1].as_str().unwrap())?;
            is_within.then(|| json!([time, value]))
        });
        let samples: Vec<Value> = samples.collect();
        if !samples.is_empty() {
            found.push(json!({"metric": labels, "values": samples}));
        }
    }
    Reply::series(&Value::Array(found))
}

/// The past of a cluster with the current HPA.
pub(crate) struct World {
    prometheus: Fake,
    /// The binary whose kubeconfig has the cluster.
    pub(crate) plugin: Plugin,
    /// The API server of the cluster.
    pub(crate) server: Server,
}

impl World {
    pub(crate) fn new(
        change: impl Fn(&Value, f64, &str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self::of(&today()["hpa"], move |asked| {
            answer(series(), asked, &change)
        })
    }

    /// With this HPA as it is today, and these answers of Prometheus.
    pub(super) fn of(
        hpa: &Value,
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let today = today();
        let server = Server::start();
        server
            .set_json(HPAS, &list(vec![hpa.clone()]))
            .set_json(SCALE, &today["scale"])
            .set_json(PODS, &list(today["pods"].as_array().unwrap().clone()))
            .set_json(
                "/version",
                &json!({"gitVersion": "v1.37.2", "platform": "linux/amd64"}),
            );
        Self {
            prometheus: Fake::prometheus(answer),
            plugin: Plugin::of(&server).with("TZ", "UTC"),
            server,
        }
    }

    /// The unchanged past.
    pub(crate) fn whole() -> Self {
        Self::new(|_, _, value| Some(value.to_owned()))
    }

    /// The past of so many HPAs that all did the same.
    pub(crate) fn of_many(count: usize) -> Self {
        const NAME: &str = "horizontalpodautoscaler";
        let named = |index: usize| json!(format!("web-{index:03}"));
        let (of_hpas, others): (Vec<Value>, Vec<Value>) = series()
            .iter()
            .cloned()
            .partition(|one| one["metric"].get(NAME).is_some());
        let copies = (0..count).flat_map(|index| {
            let mut copies = of_hpas.clone();
            for one in &mut copies {
                one["metric"][NAME] = named(index);
            }
            copies
        });
        let series: Vec<Value> = others.into_iter().chain(copies).collect();
        let hpa = today()["hpa"].clone();
        let world = Self::of(&hpa, move |asked| {
            answer(&series, asked, &|_, _, value| Some(value.to_owned()))
        });
        let hpas = (0..count).map(|index| {
            let mut hpa = hpa.clone();
            hpa["metadata"]["name"] = named(index);
            hpa
        });
        world.server.set_json(HPAS, &list(hpas.collect()));
        world
    }

    /// A past of which a read of this series has no answer, as long as `is_stalled`.
    pub(crate) fn stalling(series_name: &'static str, is_stalled: &Arc<AtomicBool>) -> Self {
        let is_stalled = Arc::clone(is_stalled);
        Self::of(&today()["hpa"], move |asked| {
            let never = is_stalled.load(Ordering::SeqCst)
                && asked
                    .query
                    .get("query")
                    .is_some_and(|query| query.contains(series_name));
            let hours = u64::from(never);
            answer(series(), asked, &|_, _, value| Some(value.to_owned()))
                .after(Duration::from_hours(hours))
        })
    }

    /// Number of requests that the monitoring server got.
    pub(crate) fn requests(&self) -> usize {
        self.prometheus.seen().len()
    }

    /// Number of reads of a series.
    pub(crate) fn reads(&self, series_name: &str) -> usize {
        let queries = self.prometheus.queries();
        let is_one = |asked: &&Asked| asked.query["query"].contains(series_name);
        queries.iter().filter(is_one).count()
    }

    pub(crate) fn history(&self, words: &[&str]) -> Run {
        let url = self.prometheus.url();
        let fixed = ["history", "web", "--prometheus", &url, "--time-zone", "UTC"];
        let words: Vec<&str> = fixed.into_iter().chain(words.iter().copied()).collect();
        let mut run = self.plugin.run(&words);
        run.stdout = run.stdout.replace(&url, "http://prometheus");
        run
    }

    /// The address of Prometheus.
    pub(crate) fn url(&self) -> String {
        self.prometheus.url()
    }

    /// The JSON output of the command, for a server called `http://prometheus`.
    pub(crate) fn json(&self) -> Value {
        let run = self.history(&["--from", FROM, "--to", TO, "-o", "json"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        serde_json::from_str(&run.stdout).unwrap()
    }
}

#[test]
fn page_says_what_happened_why_and_how_sure_that_is() {
    let run = World::whole().history(&["--from", FROM, "--to", TO]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn one_sync_has_its_page_and_how_it_is_known() {
    let run = World::whole().history(&["--from", FROM, "--to", TO, "--at", "2026-11-26T01:06:20Z"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    insta::assert_snapshot!(run.stdout);
}

impl World {
    /// The page of a time as JSON.
    fn page(&self, at: Timestamp) -> Value {
        self.page_within(at, FROM, TO).unwrap()
    }

    /// The same of another past. None: that sync cannot be explained.
    pub(super) fn page_within(&self, at: Timestamp, from: &str, to: &str) -> Option<Value> {
        let at = at.to_string();
        let run = self.history(&["--from", from, "--to", to, "--at", &at, "-o", "json"]);
        if run.stderr.contains(": use another --at, ") {
            return None;
        }
        assert_eq!(run.code, Some(0), "{at}: {run:?}");
        serde_json::from_str(&run.stdout).unwrap()
    }

    /// The error of a time that has no page.
    fn no_page(&self, at: &str) -> String {
        let run = self.history(&["--from", FROM, "--to", TO, "--at", at]);
        assert_eq!(run.code, Some(2), "{at}: {run:?}");
        run.stderr
    }
}

fn time_of(item: &Value, key: &str) -> Timestamp {
    item[key].as_str().unwrap().parse().unwrap()
}

#[test]
fn time_of_a_page_is_a_whole_second_or_exact() {
    let world = World::whole();
    for rescale in &world.json()["rescales"].as_array().unwrap()[1..] {
        let page = world.page(time_of(rescale, "time"));
        assert_eq!(page["verdict"]["from"], rescale["from"]);
        assert_eq!(page["history"]["decided"], rescale["to"]);
        assert_eq!(page["history"]["certainty"], rescale["certainty"]);
        let at = time_of(&page, "at");
        assert_ne!(at.subsec_nanosecond(), 0, "{at}");
        let second = Timestamp::from_second(at.as_second()).unwrap();
        assert_eq!(world.page(second), page);
        let before = world.page(at - SignedDuration::from_millis(1));
        assert!(time_of(&before, "at") < at, "{before:#}");
    }
}

/// With a scrape every 45 s, some rescales are between two scrapes.
#[test]
fn rescale_between_two_scrapes_has_a_page_that_says_so() {
    let world = World::new(|_, time, value| {
        let is_scraped = (time / 15.0).round() % 3.0 == 0.0;
        is_scraped.then(|| value.to_owned())
    });
    let report = world.json();
    let rescales = report["rescales"].as_array().unwrap().iter();
    let unseen: Vec<&Value> = rescales
        .filter(|one| one["doubts"].as_array().unwrap().contains(&json!("unseen")))
        .collect();
    assert!(!unseen.is_empty(), "{report:#}");
    for rescale in unseen {
        let page = world.page(time_of(rescale, "time"));
        let history = &page["history"];
        assert_eq!(page["verdict"]["from"], rescale["from"]);
        assert_eq!(history["certainty"], "likely");
        assert_eq!(history["range"]["min"], rescale["least"]);
        assert_eq!(history["range"]["max"], rescale["most"]);
        assert_eq!(history["doubts"], rescale["doubts"]);
    }
    // What is recomputed is never shown as what the controller did.
    let mut differing = 0;
    for rescale in report["rescales"].as_array().unwrap() {
        let page = world.page(time_of(rescale, "time"));
        let (decided, to) = (&rescale["to"], &page["verdict"]["to"]);
        let is_first = page["verdict"]["sentence"]
            .as_str()
            .unwrap()
            .starts_with(&format!("The controller decided {decided} and not {to}, "));
        assert_eq!(is_first, decided != to, "{page:#}");
        let headline = page["verdict"]["headline"].as_str().unwrap();
        let from = &rescale["from"];
        let expected = if is_first {
            format!("SCALES {from} → {decided} (recomputed: {to})")
        } else {
            format!("SCALES {from} → {to}")
        };
        assert!(headline.starts_with(&expected), "{page:#}");
        differing += i32::from(is_first);
    }
    assert!(0 < differing, "{report:#}");
}

/// The page of the sync before would be the answer to another question.
#[test]
fn time_at_which_nothing_was_decided_has_no_page_of_an_earlier_sync() {
    let is_within = |time: f64, (from, to): (&str, &str)| {
        let millis = |text: &str| format!("2026-11-26T{text}Z").parse::<Timestamp>().unwrap();
        let (from, to) = (millis(from).as_second(), millis(to).as_second());
        #[expect(clippy::cast_precision_loss, reason = "a time of a test")]
        (from as f64..=to as f64).contains(&time)
    };
    let outage = ("01:06:00", "01:08:00");
    let gap =
        World::new(move |_, time, value| (!is_within(time, outage)).then(|| value.to_owned()));
    let error = gap.no_page("2026-11-26T01:07:00Z");
    assert!(
        error.contains(" has no samples of the HPA from 2026-11-26 01:05:"),
        "{error}"
    );
    let first_afterwards = gap.page("2026-11-26T01:08:00.753Z".parse().unwrap());
    let at = first_afterwards["at"].as_str().unwrap();
    assert!(at > "2026-11-26T01:07:40Z", "{first_afterwards:#}");
    let ended = World::new(move |_, time, value| {
        (!is_within(time, ("01:06:00", "02:00:00"))).then(|| value.to_owned())
    });
    let error = ended.no_page("2026-11-26T01:07:00Z");
    assert!(
        error.contains(" shows no sync after 2026-11-26 01:05:"),
        "{error}"
    );
    for (condition, expected) in [
        (
            "ScalingActive",
            "the HPA could not compute its metrics (ScalingActive was False)",
        ),
        (
            "AbleToScale",
            "could not read or change the scale of its target (AbleToScale was False)",
        ),
    ] {
        let world = World::new(move |labels, time, value| {
            let is_false = labels["__name__"] == "kube_horizontalpodautoscaler_status_condition"
                && labels["condition"] == condition
                && is_within(time, outage);
            let value = match labels["status"].as_str() {
                Some("true") if is_false => "0",
                Some("false") if is_false => "1",
                _ => value,
            };
            Some(value.to_owned())
        });
        let error = world.no_page("2026-11-26T01:07:00Z");
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("from 2026-11-26 01:06:"), "{error}");
        let page = world.page("2026-11-26T01:09:30Z".parse().unwrap());
        assert!(
            page["at"].as_str().unwrap() > "2026-11-26T01:09:00Z",
            "{page:#}"
        );
    }
    let error = World::whole()
        .history(&["--from", FROM, "--to", TO, "--at", FROM])
        .stderr;
    assert!(
        error.contains("shows no sync up to 2026-11-26 01:00:50 UTC"),
        "{error}"
    );
}

#[test]
fn past_is_played_again_with_another_spec() {
    let compare = [
        "--from",
        FROM,
        "--to",
        TO,
        "--compare",
        "maxReplicas=20",
        "--price",
        "0.10/pod-h",
    ];
    let run = World::whole().history(&compare);
    assert_eq!(run.code, Some(0), "{run:?}");
    let what_if = run.stdout.split("what if").nth(1).unwrap();
    let what_if = what_if.split("\n\n").next().unwrap();
    insta::assert_snapshot!(what_if);
}

#[test]
fn recording_of_the_past_is_replayed_without_a_difference() {
    let world = World::whole();
    let run = world.history(&["--from", FROM, "--to", TO, "--record", "past.jsonl.gz"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let replayed = world.plugin.run(&["replay", "past.jsonl.gz", "--check"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    let summary = "39 agree with the recording, none differs";
    assert!(replayed.stdout.contains(summary), "{replayed:?}");
    let mut text = String::new();
    let file = File::open(world.plugin.path("past.jsonl.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let history = &line["history"];
        let server = format!("Prometheus {}", world.url());
        assert_eq!(history["server"], server, "{line:#}");
        for (input, known) in [
            ("values", "observed"),
            ("usage", "bounded"),
            ("behavior", "inferred"),
            ("flags", "assumed"),
            ("reasons", "unknown"),
        ] {
            assert_eq!(history["provenance"][input], known, "{line:#}");
        }
    }
    let at = [
        "explain",
        "-f",
        "past.jsonl.gz",
        "--at",
        "2026-11-26T01:06:20Z",
    ];
    let page = world.plugin.run(&at).stdout;
    let sure = "\nhow sure    certain: `kubectl hpa history` read this sync from Prometheus\n";
    assert!(page.contains(sure), "{page}");
    // With another spec it is another decision.
    let changed = [&at[..], &["--set", "maxReplicas=12"]].concat();
    let page = world.plugin.run(&changed).stdout;
    assert!(
        page.contains("maxReplicas") && !page.contains("how sure"),
        "{page}"
    );
    for words in [
        &["lint", "-f", "past.jsonl.gz", "--fail-on", "never"][..],
        &[
            "simulate",
            "-f",
            "past.jsonl.gz",
            "--load",
            "recording:past.jsonl.gz",
            "--for",
            "9m",
            "--seeds",
            "1",
        ],
    ] {
        let run = world.plugin.run(words);
        assert_eq!(run.code, Some(0), "{words:?}: {run:?}");
    }
}

/// Whatever is missing, the page says so, and nothing becomes a zero.
#[test]
fn missing_series_is_named_and_counts_as_nothing() {
    let whole = World::whole().json();
    let least = |output: &Value| {
        let rescales = output["rescales"].as_array().unwrap();
        rescales.iter().map(|one| one["to"].as_i64().unwrap()).min()
    };
    for one in whole["series"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap().to_owned();
        if one["found"] == json!(0) {
            continue;
        }
        let missing = name.clone();
        let world = World::new(move |labels, _, value| {
            (labels["__name__"] != json!(missing)).then(|| value.to_owned())
        });
        let output = world.json();
        let series = output["series"].as_array().unwrap();
        let found = series
            .iter()
            .find(|one| one["name"] == json!(name))
            .unwrap();
        assert_eq!(found["found"], json!(0), "{name}");
        // Not even an unchanged generation shows that windows and policies were those of today.
        let provenance = output["provenance"].as_array().unwrap();
        let behavior = provenance.iter().find(|one| one["input"] == "behavior");
        assert_eq!(behavior.unwrap()["provenance"], "inferred", "{name}");
        assert!(
            least(&output).is_none_or(|least| 2 <= least),
            "{name}: {output}"
        );
        let trust = &output["trust"];
        let counts = |key: &str| trust[key].as_u64().unwrap();
        assert_eq!(
            counts("certain"),
            counts("certainAndRight"),
            "{name}: {trust}"
        );
    }
}

/// Whatever helps most is named first. The page names what is missing all the same.
#[test]
fn page_names_each_missing_series_and_its_setting() {
    let world = World::new(|labels, time, value| {
        let name = labels["__name__"].as_str().unwrap();
        let is_seen = !name.starts_with("kube_") || (time / 15.0).floor() % 2.0 == 0.0;
        let is_missing = name == "kube_horizontalpodautoscaler_info";
        (is_seen && !is_missing).then(|| value.to_owned())
    });
    let run = world.history(&["--from", FROM, "--to", TO]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let words: Vec<&str> = run.stdout.split_whitespace().collect();
    let words = words.join(" ");
    for text in [
        "kube-state-metrics is scraped every 30 s",
        "no samples of kube_horizontalpodautoscaler_info. Allow them in",
        "scale target (as today)",
    ] {
        assert!(words.contains(text), "{text}: {}", run.stdout);
    }
}

#[test]
fn time_without_scrapes_is_a_gap_in_which_nothing_is_reported() {
    // 01:06:00 to 01:08:00.
    let is_gap = |time: f64| (1_795_655_160.0..1_795_655_280.0).contains(&time);
    let world = World::new(move |_, time, value| (!is_gap(time)).then(|| value.to_owned()));
    let output = world.json();
    let intervals = output["intervals"].as_array().unwrap();
    let gap = intervals.iter().find(|one| one["kind"] == json!("noData"));
    assert!(gap.is_some(), "{intervals:?}");
    let rescales = output["rescales"].as_array().unwrap();
    let within = rescales.iter().filter(|one| {
        let time = one["time"].as_str().unwrap();
        ("2026-11-26T01:06:00Z".."2026-11-26T01:07:30Z").contains(&time)
    });
    assert!(
        within
            .into_iter()
            .all(|one| one["certainty"] != json!("certain")),
        "{rescales:?}"
    );
}

#[test]
fn page_for_a_browser_shows_the_gap_and_why_the_replicas_changed() {
    let is_gap = |time: f64| (1_795_655_160.0..1_795_655_280.0).contains(&time);
    let world = World::new(move |_, time, value| (!is_gap(time)).then(|| value.to_owned()));
    let run = world.history(&["--from", FROM, "--to", TO, "-o", "html"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let page = &run.stdout;
    for text in [
        "<!DOCTYPE html>",
        "shade no-data",
        "target 60%",
        "maxReplicas 10",
        ">Nov 26<",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let line = page.split("class=\"line replicas\" d=\"").nth(1).unwrap();
    let line = line.split('"').next().unwrap();
    assert_eq!(line.matches('M').count(), 2, "two pieces: {line}");
}

#[test]
fn time_before_everything_has_no_history_and_says_what_to_check() {
    let world = World::whole();
    let run = world.history(&[
        "--from",
        "2026-11-20T00:00:00Z",
        "--to",
        "2026-11-20T01:00:00Z",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("no samples of shop/web"), "{run:?}");
    assert!(run.stdout.contains("kube-state-metrics"), "{run:?}");
}

/// A sync belongs to one HPA: the time must not be ignored silently.
#[test]
fn page_of_one_sync_needs_the_name_of_one_hpa() {
    let plugin = Plugin::bare();
    for words in [&["-A"][..], &["web-*"], &["web", "api"]] {
        let run = plugin.run(&[&["history", "--at", "03:12"], words].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(
            run.stderr.contains("--at explains one sync of one HPA"),
            "{run:?}"
        );
    }
}

/// Flags about one HPA must not be ignored silently.
#[test]
fn flags_of_one_hpa_are_refused_for_several() {
    let plugin = Plugin::bare();
    for flags in [
        ["--depth", "usage"],
        ["--set", "maxReplicas=3"],
        ["--compare", "maxReplicas=3"],
        ["--price", "0.10/pod-h"],
        ["--record", "past.jsonl"],
        ["--metric-query", "queue=up"],
        ["--assume-tolerance", "0.2"],
    ] {
        for words in [&["-A"][..], &["web-*"], &["web", "api"]] {
            let run = plugin.run(&[&["history"][..], &flags, words].concat());
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
            let problem = "is for one HPA: name it";
            assert!(run.stderr.contains(problem), "{run:?}");
        }
    }
}

#[test]
fn flags_of_a_what_if_are_refused_where_none_is_evaluated() {
    for (flags, problem) in [
        (
            &["--price", "0.10/pod-h"][..],
            "--price is the price of another spec",
        ),
        (
            &["--at", "03:12", "--set", "maxReplicas=3"][..],
            "--at explains one sync as it was",
        ),
        (
            &["-o", "csv", "--set", "maxReplicas=3"],
            "use -o json, which has the what-if",
        ),
        (
            &["-o", "csv", "--compare", "maxReplicas=3"],
            "use -o json, which has the what-if",
        ),
        (
            &["-o", "csv", "--price", "0.10/pod-h"],
            "use -o json, which has the what-if",
        ),
    ] {
        let run = Plugin::bare().run(&[&["history", "web"][..], flags].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(problem), "{run:?}");
    }
}

const CONDITION: &str = "kube_horizontalpodautoscaler_status_condition";

/// Drops the series with this name.
fn without(name: &'static str) -> impl Fn(&Value, f64, &str) -> Option<String> {
    move |labels, _, value| (labels["__name__"] != json!(name)).then(|| value.to_owned())
}

#[test]
fn all_is_well_only_where_the_conditions_show_it() {
    let calm = |world: &World, format: &str| {
        let span = [
            "--from",
            "2026-11-26T01:02:00Z",
            "--to",
            "2026-11-26T01:05:00Z",
        ];
        let run = world.history(&[&span[..], &["-o", format]].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout
    };
    let whole = World::whole();
    let text = calm(&whole, "text");
    assert!(text.contains("\nAll is well: "), "{text}");
    assert!(calm(&whole, "html").contains("ALL WELL"));
    let world = World::new(without(CONDITION));
    let text = calm(&world, "text");
    let unknown = "\nFailures are unknown without samples of the conditions; ";
    assert!(text.contains(unknown), "{text}");
    assert!(calm(&world, "html").contains("CONDITIONS UNKNOWN"));
}

/// The overview of a cluster.
fn overview(cluster: &Fake, format: &str) -> String {
    let words = ["history", "--from", FROM, "--to", TO, SERVICE];
    let words = [&words[..], &["--time-zone=UTC", "-o", format]].concat();
    let run = Plugin::at(&cluster.url()).run(&words);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

#[test]
fn overview_claims_nothing_that_no_condition_shows() {
    let cluster = cluster(without(CONDITION));
    let output: Value = serde_json::from_str(&overview(&cluster, "json")).unwrap();
    assert_eq!(
        output["answer"],
        "Unknown without samples of the conditions: failures of 1 HPA, time at maxReplicas of 1 HPA."
    );
    let seconds = &output["hpas"][0]["seconds"];
    for kind in ["atMax", "metricsFailed", "notAbleToScale"] {
        assert_eq!(seconds[kind], Value::Null, "{seconds}");
    }
    assert_eq!(seconds["flapping"], 0.0, "{seconds}");
    let csv = overview(&cluster, "csv");
    assert!(csv.trim_end().ends_with(",,,,0,0"), "{csv}");
    let text = overview(&cluster, "text");
    assert_eq!(text.matches(CONDITION).count(), 1, "{text}");
    let cells: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
    let expected = ["shop/web", "2–10", "10", "?", "?", "-"];
    assert_eq!(cells[..6], expected, "{text}");
}

#[test]
fn overview_without_a_series_that_it_needs_names_it_and_shows_no_number() {
    for name in [
        "kube_horizontalpodautoscaler_status_desired_replicas",
        "kube_horizontalpodautoscaler_status_current_replicas",
        "kube_horizontalpodautoscaler_spec_max_replicas",
    ] {
        let output = overview(&cluster(without(name)), "json");
        let output: Value = serde_json::from_str(&output).unwrap();
        let answer = output["answer"].as_str().unwrap();
        assert!(answer.starts_with("1 HPA has no samples"), "{answer}");
        let warnings = output["warnings"].as_array().unwrap();
        let [warning] = &warnings[..] else {
            panic!("{warnings:?}");
        };
        assert!(warning.as_str().unwrap().contains(name), "{warning}");
        let hpa = &output["hpas"][0];
        for value in [&hpa["changes"], &hpa["podHours"], &hpa["seconds"]["atMax"]] {
            assert_eq!(*value, Value::Null, "{name}: {hpa}");
        }
    }
}

/// An API server with the current HPA, and its past.
fn cluster(change: impl Fn(&Value, f64, &str) -> Option<String> + Send + Sync + 'static) -> Fake {
    let hpas = list(vec![today()["hpa"].clone()]);
    Fake::prometheus(move |asked| match &*asked.path {
        _ if !asked.way.is_empty() => {
            let query = &asked.query["query"];
            let is_of = |labels: &Value, label: &str| {
                let value = labels[label].as_str().unwrap_or_default();
                !query.contains(&format!("{label}=\""))
                    || query.contains(&format!("{label}=\"{value}\""))
            };
            answer(series(), asked, &|labels, time, value| {
                let is_asked = is_of(labels, "condition") && is_of(labels, "status");
                change(labels, time, value).filter(|_| is_asked)
            })
        }
        HPAS => Reply::json(200, &hpas),
        _ => Reply::json(404, &json!({})),
    })
}

#[test]
fn overview_of_several_clusters_has_the_context_of_each_hpa() {
    let eu = cluster(|_, _, value| Some(value.to_owned()));
    let us = cluster(|_, _, _| None);
    let plugin = plugin_of(&[
        ("down", "http://127.0.0.1:1"),
        ("eu", &eu.url()),
        ("us", &us.url()),
    ]);
    let overview = |format: &str| {
        let words = ["history", "--all-contexts", "--from", FROM, "--to", TO];
        let run = plugin.run(&[&words[..], &[SERVICE, "--time-zone=UTC", "-o", format]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(
            run.stderr.starts_with(
                "error: context down: the connection to the server http://127.0.0.1:1 "
            ),
            "{run:?}"
        );
        run.stdout
    };
    let output: Value = serde_json::from_str(&overview("json")).unwrap();
    let hpas = output["hpas"].as_array().unwrap();
    let of = |hpa: &Value| [&hpa["context"], &hpa["name"], &hpa["most"]].map(Clone::clone);
    assert_eq!(
        hpas.iter().map(of).collect::<Vec<_>>(),
        [
            [json!("eu"), json!("web"), json!(10)],
            [json!("us"), json!("web"), Value::Null]
        ]
    );
    assert_eq!(output["server"], Value::Null);
    let contexts = output["contexts"].as_array().unwrap();
    let read: Vec<bool> = contexts.iter().map(|one| one["error"].is_null()).collect();
    assert_eq!(read, [false, true, true], "{contexts:#?}");
    assert_eq!(
        contexts[1]["server"],
        "Prometheus monitoring/prometheus:9090"
    );
    let csv = overview("csv");
    assert!(csv.starts_with("context,namespace,name,"), "{csv}");
    assert!(csv.contains("\neu,shop,web,"), "{csv}");
    let text = overview("text");
    assert!(text.starts_with("2 HPAs of 2 of 3 contexts   "), "{text}");
    assert!(text.contains("\nCONTEXT  HPA       REPLICAS"), "{text}");
    assert!(text.contains("\neu       shop/web  2–10"), "{text}");
}
