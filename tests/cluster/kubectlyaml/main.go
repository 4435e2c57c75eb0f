// Command kubectlyaml prints what kubectl reads from YAML and JSON: the decoder of its resource builder
// (k8s.io/cli-runtime/pkg/resource, StreamVisitor and FileVisitor), one case after the other. The output is
// tests/lint/kubectl_yaml.json:
//
//	cd tests/cluster && go run ./kubectlyaml > ../lint/kubectl_yaml.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Case is one text, and what kubectl makes of it: the documents before the first broken one, and why that is broken.
type Case struct {
	Text      string            `json:"text,omitempty"`
	Bytes     []int             `json:"bytes,omitempty"` // of a text that is not UTF-8
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
}

// Scalars as they stand behind a colon, in a list, in brackets and as a key.
var scalars = []string{
	"yes", "Yes", "YES", "yEs", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N",
	"true", "True", "TRUE", "tRue", "false", "False", "FALSE", "null", "Null", "NULL", "~", "nil", "none",
	"0", "-0", "+0", "1", "-1", "+1", "10", "007", "010", "0777", "08", "09", "0o17", "0O17", "0b11", "0B11",
	"-0b11", "+0b11", "0x1F", "0X1f", "-0x1F", "0b12", "0xZ", "0x", "0b", "0o", "1_000", "1__000", "1_", "_1",
	"0x_1F", "1:30", "1:30:00", "190:20:30", "9223372036854775807", "9223372036854775808",
	"18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809",
	"1.5", "-1.5", "+1.5", "1.", ".5", "-.5", "+.5", "1.0", "3.0", "1e3", "1E3", "1e+3", "1e-3", "1.5e3", "1e1",
	"1.5e-7", "1e21", "1e20", "1e400", ".1e400", "1_000.5", ".5_0", "0.1", "123456789.125", "1234567.5", "0.00001",
	".inf", "-.inf", "+.inf", ".Inf", ".INF", ".nan", ".NaN", "inf", "nan", "Infinity", "NaN", ".", "-", "+", "..",
	"--", "1-2", "+-1", "0x-1", "0-1", "1e", "e3", "1.2.3", "1.2e3.4", "v1", "1Gi", "100m", "50%", "1k", "1E",
	"2024-01-01", "2024-01-01T00:00:00Z", "2024-1-2", "2024-01-01 10:00:00", "=", "<", "a b", "a#b", "a: b",
	"\"yes\"", "'yes'", "\"0777\"", "'1.5'", "\"\"", "''", "\"a\\tb\\u00e9\\x41\"", "'it''s'", "\"1\\n2\"",
	"!!str yes", "!!str 0777", "!!int \"3\"", "!!int 3", "!!float 3", "!!float 1.5", "!!bool yes", "!!bool \"on\"",
	"!!null ''", "!!int x", "!!bool 1", "!!float x", "!custom 3", "! 3", "!!timestamp 2024-01-01", "!<tag:yaml.org,2002:str> 1",
	"äöü", "日本", "🎉", "a\u00a0b", "\"\\/\"", "\"\\ud83c\\udf89\"",
}

// Whole texts.
var texts = []string{
	"", "\n", "---\n", "---\n---\n", "# only a comment\n", "---\n# only a comment\n---\na: 1\n", "...\n", "a: 1\n...\n",
	"a: 1\n...\n---\nb: 2\n", "a: 1\n---\nb: 2\n", "---\na: 1\n---\n\n---\nb: 2\n---\n", "a: 1\n--- # comment\nb: 2\n",
	"--- # comment\na: 1\n", "a: 1\n---   \nb: 2\n", "%YAML 1.1\n---\na: 1\n", "\ufeffa: 1\n", "\ufeff---\na: 1\n---\nb: 2\n",
	"a: 1\r\nb:\r\n- x\r\n---\r\nc: 2\r\n", "\ufeffa: 1\r\n---\r\nb: 2\r\n", "a: 1\rb: 2\r",
	"a: 1\na: 2\n", "a: 1\nb: 2\na: 3\n", "{a: 1, a: 2}\n", "a:\n  b: 1\na:\n  c: 2\n", "1: a\n\"1\": b\n",
	"a: &x 1\nb: *x\n", "a: &x {b: 1}\nc: *x\n", "a: &x [1, 2]\nc: *x\n", "a: *x\n", "a: &x [*x]\n", "a: &x\n  b: *x\n",
	"&k a: 1\nb: *k\n", "a: &x b\n*x : 1\n", "a: &x 1\nb: &x 2\nc: *x\n", "a: &x 1\n---\nb: *x\n",
	"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n",
	"a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]\n", "a:\n  <<: {b: 1}\n  c: 2\n", "a:\n  <<: 1\n", "a:\n  <<: [1]\n",
	"a: &x [1]\nb:\n  <<: *x\n", "a:\n  \"<<\": {b: 1}\n", "a: &x {b: 1}\nc:\n  <<: *x\n  <<: {d: 2}\n",
	"? a\n: 1\n", "? [a]\n: 1\n", "? {a: 1}\n: 1\n", "[a]: 1\n", "{a: b}: 1\n", "a: {{ .Values.x }}\n", "a: {{.x}}\n",
	"a: \"{{ .Values.x }}\"\n", "{{- if .x }}\na: 1\n{{- end }}\n", "~: 1\n", ": 1\n", "null: 1\n", "2024-01-01: 1\n",
	"{\"a\": 1}", "{\"a\": 1}\n{\"b\": 2}\n", "{\"a\": 1}{\"b\": 2}", "  {\"a\": 1}\n\n{\"b\": 2}", "{\"a\": 1}\n---\n{\"b\": 2}\n",
	"{\"a\": 1}\n---\nb: 2\n", "{\"a\": 1, \"a\": 2}", "{\"a\": yes}", "{\"a\": \"yes\", \"b\": 3.0, \"c\": 1e3, \"d\": 1E5}", "{a: 1}\n", "{\n\t\"a\": {\n\t\t\"b\": [1,\n\t\t2]\n\t}\n}\n",
	"{\"a\": 1}\nb: 2\n", "{\"a\": \"\\u0041\\n\\/\"}", "{\"a\": 9007199254740993, \"b\": 18446744073709551615}",
	"[1, 2]", "[1, 2]\n[3]\n", "\"text\"", "a", "1", "a: [1, 2\nb: 3\n", "a: {b: 1\n", "a: 'x\n", "a: \"x\n", "a: b: c\n", "a:\n b: 1\n  c: 2\n",
	"a:\n  - 1\n - 2\n", "a: 1\n b: 2\n", "- a\n-b\n", "a:b\n", "a : 1\n", "a:   1   # c\n", "a: 1 #c\n", "a: x#c\n",
	"\ta: 1\n", "a:\n\tb: 1\n", "a:\t1\n", "a: 1\t\n", "a: 1\n\t\nb: 2\n", "a:\n  b: 1\n\tc: 2\n", "a: [1,\n\t2]\n", "a: x\ty\n", "a: \"x\ty\"\n", "-\ta\n",
	"a: \x00\n", "a: \"\x00\"\n", "a: x\x01y\n", "a: \"x\x7fy\"\n", "a: x\u0085y\n", "a: x\u2028y\n", "a: \xff\n", "a: 1\n---\nb: \xe9\n", "# \xe9\na: 1\n",
	"a: |\n  x\n  y\n", "a: |-\n  x\n", "a: |+\n  x\n\n", "a: >\n  x\n  y\n\n  z\n", "a: >-\n  x\n  y\n", "a: |2\n   x\n", "a: |\n  ---\n  x\n", "a: |\n", "a: |\n\n", "a: |\nb: 1\n", "a: |\n x\n  y\n",
	"a: x\n  y\n", "a: \"x\n  y\"\n", "a: 'x\n\n  y'\n", "a: \"x \\\n  y\"\n", "a:\n- x\n- y\n", "a:\n  - x\n  -\n  - y\n", "a: - x\n", "- - a\n  - b\n- c\n", "a: [x, , y]\n", "a: [x,]\n", "a: {x, y}\n", "a: {x: , y: 1}\n",
	"a: @x\n", "a: `x`\n", "a: %x\n", "a: !x\n", "a: *\n", "a: &\n", "a: |x\n", "a: ,\n", "a: ]\n", "a: x]\n", "a: x, y\n", "a: -x\n", "a: ?x\n", "a: :x\n", "a: x:\n", "a: :\n",
	"a: !!set {x, y}\n", "a: !!binary aGk=\n", "a: !!map {}\n", "a: !!seq []\n", "a: !!omap [x: 1]\n",
	"a: 1\n---\nb: [\n---\nc: 3\n", "a: \"\\q\"\n", "a: \"\\u12\"\n", "a: 1\nb\n", "a: 1\nb\nc: 2\n", "--- a: 1\n", "---a: 1\n", "a: 1\n----\nb: 2\n", "a: \"x\n---\ny\"\n",
	"key with spaces: 1\n", "\"a\\tb\": 1\n", "'a': 1\n", "? |\n  a\n: 1\n", "a: \n  \n", "a:\n\n\nb: 1\n", "#c\na: 1 # d\n# e\n", "a: # c\n  b: 1\n", "a:\n# c\n  b: 1\n", "a:\n- 1\n# c\n- 2\n",
	"NAME: x\nLAST DEPLOYED: Sat Nov 21 16:00:00 2026\nNAMESPACE: d\n", "a: 1\n\nNOTES:\nThank you\n", "a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
}

func main() {
	var cases []Case
	for _, scalar := range scalars {
		for _, form := range []string{"a: %s\n", "- %s\n", "a: [%s]\n", "%s: 1\n"} {
			cases = append(cases, read([]byte(fmt.Sprintf(form, scalar))))
		}
	}
	for _, text := range texts {
		cases = append(cases, read([]byte(text)))
	}
	for _, encoding := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		text, err := unicode.UTF16(encoding, unicode.UseBOM).NewEncoder().Bytes([]byte("a: ä🎉\n---\nb: 2\n"))
		if err != nil {
			panic(err)
		}
		cases = append(cases, read(text))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	fmt.Println("[")
	for index, one := range cases {
		if index > 0 {
			fmt.Print(",")
		}
		if err := out.Encode(one); err != nil {
			panic(err)
		}
	}
	fmt.Println("]")
}

func read(text []byte) Case {
	result := Case{Documents: []json.RawMessage{}}
	if utf8.Valid(text) {
		result.Text = string(text)
	} else {
		for _, one := range text {
			result.Bytes = append(result.Bytes, int(one))
		}
	}
	decoded := transform.NewReader(bytes.NewReader(text), unicode.BOMOverride(unicode.UTF8.NewDecoder()))
	decoder := yaml.NewYAMLOrJSONDecoder(decoded, 4096)
	for {
		extension := runtime.RawExtension{}
		if err := decoder.Decode(&extension); errors.Is(err, io.EOF) {
			return result
		} else if err != nil {
			result.Error = err.Error()
			return result
		}
		raw := bytes.TrimSpace(extension.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		result.Documents = append(result.Documents, json.RawMessage(raw))
	}
}
