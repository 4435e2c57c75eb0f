//! Texts before and after fixes.

use super::apply_alone;
use crate::FixStep;

fn remove(path: &str) -> FixStep {
    FixStep::Remove { path: path.into() }
}

fn set(path: &str, text: &str) -> FixStep {
    FixStep::SetScalar {
        path: path.into(),
        text: text.into(),
    }
}

fn rename(path: &str, key: &str) -> FixStep {
    FixStep::RenameKey {
        path: path.into(),
        key: key.into(),
    }
}

fn insert(path: &str, key: &str, text: &str) -> FixStep {
    FixStep::Insert {
        path: path.into(),
        key: key.into(),
        text: text.into(),
    }
}

#[track_caller]
fn is_fixed(before: &str, steps: &[FixStep], after: &str) {
    let start = u32::try_from(before.find(['a', '{']).unwrap()).unwrap();
    assert_eq!(apply_alone(before, start, steps).as_deref(), Ok(after));
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let start = u32::try_from(crlf(before).find(['a', '{']).unwrap()).unwrap();
    assert_eq!(
        apply_alone(&crlf(before), start, steps),
        Ok(crlf(after)),
        "with CRLF"
    );
}

#[test]
fn an_entry_goes_with_its_comments_and_its_line() {
    is_fixed(
        "a: 1\nb:\n  # of c\n  c: 1 # and why\n  # of d\n  d: 2\n",
        &[remove("b.c")],
        "a: 1\nb:\n  # of d\n  d: 2\n",
    );
    is_fixed(
        "a: 1\nb:\n  x: 0\n\n  c:\n    e: 1\n    # within\n\n  # of d\n  d: 2\n",
        &[remove("b.c")],
        "a: 1\nb:\n  x: 0\n\n\n  # of d\n  d: 2\n",
    );
    is_fixed("a: 1\nb: 2", &[remove("b")], "a: 1\n");
    is_fixed(
        "a: 1\nb: |\n  text\n  more\nc: 3\n",
        &[remove("b")],
        "a: 1\nc: 3\n",
    );
    is_fixed("a: 1\nb:\nc: 3\n", &[remove("b")], "a: 1\nc: 3\n");
}

#[test]
fn an_item_goes_and_its_first_entry_leaves_the_dash() {
    is_fixed(
        "a:\n- x: 1\n  y: 2\n# of the second\n- x: 3\n",
        &[remove("a[0]")],
        "a:\n# of the second\n- x: 3\n",
    );
    is_fixed(
        "a:\n  - x: 1\n    y: 2\n  # of the second\n  - x: 3\nb: 1\n",
        &[remove("a[1]")],
        "a:\n  - x: 1\n    y: 2\nb: 1\n",
    );
    is_fixed(
        "a:\n- x: 1 # why\n  y: 2\n- z: 3\n",
        &[remove("a[0].x")],
        "a:\n- y: 2\n- z: 3\n",
    );
}

#[test]
fn the_last_of_a_mapping_or_list_leaves_it_empty() {
    is_fixed("a:\n  b: 1\nc: 2\n", &[remove("a.b")], "a: {}\nc: 2\n");
    is_fixed(
        "a: # why\n  - b: 1\n    c: 2\nd: 3\n",
        &[remove("a[0]")],
        "a: [] # why\nd: 3\n",
    );
    is_fixed(
        "a:\n- b: 1\nc: 2\n",
        &[remove("a[0].b")],
        "a:\n- {}\nc: 2\n",
    );
    is_fixed("a: {b: 1}\n", &[remove("a.b")], "a: {}\n");
    is_fixed("a: [ 1 ]\n", &[remove("a[0]")], "a: []\n");
}

#[test]
fn in_flow_style_one_comma_goes() {
    is_fixed(
        "a: {b: 1, c: 2, d: 3}\n",
        &[remove("a.b")],
        "a: {c: 2, d: 3}\n",
    );
    is_fixed(
        "a: {b: 1, c: 2, d: 3}\n",
        &[remove("a.c")],
        "a: {b: 1, d: 3}\n",
    );
    is_fixed(
        "a: {b: 1, c: 2, d: 3}\n",
        &[remove("a.d")],
        "a: {b: 1, c: 2}\n",
    );
    is_fixed(
        "{\n  \"a\": 1,\n  \"b\": {\"x\": [1, 2]},\n  \"c\": 3\n}\n",
        &[remove("b"), remove("c")],
        "{\n  \"a\": 1\n}\n",
    );
}

#[test]
fn a_scalar_keeps_its_quotes_while_it_is_a_text() {
    is_fixed("a: 'x' # why\n", &[set("a", "z")], "a: 'z' # why\n");
    is_fixed("a: \"3\"\n", &[set("a", "3")], "a: 3\n");
    is_fixed(
        "a: x\n",
        &[set("a", "autoscaling/v2")],
        "a: autoscaling/v2\n",
    );
    is_fixed("a: # why\nb: 1\n", &[set("a", "3")], "a: 3 # why\nb: 1\n");
    is_fixed("{\"a\": \"x\"}", &[set("a", "z")], "{\"a\": \"z\"}");
    is_fixed("{\"a\": \"3\"}", &[set("a", "3")], "{\"a\": 3}");
}

#[test]
fn a_key_keeps_its_quotes() {
    is_fixed("a: {\"b\": 1}\n", &[rename("a.b", "c")], "a: {\"c\": 1}\n");
    is_fixed(
        "a:\n  b: 1 # why\n",
        &[rename("a.b", "c")],
        "a:\n  c: 1 # why\n",
    );
}

#[test]
fn an_entry_is_added_in_the_style_of_its_neighbors() {
    is_fixed(
        "a:\n  b: 1 # why\nc: 2\n",
        &[insert("a", "d", "{e: {f: 1}, g: x}")],
        "a:\n  b: 1 # why\n  d:\n    e:\n      f: 1\n    g: x\nc: 2\n",
    );
    is_fixed("a:\n  b: 1", &[insert("a", "c", "2")], "a:\n  b: 1\n  c: 2");
    is_fixed(
        "a:\n- b: 1\nc: 2\n",
        &[insert("a[0]", "d", "2")],
        "a:\n- b: 1\n  d: 2\nc: 2\n",
    );
    is_fixed(
        "a: {b: 1}\n",
        &[insert("a", "d", "{e: 1}")],
        "a: {b: 1, d: {e: 1}}\n",
    );
    is_fixed("a: {}\n", &[insert("a", "d", "1")], "a: {d: 1}\n");
    is_fixed(
        "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n",
        &[insert("a", "d", "{e: x}")],
        "{\n  \"a\": {\n    \"b\": 1,\n    \"d\": {\"e\": \"x\"}\n  }\n}\n",
    );
    is_fixed("a: 1\n", &[insert("", "b", "2")], "a: 1\nb: 2\n");
}

#[test]
fn steps_see_what_those_before_them_left() {
    is_fixed(
        "a:\n  resource:\n    name: cpu\n    targetAverageUtilization: 80\n",
        &[
            insert(
                "a.resource",
                "target",
                "{type: Utilization, averageUtilization: 80}",
            ),
            remove("a.resource.targetAverageUtilization"),
        ],
        "a:\n  resource:\n    name: cpu\n    target:\n      type: Utilization\n      averageUtilization: 80\n",
    );
}

#[test]
fn objects_of_lists_and_later_documents_are_found() {
    let text = "a: 1\n---\nkind: List\nitems:\n- b: 1\n  c: 2\n- b: 3\n";
    let start = u32::try_from(text.find("b: 1").unwrap()).unwrap();
    assert_eq!(
        apply_alone(text, start, &[remove("c")]).unwrap(),
        "a: 1\n---\nkind: List\nitems:\n- b: 1\n- b: 3\n"
    );
}

#[test]
fn what_would_change_more_than_intended_is_refused() {
    let aliased = "a: &x {b: 1, c: 2}\nd: *x\n";
    for step in [
        remove("a.b"),
        remove("a"),
        set("a.b", "2"),
        remove("d.b"),
        insert("a", "e", "1"),
        insert("a", "b", "1"),
        rename("a.b", "c"),
        remove("z"),
        remove("a[0]"),
        remove(""),
        insert("a.b", "x", "1"),
    ] {
        assert!(
            apply_alone(aliased, 0, std::slice::from_ref(&step)).is_err(),
            "{step:?}"
        );
    }
    let broken = "a: 1\n---\nb: [\n";
    assert!(apply_alone(broken, 0, &[set("a", "2")]).is_err());
}
