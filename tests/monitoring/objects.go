package main

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"text/template"
)

type service struct {
	Name, PortName string
	Port           int
	Labels         string
	ClusterIP      string
	Pod            *pod
}

type pod struct {
	Name, Labels string
	Program      string
}

// The Services and their Pods as the charts make them: kube-prometheus-stack (its own Service and the
// one of prometheus-operator) and victoria-metrics-single.
var (
	prometheusPod = &pod{
		Name: "prometheus-kube-prometheus-stack-prometheus-0", Program: "prometheus",
		Labels: "{app.kubernetes.io/name: prometheus, operator.prometheus.io/name: kube-prometheus-stack-prometheus}",
	}
	victoriaMetricsPod = &pod{
		Name: "vms-victoria-metrics-single-server-0", Program: "victoria-metrics",
		Labels: "{app: server, app.kubernetes.io/name: victoria-metrics-single, app.kubernetes.io/instance: vms}",
	}
	pods     = []*pod{prometheusPod, victoriaMetricsPod}
	services = []service{
		{
			Name: "kube-prometheus-stack-prometheus", PortName: "http-web", Port: 9090, Pod: prometheusPod,
			Labels: `{app: kube-prometheus-stack-prometheus, self-monitor: "true", release: kube-prometheus-stack, heritage: Helm, ` +
				"app.kubernetes.io/instance: kube-prometheus-stack, app.kubernetes.io/managed-by: Helm, app.kubernetes.io/part-of: kube-prometheus-stack}",
		},
		{
			Name: "prometheus-operated", PortName: "http-web", Port: 9090, ClusterIP: "None", Pod: prometheusPod,
			Labels: `{operated-prometheus: "true", managed-by: prometheus-operator}`,
		},
		{
			Name: "vms-victoria-metrics-single-server", PortName: "http", Port: 8428, ClusterIP: "None", Pod: victoriaMetricsPod,
			Labels: "{app: server, app.kubernetes.io/name: victoria-metrics-single, app.kubernetes.io/instance: vms, app.kubernetes.io/managed-by: Helm}",
		},
	}
)

// The service proxy sends requests only to the address of a Pod. It reads EndpointSlices, and
// Endpoints in older releases.
var objectsTemplate = template.Must(template.New("").Parse(`
apiVersion: v1
kind: Namespace
metadata: {name: {{.Namespace}}}
{{- range .Pods}}
---
apiVersion: v1
kind: Pod
metadata:
  name: {{.Name}}
  namespace: {{$.Namespace}}
  annotations: {testcluster/ip: "{{$.Address}}"}
  labels: {{.Labels}}
spec:
  containers: [{name: {{.Program}}, image: example.com/{{.Program}}}]
{{- end}}
{{- range .Services}}
---
apiVersion: v1
kind: Service
metadata:
  name: {{.Name}}
  namespace: {{$.Namespace}}
  labels: {{.Labels}}
spec:
{{- with .ClusterIP}}
  clusterIP: {{.}}
{{- end}}
  ports: [{name: {{.PortName}}, port: {{.Port}}, targetPort: {{index $.Ports .Pod.Program}}}]
---
apiVersion: v1
kind: Endpoints
metadata: {name: {{.Name}}, namespace: {{$.Namespace}}}
subsets:
- addresses: [{ip: "{{$.Address}}", targetRef: {kind: Pod, namespace: {{$.Namespace}}, name: {{.Pod.Name}}}}]
  ports: [{name: {{.PortName}}, port: {{index $.Ports .Pod.Program}}}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: {{.Name}}
  namespace: {{$.Namespace}}
  labels: {kubernetes.io/service-name: {{.Name}}, endpointslice.kubernetes.io/managed-by: bench}
addressType: IPv4
endpoints:
- addresses: ["{{$.Address}}"]
  conditions: {ready: true}
  targetRef: {kind: Pod, namespace: {{$.Namespace}}, name: {{.Pod.Name}}}
ports: [{name: {{.PortName}}, port: {{index $.Ports .Pod.Program}}}]
{{- end}}
`))

// objects are what makes the API server's service proxy reach the programs.
func (b *bench) objects(programs ...*program) ([]byte, error) {
	ports := map[string]string{}
	for _, p := range programs {
		_, port, err := net.SplitHostPort(p.address)
		if err != nil {
			return nil, err
		}
		ports[p.name] = port
	}
	var text bytes.Buffer
	err := objectsTemplate.Execute(&text, struct {
		Namespace, Address string
		Ports              map[string]string // of the programs
		Pods               []*pod
		Services           []service
	}{b.namespace, b.address.String(), ports, pods, services})
	return text.Bytes(), err
}

// reaches waits until the service proxy does.
func (b *bench) reaches(ctx context.Context, s service) error {
	path := url.PathEscape
	return until(ctx, s.Name, func() error {
		_, err := b.run(ctx, nil, "get", "--raw", "/api/v1/namespaces/"+path(b.namespace)+"/services/http:"+path(s.Name)+
			":"+s.PortName+"/proxy/api/v1/query?query=1")
		return err
	})
}
