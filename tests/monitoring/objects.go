package main

import (
	"bytes"
	"context"
	"net/url"
	"text/template"
)

type service struct {
	Name, PortName string
	Port           int
	Labels         string
	ClusterIP      string
	Programs       []*program
}

// Labels of the Pods.
const (
	prometheusLabels = "{app.kubernetes.io/name: prometheus, operator.prometheus.io/name: kube-prometheus-stack-prometheus}"
	victoriaLabels   = "{app: server, app.kubernetes.io/name: victoria-metrics-single, app.kubernetes.io/instance: vms}"
	thanosLabels     = "{app.kubernetes.io/name: thanos, app.kubernetes.io/component: query, app.kubernetes.io/instance: thanos}"
)

// services are as the charts make them: kube-prometheus-stack (its own Service and the one of
// prometheus-operator), victoria-metrics-single, thanos.
func (r *running) services() []service {
	services := []service{
		{
			Name: "kube-prometheus-stack-prometheus", PortName: "http-web", Port: 9090, Programs: r.prometheus,
			Labels: `{app: kube-prometheus-stack-prometheus, self-monitor: "true", release: kube-prometheus-stack, heritage: Helm, ` +
				"app.kubernetes.io/instance: kube-prometheus-stack, app.kubernetes.io/managed-by: Helm, app.kubernetes.io/part-of: kube-prometheus-stack}",
		},
		{
			Name: "prometheus-operated", PortName: "http-web", Port: 9090, ClusterIP: "None", Programs: r.prometheus,
			Labels: `{operated-prometheus: "true", managed-by: prometheus-operator}`,
		},
		{
			Name: "vms-victoria-metrics-single-server", PortName: "http", Port: 8428, ClusterIP: "None", Programs: []*program{r.victoria},
			Labels: "{app: server, app.kubernetes.io/name: victoria-metrics-single, app.kubernetes.io/instance: vms, app.kubernetes.io/managed-by: Helm}",
		},
	}
	if r.thanos != nil {
		services = append(services, service{
			Name: "thanos-query", PortName: "http", Port: 9090, Programs: []*program{r.thanos}, Labels: thanosLabels,
		})
	}
	return services
}

// The service proxy sends requests only to the address of a Pod. It reads EndpointSlices, and
// Endpoints in older releases.
var objectsTemplate = template.Must(template.New("").Parse(`
apiVersion: v1
kind: Namespace
metadata: {name: {{.Namespace}}}
{{- range .Programs}}
---
apiVersion: v1
kind: Pod
metadata:
  name: {{.Pod}}
  namespace: {{$.Namespace}}
  annotations: {testcluster/ip: "{{$.Address}}"}
  labels: {{.PodLabels}}
spec:
  containers: [{name: {{.File}}, image: example.com/{{.File}}}]
{{- end}}
{{- range $service := .Services}}
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
  ports: [{name: {{.PortName}}, port: {{.Port}}}]
---
apiVersion: v1
kind: Endpoints
metadata: {name: {{.Name}}, namespace: {{$.Namespace}}}
subsets:
{{- range .Programs}}
- addresses: [{ip: "{{$.Address}}", targetRef: {kind: Pod, namespace: {{$.Namespace}}, name: {{.Pod}}}}]
  ports: [{name: {{$service.PortName}}, port: {{.Port}}}]
{{- end}}
{{- range .Programs}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: {{$service.Name}}-{{.Name}}
  namespace: {{$.Namespace}}
  labels: {kubernetes.io/service-name: {{$service.Name}}, endpointslice.kubernetes.io/managed-by: bench}
addressType: IPv4
endpoints:
- addresses: ["{{$.Address}}"]
  conditions: {ready: true}
  targetRef: {kind: Pod, namespace: {{$.Namespace}}, name: {{.Pod}}}
ports: [{name: {{$service.PortName}}, port: {{.Port}}}]
{{- end}}
{{- end}}
{{- range .Servers}}
---
apiVersion: v1
kind: Service
metadata: {name: {{.Name}}, namespace: {{$.Namespace}}}
spec: # an ExternalName is the only kind that leads to loopback
  type: ExternalName
  externalName: 127.0.0.1
  ports: [{port: {{.Port}}}]
{{- end}}
{{- range .APIs}}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: {{.Version}}.{{.Group}}}
spec:
  group: {{.Group}}
  version: {{.Version}}
  groupPriorityMinimum: 100
  versionPriority: {{.Priority}}
  insecureSkipTLSVerify: true
  service: {namespace: {{$.Namespace}}, name: {{.Server.Name}}, port: {{.Server.Port}}}
{{- end}}
`))

// objects are what makes the API server's service proxy reach the programs.
func (b *bench) objects(running *running) ([]byte, error) {
	var text bytes.Buffer
	err := objectsTemplate.Execute(&text, struct {
		Namespace, Address string
		Programs           []*program
		Services           []service
		Servers            []*program
		APIs               []api
	}{b.namespace, b.address.String(), running.served(), running.services(), running.servers(), running.apis()})
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
