//! `kubectl hpa rules`.

use std::io::Write as _;

use anyhow::bail;
use clap::ValueEnum as _;
use hpa_lint::{Needs, Rule, RuleSelector, Severity, rules};
use hpa_objects::recording::visible;
use hpa_words::program::typed;

use crate::{
    cli::{ColorChoice, RuleNeeds, RuleSeverity, RulesArgs, RulesFormat},
    exit_code::ExitStatus,
    process::terminal,
};

/// Runs `kubectl hpa rules`.
pub(super) fn run(args: &RulesArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let selector = args.rule.as_deref().map(RuleSelector::parse).transpose();
    let selector = match selector {
        Ok(selector) => selector,
        Err(unknown) => bail!("{unknown}"),
    };
    let is_one = matches!(selector, Some(RuleSelector::Rule(_)));
    let chosen: Vec<&Rule> = rules::catalogue()
        .filter(|rule| selector.as_ref().is_none_or(|one| one.covers(rule)))
        .filter(|rule| is_chosen(rule, args))
        .collect();
    if chosen.is_empty() {
        bail!("no rule matches: `{}` lists all", typed("rules"));
    }
    let style = terminal::style(color);
    let text = match args.output {
        RulesFormat::Text if is_one => hpa_render::rules::page(chosen[0], style),
        RulesFormat::Text => hpa_render::rules::list(&chosen, false, style),
        RulesFormat::Wide => hpa_render::rules::list(&chosen, true, style),
        RulesFormat::Markdown => {
            let pages: Vec<String> = chosen.iter().map(|rule| rules::page(rule)).collect();
            pages.join("\n")
        }
        RulesFormat::Json => visible::json_pretty(&hpa_render::rules::json(&chosen))?,
        RulesFormat::Name => {
            let names = chosen
                .iter()
                .flat_map(|rule| [rule.code, " ", rule.name, "\n"]);
            names.collect()
        }
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitStatus::Success)
}

fn is_chosen(rule: &Rule, args: &RulesArgs) -> bool {
    let family = args.family.and_then(|family| family.to_possible_value());
    let severity = args.severity.map(|severity| match severity {
        RuleSeverity::Error => Severity::Error,
        RuleSeverity::Warning => Severity::Warning,
        RuleSeverity::Info => Severity::Info,
        RuleSeverity::Note => Severity::Note,
    });
    let needs = args.needs.map(|needs| match needs {
        RuleNeeds::Manifest => Needs::Manifest,
        RuleNeeds::Related => Needs::Related,
        RuleNeeds::Comparison => Needs::Comparison,
        RuleNeeds::Cluster => Needs::Live,
        RuleNeeds::Recording => Needs::History,
    });
    family.is_none_or(|family| rules::family(rule) == family.get_name())
        && severity.is_none_or(|severity| rule.severity == severity)
        && needs.is_none_or(|needs| rule.needs == needs)
        && (!args.fixable || rule.is_fixable)
        && (!args.opt_in || rule.is_opt_in)
        && args.search.as_ref().is_none_or(|text| {
            rules::page(rule)
                .to_lowercase()
                .contains(&text.to_lowercase())
        })
}
