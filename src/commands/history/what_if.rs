//! The past under other specs: its load, in the model of `simulate`.

use anyhow::{Context as _, bail};
use hpa_history::{WhatIfReport, loads, mean_pod_cpu, sources, startups};

use super::{played::Played, read::Read};
use crate::{
    cli::{HistoryArgs, Price},
    commands::simulate::{PastInput, simulate_past},
};

/// Plays what is requested; `None` if nothing is.
pub(super) fn what_if(
    args: &HistoryArgs,
    read: &Read,
    Played { past, first }: &Played,
) -> anyhow::Result<Option<WhatIfReport>> {
    if args.assignments.is_empty() && args.variants.is_empty() {
        return Ok(None);
    }
    let (Some((snapshot, memory)), Some(last)) = (first, past.course.points.last()) else {
        bail!("no sync of this time can be recomputed, so there is nothing to compare with");
    };
    let start = snapshot.time.as_millisecond();
    let length = (last.time - start).max(60_000);
    let read = &read.past;
    let loads = loads(read, past, start);
    if loads.is_empty() {
        bail!(
            "the series do not show the load: --set and --compare need the values of the metrics, or --depth usage"
        );
    }
    let variants = simulate_past(PastInput {
        snapshot: snapshot.clone(),
        memory: memory.clone(),
        loads,
        startups: startups(&sources(read, past)),
        length,
        assignments: args.assignments.clone(),
        variants: args.variants.clone(),
    })
    .context("cannot play the past again")?;
    let price = match args.price {
        None => (None, None),
        Some(Price::Pod(price)) => (Some(price), None),
        Some(Price::Cpu(price)) => {
            let cpu = mean_pod_cpu(read, past).context(
                "--price per cpu-h: no CPU request of the pods is known; give the price of a pod, such as --price 0.05/pod-h",
            )?;
            (Some(price * cpu.cores), Some(cpu))
        }
    };
    Ok(hpa_history::what_if(past, variants, price))
}
