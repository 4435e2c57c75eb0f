package main

import (
	"fmt"
	"math/rand"
)

// A workload whose kubelets measure each container at times of their own, and what goes wrong with it.
type workload struct {
	r *rand.Rand
	// How often anything goes wrong, of a thousand times.
	trouble int
	now     int64
	pods    []*simulated
}

type simulated struct {
	name       string
	containers []*container
	// For that many scrapes there is no word of it.
	missing int
}

type container struct {
	name    string
	start   int64
	missing int
	// The last measurement, and when the next one comes.
	measured point
	next     int64
	// What it uses, in nanoseconds of CPU time a millisecond.
	rate int64
}

func randomSequence(r *rand.Rand, name string) sequence {
	resolution := []int64{10, 15, 15, 15, 60}[r.Intn(5)]
	interval := resolution
	if r.Intn(4) == 0 {
		interval = []int64{10, 15, 60}[r.Intn(3)]
	}
	w := workload{r: r, trouble: []int{0, 15, 60, 200}[r.Intn(4)], now: 1_000_000 + r.Int63n(10_000)}
	for i := range []int{1, 1, 1, 2, 2, 3}[r.Intn(6)] {
		w.pods = append(w.pods, w.pod(i))
	}
	s := sequence{Case: name, ResolutionSeconds: resolution}
	for range 6 + r.Intn(7) {
		s.Scrapes = append(s.Scrapes, w.scrape())
		// A node is asked up to a few seconds later than the one before.
		w.now = max(w.now+interval*1000+r.Int63n(801)-400, w.now+1)
		if w.is(w.trouble) && len(w.pods) < 4 {
			w.pods = append(w.pods, w.pod(len(w.pods)))
		}
	}
	return s
}

// So many times of a thousand.
func (w *workload) is(thousandth int) bool {
	return w.r.Intn(1000) < thousandth
}

func (w *workload) pod(number int) *simulated {
	pod := &simulated{name: fmt.Sprintf("pod-%c", 'a'+number)}
	start := w.now - w.r.Int63n(900_000)
	if w.r.Intn(2) == 0 {
		// Around the ages at which a container is fresh.
		start = w.now - w.r.Int63n(20_000)
	}
	for _, name := range []string{"main", "side", "tail"}[:[]int{1, 1, 1, 2, 2, 3}[w.r.Intn(6)]] {
		c := &container{name: name, rate: w.rate()}
		w.starts(c, start+w.r.Int63n(2_000))
		pod.containers = append(pod.containers, c)
	}
	return pod
}

// Nothing, a little, all of some cores, or anything between.
func (w *workload) rate() int64 {
	switch w.r.Intn(6) {
	case 0:
		return 0
	case 1:
		return w.r.Int63n(1_000)
	case 2:
		return 1_000_000 * (1 + w.r.Int63n(4))
	default:
		return w.r.Int63n(2_000_000)
	}
}

// Whole pages.
func (w *workload) memory() uint64 {
	return 4096 * uint64(1+w.r.Int63n(100_000))
}

func (w *workload) starts(c *container, start int64) {
	c.start = start
	c.next = start + 1 + w.r.Int63n(1_500)
	// The kubelet counts as usage what a container needed to start.
	c.measured = point{Name: c.name, Time: start, CPUNanos: uint64(w.r.Int63n(50_000_000)), Memory: w.memory()}
}

func (w *workload) scrape() scrape {
	s := pods()
	for _, p := range w.pods {
		if p.missing > 0 {
			p.missing--
			continue
		}
		if w.is(w.trouble) {
			p.missing = w.r.Intn(2)
			continue
		}
		found := podOf(p.name)
		for _, c := range p.containers {
			w.measures(c)
			if c.missing > 0 {
				c.missing--
				continue
			}
			if w.is(w.trouble / 2) {
				c.missing = w.r.Intn(2)
				continue
			}
			if c.measured.Time > c.start || w.is(w.trouble) {
				found.Containers = append(found.Containers, w.reported(c))
			}
		}
		// The kubelet names a pod by its containers.
		if len(found.Containers) > 0 || w.is(w.trouble) {
			s.Pods = append(s.Pods, found)
		}
	}
	return s
}

// All measurements until now.
func (w *workload) measures(c *container) {
	if w.is(w.trouble) {
		w.starts(c, w.now-w.r.Int63n(20_000))
	}
	for c.next <= w.now {
		passed := c.next - c.measured.Time
		c.measured.CPUNanos += uint64(passed * c.rate)
		if w.r.Intn(3) > 0 {
			c.measured.CPUNanos += uint64(w.r.Int63n(1_000_000))
		}
		c.measured.Time = c.next
		if w.r.Intn(3) > 0 {
			c.measured.Memory = w.memory()
		}
		// Between ten and twenty seconds, and now and then much longer.
		c.next += 10_000 + w.r.Int63n(10_000)
		if w.is(w.trouble) {
			c.next += w.r.Int63n(60_000)
		}
		if w.r.Intn(8) == 0 {
			c.rate = w.rate()
		}
	}
}

// What the kubelet says of a container: the last measurement, or something odd.
func (w *workload) reported(c *container) point {
	start := c.start
	p := c.measured
	p.Start = &start
	if !w.is(w.trouble) {
		return p
	}
	switch w.r.Intn(5) {
	case 0: // the counter has decreased, and stays so
		c.measured.CPUNanos -= uint64(w.r.Int63n(int64(c.measured.CPUNanos) + 1))
		p.CPUNanos = c.measured.CPUNanos
	case 1: // measured before the point that was told last
		p.Time -= w.r.Int63n(30_000)
	case 2: // the start wobbles
		start += w.r.Int63n(3) - 1
	case 3: // the start is that of now, the counter is not
		start = p.Time - w.r.Int63n(20_000)
	case 4: // other values for the same time
		p.CPUNanos += uint64(w.r.Int63n(1_000_000_000))
		p.Memory += 4096
	}
	return p
}
