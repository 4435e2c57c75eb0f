//! The HPAs of several clusters together.

use std::sync::Arc;

use hpa_lint::{HpaDrift, HpaInContext};
use hpa_objects::recording::wire;
use hpa_render::list::{ListContext, ListRow, ListView};

use super::read::ListRead;
use crate::commands::clusters::ClusterOutcome;

/// All HPAs with their contexts, and the fields in which those of one name differ.
pub(super) fn together(reads: Vec<(String, ClusterOutcome<ListRead>)>) -> ListView {
    let mut all = ListView::default();
    let mut hpas = Vec::new();
    for (name, read) in reads {
        let mut context = ListContext {
            name,
            hpas: 0,
            error: None,
            view: ListView::default(),
        };
        match read {
            ClusterOutcome::Read(ListRead::Hpas {
                mut view, specs, ..
            }) => {
                for (mut row, spec) in std::mem::take(&mut view.rows).into_iter().zip(specs) {
                    row.context = Some(context.name.clone());
                    hpas.push(in_context(&row, &context.name, spec));
                    all.rows.push(row);
                    context.hpas += 1;
                }
                context.view = view;
            }
            ClusterOutcome::Failed(why) => context.error = Some(why),
            ClusterOutcome::Nothing(_) | ClusterOutcome::Read(ListRead::None(_)) => {}
        }
        all.contexts.push(context);
    }
    all.drift = HpaDrift::of_all(hpas);
    all
}

fn in_context(
    row: &ListRow,
    context: &str,
    spec: wire::HpaSpec,
) -> ((String, String), HpaInContext) {
    let overview = &row.overview;
    let name = (overview.namespace.clone(), overview.name.clone());
    let hpa = HpaInContext {
        context: context.to_owned(),
        spec: Arc::new(spec),
        urgency: overview.urgency,
        words: overview.answer.words().to_owned(),
    };
    (name, hpa)
}
