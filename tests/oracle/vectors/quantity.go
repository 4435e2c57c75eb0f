package main

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

type quantity struct {
	Input     string `json:"input"`
	Error     string `json:"error,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	Value     int64  `json:"value,omitempty"`
	Milli     int64  `json:"milliValue,omitempty"`
	// As text, because infinity is no JSON.
	Float  string `json:"approximateFloat64,omitempty"`
	Format string `json:"format,omitempty"`
	// What is added to it and compared with it.
	Other   string `json:"other,omitempty"`
	Sum     string `json:"sum,omitempty"`
	Compare int    `json:"compare,omitempty"`
}

func quantityVector(input string) any {
	out := quantity{Input: input}
	q, err := resource.ParseQuantity(input)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Format = string(q.Format)
	out.Value, out.Milli = q.Value(), q.MilliValue()
	out.Float = strconv.FormatFloat(q.AsApproximateFloat64(), 'g', -1, 64)
	parsed := resource.MustParse(input) // Value and MilliValue may not change it, String caches
	out.Canonical = parsed.String()
	r := drawnFor(input)
	if r.Intn(4) == 0 {
		out.Other = []string{"0", "1", "-1", "1m", "250m", "1Gi", "0.5Ki", "1n", "-999999999n", "9223372036854775807",
			"-9223372036854775808", "1e3", "123456789012345678901234567890", "0.1", "8E", "-7Ei", "1e18", "12e-3"}[r.Intn(18)]
		other := resource.MustParse(out.Other)
		sum := resource.MustParse(input)
		out.Compare = sum.Cmp(other)
		sum.Add(other)
		out.Sum = sum.String()
	}
	return out
}

func digits(r *rand.Rand, most int) string {
	b := make([]byte, 1+r.Intn(most))
	for i := range b {
		b[i] = byte('0' + r.Intn(10))
	}
	return string(b)
}

var suffixes = []string{"", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}

func randomQuantity(r *rand.Rand) string {
	for {
		if one := anyQuantity(r); !isEndless(one) {
			return one
		}
	}
}

// Go computes for hours on an exponent of which the low 32 bits are a large number.
func isEndless(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return false
	}
	exponent, err := strconv.ParseInt(text[at+1:], 10, 64)
	return err == nil && (int32(exponent) < -9999 || 9999 < int32(exponent))
}

func anyQuantity(r *rand.Rand) string {
	switch r.Intn(10) {
	case 0:
		return oddQuantity(r)
	case 1, 2:
		return mutated(r, plainQuantity(r), []rune("0123456789..+-eEnumkMGTPKi  _,xabµ９\t\x00"))
	case 3:
		return edgeQuantity(r)
	case 4:
		return longQuantity(r)
	default:
		return plainQuantity(r)
	}
}

func plainQuantity(r *rand.Rand) string {
	sign := pick(r, []string{"", "", "", "", "-", "+"})
	number := digits(r, pick(r, []int{1, 3, 6, 12, 19, 25}))
	switch r.Intn(4) {
	case 0:
		number += "." + digits(r, pick(r, []int{1, 3, 9, 12, 20}))
	case 1:
		if r.Intn(8) == 0 {
			number = "." + number
		} else if r.Intn(8) == 0 {
			number += "."
		}
	}
	suffix := pick(r, suffixes)
	if r.Intn(12) == 0 {
		suffix = fmt.Sprintf("%s%d", pick(r, []string{"e", "E"}), r.Intn(24)-12)
	}
	return sign + number + suffix
}

// Numbers about which somebody would have to think.
func oddQuantity(r *rand.Rand) string {
	odd := []string{"", " ", "-", "+", ".", "-.", "+.", "m", "Ki", "E", "e", "e3", "NaN", "inf", "-Inf", "0x10", "1 000", "1,5", "９", "--1", "+-1",
		"1..2", "1.2.3", ".5", "5.", "-.5", "-5.", ".m", "-0", "+0", "-0.0", "0.0", "00", "0Ki", "0n", "0e5", "-0Ei", ".0", "-.0m", "0E", "0.0000000000",
		"1K", "1ki", "1mi", "1Zi", "1Y", "1KI", "1kB", "1Kib", "1Kii", "1mm", "1EE", "1iK", "1b", "1µ", "1_000",
		"1e", "1E", "1e+", "1e-", "1e0", "1e-0", "1e+0", "1e00005", "1E+3", "1E-3", "1e+5", "1E-2", "1e3k", "1e3Ki", "1e1.5", "1e 5", "1ee5", "1Ee5", "1e5e5", "1e0x5", "1e_5",
		"1e308", "1e309", "1e400", "-1e400", "1e-308", "1e-400", "0e400", "123e-9", "1e-9", "1e-10", "1e20", "1e5000", "1e-5000",
		"1e4294967296", "1e4294967299", "1e-4294967297", "1e8589934592", "1e9223372036854775807", "1e9223372036854775808", "1e-9223372036854775808",
		"1E ", " 1", "1\n", "\t1", "1\x00", "1m ", "１", "1٣", "1e٣", "−1"}
	return pick(r, odd)
}

// Numbers just below, at and above what fits.
func edgeQuantity(r *rand.Rand) string {
	limits := []string{"9223372036854775807", "9223372036854775808", "9223372036854775806", "18446744073709551615", "18446744073709551616",
		"999999999999999999", "1000000000000000000", "99999999999999", "999999999999999", "2147483647", "2147483648", "9223372036854775", "9223372036",
		"9007199254740991", "9007199254740993", "1023", "1024", "1025", "1000", "999", "512", "8", "7", "9", "4611686018427387904"}
	number := pick(r, limits)
	switch r.Intn(5) {
	case 0:
		at := r.Intn(len(number) + 1)
		number = number[:at] + "." + number[at:]
	case 1:
		number += "." + pick(r, []string{"0", "000", "5", "999999999", "0000000001", "807", "000000001", "9999999999"})
	case 2:
		number = strings.Repeat("0", r.Intn(30)) + number + strings.Repeat("0", r.Intn(12))
	}
	return pick(r, []string{"", "-", "+"}) + number + pick(r, append(suffixes, "e3", "E-3", "e9", "e-9", "E18", "e19", "e-10", "e1", "e2", "E4"))
}

// More digits than any form has room for.
func longQuantity(r *rand.Rand) string {
	number := pick(r, []string{"0", "1", "9", "5", "10", "09", "125"})
	number = strings.Repeat(number, 1+r.Intn(40))
	if r.Intn(2) == 0 {
		at := r.Intn(len(number) + 1)
		number = number[:at] + "." + number[at:]
	}
	suffix := pick(r, suffixes)
	if r.Intn(2) == 0 {
		suffix = fmt.Sprintf("%s%s%d", pick(r, []string{"e", "E"}), pick(r, []string{"", "+", "-", "-0"}), r.Intn(pick(r, []int{4, 20, 60, 320})))
	}
	return pick(r, []string{"", "", "-", "+"}) + number + suffix
}
