package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

const (
	queueTarget   = 10 // messages for each pod
	queueInterval = 15 * time.Second
	queuePhase    = 7 * time.Second
	triggerMetric = "s0-prometheus"
)

var (
	brokerLabels = map[string]string{"job": "broker", "instance": "10.1.0.8:9419", "pod": "broker-0", "service": "broker"}
	// The operator's own namespace is the label of the scrape.
	kedaLabels = map[string]string{"job": "keda-operator", "instance": "10.1.0.9:8080", "pod": "keda-operator-7d9c8b6f5-k2x9q", "service": "keda-operator"}
)

// writeQueue writes all series of an HPA that a ScaledObject of the same name has: on the length of a queue, which is
// 60% longer for half a minute of each seven.
func (p *past) writeQueue(number int) {
	rng := rand.New(rand.NewPCG(2, uint64(number)))
	name := fmt.Sprintf("queue-%d", number)
	replicaSet := name + "-" + suffix(rng, 9)
	l := p.load(rng)
	// What the newest scrape of the broker shows.
	length := func(at time.Time) float64 {
		since := at.Sub(p.from.Add(queuePhase)).Truncate(queueInterval)
		scraped := p.from.Add(queuePhase + max(0, since))
		messages := l.at(scraped) / (request * target / 100) * queueTarget
		if minute, second := int(since.Minutes()), int(since.Seconds()); minute%7 == 3 && second%60 < 30 {
			messages *= 1.6
		}
		return math.Round(messages)
	}
	queue := metric{triggerMetric, "average", queueTarget, func(at time.Time, pods int) float64 {
		return math.Ceil(length(at)*1000/float64(pods)) / 1000
	}}
	syncs, pods := p.play(queue, replicaSet, rng)
	phase := time.Duration(rng.Int64N(int64(p.stateMetricsInterval)))
	p.writeAutoscaler(name, queue, syncs, phase)
	p.writeWorkload(name, replicaSet, syncs, phase)
	for _, one := range pods {
		p.writePod(one, replicaSet, phase)
	}
	every := func(phase, interval time.Duration, value func(time.Time) float64, of map[string]string) {
		var timestamps []int64
		var values []float64
		for at := p.from.Add(phase); at.Before(p.until); at = at.Add(interval) {
			timestamps, values = append(timestamps, at.UnixMilli()), append(values, value(at))
		}
		p.put(of, timestamps, values)
	}
	every(queuePhase, queueInterval, length, labels(brokerLabels, "queue_messages", "queue", name))
	exported := func(at time.Time) float64 { return length(lastSync(syncs, at).at) }
	every(11*time.Second, queueInterval, exported, labels(kedaLabels, "keda_scaler_metrics_value",
		"namespace", "keda", "exported_namespace", "past", "metric", triggerMetric, "scaledObject", name,
		"scaler", "prometheusScaler", "triggerIndex", "0", "type", "scaledobject"))
}
