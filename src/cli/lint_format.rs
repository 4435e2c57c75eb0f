//! Output formats of `kubectl hpa lint`.

use std::{ffi::OsStr, fmt, path::PathBuf};

use clap::{
    Arg, Command, Error, ValueEnum,
    builder::{EnumValueParser, PossibleValue, TypedValueParser},
    error::ErrorKind,
};

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people: the lines concerned, and what to do.
    Text,
    /// One line for each finding.
    Concise,
    /// For programs; the schema is docs/schema/lint.json.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
    /// JUnit XML, for Jenkins and others.
    Junit,
    /// Checkstyle XML.
    Checkstyle,
}

impl LintFormat {
    /// What users type.
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("every format is shown");
        value.get_name().to_owned()
    }

    /// The names of all formats.
    pub fn names() -> impl Iterator<Item = String> {
        Self::value_variants().iter().map(|format| format.name())
    }

    /// Whether it can show what could not be checked.
    pub fn has_notes(self) -> bool {
        matches!(self, Self::Text | Self::Json | Self::Sarif)
    }
}

/// A value of `--output`: a format and its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintDestination {
    /// How.
    pub format: LintFormat,
    /// The file; none: standard output.
    pub file: Option<PathBuf>,
}

impl fmt::Display for LintDestination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "-o {}", self.format.name())?;
        match &self.file {
            Some(file) => write!(formatter, "={}", file.display()),
            None => Ok(()),
        }
    }
}

/// Reads `FORMAT` and `FORMAT=FILE`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LintDestinationParser;

impl TypedValueParser for LintDestinationParser {
    type Value = LintDestination;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<LintDestination, Error> {
        let text = value.to_str().ok_or_else(|| {
            let problem = "--output: the value is not UTF-8; use --output-file for such a name";
            command.clone().error(ErrorKind::InvalidUtf8, problem)
        })?;
        let (name, file) = match text.split_once('=') {
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format =
            EnumValueParser::<LintFormat>::new().parse_ref(command, arg, OsStr::new(name))?;
        if file
            .as_ref()
            .is_some_and(|file| file.as_os_str().is_empty())
        {
            let problem = format!("-o {name}= has no file: use -o {name}=FILE, or -o {name}");
            return Err(command.clone().error(ErrorKind::InvalidValue, problem));
        }
        Ok(LintDestination { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = LintFormat::value_variants().iter();
        Some(Box::new(formats.filter_map(ValueEnum::to_possible_value)))
    }
}
