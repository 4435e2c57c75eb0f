package main

import (
	"math/rand"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

type selector struct {
	Input     string              `json:"input"`
	Error     string              `json:"error,omitempty"`
	Canonical string              `json:"canonical,omitempty"`
	Empty     bool                `json:"empty,omitempty"`
	Matches   []map[string]string `json:"matches,omitempty"`
	Differs   []map[string]string `json:"differs,omitempty"`
}

func selectorVector(input string) any {
	out := selector{Input: input}
	sel, err := labels.Parse(input)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Canonical, out.Empty = sel.String(), sel.Empty()
	r := drawnFor(input)
	// Labels that the selector names, and values near those that it wants.
	requirements, _ := sel.Requirements()
	for range 3 {
		set := map[string]string{}
		for _, one := range requirements {
			near := append(one.Values().List(), "", "x", "0", "-1", "2", "04", "+3", "9223372036854775807", "9223372036854775808")
			if r.Intn(5) != 0 {
				set[one.Key()] = near[min(r.Intn(len(near)), r.Intn(len(near)))]
			}
		}
		if sel.Matches(labels.Set(set)) {
			out.Matches = append(out.Matches, set)
		} else {
			out.Differs = append(out.Differs, set)
		}
	}
	return out
}

var keys = []string{"app", "tier", "example.com/team", "version", "a", "x-y_z.1", "in", "notin", "App", "A.b/C_d"}
var values = []string{"web", "db", "front", "1", "", "v1.2.3", "a_b-c", "in", "notin", "0", "-1", "9223372036854775807", "9223372036854775808", "Web"}

func randomSelector(r *rand.Rand) string {
	switch r.Intn(10) {
	case 0:
		return oddSelector(r)
	case 1, 2, 3:
		return mutated(r, plainSelector(r), []rune("=!<>(),,  \t\r\nabinot019-_./ÄxX\"'\\{}\u00a0\u200b\x00\x7f☃"))
	default:
		return plainSelector(r)
	}
}

func plainSelector(r *rand.Rand) string {
	space := func() string { return pick(r, []string{"", "", "", "", " ", "  ", "\t", "\n"}) }
	var parts []string
	for range 1 + r.Intn(4) {
		k, v := pick(r, keys), pick(r, values)
		var set []string
		for range 1 + r.Intn(4) {
			set = append(set, space()+pick(r, values)+space())
		}
		switch r.Intn(8) {
		case 0:
			parts = append(parts, k)
		case 1:
			parts = append(parts, "!"+space()+k)
		case 2:
			parts = append(parts, k+space()+"!="+space()+v)
		case 3:
			parts = append(parts, k+" in"+space()+"("+strings.Join(set, ",")+")")
		case 4:
			parts = append(parts, k+" notin"+space()+"("+strings.Join(set, ",")+")")
		case 5:
			parts = append(parts, k+space()+pick(r, []string{">", "<"})+space()+strconv.Itoa(r.Intn(7)-2))
		default:
			parts = append(parts, k+space()+pick(r, []string{"=", "=="})+space()+v)
		}
	}
	return space() + strings.Join(parts, space()+","+space()) + space()
}

// Texts about which somebody would have to think.
func oddSelector(r *rand.Rand) string {
	odd := []string{"", " ", ",", ",,", "=", "==", "!=", "!", "!!", "(", ")", "()", "in", "notin", "in in (in)", "notin notin (notin)", "notin=in", "in=notin",
		"app in (in,notin)", "app in in", "app notin in", "app in", "app notin", "in (a)", "notin (a)", "!in", "!notin", "!in in (a)",
		"app", "!app", "! app", "!!app", "!app=web", "!app in (a)", "app!", "app !", "app!web", "app=", "app==", "app!=", "app>", "app<", "app==web", "app===web", "app=!web", "app=!=web", "app!==web",
		"app=web=db", "app=web,", ",app=web", "app=web,,tier=db", "app = web , tier = db", "app=-web", "app=web-", "app=.web", "app=web web", "app web", "app=(web)", "app=web)", "(app=web)",
		"app in web", "app in (", "app in )", "app in ()", "app in (,)", "app in (,,)", "app in (web,,db)", "app in (web,", "app in (web db)", "app in ((web))", "app in (web))", "app in (web)tier", "app in (a) tier", "app in(web)", "app notin(web)", "app in (web),tier", "app IN (web)", "appin (web)", "app in (web", "app notin (web", "app in (web=db)", "app in (!web)", "app in (a,a,a)", "app in (b,a)",
		"app>5", "app<5", "app>-5", "app>+5", "app>05", "app>x", "app>1.5", "app>9223372036854775807", "app>9223372036854775808", "app<-9223372036854775809", "app> 5", "app>=5", "app<=5", "app<>5", "app>5>4", "app>(5)", "app>5,app<7", "app>",
		"/x=1", "x/=1", "a/b/c=1", "A/b=1", "a.b/c=1", "-a/b=1", "a-/b=1", "a..b/c=1", "ä=1", "a=ä", "app=\"web\"", "app='web'", "app=we\\b", "x\ty=1", "x\u00a0=1", "\u200bapp=web", "app=web\x00", "app=web;tier=db", "app=web&tier=db", "app:web", "{app=web}", "app=☃", "a,b,a,b", "z,y,x,a=1,b!=2", "a=1,a=2,a!=1", "_a=1", "a_=1", "1=1", "-=1", ".=.",
		"app=" + strings.Repeat("x", 63), "app=" + strings.Repeat("x", 64), strings.Repeat("k", 63) + "=1", strings.Repeat("k", 64) + "=1",
		strings.Repeat("p", 63) + "/k=1", strings.Repeat("p", 64) + "/k=1", strings.Repeat("p.", 126) + "p/k=1", strings.Repeat("p.", 127) + "p/k=1", "app=" + strings.Repeat("ä", 32), "app in (" + strings.Repeat("ab,", 40) + "c)"}
	return pick(r, odd)
}
