//! The report of `history`, compared with what happened.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::run::{Rescale, Run, SeenSync};

/// How much later a change is in kube-state-metrics than in the API server, at most.
const WAY: SignedDuration = SignedDuration::from_secs(5);

/// How often metrics-server reads the kubelet.
const READ_EVERY: SignedDuration = SignedDuration::from_secs(15);

/// Fails unless the report has every rescale, with its sizes, at its time; two between the same scrapes may be one.
#[track_caller]
pub(super) fn assert_reports(run: &Run, report: &Value, truth: &[Rescale]) {
    let reported = rescales_of(report);
    let mut real = truth.iter();
    for one in &reported {
        let real: Vec<Rescale> = until(&mut real, one.to);
        let context = || {
            format!(
                "{}: {one:#?}\nreported {reported:#?}\nreal {truth:#?}",
                report["server"]
            )
        };
        let (Some(first), Some(last)) = (real.first(), real.last()) else {
            panic!("there is no such rescale: {}", context());
        };
        assert_eq!((one.from, one.to), (first.from, last.to), "{}", context());
        let late = gap(run, report, one.at) + run.period + WAY;
        for real in &real {
            assert!(
                one.at.duration_since(real.at).abs() <= late,
                "{}",
                context()
            );
        }
    }
    // What happens after the last scrape is in no series yet.
    let seen_until = run.to - gap(run, report, run.to);
    assert_eq!(
        real.find(|one| one.at < seen_until),
        None,
        "not reported: {reported:#?}"
    );
}

/// Takes rescales up to the first that leads to so many replicas.
fn until<'a>(real: &mut impl Iterator<Item = &'a Rescale>, to: i64) -> Vec<Rescale> {
    let mut taken = Vec::new();
    for one in real {
        taken.push(*one);
        if one.to == to {
            break;
        }
    }
    taken
}

/// How long nothing was seen around a time.
fn gap(run: &Run, report: &Value, at: Timestamp) -> SignedDuration {
    let interval = report["series"][0]["intervalSeconds"].as_f64().unwrap();
    let interval = SignedDuration::from_secs_f64(interval);
    let margin = interval * 2;
    match run.silence {
        Some((begin, end)) if begin - margin <= at && at <= end + margin => {
            end.duration_since(begin) + margin
        }
        _ => margin,
    }
}

/// Fails unless nearly all rescales are recomputed, what is certain is right, and none is invented. Of a hundred syncs that are
/// certain, so many may be wrong: where cAdvisor is not scraped as often as it counts, a sample can be missing that metrics-server had.
#[track_caller]
pub(super) fn assert_as_sure_as_it_says(run: &Run, way: &str, reports: &[Value], wrong: usize) {
    let (mut seen, mut exact) = (0, 0);
    for report in reports {
        let name = report["name"].as_str().unwrap();
        let syncs = run.syncs(name, &["--prometheus", way]);
        assert_certain_is_right(&syncs, name, wrong);
        assert_none_invented(run, &syncs, name);
        for one in report["rescales"].as_array().unwrap() {
            let doubts = one["doubts"].as_array().unwrap();
            // A sync between two scrapes on a slow machine leaves no status behind.
            if !doubts.iter().any(|doubt| doubt == "unseen") {
                seen += 1;
                exact += i32::from(one["recomputed"] == one["to"]);
            }
        }
    }
    let rescales: Vec<&Value> = reports.iter().map(|report| &report["rescales"]).collect();
    assert!(
        85 * seen <= 100 * exact,
        "{way}: {exact} of {seen} are exact: {rescales:#?}"
    );
}

/// Fails if more than so many of a hundred syncs that are certain are wrong, or none is certain.
#[track_caller]
pub(super) fn assert_certain_is_right(syncs: &[SeenSync], name: &str, wrong: usize) {
    let certain = || syncs.iter().filter(|sync| sync.is_certain);
    let count = certain().count();
    assert!(0 < count, "nothing is certain of {name}");
    let is_wrong = |sync: &&SeenSync| sync.recomputed != Some(sync.replicas);
    let found: Vec<&SeenSync> = certain().filter(is_wrong).collect();
    let allowed = (count * wrong).div_ceil(100);
    assert!(found.len() <= allowed, "{name}: {found:#?}");
}

/// A change is invented if the controller did not make it then, nor one sync earlier or later: a scrape right before a sync cannot say
/// which of the two it shows. Of a hundred syncs that are not certain one may be: no series says of which new pods metrics-server had
/// a sample. Syncs between two of its reads have the same samples, so they count as one.
#[track_caller]
fn assert_none_invented(run: &Run, syncs: &[SeenSync], name: &str) {
    let truth = run.truth(name);
    let is_invented = |pair: &&[SeenSync]| {
        let (before, sync) = (&pair[0], &pair[1]);
        let is_near = |real: &Rescale| real.at.duration_since(sync.at).abs() <= run.period * 2;
        let is_real = |recomputed: i64| {
            let is_it = |real: &Rescale| [real.from, real.to].contains(&recomputed);
            truth.iter().any(|real| is_near(real) && is_it(real))
        };
        let changed = sync.recomputed.filter(|one| *one != sync.replicas);
        before.replicas == sync.replicas && changed.is_some_and(|one| !is_real(one))
    };
    let uncertain = syncs.iter().filter(|sync| !sync.is_certain).count();
    let invented: Vec<_> = syncs.windows(2).filter(is_invented).collect();
    let is_certain = invented.iter().any(|pair| pair[1].is_certain);
    let mut count = 0;
    let mut counted: Option<&SeenSync> = None;
    for sync in invented.iter().map(|pair| &pair[1]) {
        let has_same_samples = counted.is_some_and(|one| {
            let elapsed = sync.at.duration_since(one.at);
            elapsed < READ_EVERY && one.recomputed == sync.recomputed
        });
        if !has_same_samples {
            count += 1;
            counted = Some(sync);
        }
    }
    assert!(
        !is_certain && count <= uncertain.div_ceil(100),
        "{name}: {invented:?}\nreal {truth:#?}"
    );
}

fn rescales_of(report: &Value) -> Vec<Rescale> {
    let one = |value: &Value| Rescale {
        at: value["time"].as_str().unwrap().parse().unwrap(),
        from: value["from"].as_i64().unwrap(),
        to: value["to"].as_i64().unwrap(),
    };
    report["rescales"]
        .as_array()
        .unwrap()
        .iter()
        .map(one)
        .collect()
}
