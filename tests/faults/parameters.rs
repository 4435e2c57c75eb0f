//! What another program fills into a command, or passes to a tool of `mcp`, is a value and never a flag: it cannot have
//! a file printed or written, another server asked, or the user changed.

use std::{collections::BTreeSet, fs, path::Path, thread};

use axum::http::HeaderName;
use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::{
    agent::Agent,
    integrations::{commands_of_skill, folder, server, shell, text_of, variable_of_k9s, yaml},
    plugin::{Plugin, Run, files},
    server::Server,
};

/// A command with parameters, as a file of `integrations` has it.
struct Recipe {
    /// Where it is, for messages.
    place: String,
    /// The words of the command.
    words: Vec<String>,
    /// How its program finds a parameter; group 1 is the name.
    parameter: Regex,
    /// Whether the program quotes parameters for a shell.
    is_quoted: bool,
}

impl Recipe {
    fn parameters(&self) -> BTreeSet<String> {
        let words = self.words.iter();
        words
            .flat_map(|word| self.parameter.captures_iter(word))
            .map(|found| found[1].to_owned())
            .collect()
    }

    /// Runs it with a value for one parameter; the others have ordinary values.
    fn run(&self, plugin: &Plugin, parameter: &str, given: &str) -> Run {
        let value = |found: &Captures<'_>| {
            let value = if &found[1] == parameter {
                given
            } else {
                ordinary(&found[1])
            };
            if self.is_quoted {
                quoted(value)
            } else {
                value.to_owned()
            }
        };
        let words = self.words.iter();
        let mut words: Vec<String> = words
            .map(|word| self.parameter.replace_all(word, value).into_owned())
            .collect();
        if let Some(at) = words.iter().position(|word| word == "watch") {
            words.insert(at + 1, "--timeout=1s".to_owned());
        }
        shell(plugin, &words[0], &words[1..])
    }
}

/// As `shlex.quote` of Python, but for an empty text, which `HolmesGPT` leaves out.
fn quoted(text: &str) -> String {
    let is_safe = |letter: char| letter.is_alphanumeric() || "_@%+=:,./-".contains(letter);
    if text.chars().all(is_safe) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\"'\"'"))
    }
}

/// An ordinary value of a parameter.
fn ordinary(parameter: &str) -> &'static str {
    match parameter.to_lowercase().as_str() {
        "namespace" => "shop",
        "context" => "test",
        "assignment" => "maxReplicas=20",
        "time" => "24h",
        "file" => "web.yaml",
        _ => "web",
    }
}

/// Every command of every file; a kind of file that is not known here fails.
fn recipes() -> Vec<Recipe> {
    let mut recipes = Vec::new();
    let word = Regex::new(r"\b([A-Z]{4,})\b").unwrap();
    for name in files(&folder()) {
        let text = |file: &str| text_of(&format!("{name}/{file}"));
        match name.as_str() {
            "argocd" => {
                for file in files(&folder().join(&name)) {
                    // Argo CD fills nothing in, and no command comes from elsewhere.
                    assert!(!text(&file).contains("{{"), "{name}/{file}");
                }
            }
            "holmesgpt" => recipes.extend(recipes_of_holmesgpt(&text("toolset.yaml"))),
            "k9s" => recipes.extend(recipes_of_k9s(&text("plugins.yaml"))),
            "skill" => {
                let lines = commands_of_skill(&text("SKILL.md")).into_iter();
                recipes.extend(lines.map(|line| Recipe {
                    place: format!("{name}: {line}"),
                    words: vec!["sh".to_owned(), "-c".to_owned(), line],
                    parameter: word.clone(),
                    is_quoted: true,
                }));
            }
            other => {
                panic!("integrations/{other} is not tried: say here how it fills in parameters")
            }
        }
    }
    recipes
}

fn recipes_of_holmesgpt(text: &str) -> Vec<Recipe> {
    let file = yaml(text);
    let toolsets = file["toolsets"].as_object().unwrap().values();
    let tools = toolsets.flat_map(|toolset| toolset["tools"].as_array().unwrap());
    let recipe = |tool: &Value| {
        let command = tool["command"].as_str().unwrap().to_owned();
        Recipe {
            place: format!("holmesgpt: {command}"),
            words: vec!["bash".to_owned(), "-c".to_owned(), command],
            parameter: Regex::new(r"\{\{\s*(\w+)\s*\}\}").unwrap(),
            is_quoted: true,
        }
    };
    tools.map(recipe).collect()
}

fn recipes_of_k9s(text: &str) -> Vec<Recipe> {
    let file = yaml(text);
    let plugins = file["plugins"].as_object().unwrap();
    let recipe = |(name, one): (&String, &Value)| {
        let arguments = one["args"].as_array().unwrap().iter();
        let words = [&one["command"]].into_iter().chain(arguments);
        Recipe {
            place: format!("k9s: {name}"),
            words: words
                .map(|word| word.as_str().unwrap().to_owned())
                .collect(),
            parameter: variable_of_k9s(),
            is_quoted: false,
        }
    };
    plugins.iter().map(recipe).collect()
}

/// A home with a file that no output may have, and servers: the one of the kubeconfig, and one that nobody names.
struct Trap {
    server: Server,
    other: Server,
    plugin: Plugin,
    files: Vec<String>,
}

impl Trap {
    fn new() -> Self {
        let server = server();
        let plugin = Plugin::of(&server);
        plugin.write("secret", &format!("{CANARY}: [\n"));
        plugin.write("web.yaml", "kind: ConfigMap\napiVersion: v1\n");
        // Makes the programs that are found on the PATH.
        shell(
            &plugin,
            "kubectl",
            &["hpa".to_owned(), "version".to_owned()],
        );
        let files = files(&plugin.path(""));
        Self {
            server,
            other: Server::start(),
            plugin,
            files,
        }
    }

    /// Runs a command with values that would do harm, one parameter at a time.
    fn spring(&self, recipe: &Recipe) {
        let reads_everything = recipe.words.iter().any(|word| word.contains(" -A "));
        for parameter in recipe.parameters() {
            for value in self.values() {
                let run = recipe.run(&self.plugin, &parameter, &value);
                let context = format!("{}, {parameter} is {value}", recipe.place);
                assert!(run.code.is_some(), "{context}: {run:?}");
                self.check(&format!("{}{}", run.stdout, run.stderr), &context);
                let reads = self.reads_of_everything() != 0;
                assert!(!reads || reads_everything, "{context}: {run:?}");
            }
        }
    }

    /// Values that would do harm as flags, or as commands of a shell.
    fn values(&self) -> Vec<String> {
        let secret = self.plugin.path("secret").display().to_string();
        let made = self.plugin.path("made").display().to_string();
        let url = self.other.url();
        vec![
            format!("-ojsonpath-file={secret}"),
            format!("--filename={secret}"),
            format!("--with={secret}"),
            format!("--kubeconfig={secret}"),
            format!("--server={url}"),
            format!("--prometheus={url}"),
            format!("--record={made}"),
            "-A".to_owned(),
            "--as=system:admin".to_owned(),
            "--token=stolen".to_owned(),
            format!("\"; touch {made}; $(touch {made}); \""),
        ]
    }

    /// Those, and names of a file: for programs that read no files.
    fn values_and_files(&self) -> Vec<String> {
        let secret = self.plugin.path("secret").display().to_string();
        let mut values = self.values();
        values.extend([format!("recording:{secret}"), format!("@{secret}"), secret]);
        values
    }

    /// Fails if anything was printed, written or asked that a value must not cause.
    #[track_caller]
    fn check(&self, printed: &str, context: &str) {
        assert!(!printed.contains(CANARY), "{context}: {printed}");
        assert_eq!(files(&self.plugin.path("")), self.files, "{context}");
        assert!(self.other.seen().is_empty(), "{context}: {printed}");
        for seen in self.server.seen() {
            let names = seen.headers.keys().map(HeaderName::as_str);
            let mut changed = names.filter(|name| name.starts_with("impersonate-"));
            assert_eq!(changed.next(), None, "{context}: {seen:?}");
            let token = &seen.headers["authorization"];
            assert_eq!(token, "Bearer secret-of-test", "{context}: {seen:?}");
        }
    }

    /// The number of reads of all namespaces.
    fn reads_of_everything(&self) -> usize {
        self.server
            .count("/apis/autoscaling/v2/horizontalpodautoscalers")
    }
}

const CANARY: &str = "CANARY-of-a-secret-file";

#[test]
fn no_parameter_of_an_integration_becomes_a_flag() {
    let recipes = recipes();
    assert!(18 < recipes.len(), "{} commands", recipes.len());
    let share = recipes.len().div_ceil(4);
    thread::scope(|scope| {
        for recipes in recipes.chunks(share) {
            scope.spawn(move || {
                let trap = Trap::new();
                for recipe in recipes {
                    trap.spring(recipe);
                }
            });
        }
    });
}

#[test]
fn no_text_that_an_agent_passes_to_a_tool_becomes_a_flag() {
    let trap = Trap::new();
    let agent = Agent::start(trap.plugin.command(&["mcp"]));
    let mut tried = 0;
    for tool in agent.tools() {
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, property) in tool.input_schema["properties"].as_object().unwrap() {
            let is_text = property["type"] == "string";
            if !is_text && property["items"]["type"] != "string" {
                continue;
            }
            tried += 1;
            for value in trap.values_and_files() {
                let mut input = json!({});
                for name in &required {
                    input[*name] = json!(ordinary(name));
                }
                input[name] = if is_text {
                    json!(value)
                } else {
                    json!([value])
                };
                let answer = agent.call(&tool.name, input.clone());
                let context = format!("{} {input}", tool.name);
                trap.check(&answer.texts.concat(), &context);
            }
        }
    }
    assert!(20 < tried, "{tried} parameters");
    assert_eq!(trap.reads_of_everything(), 0, "other namespaces were read");
    assert!(agent.end().success());
}

/// In a recipe of the pages a variable is the value of a flag, joined by `=`, or comes after `--`.
#[test]
fn no_variable_in_a_recipe_of_the_pages_becomes_a_flag() {
    let variable = Regex::new(r#""?\$\{?[A-Za-z_]\w*\}?"?"#).unwrap();
    let program = Regex::new(r"kubectl[- ]hpa [^|>]*").unwrap();
    let mut tried = 0;
    for page in [
        "docs/ci.md",
        "docs/integrations.md",
        "docs/agents.md",
        "README.md",
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
        for call in program.find_iter(&text).map(|found| found.as_str()) {
            let line = call.lines().next().unwrap_or_default();
            for found in variable.find_iter(line) {
                tried += 1;
                let before = &line[..found.start()];
                assert!(
                    before.ends_with('=') || before.contains(" -- "),
                    "{page}: {line}"
                );
            }
        }
    }
    assert!(0 < tried, "no recipe has a variable");
}
