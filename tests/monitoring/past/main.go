// past writes the samples of a past that never was, to measure with: HPAs whose load changes over the day, their
// Deployments and pods. bench --past reads it. The replicas follow a simple model of the HPA controller.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"
)

const (
	syncPeriod    = 15 * time.Second
	stabilization = 5 * time.Minute
	request       = 0.1 // cores
	target        = 60  // percent
	readyAfter    = 8 * time.Second
)

type past struct {
	hpas, pods                             int
	queues                                 int
	length, stateMetricsInterval, cadvisor time.Duration
	depth                                  string
	from, until                            time.Time
	encoder                                *json.Encoder
	failed                                 error
	series, samples                        int
}

// series is a line, as VictoriaMetrics exports and imports it.
type series struct {
	Metric     map[string]string `json:"metric"`
	Values     []float64         `json:"values"`
	Timestamps []int64           `json:"timestamps"`
}

func main() {
	p := &past{}
	var until int64
	flag.IntVar(&p.hpas, "hpas", 1, "how many HPAs, each with a Deployment, in the namespace past")
	flag.IntVar(&p.queues, "queues", 0, "how many more HPAs, each on the length of a queue, by a prometheus trigger of KEDA")
	flag.IntVar(&p.pods, "pods", 20, "maxReplicas of each")
	flag.DurationVar(&p.length, "for", 24*time.Hour, "how long")
	flag.DurationVar(&p.stateMetricsInterval, "ksm-interval", 30*time.Second, "time between two scrapes of kube-state-metrics")
	flag.DurationVar(&p.cadvisor, "cadvisor-interval", 10*time.Second, "the shortest time between two samples of a container; the longest is twice that")
	flag.StringVar(&p.depth, "depth", "usage", "hpa, pods or usage: how many of the series")
	flag.Int64Var(&until, "until", time.Now().Unix(), "when it ends, in seconds since 1970")
	flag.Parse()
	p.until = time.Unix(until, 0)
	p.from = p.until.Add(-p.length)
	output := bufio.NewWriterSize(os.Stdout, 1<<20)
	p.encoder = json.NewEncoder(output)
	for i := range p.hpas {
		p.write(i)
	}
	for i := range p.queues {
		p.writeQueue(i)
	}
	if err := output.Flush(); err != nil || p.failed != nil {
		fmt.Fprintln(os.Stderr, "past:", err, p.failed)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%d series, %d samples\n", p.series, p.samples)
}

// sync is what the controller did in one sync.
type sync struct {
	at               time.Time
	current, desired int
	value            float64 // of the metric, for each pod
}

// metric is what an HPA scales on.
type metric struct {
	name, targetType string
	target           float64
	value            func(at time.Time, pods int) float64
}

type pod struct {
	name, uid        string
	created, deleted time.Time
}

// load is in cores: two waves a day, and noise that changes every five minutes.
type load struct {
	most, phase float64
	noise       []float64
	from        time.Time
}

func (l *load) at(t time.Time) float64 {
	since := t.Sub(l.from).Minutes() / 5
	step, part := math.Modf(since)
	noise := l.noise[int(step)]*(1-part) + l.noise[int(step)+1]*part
	wave := 0.55 + 0.35*math.Sin(2*math.Pi*since/288+l.phase) + 0.1*math.Sin(2*math.Pi*since/24)
	return max(0.02, l.most*wave*(1+noise))
}

func (p *past) load(rng *rand.Rand) *load {
	l := &load{most: float64(p.pods) * request * target / 100 * 1.1, phase: rng.Float64() * 6, from: p.from}
	for range int(p.length/(5*time.Minute)) + 2 {
		l.noise = append(l.noise, rng.NormFloat64()*0.08)
	}
	return l
}

// play lets the controller go over the past.
func (p *past) play(m metric, name string, rng *rand.Rand) (syncs []sync, pods []*pod) {
	var present []*pod
	scale := func(to int, at time.Time) {
		for len(present) < to {
			one := &pod{
				name:    fmt.Sprintf("%s-%s", name, suffix(rng, 5)),
				uid:     fmt.Sprintf("%08x-0000-4000-8000-%012x", rng.Uint32(), rng.Uint64()>>16),
				created: at, deleted: p.until,
			}
			pods, present = append(pods, one), append(present, one)
		}
		for len(present) > to {
			present[len(present)-1].deleted = at
			present = present[:len(present)-1]
		}
	}
	scale(2, p.from)
	var recommended []sync
	for at := p.from; at.Before(p.until); at = at.Add(syncPeriod) {
		current := len(present)
		value := m.value(at, current)
		wanted := current
		if ratio := value / m.target; math.Abs(ratio-1) > 0.1 {
			wanted = int(math.Ceil(ratio * float64(current)))
		}
		recommended = append(recommended, sync{at: at, desired: wanted})
		// The controller takes some milliseconds for each sync, so that those of a whole window are a little more than it.
		for at.Sub(recommended[0].at) >= stabilization {
			recommended = recommended[1:]
		}
		for _, earlier := range recommended {
			wanted = max(wanted, min(earlier.desired, current))
		}
		wanted = min(max(wanted, 2), p.pods)
		syncs = append(syncs, sync{at, current, wanted, value})
		scale(wanted, at)
	}
	return syncs, pods
}

func suffix(rng *rand.Rand, length int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	text := make([]byte, length)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	return string(text)
}

// write writes all series of an HPA.
func (p *past) write(number int) {
	rng := rand.New(rand.NewPCG(1, uint64(number)))
	name := fmt.Sprintf("web-%d", number)
	replicaSet := name + "-" + suffix(rng, 9)
	l := p.load(rng)
	cpu := metric{"cpu", "utilization", target, func(at time.Time, pods int) float64 {
		return math.Floor(l.at(at) / float64(pods) / request * 100)
	}}
	syncs, pods := p.play(cpu, replicaSet, rng)
	phase := time.Duration(rng.Int64N(int64(p.stateMetricsInterval)))
	p.writeAutoscaler(name, cpu, syncs, phase)
	p.writeWorkload(name, replicaSet, syncs, phase)
	if p.depth == "hpa" {
		return
	}
	for _, one := range pods {
		p.writePod(one, replicaSet, phase)
		if p.depth == "usage" {
			p.writeUsage(one, syncs, l, rng)
		}
	}
}

func (p *past) put(metric map[string]string, timestamps []int64, values []float64) {
	if len(values) == 0 || p.failed != nil {
		return
	}
	p.series++
	p.samples += len(values)
	p.failed = p.encoder.Encode(series{metric, values, timestamps})
}
