//! The list for a program that passes it to a model.

use hpa_explain::Urgency;
use hpa_render::{
    Style,
    list::{ListOutput, ListRow, ListView, not_read, summary},
};

use super::{
    as_sentence,
    read::{self, ListRead},
};
use crate::{
    cli::ListArgs,
    commands::answer::Answer,
    process::runtime::{connect_for, finish},
};

/// Reads the HPAs of a cluster and answers: a summary, the HPAs that need attention, the most urgent first, and what could not be read.
pub(crate) fn answer(args: &ListArgs) -> anyhow::Result<Answer> {
    let read = finish(async {
        let (client, selection) = connect_for(&args.selection, &args.connection).await?;
        Box::pin(read::read(args, &selection, &client)).await
    })?;
    let (view, sentences) = match read {
        ListRead::Hpas { view, .. } => {
            let sentences = sentences(&view);
            (view, sentences)
        }
        ListRead::None(nothing) => (
            ListView::default(),
            vec![format!("{}.", as_sentence(&nothing))],
        ),
    };
    Answer::new(sentences, &ListOutput::new(&view))
}

fn sentences(view: &ListView) -> Vec<String> {
    let mut rows: Vec<&ListRow> = view.rows.iter().collect();
    rows.retain(|row| row.overview.urgency != Urgency::None);
    rows.sort_by_key(|row| row.overview.by_urgency());
    let verdict = |row: &ListRow| {
        let overview = &row.overview;
        let hpa = format!("{}/{}", overview.namespace, overview.name);
        let answer = overview.full_answer.clone().unwrap_or_default();
        Answer::verdict(&hpa, &overview.verdict, &answer)
    };
    let mut sentences = vec![summary(view, false, Style::plain())];
    sentences.extend(rows.into_iter().map(verdict));
    sentences.extend(not_read(view, false, Style::plain()));
    sentences
}
