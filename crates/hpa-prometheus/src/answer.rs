//! A server's answer, parsed from bytes directly into samples.

use std::{collections::BTreeMap, fmt};

use jiff::SignedDuration;
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
        value::MapAccessDeserializer,
    },
};
use serde_json::Value;

/// An answer of the Prometheus API. An answer without `status` is not one.
#[derive(Deserialize)]
pub(super) struct Envelope<T> {
    status: String,
    #[serde(default = "Option::default")]
    data: Option<T>,
    #[serde(default, rename = "errorType")]
    error_type: Option<String>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    warnings: Option<Vec<String>>,
    #[serde(default)]
    infos: Option<Vec<String>>,
    #[serde(default, rename = "isPartial")]
    is_partial: Option<bool>,
}

/// The outcome of a request.
pub(super) enum Outcome<T> {
    /// The data.
    Data {
        /// The data.
        data: T,
        /// The server's warnings.
        warnings: Vec<String>,
        /// Whether some of the servers behind it did not answer.
        is_partial: bool,
    },
    /// An error: its type and message.
    Failed(String, String),
}

/// Parses an answer.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> serde_json::Result<Outcome<T>> {
    let envelope: Envelope<T> = serde_json::from_slice(body)?;
    if envelope.status != "success" {
        return Ok(Outcome::Failed(
            envelope.error_type.unwrap_or_default(),
            envelope.error.unwrap_or(envelope.status),
        ));
    }
    let data = envelope
        .data
        .ok_or_else(|| serde_json::Error::custom("missing field `data`"))?;
    let warnings = envelope.warnings.into_iter().chain(envelope.infos);
    Ok(Outcome::Data {
        data,
        warnings: warnings.flatten().collect(),
        is_partial: envelope.is_partial == Some(true),
    })
}

/// The result of a query.
#[derive(Deserialize)]
pub(super) struct QueryResult {
    #[serde(default, rename = "resultType")]
    result_type: Value,
    result: Vec<Element>,
}

impl QueryResult {
    /// Its series with samples over time, or the type that it has instead.
    pub(super) fn into_series(self) -> Result<Vec<RawSeries>, String> {
        let series = |element| match element {
            Element::Series(series) => Some(series),
            Element::Other => None,
        };
        let result_type = self.result_type;
        if result_type != "matrix" {
            return Err(format!("resultType is {result_type}, not \"matrix\""));
        }
        let series: Option<Vec<RawSeries>> = self.result.into_iter().map(series).collect();
        series.ok_or_else(|| "it has a number instead of series".to_owned())
    }
}

/// The build information of the server.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct BuildInfo {
    pub(super) version: String,
    pub(super) application: String,
    pub(super) revision: String,
}

enum Element {
    Series(RawSeries),
    Other,
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ElementVisitor;
        impl<'de> Visitor<'de> for ElementVisitor {
            type Value = Element;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a series")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Element, A::Error> {
                RawSeries::deserialize(MapAccessDeserializer::new(map)).map(Element::Series)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Element, E> {
                Ok(Element::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Element, E> {
                Ok(Element::Other)
            }

            fn visit_str<E>(self, _: &str) -> Result<Element, E> {
                Ok(Element::Other)
            }
        }
        deserializer.deserialize_any(ElementVisitor)
    }
}

/// A series as in an answer.
#[derive(Deserialize)]
pub(super) struct RawSeries {
    #[serde(default)]
    pub(super) metric: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) values: Samples,
    /// For a query at one point in time.
    #[serde(default)]
    value: Option<Sample>,
    #[serde(default)]
    histograms: Option<IgnoredAny>,
}

impl RawSeries {
    /// Whether it is a histogram or a single point, which were not requested.
    pub(super) fn is_something_else(&self) -> bool {
        self.value.is_some() || self.histograms.is_some()
    }
}

/// Samples of a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples {
    /// Milliseconds and value.
    pub(super) numbers: Vec<(i64, f64)>,
    /// Milliseconds of values that are not a number.
    pub(super) others: Vec<i64>,
}

impl<'de> Deserialize<'de> for Samples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SamplesVisitor;
        impl<'de> Visitor<'de> for SamplesVisitor {
            type Value = Samples;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of samples")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Samples, A::Error> {
                let mut samples = Samples::default();
                while let Some(Sample(at, value)) = list.next_element()? {
                    // VictoriaMetrics marks the end of a series with NaN.
                    if value.is_nan() {
                        samples.others.push(at);
                    } else {
                        samples.numbers.push((at, value));
                    }
                }
                samples.numbers.shrink_to_fit();
                Ok(samples)
            }
        }
        deserializer.deserialize_seq(SamplesVisitor)
    }
}

/// Milliseconds, and a number that need not be finite.
#[derive(Clone, Copy)]
struct Sample(i64, f64);

impl<'de> Deserialize<'de> for Sample {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SampleVisitor;
        impl<'de> Visitor<'de> for SampleVisitor {
            type Value = Sample;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a sample: [SECONDS, \"VALUE\"]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Sample, A::Error> {
                let missing = || A::Error::invalid_length(0, &"a sample: [SECONDS, \"VALUE\"]");
                let seconds: f64 = pair.next_element()?.ok_or_else(missing)?;
                let Number(value) = pair.next_element()?.ok_or_else(missing)?;
                if pair.next_element::<IgnoredAny>()?.is_some() {
                    return Err(A::Error::invalid_length(
                        3,
                        &"a sample: [SECONDS, \"VALUE\"]",
                    ));
                }
                let millis = milliseconds(seconds).ok_or_else(|| {
                    A::Error::custom(format!("the time {seconds:e} s is not valid"))
                })?;
                Ok(Sample(millis, value))
            }
        }
        deserializer.deserialize_seq(SampleVisitor)
    }
}

/// Rounded to the nearest millisecond: the fraction of a float is not exact.
fn milliseconds(seconds: f64) -> Option<i64> {
    if !(-MOST_SECONDS..=MOST_SECONDS).contains(&seconds) {
        return None;
    }
    let nanos = SignedDuration::try_from_secs_f64(seconds).ok()?.as_nanos();
    i64::try_from((nanos + 500_000).div_euclid(1_000_000)).ok()
}

/// The year 5138.
const MOST_SECONDS: f64 = 1e11;

/// A number in a string, as Go writes it.
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number in a string")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
                let number = match text {
                    "NaN" => Some(f64::NAN),
                    "+Inf" | "Inf" => Some(f64::INFINITY),
                    "-Inf" => Some(f64::NEG_INFINITY),
                    _ if text.starts_with(|letter: char| {
                        letter.is_ascii_digit() || "-+.".contains(letter)
                    }) =>
                    {
                        text.parse().ok().filter(|number: &f64| number.is_finite())
                    }
                    _ => None,
                };
                number.map(Number).ok_or_else(|| {
                    let excerpt: String = text.chars().take(40).collect();
                    E::custom(format!("the value {excerpt:?} is not a number"))
                })
            }
        }
        deserializer.deserialize_str(NumberVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(result: &str) -> Result<Vec<RawSeries>, String> {
        let body =
            format!(r#"{{"status":"success","data":{{"resultType":"matrix","result":{result}}}}}"#);
        match read::<QueryResult>(body.as_bytes()).map_err(|error| error.to_string())? {
            Outcome::Data { data, .. } => data.into_series(),
            Outcome::Failed(kind, error) => Err(format!("{kind}: {error}")),
        }
    }

    #[test]
    fn samples_are_read_to_the_millisecond() {
        let series = series(
            r#"[{"metric":{"__name__":"up"},"values":[[1700000000.123,"1.5e+06"],[1700000015,"NaN"],[1700000030.001,"+Inf"],[1700000045.9995,"-0.25"]]}]"#,
        )
        .unwrap();
        assert_eq!(
            series[0].values,
            Samples {
                numbers: vec![
                    (1_700_000_000_123, 1.5e6),
                    (1_700_000_030_001, f64::INFINITY),
                    (1_700_000_046_000, -0.25)
                ],
                others: vec![1_700_000_015_000],
            }
        );
    }

    #[test]
    fn garbage_is_an_error_and_never_a_zero() {
        for values in [
            r#"[[1,""]]"#,
            r#"[[1,"zero"]]"#,
            r#"[[1,"0x10"]]"#,
            r#"[[1,"1e999"]]"#,
            r#"[[1,"infinity"]]"#,
            r#"[[1,"nan"]]"#,
            "[[1,null]]",
            "[[1,2]]",
            r#"[["1","2"]]"#,
            r#"[[1e300,"2"]]"#,
            "[[1]]",
            "[[]]",
            r#"[[1,"2",3]]"#,
            "[{}]",
            "{}",
            r#""x""#,
            "1",
        ] {
            let result = format!(r#"[{{"metric":{{"__name__":"up"}},"values":{values}}}]"#);
            assert!(series(&result).is_err(), "{values}");
        }
        for result in ["{}", "null", "[null]", "[[1]]", r#"[{"metric":{"a":1}}]"#] {
            assert!(series(result).is_err(), "{result}");
        }
        for body in ["", "{}", "[]", r#"{"status":1}"#, r#"{"status":"success"}"#] {
            assert!(read::<QueryResult>(body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn result_of_another_type_is_refused_even_with_samples() {
        for result_type in [
            r#""vector""#,
            r#""scalar""#,
            r#""streams""#,
            "7",
            "null",
            "[]",
        ] {
            let body = format!(
                r#"{{"status":"success","data":{{"resultType":{result_type},"result":[{{"metric":{{}},"values":[[1,"1"]]}}]}}}}"#
            );
            let Ok(Outcome::Data { data, .. }) = read::<QueryResult>(body.as_bytes()) else {
                panic!("{body}");
            };
            let refused = data.into_series().map(|series| series.len());
            let expected = format!("resultType is {result_type}, not \"matrix\"");
            assert_eq!(refused, Err(expected));
        }
    }

    #[test]
    fn warnings_and_partial_answers_are_noticed() {
        let body = br#"{"status":"success","isPartial":true,"data":{"resultType":"vector","result":[]},"warnings":["a"],"infos":["b"],"trace":{"x":[1]}}"#;
        let Ok(Outcome::Data {
            warnings,
            is_partial,
            ..
        }) = read::<QueryResult>(body)
        else {
            panic!("it is no answer");
        };
        assert_eq!(warnings, ["a", "b"]);
        assert!(is_partial);
    }

    #[test]
    fn no_change_of_a_letter_makes_it_panic_or_adds_samples() {
        let body = br#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[[1700000000.123,"1.5"],[1700000015,"-2e3"]]}]},"warnings":["a"]}"#;
        for at in 0..body.len() {
            assert!(read::<QueryResult>(&body[..at]).is_err(), "{at}");
            for letter in *b"0\"[]{},:-e.\\\0\xff" {
                let mut changed = body.to_vec();
                changed[at] = letter;
                let Ok(Outcome::Data { data, .. }) = read::<QueryResult>(&changed) else {
                    continue;
                };
                let series = data.into_series().unwrap_or_default();
                let samples = series.iter().map(|one| one.values.numbers.len());
                assert!(samples.sum::<usize>() <= 2, "{at} {letter}");
            }
        }
    }
}
