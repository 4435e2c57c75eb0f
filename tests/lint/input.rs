//! How texts are read: documents, lists, broken ones, and texts that are not manifests.

use hpa_engine::model::Input as Given;
use hpa_lint::{File, LintInput, LintSettings, Report, run};
use hpa_testing::version;

pub(crate) const HPA: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 4
  maxReplicas: 4
";

/// Runs HPA102, which the minimum of [`HPA`] violates.
pub(crate) fn report(input: &LintInput) -> Report {
    let mut settings = LintSettings::new(Given::given(version(36)));
    settings.enabled = ["HPA102"].into();
    run(input, &settings)
}

/// `line:column severity code message` of each finding, and the notes.
fn lint(input: &LintInput) -> Vec<String> {
    let report = report(input);
    let findings = report.findings.iter().map(|reported| {
        let location = reported.location.expect("it is from a file");
        let (line, column) = input.sources.line_and_column(location.file, location.start);
        format!(
            "{line}:{column} {} {} {}",
            reported.finding.severity, reported.rule.code, reported.finding.message
        )
    });
    let notes = report.notes.iter().map(|note| note.message.clone());
    findings.chain(notes).collect()
}

fn lint_text(text: &str) -> Vec<String> {
    let mut input = LintInput::default();
    input.add_text("test.yaml", text, true);
    lint(&input)
}

fn file(name: &str, bytes: impl Into<Vec<u8>>, is_found: bool) -> File {
    File {
        name: name.to_owned(),
        bytes: bytes.into(),
        is_found,
        is_linted: true,
        is_rendered: false,
    }
}

fn lint_files(files: impl IntoIterator<Item = File>) -> Vec<String> {
    let mut input = LintInput::default();
    let files = files.into_iter().map(Ok::<_, ()>);
    input.add_files(files).expect("there is no error in it");
    lint(&input)
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str("  ");
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn lint_bytes(bytes: &[u8], is_found: bool) -> Vec<String> {
    lint_files([file("test.yaml", bytes, is_found)])
}

const FOUND: &str =
    "info HPA102 minReplicas and maxReplicas are both 4, so no metric changes the replicas";

/// The text of a list with one item for each `name`, each as [`HPA`].
fn items(names: &[&str]) -> String {
    let items = names.iter().map(|name| {
        let hpa = HPA.replace("name: web\nspec", &format!("name: {name}\nspec"));
        format!("-{}", &indented(&hpa)[1..])
    });
    items.collect()
}

#[track_caller]
fn expect(found: &[String], expected: &[&str]) {
    assert_eq!(found, expected, "{found:#?}");
}

#[test]
fn a_broken_document_is_reported_with_its_place_and_all_others_are_checked() {
    let broken = HPA.replace("  minReplicas: 4", " minReplicas: 4");
    let text = format!("{HPA}---\n{broken}---\n{HPA}");
    let found = lint_text(&text);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert_eq!(found[0], format!("11:3 {FOUND}"));
    assert!(
        found[1].starts_with(
            "22:2 error HPA012 document 2 cannot be read as a HorizontalPodAutoscaler: "
        ),
        "{}",
        found[1]
    );
    assert_eq!(found[2], format!("35:3 {FOUND}"));
}

#[test]
fn a_misspelled_kind_is_an_error_and_not_nothing_to_lint() {
    let misspelled = HPA.replace("HorizontalPodAutoscaler", "HorizontalPodAutoScaler");
    expect(
        &lint_text(&misspelled),
        &[
            "2:7 error HPA012 no API has the kind HorizontalPodAutoScaler, so the API server rejects this object",
        ],
    );
    let other = HPA.replace("HorizontalPodAutoscaler", "VerticalPodAutoscaler");
    expect(
        &lint_text(&other),
        &["nothing to lint: no HorizontalPodAutoscaler or ScaledObject among 1 object in 1 file"],
    );
}

#[test]
fn what_kubectl_reads_as_no_text_is_reported_at_its_place() {
    expect(
        &lint_text(&HPA.replace("  name: web\nspec", "  name: on\nspec")),
        &[
            "4:3 error HPA012 document 1 cannot be read as a HorizontalPodAutoscaler: metadata.name: kubectl \
             reads on as a boolean, but the field needs a string",
            &format!("11:3 {FOUND}"),
        ],
    );
    let text = HPA.replace(
        "spec:\n",
        "  annotations:\n    example.com/a: true\n    b: 'true'\n  labels:\n    t: 0777\nspec:\n",
    );
    let found = lint_text(&text);
    // It does not hide others.
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(
        found[0].starts_with("6:5 error HPA012")
            && found[0].contains("[example.com/a]: kubectl reads true as a boolean"),
        "{found:#?}"
    );
    assert!(
        found[1].starts_with("9:5 error HPA012")
            && found[1].contains(".t: kubectl reads 0777 as the number 511")
    );
}

#[test]
fn a_key_that_is_written_twice_is_reported_and_the_last_one_counts() {
    let text = HPA.replace("  minReplicas: 4\n", "  minReplicas: 2\n  minReplicas: 4\n");
    expect(
        &lint_text(&text),
        &[
            "10:3 warning HPA012 spec.minReplicas is written twice: kubectl takes the last one, and Kustomize \
             rejects the document",
            &format!("12:3 {FOUND}"),
        ],
    );
    // Objects that are not linted have no findings.
    let other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: c, b: d}\n---\n";
    expect(
        &lint_text(&format!("{other}{HPA}")),
        &[&format!("16:3 {FOUND}")],
    );
}

#[test]
fn an_hpa_of_a_group_or_version_that_no_server_knows_is_reported() {
    for api_version in ["hpa/v2beta1", "autoscaling/v3", "autoscaling"] {
        let text = format!(
            "apiVersion: {api_version}\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web}}\nspec: {{scaleTargetRef: {{kind: Deployment, name: web}}, maxReplicas: 2}}\n"
        );
        let found = lint_text(&text);
        let expected = format!("apiVersion: unknown HPA version \"{api_version}\"");
        let errors: Vec<_> = found.iter().filter(|one| one.contains(" error ")).collect();
        assert_eq!(errors.len(), 1, "{found:?}");
        assert!(errors[0].contains(&expected), "{found:?}");
    }
}

#[test]
fn lists_are_opened_typed_or_nested_or_not() {
    let list = format!("apiVersion: v1\nkind: List\nitems:\n{}", items(&["a", "b"]));
    let both = [&*format!("14:5 {FOUND}"), &*format!("25:5 {FOUND}")];
    expect(&lint_text(&list), &both);
    let typed = items(&["a", "b"]).replace(
        "- apiVersion: autoscaling/v2\n  kind: HorizontalPodAutoscaler\n  metadata",
        "-\n  # one\n  metadata",
    );
    let typed =
        format!("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscalerList\nitems:\n{typed}");
    expect(&lint_text(&typed), &both);
    let nested = format!(
        "kind: List\napiVersion: v1\nitems:\n-{}",
        &indented(&list)[1..]
    );
    expect(
        &lint_text(&nested),
        &[&format!("17:7 {FOUND}"), &format!("28:7 {FOUND}")],
    );
    expect(
        &lint_text("apiVersion: v1\nkind: List\nitems: []\n"),
        &["nothing to lint: no HorizontalPodAutoscaler or ScaledObject among 0 objects in 1 file"],
    );
}

#[test]
fn json_is_read_also_several_objects_one_behind_the_other() {
    let json = r#"{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
	"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"minReplicas":4,"maxReplicas":4}}"#;
    for between in ["", "\n", "\n\n", "\n---\n"] {
        let found = lint_text(&format!("{json}{between}{json}{between}"));
        assert_eq!(found.len(), 2, "{between:?}: {found:#?}");
        assert_eq!(found[0], format!("2:101 {FOUND}"), "{between:?}");
    }
    expect(
        &lint_text(&format!("{json}\n---\n{HPA}")),
        &[&format!("2:101 {FOUND}"), &format!("14:3 {FOUND}")],
    );
}

#[test]
fn output_of_helm_is_read_with_everything_round_the_manifests() {
    let text = format!(
        "NAME: shop\nLAST DEPLOYED: Sat Nov 21 16:00:00 2026\nSTATUS: pending-install\nHOOKS:\nMANIFEST:\n---\n\
         # Source: shop/templates/empty.yaml\n---\n# Source: shop/templates/hpa.yaml\n{HPA}\nNOTES:\n1. Get the URL: it \
         is\n  printed by this: [\n"
    );
    expect(&lint_text(&text), &[&format!("20:3 {FOUND}")]);
}

#[test]
fn a_helm_template_is_called_one() {
    let template = format!(
        "{{{{- if .Values.autoscaling.enabled }}}}\n{}{{{{- end }}}}\n",
        HPA.replace("name: web\nspec", "name: {{ .Release.Name }}\nspec")
    );
    let expected = [
        (
            false,
            "error HPA012 document 1 is a Helm template, not a manifest",
        ),
        (
            true,
            "templates are not manifests and are not checked; lint what they render: ",
        ),
    ];
    for (is_found, expected) in expected {
        let found = lint_bytes(template.as_bytes(), is_found);
        assert!(found[0].contains(expected), "{found:#?}");
        assert!(
            found.iter().all(|one| one.contains("error") != is_found),
            "{found:#?}"
        );
    }
}

#[test]
fn what_is_no_manifest_is_a_mistake_only_if_the_user_named_it() {
    let values = "autoscaling:\n  enabled: true\n---\na: [\n";
    let problem = lint_bytes(values.as_bytes(), false);
    assert!(
        problem[0].contains("error HPA012 document 2 cannot be read: "),
        "{problem:#?}"
    );
    let text = lint_bytes(b"hello\n", false);
    assert!(
        text[0].contains("error HPA012 document 1 is not a manifest: it has no fields"),
        "{text:#?}"
    );
    let service = "{{ if .Values.service }}\nkind: Service\n{{ end }}\n";
    let found = lint_files([
        file("chart/templates/service.yaml", service, true),
        file("chart/values.yaml", values, true),
        file("hpa.yaml", HPA, true),
    ]);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert_eq!(found[0], format!("11:3 {FOUND}"));
    assert_eq!(
        found[1],
        "chart is a Helm chart, and its templates are not checked; lint what Helm renders: helm template chart | kubectl hpa lint -f -"
    );
    assert!(
        found[2].starts_with("chart/values.yaml:")
            && found[2].contains("cannot be read, and is skipped"),
        "{}",
        found[2]
    );
}

#[test]
fn nothing_to_lint_is_reported() {
    expect(
        &lint_text("a: 1\n---\nkind: Service\napiVersion: v1\n"),
        &["nothing to lint: no HorizontalPodAutoscaler or ScaledObject among 2 objects in 1 file"],
    );
}

#[test]
fn every_encoding_that_kubectl_reads_is_read() {
    let windows = format!("\u{feff}{}", HPA.replace('\n', "\r\n"));
    expect(
        &lint_bytes(windows.as_bytes(), false),
        &[&format!("11:3 {FOUND}")],
    );
    let units = windows.encode_utf16();
    let little: Vec<u8> = units.clone().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        expect(&lint_bytes(&bytes, false), &[&format!("11:3 {FOUND}")]);
    }
    let latin = [
        b"# caf\xe9\n---\n",
        HPA.replace("\nspec", "\n  labels: {a: \u{1}}\nspec")
            .as_bytes(),
    ]
    .concat();
    let latin: Vec<u8> = latin
        .into_iter()
        .map(|byte| if byte == 1 { 0xe9 } else { byte })
        .collect();
    expect(
        &lint_bytes(&latin, false),
        &[
            "7:15 warning HPA012 document 1 is not UTF-8, so kubectl sends U+FFFD in place of these bytes",
            &format!("14:3 {FOUND}"),
        ],
    );
    let zero = HPA.replace("name: web\nspec", "name: w\0eb\nspec");
    let found = lint_text(&format!("{zero}---\n{HPA}"));
    assert!(
        found[0].starts_with("4:10 error HPA012") && found.len() == 2,
        "{found:#?}"
    );
}

#[test]
fn anchors_inside_of_anchors_do_not_multiply_what_is_kept() {
    let anchors: Vec<String> = (0..200).map(|level| format!("&a{level} [")).collect();
    let anchors = anchors.concat();
    let (items, close) = ("x, ".repeat(6_000), "]".repeat(200));
    let found = lint_text(&format!("a: {anchors}{items}{close}\n---\n{HPA}"));
    let problem = "document 1 cannot be read: the values of this text would take more than 20 MiB, which is too much to read";
    assert!(
        found[0].ends_with(problem) && found.len() == 2,
        "{found:#?}"
    );
}

#[test]
fn of_many_documents_that_cannot_be_read_the_first_are_listed_and_the_rest_is_counted() {
    let found = lint_text(&format!("{}---\n{HPA}", "---\n: [\n".repeat(1_000)));
    assert_eq!(found.len(), 202, "{found:#?}");
    assert!(
        found[199].contains("document 200 cannot be read: "),
        "{}",
        found[199]
    );
    let rest =
        "800 more problems of this kind are not listed; the first: document 201 cannot be read: ";
    assert!(found[200].contains(rest), "{}", found[200]);
    // What can be read is checked.
    assert!(found[201].ends_with(FOUND), "{}", found[201]);
}

#[test]
fn a_document_that_explodes_costs_nothing() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let before = format!("*a{}, ", level - 1).repeat(9);
        bomb.push_str(&format!("a{level}: &a{level} [{before}]\n"));
    }
    let deep = format!("a: {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let mut chain = "b0: &b0 x\n".to_owned();
    for level in 1..200 {
        let before = level - 1;
        chain.push_str(&format!("b{level}: &b{level} {open}*b{before}{close}\n"));
    }
    let found = lint_text(&format!("{bomb}---\n{deep}---\n{chain}---\n{HPA}"));
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(
        found[0].ends_with("document 1 cannot be read: aliases make this document too large"),
        "{}",
        found[0]
    );
    assert!(
        found[1].contains("document 2 cannot be read: "),
        "{}",
        found[1]
    );
    assert!(
        found[2].ends_with("document 3 cannot be read: nested deeper than 255 levels"),
        "{}",
        found[2]
    );
    assert!(found[3].ends_with(FOUND), "{}", found[3]);
}

#[test]
fn anchors_and_merge_keys_are_followed_to_where_the_value_is() {
    let text = HPA
        .replace("spec:\n", "  labels: &bounds\n    minReplicas: '2'\n    a: b\nspec:\n  x-bounds: &numbers {minReplicas: 4, maxReplicas: 4}\n  <<: *numbers\n")
        .replace("  minReplicas: 4\n  maxReplicas: 4\n", "");
    expect(&lint_text(&text), &[&format!("9:39 {FOUND}")]);
}
