//! A chart, rendered by `helm template`.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use hpa_lint::File;
use hpa_words::sanitize::file_name;

use super::program::{self, rendered};

/// Renders a chart: the objects of each template, in a file named after the template.
pub(super) fn render(folder: &Path, values: &[PathBuf]) -> anyhow::Result<Vec<File>> {
    let of = || format!("--render of {}", file_name(folder));
    let name = release_name(folder);
    let mut arguments = vec![OsStr::new("template")];
    arguments.extend(name.as_deref().map(OsStr::new));
    let local = program::local(folder);
    arguments.push(local.as_os_str());
    for file in values {
        arguments.extend([OsStr::new("--values"), file.as_os_str()]);
    }
    let Some(text) = program::output("helm", arguments).with_context(of)? else {
        bail!(
            "{}: helm is not in the PATH: install it, or leave out --render",
            of()
        );
    };
    let files = by_template(&text).into_iter();
    Ok(files
        .map(|(template, text)| rendered(place(folder, template), text))
        .collect())
}

/// The name of the folder, if it is a valid release name; otherwise helm's default is used.
fn release_name(folder: &Path) -> Option<String> {
    let real = dunce::canonicalize(folder).ok()?;
    let name = real.file_name()?.to_str()?;
    let is_taken =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let is_name = name.len() <= LONGEST_NAME
        && name.chars().all(is_taken)
        && !name.starts_with('-')
        && !name.ends_with('-');
    is_name.then(|| name.to_owned())
}

/// Longest name of a release.
const LONGEST_NAME: usize = 53;

/// The documents of each template, which helm names before each document: `# Source: CHART/templates/hpa.yaml`.
fn by_template(text: &str) -> Vec<(Option<&str>, String)> {
    let mut files: Vec<(Option<&str>, String)> = Vec::new();
    for document in documents(text) {
        let mut lines = document.lines();
        let template = lines
            .find_map(|line| line.strip_prefix("# Source: "))
            .map(str::trim);
        let at = files.iter().position(|(known, _)| *known == template);
        let at = at.unwrap_or_else(|| {
            files.push((template, String::new()));
            files.len() - 1
        });
        files[at].1.push_str(document);
        if !document.ends_with('\n') {
            files[at].1.push('\n');
        }
    }
    files
}

/// The documents, each with the `---` before it.
fn documents(text: &str) -> Vec<&str> {
    let separators = text.match_indices("---\n").map(|(at, _)| at);
    let mut starts: Vec<usize> = separators
        .filter(|at| *at == 0 || text[..*at].ends_with('\n'))
        .collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    starts.push(text.len());
    let documents = starts.windows(2).map(|part| &text[part[0]..part[1]]);
    documents
        .filter(|document| !document.trim().is_empty())
        .collect()
}

/// The file of a template of the chart or its subcharts; the chart itself if that file is in an archive.
fn place(folder: &Path, template: Option<&str>) -> String {
    let file = template.and_then(|template| {
        let (_, path) = template.split_once('/')?;
        Some(folder.join(path)).filter(|path| path.is_file())
    });
    file.unwrap_or_else(|| folder.join("Chart.yaml"))
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_of_the_template_that_helm_names() {
        let text = "---\n# Source: web/templates/a.yaml\na: |\n  ---\n  b\n---\n# Source: web/templates/b.yaml\nb: 1\n---\n# Source: web/templates/a.yaml\nc: 1\n";
        let files = by_template(text);
        assert_eq!(
            files,
            [
                (
                    Some("web/templates/a.yaml"),
                    "---\n# Source: web/templates/a.yaml\na: |\n  ---\n  b\n---\n# Source: web/templates/a.yaml\nc: 1\n"
                        .to_owned()
                ),
                (
                    Some("web/templates/b.yaml"),
                    "---\n# Source: web/templates/b.yaml\nb: 1\n".to_owned()
                ),
            ]
        );
        assert_eq!(by_template("a: 1"), [(None, "a: 1\n".to_owned())]);
        assert_eq!(by_template(""), []);
    }
}
