{{- define "labels" -}}
app.kubernetes.io/name: kubectl-hpa-exporter
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "subject" -}}
- kind: ServiceAccount
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
{{- end -}}
