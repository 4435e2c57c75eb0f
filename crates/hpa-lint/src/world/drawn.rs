//! Worlds that are drawn at random, for tests that compare with a slower judge.

use crate::LintInput;

/// A small generator, so that each seed gives the same world.
pub(crate) struct Draw(u32);

impl Draw {
    /// Input of several folders, with kustomizations and charts in some of them.
    pub(crate) fn world(seed: u32, object: impl Fn(&mut Self) -> String) -> LintInput {
        let mut draw = Self(seed);
        let mut input = LintInput::default();
        let folders = ["base", "x", "x/y", "z"];
        if draw.below(3) != 0 {
            for folder in folders {
                if draw.below(2) == 0 {
                    let name = format!("{folder}/kustomization.yaml");
                    input.add_text(&name, &draw.kustomization(), true);
                }
            }
        }
        if draw.below(3) == 0 {
            let name = draw.one_of(&["x/Chart.yaml", "z/Chart.yaml"]);
            input.add_text(name, "apiVersion: v2\nname: web\nversion: 0.1.0\n", true);
        }
        for folder in folders {
            for file in ["one", "two"] {
                let text: String = (0..draw.below(5)).map(|_| object(&mut draw)).collect();
                input.add_text(&format!("{folder}/{file}.yaml"), &text, true);
            }
        }
        input
    }

    /// A number below another one.
    pub(crate) fn below(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % below
    }

    /// One of several texts.
    pub(crate) fn one_of(&mut self, these: &[&'static str]) -> &'static str {
        these[self.below(u32::try_from(these.len()).unwrap()) as usize]
    }

    /// A kustomization that lists some of its files and folders, and may set the namespace or delete an object.
    fn kustomization(&mut self) -> String {
        let mut listed = Vec::new();
        for path in ["one.yaml", "two.yaml", "../base", "../x", "../x/y"] {
            if self.below(2) == 0 {
                listed.push(path);
            }
        }
        let namespace = self.one_of(&["", "", "namespace: c\n"]);
        let deletion = self.one_of(&["", "", "HorizontalPodAutoscaler w0", "ScaledObject s1"]);
        let patches = match deletion.split_once(' ') {
            None => String::new(),
            Some((kind, name)) => {
                let group = if kind == "ScaledObject" {
                    "keda.sh/v1alpha1"
                } else {
                    "autoscaling/v2"
                };
                format!(
                    "patches:\n- patch: |\n    $patch: delete\n    apiVersion: {group}\n    \
                     kind: {kind}\n    metadata: {{name: {name}}}\n"
                )
            }
        };
        format!("resources: [{}]\n{namespace}{patches}", listed.join(", "))
    }
}
