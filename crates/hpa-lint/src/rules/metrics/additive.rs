//! Whether a metric grows with the load of all pods together, so that an average per pod means something.

use super::words::words;

/// What a metric is, if it does not add up over pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum NotAdditive {
    /// A quantile, such as `histogram_quantile(0.95, …)`.
    Quantile,
    /// A latency or an age.
    Time,
    /// A ratio, a percentage or a utilization.
    Ratio,
}

impl NotAdditive {
    /// Its noun, for a sentence.
    pub(in crate::rules) fn noun(self) -> &'static str {
        match self {
            Self::Quantile => "quantile",
            Self::Time => "time",
            Self::Ratio => "ratio",
        }
    }

    /// By the name of a metric.
    pub(in crate::rules) fn of_name(name: &str) -> Option<Self> {
        let all = words(name);
        let has = |of: &[&str]| all.iter().any(|word| of.contains(&&**word));
        let contains = |part: &str| all.iter().any(|word| word.contains(part));
        // Counters of time, and counts of slow things, do add up.
        if all.last().is_some_and(|last| COUNTERS.contains(&&**last)) || has(COUNTED) {
            None
        } else if has(&["quantile", "percentile"]) || all.iter().any(|word| is_percentile(word)) {
            Some(Self::Quantile)
        } else if contains("latency") || has(&["age"]) {
            Some(Self::Time)
        } else if has(&["pct", "ratio"]) || RATIOS.iter().any(|part| contains(part)) {
            Some(Self::Ratio)
        } else {
            None
        }
    }

    /// By an expression in `PromQL`. None also if it is not understood.
    pub(in crate::rules) fn of_query(query: &str) -> Option<Self> {
        let tokens = tokens(query);
        let mut calls: Vec<&str> = Vec::new();
        let mut found = None;
        let mut aggregator = "";
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1);
            match token {
                Token::Open => {
                    calls.push(aggregator);
                    aggregator = "";
                }
                Token::Close => {
                    calls.pop();
                    aggregator = "";
                }
                Token::Word(word) if is_clause(word) && next == Some(&Token::Open) => {
                    // A list of labels: the aggregation goes on after it.
                    while tokens.get(at).is_some_and(|token| *token != Token::Close) {
                        at += 1;
                    }
                }
                _ if calls.iter().any(|call| adds_up(call)) => aggregator = "",
                Token::Word(word) if next == Some(&Token::Open) || is_aggregation(&tokens, at) => {
                    aggregator = word;
                    if matches!(*word, "histogram_quantile" | "quantile") {
                        found = found.or(Some(Self::Quantile));
                    }
                }
                Token::Word(word) => found = found.or_else(|| Self::of_name(word)),
                Token::QuantileLabel => found = found.or(Some(Self::Quantile)),
                Token::Operator('/') if !matches!(next, Some(Token::Number)) => {
                    found = found.or(Some(Self::Ratio));
                }
                // It may be multiplied by the number of pods, which makes it additive again.
                Token::Operator('*') => {
                    let is_number = |index: usize| tokens.get(index) == Some(&Token::Number);
                    let before = at.checked_sub(1).is_some_and(is_number);
                    if !before && !is_number(at + 1) {
                        return None;
                    }
                }
                Token::Number | Token::Operator(_) => {}
            }
            at += 1;
        }
        found
    }
}

/// A part of an expression. Strings, durations and label matchers are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Open,
    Close,
    Number,
    Operator(char),
    /// A matcher of the label `quantile`, as summaries have it.
    QuantileLabel,
    Word(&'a str),
}

fn tokens(query: &str) -> Vec<Token<'_>> {
    let is_of_word = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | ':' | '.');
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' => {
                tokens.push(Token::Open);
                1
            }
            ')' => {
                tokens.push(Token::Close);
                1
            }
            '{' => {
                let end = rest.find('}').map_or(rest.len(), |end| end + 1);
                if rest[..end].contains("quantile=") {
                    tokens.push(Token::QuantileLabel);
                }
                end
            }
            '[' => rest.find(']').map_or(rest.len(), |end| end + 1),
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if is_of_word(first) => {
                let end = rest.find(|one| !is_of_word(one)).unwrap_or(rest.len());
                tokens.push(if rest[..end].parse::<f64>().is_ok() {
                    Token::Number
                } else {
                    Token::Word(&rest[..end])
                });
                end
            }
            _ => {
                if matches!(first, '+' | '-' | '*' | '/' | '%' | '^') {
                    tokens.push(Token::Operator(first));
                }
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// Whether the word is an aggregation with its labels first, as in `sum by (le) (…)`.
fn is_aggregation(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(tokens.get(at + 1), Some(Token::Word(word)) if matches!(*word, "by" | "without"))
}

fn is_clause(word: &str) -> bool {
    matches!(
        word,
        "by" | "without" | "on" | "ignoring" | "group_left" | "group_right"
    )
}

/// Whether the result of a function adds up over pods, whatever is in it.
fn adds_up(function: &str) -> bool {
    matches!(
        function,
        "count" | "count_values" | "delta" | "group" | "increase" | "irate" | "rate" | "sum"
    )
}

/// Whether a word is a percentile, such as `p95`.
fn is_percentile(word: &str) -> bool {
    let digits = word.strip_prefix('p').unwrap_or_default();
    matches!(digits, "50" | "75" | "90" | "95" | "98" | "99" | "999")
}

const COUNTERS: &[&str] = &["bucket", "count", "sum", "total"];

const COUNTED: &[&str] = &["count", "errors", "messages", "operations", "requests"];

const RATIOS: &[&str] = &["percent", "utilisation", "utilization"];

#[cfg(test)]
mod tests {
    use super::NotAdditive::{self, Quantile, Ratio, Time};

    #[test]
    fn times_and_shares_are_known_by_the_words_of_their_names() {
        for (name, expected) in [
            ("cpu_usage_percent", Some(Ratio)),
            ("queue-fill-ratio", Some(Ratio)),
            ("CPUUtilization", Some(Ratio)),
            ("request_latency_ms", Some(Time)),
            ("oldest_unacked_message_age", Some(Time)),
            ("http_request_duration_seconds_p95", Some(Quantile)),
            ("http_request_duration_seconds_p95_count", None),
            ("request_latency_seconds_sum", None),
            ("rabbitmq_queue_messages", None),
            ("registrations", None),
            ("pages", None),
            ("slow_requests_above_latency_target", None),
        ] {
            assert_eq!(NotAdditive::of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn an_expression_is_judged_by_what_is_not_summed() {
        for (query, expected) in [
            (
                "histogram_quantile(0.95, sum by (le) (rate(order_seconds_bucket[5m])))",
                Some(Quantile),
            ),
            (
                "histogram_quantile(0.95, sum(rate(order_seconds_bucket[5m])) by (le))",
                Some(Quantile),
            ),
            ("max(order_seconds{quantile=\"0.99\"})", Some(Quantile)),
            ("avg(request_latency_ms)", Some(Time)),
            (
                "sum(rate(errors_total[5m])) / sum(rate(requests_total[5m]))",
                Some(Ratio),
            ),
            ("100 * sum(rate(a[5m])) / sum(rate(b[5m]))", Some(Ratio)),
            (
                "100 * (1 - avg(rate(node_cpu_seconds_total{mode=\"idle\"}[5m])))",
                None,
            ),
            ("(sum(used_bytes) / sum(limit_bytes)) * 100", Some(Ratio)),
            ("avg(a / b)", Some(Ratio)),
            ("sum by (x) (a / b)", None),
            ("sum(a / b) by (x)", None),
            ("sum(rate(requests_total[1m])) / 60", None),
            ("sum(bytes) / 1024 / 1024", None),
            ("sum(rate(requests_total{path=\"/a/b\"}[1m]))", None),
            ("sum(rate(request_latency_seconds_sum[5m]))", None),
            ("histogram_quantile(0.9, x_bucket) * count(up)", None),
            ("count(histogram_quantile(0.9, x_bucket) > 0.5)", None),
            ("sum(rate(http_requests_total[2m]))", None),
            ("rabbitmq_queue_messages_ready{queue=\"mail\"}", None),
            ("", None),
            ("(((", None),
        ] {
            assert_eq!(NotAdditive::of_query(query), expected, "{query}");
        }
    }

    #[test]
    fn any_text_can_be_asked() {
        for text in [
            "'",
            "{",
            "[",
            "a{",
            "\u{e4}\u{f6} / \u{fc}",
            "by (",
            "sum by",
            ")))",
        ] {
            NotAdditive::of_query(text);
        }
    }
}
