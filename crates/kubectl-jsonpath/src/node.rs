//! The nodes of a template.

/// A node of a template.
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
    /// `range`, `end`, or an unknown word.
    Identifier(String),
    /// `5`.
    Integer(i64),
    /// The content of a pair of braces, applied in sequence.
    List(Vec<TemplateNode>),
    /// `..`.
    Recursive,
    /// `[0]`, `[1:3]`, `[*]`.
    Slice(Slice),
    /// Text outside braces, or quoted text inside them.
    Text(String),
    /// `[0,2]`, `['a','b']`.
    Union(Vec<Vec<TemplateNode>>),
    /// `.*`.
    Wildcard,
}

/// `[begin:end:step]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// First element; negative: from the end. None: the first element of the list.
    pub(super) begin: Option<i64>,
    /// The element after the last.
    pub(super) end: SliceEnd,
    /// The step; none: 1.
    pub(super) step: Option<i64>,
}

/// Where a slice ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SliceEnd {
    /// After one element.
    AfterBegin(i64),
    /// Before this element; negative: from the end.
    At(i64),
    /// After the last element.
    Last,
}

/// `[?(left == right)]`, or `[?(left)]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    /// The expression to compare, for each element.
    pub(super) left: Vec<TemplateNode>,
    /// The operator and the other side. None: elements that have `left` pass.
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
    /// Any other operator; fails on the first comparison.
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
