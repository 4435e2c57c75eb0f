//! An API server that comes back answers some requests with errors at first: only what lasts is reported.

use hpa_engine::model::Source;
use hpa_watch::Update;
use proptest::{collection::vec, prelude::*};

use super::world::{Step, World, updates};

const BACK: i64 = 60;

fn source(index: usize) -> Source {
    let resource = ["pods", "events", "deployments", "replicasets"][index % 4];
    match index {
        0..4 => Source::Watch {
            resource: resource.to_owned(),
        },
        _ => Source::Metrics {
            api: format!("{resource}.metrics.k8s.io"),
            namespace: "shop".to_owned(),
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn errors_of_the_first_seconds_are_no_news(
        short in vec((0..8_usize, 0..8_i64, 1..6_i64), 0..12),
        lasting in vec((0..8_usize, -5..10_i64), 0..3),
    ) {
        let lasting: Vec<(usize, i64)> = lasting
            .into_iter()
            .filter(|(one, _)| !short.iter().any(|(other, ..)| one == other))
            .collect();
        let mut steps = vec![
            (0, Step::Reconciled(World::default())),
            (1, Step::Contact(Source::Server, false)),
            (BACK, Step::Contact(Source::Server, true)),
            (BACK, Step::InformerInput),
        ];
        for (index, begin, length) in &short {
            steps.push((BACK + begin, Step::Contact(source(*index), false)));
            steps.push((BACK + begin + length, Step::Contact(source(*index), true)));
        }
        for (index, begin) in &lasting {
            steps.push((BACK + begin, Step::Contact(source(*index), false)));
            steps.push((BACK + 60, Step::Contact(source(*index), true)));
        }
        steps.extend((1..100).map(|second| (second, Step::Tick)));
        steps.sort_by_key(|(second, _)| *second);
        let mut failed = Vec::new();
        let mut recovered = Vec::new();
        for update in updates(&steps) {
            match update {
                Update::Failing { source, .. } => failed.push(source),
                Update::Recovered { source, .. } => recovered.push(source),
                _ => {}
            }
        }
        let mut expected: Vec<Source> = lasting.iter().map(|(index, _)| source(*index)).collect();
        expected.push(Source::Server);
        expected.sort();
        expected.dedup();
        // What is reported to fail is reported once, and so is its end.
        failed.sort();
        recovered.sort();
        prop_assert_eq!(&failed, &expected, "{:?} {:?}", short, lasting);
        prop_assert_eq!(&recovered, &expected, "{:?} {:?}", short, lasting);
    }
}
