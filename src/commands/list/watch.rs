//! `--watch`: after the table, a line whenever the row of an HPA changes.
//!
//! Watches report changes; only the metrics, which cannot be watched, are read once per sync period. `lint` findings
//! are refreshed when an HPA is new or edited, and periodically, since that takes lists of everything.

use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
    mem,
    pin::pin,
    time::Duration,
};

use anyhow::bail;
use futures::{FutureExt as _, StreamExt as _, future::LocalBoxFuture, stream::FuturesUnordered};
use hpa_cluster::{Client, ClusterError, InformerChange, Informers, Polled, Selection};
use hpa_engine::model::{HpaKey, Source};
use hpa_objects::recording::{visible, wire::HpaSpec};
use hpa_playback::strictest;
use hpa_render::{
    Style,
    list::{Causes, ErrorFinding, ListRow, ListTable, ListView, ListedHpa, not_read, not_read_of},
};
use tokio::time::{Instant, sleep_until};

use super::{
    liveness::{Liveness, News, trying_again},
    print,
    read::{self, EvaluatedHpa, ListRead, read},
    say,
};
use crate::{cli::ListArgs, commands::explain::OutputFormat, exit_code::ExitStatus};

/// The format of changed lines.
pub(super) enum LineFormat {
    /// As in the table.
    Table(ListTable),
    /// An item of the JSON on a line of its own.
    Json,
}

impl LineFormat {
    /// The line format for an output format.
    pub(super) fn of(format: &OutputFormat, table: ListTable) -> anyhow::Result<Self> {
        match format {
            OutputFormat::Json => Ok(Self::Json),
            OutputFormat::Text => Ok(Self::Table(table)),
            _ => bail!("--watch goes with -o text, wide and json"),
        }
    }

    /// The lines of these HPAs.
    pub(super) fn write(&mut self, rows: &[&ListRow]) -> anyhow::Result<String> {
        match self {
            Self::Table(table) => Ok(table.lines(rows)),
            Self::Json => {
                let mut text = String::new();
                for row in rows {
                    text.push_str(&visible::json(&ListedHpa::from(*row))?);
                    text.push('\n');
                }
                Ok(text)
            }
        }
    }
}

/// Follows the HPAs, and writes changes. Ends only if nothing can be written any more.
pub(super) async fn watch(
    args: &ListArgs,
    (client, selection): (&Client, &Selection),
    first: ListView,
    period: Duration,
    lines: LineFormat,
    style: Style,
) -> anyhow::Result<ExitStatus> {
    let mut listing = Listing {
        args,
        selection,
        client,
        style,
        lines,
        period,
        hpas: BTreeMap::new(),
        base: ListView::default(),
        reported: Vec::new(),
    };
    report(not_read(&first, false, style), &mut listing.reported);
    for row in &first.rows {
        let watched = WatchedRow {
            row: Some(row.clone()),
            ..WatchedRow::default()
        };
        listing.hpas.insert(key(row), watched);
    }
    listing.take_findings(first);
    let mut liveness = Liveness::new(client);
    loop {
        let started = listing.hearing_of(&mut liveness, Informers::start(client, selection));
        match Box::pin(started).await {
            Ok(informers) => match FollowedHpas::new(listing, informers, liveness)
                .run()
                .await? {},
            // Until there is one.
            Err(ClusterError::NoHpa(_)) => {}
            // This was already reported.
            Err(_) if liveness.is_silent() => {}
            Err(error) => report(
                vec![trying_again(&format!("{error:#}"))],
                &mut listing.reported,
            ),
        }
        listing
            .hearing_of(&mut liveness, tokio::time::sleep(period))
            .await;
    }
}

/// The displayed list and its options.
struct Listing<'a> {
    args: &'a ListArgs,
    selection: &'a Selection,
    client: &'a Client,
    style: Style,
    lines: LineFormat,
    /// The sync period.
    period: Duration,
    hpas: BTreeMap<HpaKey, WatchedRow>,
    /// Everything known except the HPAs.
    base: ListView,
    reported: Vec<String>,
}

/// One HPA.
#[derive(Default)]
struct WatchedRow {
    /// The row of its line; none: there was none yet.
    row: Option<ListRow>,
    evaluated: Option<EvaluatedHpa>,
    errors: Vec<ErrorFinding>,
    /// What `lint` has checked.
    linted: Option<(HpaSpec, bool)>,
    unsettled: Option<Unsettled>,
}

/// A row that differs from the displayed one but may be transient: during a rescale, status and replicas are written
/// one after the other.
struct Unsettled {
    row: ListRow,
    /// Since when it has been like this.
    since: Instant,
    /// Since when it differs.
    first: Instant,
}

impl WatchedRow {
    /// Whether a row that differs from the displayed one is stable, or has been changing for a whole period.
    fn has_settled(&mut self, row: &ListRow, now: Instant, period: Duration) -> bool {
        let unsettled = self.unsettled.get_or_insert_with(|| Unsettled {
            row: row.clone(),
            since: now,
            first: now,
        });
        if !unsettled.row.looks_like(row) {
            unsettled.row = row.clone();
            unsettled.since = now;
        }
        settling(period) <= now - unsettled.since || period <= now - unsettled.first
    }
}

/// A row is shown once it has been stable for this long.
fn settling(period: Duration) -> Duration {
    SETTLING.min(period)
}

impl Listing<'_> {
    /// Waits for something, and reports meanwhile whether the server answers.
    async fn hearing_of<T>(&self, liveness: &mut Liveness<'_>, wait: impl Future<Output = T>) -> T {
        let mut wait = pin!(wait);
        loop {
            tokio::select! {
                done = &mut wait => return done,
                news = liveness.next(self.period) => {
                    for line in news.lines {
                        say(&self.style.clean(&line));
                    }
                }
            }
        }
    }

    /// Applies the result of reading everything.
    fn take_findings(&mut self, view: ListView) {
        let ListView {
            rows,
            kinds_not_read,
            not_checked,
            server_version,
            ..
        } = view;
        self.base = ListView {
            kinds_not_read,
            not_checked,
            server_version,
            ..ListView::default()
        };
        for row in rows {
            if let Some(watched) = self.hpas.get_mut(&key(&row)) {
                watched.errors = row.errors;
                watched.linted = watched.evaluated.as_ref().map(EvaluatedHpa::linted);
            }
        }
    }
}

/// The HPAs, kept current by watches.
struct FollowedHpas<'a> {
    listing: Listing<'a>,
    informers: Informers<'a>,
    liveness: Liveness<'a>,
    polls: FuturesUnordered<LocalBoxFuture<'a, (String, Polled)>>,
    /// The time of the next poll by namespace; none: a poll is running.
    due: BTreeMap<String, Option<Instant>>,
    /// HPAs without data from polls so far, and how many polls have started since they exist.
    new: BTreeMap<HpaKey, usize>,
    changed: BTreeSet<HpaKey>,
    /// HPAs whose metrics are older than their replicas, and whether a poll has started since. A row has both of one
    /// moment.
    unpolled: BTreeMap<HpaKey, bool>,
    /// Whether the server was lost, and pending reads are not complete yet.
    is_catching_up: bool,
    /// When to show changes.
    show_at: Option<Instant>,
    lint_at: Instant,
}

impl<'a> FollowedHpas<'a> {
    fn new(listing: Listing<'a>, informers: Informers<'a>, liveness: Liveness<'a>) -> Self {
        let mut following = Self {
            lint_at: Instant::now() + listing.period * LINT_PERIODS,
            liveness,
            listing,
            informers,
            polls: FuturesUnordered::new(),
            due: BTreeMap::new(),
            new: BTreeMap::new(),
            changed: BTreeSet::new(),
            unpolled: BTreeMap::new(),
            is_catching_up: false,
            show_at: None,
        };
        let hpas: BTreeSet<HpaKey> = following.informers.hpas().into_iter().collect();
        let watched: Vec<HpaKey> = following.listing.hpas.keys().cloned().collect();
        for deleted in watched.iter().filter(|hpa| !hpas.contains(hpa)) {
            following.take(InformerChange::Deleted(deleted.clone()));
        }
        for hpa in hpas {
            following.expect(hpa);
        }
        following
    }

    async fn run(mut self) -> anyhow::Result<Infallible> {
        loop {
            let now = Instant::now();
            if !self.liveness.is_silent() {
                self.poll(now);
            }
            self.is_catching_up &= self.informers.is_catching_up();
            let may_show = !self.liveness.is_silent() && !self.is_catching_up;
            if may_show && self.show_at.is_some_and(|at| at <= now) {
                self.show().await?;
                continue;
            }
            let next_poll = self.due.values().flatten().min().copied();
            let wake = [next_poll, self.show_at].into_iter().flatten().min();
            let period = self.listing.period;
            // While the server is silent, nothing is due; an answer may come at any time.
            let wake = if may_show {
                wake.unwrap_or(now + period)
            } else {
                now + SILENT_PAUSE
            };
            let pause = sleep_until(wake);
            tokio::select! {
                change = self.informers.next() => self.take(change),
                Some((namespace, polled)) = self.polls.next(), if !self.polls.is_empty() => {
                    self.polled(&namespace, polled);
                }
                news = self.liveness.next(period) => self.take_news(news),
                () = pause => {}
            }
        }
    }

    fn take_news(&mut self, news: News) {
        for line in news.lines {
            say(&self.clean(&line));
        }
        if news.is_regained {
            self.is_catching_up = true;
            // Earlier polls are outdated.
            let namespaces: Vec<String> = self.due.keys().cloned().collect();
            for namespace in namespaces {
                self.poll_soon(&namespace);
            }
        }
    }

    /// Records a new HPA; it is not shown before its metrics are read.
    fn expect(&mut self, hpa: HpaKey) {
        self.poll_soon(&hpa.namespace);
        self.new.insert(hpa, 0);
    }

    fn poll_soon(&mut self, namespace: &str) {
        // If a poll is running, another one follows it.
        if self.due.get(namespace) != Some(&None) {
            self.due.insert(namespace.to_owned(), Some(Instant::now()));
        }
    }

    /// Whether another poll would have data for a new HPA.
    fn is_to_be_polled(&self, hpa: &HpaKey) -> bool {
        self.new.contains_key(hpa) && !self.informers.is_awaited(hpa)
    }

    fn take(&mut self, change: InformerChange) {
        match change {
            InformerChange::Hpa(hpa) if !self.listing.hpas.contains_key(&hpa) => {
                self.expect(hpa);
            }
            InformerChange::Scaled(hpa) => {
                self.poll_soon(&hpa.namespace);
                self.unpolled.insert(hpa.clone(), false);
                self.changed.insert(hpa);
            }
            InformerChange::Hpa(hpa) | InformerChange::Around(hpa) => {
                if self.is_to_be_polled(&hpa) {
                    self.poll_soon(&hpa.namespace);
                }
                self.changed.insert(hpa);
                self.show_at.get_or_insert(Instant::now() + REST);
            }
            InformerChange::Deleted(hpa) => {
                self.new.remove(&hpa);
                self.changed.remove(&hpa);
                self.unpolled.remove(&hpa);
                if self.listing.hpas.remove(&hpa).is_some() {
                    say(&self.listing.style.clean(&format!("{hpa} is gone")));
                }
            }
            // The failure of metrics is visible in the lines.
            InformerChange::Failing {
                source: Source::Watch { resource },
                why,
            } => self.liveness.fails(resource, why),
            InformerChange::Recovered {
                source: Source::Watch { resource },
            } => {
                if let Some(line) = self.liveness.recovers(&resource) {
                    say(&self.clean(&line));
                }
            }
            InformerChange::Failing { .. } | InformerChange::Recovered { .. } => {}
        }
    }

    fn clean(&self, text: &str) -> String {
        self.listing.style.clean(text)
    }

    /// Starts the polls that are due.
    fn poll(&mut self, now: Instant) {
        for (namespace, due) in &mut self.due {
            if due.is_some_and(|at| at <= now) {
                *due = None;
                for (_, polls) in of_namespace(&mut self.new, namespace) {
                    *polls += 1;
                }
                for (_, has_begun) in of_namespace(&mut self.unpolled, namespace) {
                    *has_begun = true;
                }
                let poll = self.informers.poll(namespace);
                let namespace = namespace.clone();
                let poll = async move { (namespace, poll.await) };
                self.polls.push(poll.boxed_local());
            }
        }
    }

    fn polled(&mut self, namespace: &str, polled: Polled) {
        if self.liveness.is_silent() {
            // The server is silent. Earlier data is kept, and read again as soon as it answers.
            let again = Instant::now() + self.listing.period;
            self.due.insert(namespace.to_owned(), Some(again));
            return;
        }
        for change in self.informers.take(polled) {
            self.take(change);
        }
        let now = Instant::now();
        let informers = &self.informers;
        let keys: Vec<HpaKey> = of_namespace(&mut self.new, namespace)
            // For an HPA whose target was still being read, the next poll has more data.
            .filter(|(hpa, polls)| 1 < **polls || **polls == 1 && !informers.is_unpolled(hpa))
            .map(|(hpa, _)| hpa.clone())
            .collect();
        for hpa in keys {
            self.new.remove(&hpa);
            self.listing.hpas.entry(hpa).or_default();
        }
        let new: Vec<HpaKey> = of_namespace(&mut self.new, namespace)
            .map(|(hpa, _)| hpa.clone())
            .collect();
        let has_new = !new.is_empty();
        self.unpolled
            .retain(|hpa, has_begun| hpa.namespace != namespace || !*has_begun);
        let has_unpolled = of_namespace(&mut self.unpolled, namespace).next().is_some();
        let pause = if has_unpolled || new.iter().any(|hpa| self.is_to_be_polled(hpa)) {
            Duration::ZERO
        } else {
            self.listing.period
        };
        let watched = of_namespace(&mut self.listing.hpas, namespace).map(|(hpa, _)| hpa.clone());
        let watched: Vec<HpaKey> = watched.collect();
        if watched.is_empty() && !has_new {
            self.due.remove(namespace);
        } else {
            self.due.insert(namespace.to_owned(), Some(now + pause));
        }
        self.changed.extend(watched);
        self.show_at = Some(now);
    }

    /// Writes the rows that changed.
    async fn show(&mut self) -> anyhow::Result<()> {
        self.show_at = None;
        let settings = self.listing.hpas.values();
        let settings = settings.filter_map(|watched| Some(&watched.evaluated.as_ref()?.settings));
        let settings = strictest(settings.flatten());
        let mut fresh: BTreeMap<HpaKey, ListRow> = BTreeMap::new();
        let mut is_edited = false;
        // Those with newer replicas than metrics are shown after the next poll.
        let unpolled = self.unpolled.keys().cloned();
        let unpolled: BTreeSet<HpaKey> = unpolled.collect();
        let (waiting, changed) = mem::take(&mut self.changed)
            .into_iter()
            .partition::<BTreeSet<HpaKey>, _>(|hpa| unpolled.contains(hpa));
        self.changed = waiting;
        for hpa in changed {
            let watched = self.listing.hpas.get_mut(&hpa);
            let snapshot = self.informers.snapshot(&hpa);
            let (Some(watched), Some(snapshot)) = (watched, snapshot) else {
                continue;
            };
            if self.new.contains_key(&hpa) {
                continue;
            }
            let evaluated = match read::evaluate_one(self.listing.args, snapshot, &settings) {
                Ok(evaluated) => evaluated,
                Err(error) => {
                    say(&self.listing.style.clean(&format!("{error:#}")));
                    continue;
                }
            };
            self.listing.period = evaluated.sync_period;
            let linted = watched.linted.get_or_insert_with(|| evaluated.linted());
            is_edited |= watched.row.is_none() || *linted != evaluated.linted();
            fresh.insert(hpa, evaluated.row.clone());
            watched.evaluated = Some(evaluated);
        }
        if is_edited || self.lint_at <= Instant::now() {
            self.lint().await;
        }
        if self.liveness.is_silent() {
            self.changed.extend(fresh.into_keys());
            self.show_at = Some(Instant::now());
            return Ok(());
        }
        self.report_not_read();
        let mut changed = Vec::new();
        let (now, period) = (Instant::now(), self.listing.period);
        for (hpa, mut row) in fresh {
            let Some(watched) = self.listing.hpas.get_mut(&hpa) else {
                continue;
            };
            row.errors.clone_from(&watched.errors);
            let before = watched.row.as_ref();
            let is_displayed = before.is_some_and(|before| before.looks_like(&row));
            if !is_displayed && before.is_some() && !watched.has_settled(&row, now, period) {
                self.changed.insert(hpa);
                continue;
            }
            if !is_displayed {
                changed.push(hpa);
            }
            watched.unsettled = None;
            watched.row = Some(row);
        }
        if !self.changed.is_empty() {
            self.show_at.get_or_insert(now + settling(period));
        }
        let changed: Vec<&ListRow> = changed
            .iter()
            .filter_map(|hpa| self.listing.hpas.get(hpa)?.row.as_ref())
            .collect();
        if !changed.is_empty() {
            print(&self.listing.lines.write(&changed)?)?;
        }
        Ok(())
    }

    /// Reads everything that the `lint` rules need.
    async fn lint(&mut self) {
        self.lint_at = Instant::now() + self.listing.period * LINT_PERIODS;
        let mut reading = Box::pin(read(
            self.listing.args,
            self.listing.selection,
            self.listing.client,
        ));
        let period = self.listing.period;
        let read = loop {
            // A read on a broken connection ends when that is noticed. Watches make progress only while they are
            // awaited; otherwise a watch would seem to fail for as long as this read takes.
            tokio::select! {
                read = &mut reading => break read,
                change = self.informers.next() => self.take(change),
                news = self.liveness.next(period) => self.take_news(news),
            }
        };
        match read {
            // Known data is kept until there is a new answer, also if only a part is missing.
            _ if self.liveness.is_silent() => self.lint_at = Instant::now(),
            Ok(ListRead::Hpas { view, .. }) => self.listing.take_findings(view),
            Ok(ListRead::None(_)) => {}
            Err(error) => say(&self.clean(&trying_again(&format!("{error:#}")))),
        }
    }

    /// Reports what could not be read, unless that was the previous report.
    fn report_not_read(&mut self) {
        let listing = &mut self.listing;
        let known = listing.hpas.iter();
        let mut causes = Causes::default();
        for (hpa, watched) in known {
            if let Some(evaluated) = &watched.evaluated {
                causes.add((&hpa.namespace, &hpa.name), &evaluated.not_read);
            }
        }
        listing.base.not_read = causes.into_not_read();
        let remarks = not_read_of(&listing.base, listing.hpas.len(), false, listing.style);
        report(remarks, &mut listing.reported);
    }
}

/// The entries of the HPAs in one namespace.
fn of_namespace<'m, T>(
    all: &'m mut BTreeMap<HpaKey, T>,
    namespace: &'m str,
) -> impl Iterator<Item = (&'m HpaKey, &'m mut T)> {
    let first = HpaKey {
        namespace: namespace.to_owned(),
        name: String::new(),
    };
    all.range_mut(first..)
        .take_while(move |(hpa, _)| hpa.namespace == namespace)
}

fn key(row: &ListRow) -> HpaKey {
    HpaKey {
        namespace: row.overview.namespace.clone(),
        name: row.overview.name.clone(),
    }
}

/// Prints messages, unless they were the previous ones.
fn report(remarks: Vec<String>, reported: &mut Vec<String>) {
    for remark in remarks.iter().filter(|remark| !reported.contains(remark)) {
        say(remark);
    }
    *reported = remarks;
}

/// Changes within this time are shown together.
const REST: Duration = Duration::from_secs(1);

/// Interval between checks for an answer while the server is silent.
const SILENT_PAUSE: Duration = Duration::from_millis(100);

/// How long a row must be stable before it is shown.
const SETTLING: Duration = Duration::from_secs(3);

/// The `lint` rules run again after this many sync periods.
const LINT_PERIODS: u32 = 20;
