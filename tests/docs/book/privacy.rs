//! The page that lists every field of a recording.

use std::{env, fs};

use serde_json::Value;

use super::{root, text_of};

const BEGIN: &str = "<!-- fields -->\n";
const END: &str = "<!-- end of fields -->\n";

#[test]
fn page_of_privacy_lists_every_field_of_a_recording() {
    let schema: Value = serde_json::from_str(&text_of("docs/schema/snapshot.json")).unwrap();
    let mut table = "| object | fields |\n| --- | --- |\n".to_owned();
    table += &row("the recording", &schema);
    for (name, object) in schema["$defs"].as_object().unwrap() {
        if object["properties"].is_object() {
            table += &row(name, object);
        }
    }
    let path = "docs/privacy-fields.md";
    let page = text_of(path);
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}\n{table}\n{END}{after}");
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(root().join(path), expected).unwrap();
    } else {
        assert!(
            page == expected,
            "{path} is out of date: run UPDATE_GENERATED=1 cargo test --test docs"
        );
    }
}

fn row(name: &str, object: &Value) -> String {
    let fields = object["properties"].as_object().unwrap().keys();
    let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
    format!("| {name} | {} |\n", fields.join(", "))
}
