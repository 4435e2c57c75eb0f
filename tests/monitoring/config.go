package main

import (
	"bytes"
	"os"
	"path/filepath"
	"text/template"
	"time"
)

// The targets with the labels that kube-prometheus-stack gives them.
var scrapeConfig = template.Must(template.New("").Parse(`{{with .Replica -}}
global:
  external_labels: {prometheus: monitoring/kube-prometheus-stack-prometheus, prometheus_replica: {{.}}}
{{end -}}
scrape_configs:
- job_name: kube-state-metrics
  scrape_interval: {{.StateMetricsInterval}}
  scrape_timeout: {{.StateMetricsTimeout}}
  honor_labels: true
  static_configs:
  - targets: ["{{.StateMetrics}}"]
    labels:
      container: kube-state-metrics
      endpoint: http
      namespace: {{.Namespace}}
      pod: kube-prometheus-stack-kube-state-metrics-6c9d7b8f5d-x7k2p
      service: kube-prometheus-stack-kube-state-metrics
{{- range .Paths}}
- job_name: kubelet{{.}}
  scrape_interval: {{$.CadvisorInterval}}
  scrape_timeout: {{$.CadvisorTimeout}}
  metrics_path: {{.}}
  honor_labels: true
  honor_timestamps: {{$.HonorTimestamps}}
{{- if $.Replica}}
  track_timestamps_staleness: true
{{- end}}
  static_configs:
  - targets: ["{{$.Kubelet}}"]
    labels:
      endpoint: https-metrics
      job: kubelet
      namespace: kube-system
      node: testcluster
      service: kube-prometheus-stack-kubelet
  relabel_configs:
  - {action: replace, source_labels: [__metrics_path__], target_label: metrics_path}
  metric_relabel_configs:
  - {action: drop, source_labels: [id, pod], regex: ".+;"}
{{- end}}
`))

const scrapeTimeout = 10 * time.Second

// writeConfig writes the scrape configuration of a replica of Prometheus, or of VictoriaMetrics, which
// refuses what only Prometheus knows.
func (b *bench) writeConfig(name, replica string) (string, error) {
	paths := []string{"/metrics/cadvisor"}
	if b.Resource {
		paths = append(paths, "/metrics/resource")
	}
	var text bytes.Buffer
	err := scrapeConfig.Execute(&text, struct {
		*bench
		Namespace, Replica                   string
		Paths                                []string
		StateMetricsTimeout, CadvisorTimeout time.Duration
	}{b, b.namespace, replica, paths, min(b.StateMetricsInterval, scrapeTimeout), min(b.CadvisorInterval, scrapeTimeout)})
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, name)
	return path, os.WriteFile(path, text.Bytes(), 0o644)
}
