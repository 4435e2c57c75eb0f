//! `kubectl hpa explain --learn`: the pages about the algorithm, without a cluster.

pub mod pages;

use anyhow::bail;
use hpa_explain::learn::{self, Topic};
use hpa_words::program::{as_installed, typed};

use crate::{
    cli::{ColorChoice, ExplainArgs, ExplainFormat},
    exit_code::ExitStatus,
    process::{pager, terminal},
};

/// Prints one page, or the list of all if `id` is empty.
pub(super) fn run(args: &ExplainArgs, id: &str, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if !args.selection.is_empty() || args.file.is_some() {
        bail!("--learn explains the algorithm, not an HPA: remove the name and -f");
    }
    let topic = match (id, learn::find(id)) {
        ("", _) => None,
        (_, Some(topic)) => Some(topic),
        (_, None) => bail!("{}", unknown(id)),
    };
    let style = terminal::style(color);
    let text = match (&args.output, topic) {
        (ExplainFormat::Text | ExplainFormat::Wide, Some(topic)) => pages::page(topic, style),
        (ExplainFormat::Text | ExplainFormat::Wide, None) => pages::list(style),
        (ExplainFormat::Markdown, Some(topic)) => as_installed(pages::markdown(topic)).into_owned(),
        (ExplainFormat::Markdown, None) => as_installed(pages::INDEX).into_owned(),
        (ExplainFormat::Name, Some(topic)) => format!("{}\n", topic.id),
        (ExplainFormat::Name, None) => {
            let ids = learn::topics().flat_map(|topic| [topic.id, "\n"]);
            ids.collect()
        }
        _ => bail!("--learn prints text, markdown or name: use one of them with -o"),
    };
    let is_text = matches!(args.output, ExplainFormat::Text | ExplainFormat::Wide);
    pager::print(&text, args.pager, is_text)?;
    Ok(ExitStatus::Success)
}

/// The message for an unknown id, with the most similar one, if there is one.
fn unknown(id: &str) -> String {
    let requested = id.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&requested, &name.to_lowercase());
    let nearest = |topic: &Topic| {
        let functions = topic.functions.iter().map(|function| function.function);
        let names = functions.chain([topic.id]).chain(topic.id.split('-'));
        names.map(distance).min().unwrap_or(usize::MAX)
    };
    let contains = learn::topics().find(|topic| topic.id.contains(&requested));
    let intended = contains.or_else(|| {
        let topic = learn::topics().min_by_key(|topic| (nearest(topic), topic.id.len()))?;
        (nearest(topic) <= requested.len() / 3).then_some(topic)
    });
    let nearest = intended.map_or_else(String::new, |topic| format!(" Did you mean {}?", topic.id));
    let all = typed("explain --learn");
    format!("no page {id:?}.{nearest} `{all}` lists all")
}
