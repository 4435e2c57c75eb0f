//! The list for a program that passes it to a model.

use hpa_render::{
    Style,
    list::{ListOutput, ListView, SortKey, not_read, summary},
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

/// Reads the HPAs of a cluster and answers: a summary, what could not be read, and the HPAs, the most urgent first.
pub(crate) fn answer(args: &ListArgs) -> anyhow::Result<Answer> {
    let read = finish(async {
        let (client, selection) = connect_for(&args.selection, &args.connection).await?;
        Box::pin(read::read(args, &selection, &client)).await
    })?;
    let (view, sentences) = match read {
        ListRead::Hpas { mut view, .. } => {
            SortKey::Urgency.sort(&mut view.rows)?;
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
    let mut sentences = vec![summary(view, false, Style::plain())];
    sentences.extend(not_read(view, false, Style::plain()));
    sentences
}
