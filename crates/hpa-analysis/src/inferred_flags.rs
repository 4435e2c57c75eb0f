//! Infers controller flags from the times of what the controller did. Flags hold for all HPAs of a cluster, so evidence
//! from one of them applies to all.

use hpa_engine::model::{
    Context, Direction, Evidence, InferredSetting, Input, KubeEvent, Observation, Provenance,
};
use jiff::SignedDuration;

use super::{
    flag::seconds,
    rescale_events::{Proof, RescaleCause, proved_rescales},
    status_spec::StatusSpec,
};

/// The settings that follow from the Events of a cluster's HPAs. For each setting, the strictest bound wins.
pub fn infer_settings<'a>(
    hpas: impl IntoIterator<Item = (&'a Observation, &'a Context)>,
) -> Vec<InferredSetting> {
    let (mut period, mut window) = (None, None);
    for (observation, context) in hpas {
        if context.is_torn {
            continue;
        }
        let strictest = |known: Option<InferredSetting>, found: Option<InferredSetting>| {
            [known, found]
                .into_iter()
                .flatten()
                .min_by_key(|one| one.most)
        };
        period = strictest(period, sync_period(observation, context));
        window = strictest(window, downscale_stabilization(observation, context));
    }
    period.into_iter().chain(window).collect()
}

/// Applies the inferred settings where nothing better is known, and stores the evidence in the context.
pub fn apply_inferred(
    observation: &mut Observation,
    context: &mut Context,
    settings: &[InferredSetting],
) {
    for one in settings {
        let controller = &mut observation.controller;
        let (input, is_news) = match one.evidence {
            Evidence::RepeatedEvent { .. } => (&mut controller.sync_period, true),
            Evidence::WentDownAfter { .. } => {
                let window = &mut controller.downscale_stabilization;
                // If the evidence allows the default, the default stays.
                let is_news = one.most < window.value;
                (window, is_news)
            }
        };
        if input.provenance == Provenance::Assumed && is_news {
            *input = Input::inferred(one.value);
            context.inferred.push(one.clone());
        }
    }
}

/// The sync period, from a failure that every sync repeats. Syncs in between may have succeeded, which makes the period
/// shorter; so a long interval proves nothing.
fn sync_period(observation: &Observation, context: &Context) -> Option<InferredSetting> {
    let assumed = observation.sync_period().value.as_secs_f64();
    let of = |event: &KubeEvent| {
        let proof = Proof::of(event);
        let within = proof.last?.duration_since(proof.first?);
        let gaps = proof
            .count
            .checked_sub(1)
            .filter(|gaps| LEAST_GAPS <= *gaps)?;
        let (within, gaps) = (within.as_secs_f64(), f64::from(gaps));
        // Times are truncated to seconds, and a sync itself takes time.
        let (mean, least, most) = (
            within / gaps,
            (within - 1.0) / gaps * SHARE_OF_WAITING,
            (within + 1.0) / gaps,
        );
        let distance = |period: &f64| (period - mean).abs();
        let period = USUAL_PERIODS
            .into_iter()
            .filter(|period| (least..=most).contains(period))
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or_else(|| mean.round().max(1.0));
        (period <= assumed).then(|| InferredSetting {
            value: seconds(period),
            most: seconds(most),
            evidence: Evidence::RepeatedEvent {
                reason: event.reason.clone(),
                count: proof.count,
                within: seconds(within),
            },
            hpa: observation.hpa.key(),
        })
    };
    context
        .events
        .iter()
        .filter(|event| event.event_type == "Warning")
        .filter_map(of)
        .min_by_key(|one| one.value)
}

/// The window, from a scale-down soon after a scale-up: the higher recommendation no longer counted.
fn downscale_stabilization(
    observation: &Observation,
    context: &Context,
) -> Option<InferredSetting> {
    let hpa = &observation.hpa;
    let down_rules = hpa.spec.rules(Direction::Down);
    // The HPA's own window may have been different then, and a new HPA starts with an empty history.
    let has_own = down_rules.is_some_and(|rules| rules.window().is_some());
    let was_edited = |at| {
        let edit = context.hpa_edited_by.as_ref();
        edit.and_then(|edit| edit.time)
            .is_some_and(|edited| at <= edited)
    };
    // Of an edit that only the status shows, the time is not known.
    let edit = context.hpa_edited_by.as_ref();
    let is_undated = edit.is_none_or(|edit| edit.time.is_none());
    if has_own || is_undated && StatusSpec::shown(observation).is_other {
        return None;
    }
    let rescales = proved_rescales(context);
    let ups = rescales
        .iter()
        .filter(|up| up.cause == RescaleCause::AboveTarget && !was_edited(up.at))
        .filter(|up| hpa.created.is_none_or(|created| created <= up.at));
    ups.filter_map(|up| {
        let down = rescales.iter().find(|down| {
            up.at < down.at && down.cause == RescaleCause::BelowTarget && down.size < up.size
        })?;
        let most = down.at.duration_since(up.at) + SECOND;
        let value = USUAL_WINDOWS
            .into_iter()
            .map(SignedDuration::from_secs)
            .find(|window| *window <= most)
            .unwrap_or(SignedDuration::ZERO);
        Some(InferredSetting {
            value,
            most,
            evidence: Evidence::WentDownAfter {
                up: up.at,
                up_to: up.size,
                down: down.at,
                down_to: down.size,
            },
            hpa: observation.hpa.key(),
        })
    })
    .min_by_key(|one| one.most)
}

/// With fewer intervals, times truncated to seconds say too little.
const LEAST_GAPS: i32 = 3;

/// The sync period is the time from sync to sync. At least this share of it is waiting.
const SHARE_OF_WAITING: f64 = 0.85;

/// Common sync periods, in seconds.
const USUAL_PERIODS: [f64; 8] = [1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0];

/// Common windows, in seconds, longest first.
const USUAL_WINDOWS: [i64; 15] = [
    1800, 1200, 900, 600, 300, 240, 180, 120, 90, 60, 45, 30, 15, 10, 5,
];

/// Resolution of the times.
const SECOND: SignedDuration = SignedDuration::from_secs(1);
