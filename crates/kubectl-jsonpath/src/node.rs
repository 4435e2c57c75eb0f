//! What a template consists of.

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateNode {
    /// `true`, `false`.
    Bool(bool),
    /// `.name`.
    Field(String),
    /// `[?(left == right)]`.
    Filter(Filter),
    /// `1.5`.
    Float(f64),
    /// `range`, `end`, or a word that means nothing.
    Identifier(String),
    /// `5`.
    Integer(i64),
    /// What stands between braces, applied one after another.
    List(Vec<TemplateNode>),
    /// `..`.
    Recursive,
    /// `[0]`, `[1:3]`, `[*]`.
    Slice(Slice),
    /// Text outside of braces, or quoted inside of them.
    Text(String),
    /// `[0,2]`, `['a','b']`.
    Union(Vec<Vec<TemplateNode>>),
    /// `.*`.
    Wildcard,
}

/// `[begin:end:step]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// First element; negative: from the end. None: the first of all.
    pub(super) begin: Option<i64>,
    /// The element after the last.
    pub(super) end: SliceEnd,
    /// Every so many; none: each.
    pub(super) step: Option<i64>,
}

/// Where a slice ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// After the one element that was asked for.
    AfterBegin(i64),
    /// Before this element; negative: from the end.
    At(i64),
    /// After the last element.
    Last,
}

/// `[?(left == right)]`, or `[?(left)]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    /// What is compared, for each element.
    pub(super) left: Vec<TemplateNode>,
    /// With what; none: elements that have `left` pass.
    pub(super) comparison: Option<(FilterOperator, Vec<TemplateNode>)>,
}

/// How a filter compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FilterOperator {
    /// `==`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `!=`
    NotEqual,
    /// Anything else, which fails as soon as something is compared.
    Unknown(String),
}

impl FilterOperator {
    pub(super) fn of(text: &str) -> Self {
        match text {
            "==" => Self::Equal,
            ">" => Self::Greater,
            ">=" => Self::GreaterEqual,
            "<" => Self::Less,
            "<=" => Self::LessEqual,
            "!=" => Self::NotEqual,
            other => Self::Unknown(other.to_owned()),
        }
    }
}
