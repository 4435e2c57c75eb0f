package main

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// What is left of a selector of many requirements: in which order they are.
func crowdVector(input string) any {
	sel, err := labels.Parse(input)
	if err != nil {
		return selector{Input: input, Error: err.Error()}
	}
	return selector{Input: input, Canonical: sel.String()}
}

// 13 to 700 requirements, several on each label, in one of the orders that sort.Sort treats in ways of their own. The value
// of each is its place, so that the canonical form tells equal keys apart.
func randomCrowd(r *rand.Rand) string {
	n := 13 + r.Intn([]int{20, 60, 150, 688}[r.Intn(4)])
	labels := 1 + r.Intn(n)
	ranks := make([]int, n)
	switch r.Intn(6) {
	case 0: // any
		for i := range ranks {
			ranks[i] = r.Intn(labels)
		}
	case 1: // rising, a few out of place
		for i := range ranks {
			ranks[i] = i * labels / n
		}
		displace(r, ranks)
	case 2: // falling, a few out of place
		for i := range ranks {
			ranks[i] = (n - 1 - i) * labels / n
		}
		displace(r, ranks)
	case 3: // up and down
		for i := range ranks {
			ranks[i] = min(i, n-1-i)
		}
	case 4: // almost all the same
		for i := range ranks {
			ranks[i] = 5
		}
		for range 1 + r.Intn(5) {
			ranks[r.Intn(n)] = r.Intn(10)
		}
	case 5: // the worst, some of them made equal
		merged, last := make([]int, n+1), 0
		for i := 1; i <= n; i++ {
			if r.Intn(10) != 0 {
				last++
			}
			merged[i] = last
		}
		for i, rank := range worst(n) {
			ranks[i] = merged[rank]
		}
	}
	parts := make([]string, n)
	for i, rank := range ranks {
		parts[i] = fmt.Sprintf("k%03d=%d", rank, i)
	}
	return strings.Join(parts, ",")
}

func displace(r *rand.Rand, ranks []int) {
	for range r.Intn(8) {
		i, j := r.Intn(len(ranks)), r.Intn(len(ranks))
		ranks[i], ranks[j] = ranks[j], ranks[i]
	}
}

// An order whose pivots are bad, so that the rest is left to heapsort: found by answering comparisons so that they are (McIlroy,
// A Killer Adversary for Quicksort).
func worst(n int) []int {
	a := &adversary{ranks: make([]int, n), items: make([]int, n)}
	for i := range n {
		a.ranks[i], a.items[i] = n, i
	}
	sort.Sort(a)
	return a.ranks
}

type adversary struct {
	ranks     []int // by item; len(ranks) while undecided
	items     []int
	decided   int
	candidate int
}

func (a *adversary) Len() int      { return len(a.items) }
func (a *adversary) Swap(i, j int) { a.items[i], a.items[j] = a.items[j], a.items[i] }

func (a *adversary) Less(i, j int) bool {
	x, y := a.items[i], a.items[j]
	open := len(a.items)
	if a.ranks[x] == open && a.ranks[y] == open {
		// The first answer keeps the sample from looking sorted.
		if a.decided == 0 || x == a.candidate {
			a.decide(x)
		} else {
			a.decide(y)
		}
	}
	if a.ranks[x] == open {
		a.candidate = x
	} else if a.ranks[y] == open {
		a.candidate = y
	}
	return a.ranks[x] < a.ranks[y]
}

func (a *adversary) decide(item int) {
	a.ranks[item] = a.decided
	a.decided++
}
