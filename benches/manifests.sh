#!/usr/bin/env bash
# manifests.sh FILES FOLDER: writes so many manifests, one file each with a Deployment, a Service and an HPA.
set -euo pipefail
mkdir -p "$2"
awk -v files="$1" -v folder="$2" 'BEGIN {
  for (i = 1; i <= files; i++) {
    name = sprintf("web-%05d", i); out = folder "/" name ".yaml"; team = i % 40
    printf "%s", \
      "# Source: shop/templates/" name ".yaml\n" \
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " name "\n  namespace: shop\n  labels:\n" \
      "    app.kubernetes.io/name: " name "\n    app.kubernetes.io/part-of: shop\n    app.kubernetes.io/managed-by: Helm\n" \
      "    team: team-" team "\nspec:\n  selector:\n    matchLabels:\n      app.kubernetes.io/name: " name "\n" \
      "      app.kubernetes.io/part-of: shop\n  template:\n    metadata:\n      labels:\n" \
      "        app.kubernetes.io/name: " name "\n        app.kubernetes.io/part-of: shop\n        team: team-" team "\n" \
      "    spec:\n      terminationGracePeriodSeconds: 30\n      containers:\n      - name: main\n" \
      "        image: registry.example.com/shop/" name ":1.4.2\n        ports:\n        - name: http\n          containerPort: 8080\n" \
      "        env:\n        - name: LOG_LEVEL\n          value: info\n        - name: POOL_SIZE\n          value: \"16\"\n" \
      "        resources:\n          requests:\n            cpu: 250m\n            memory: 256Mi\n          limits:\n" \
      "            memory: 512Mi\n        readinessProbe:\n          httpGet:\n            path: /ready\n            port: http\n" \
      "          periodSeconds: 5\n        livenessProbe:\n          httpGet:\n            path: /live\n            port: http\n" \
      "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: " name "\n  namespace: shop\n  labels:\n" \
      "    app.kubernetes.io/part-of: shop\nspec:\n  selector:\n    app.kubernetes.io/name: " name "\n" \
      "    app.kubernetes.io/part-of: shop\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n" \
      "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: " name "\n  namespace: shop\n" \
      "  labels:\n    app.kubernetes.io/part-of: shop\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n" \
      "    kind: Deployment\n    name: " name "\n  minReplicas: " (i % 10 ? 2 + i % 3 : 4) "\n  maxReplicas: " (i % 10 ? 10 + i % 30 : 4) "\n" \
      "  metrics:\n  - type: Resource\n    resource:\n      name: cpu\n      target:\n        type: Utilization\n" \
      "        averageUtilization: " (50 + i % 40) "\n  behavior:\n    scaleDown:\n      stabilizationWindowSeconds: 300\n" \
      "      policies:\n      - type: Percent\n        value: 50\n        periodSeconds: 60\n" > out
    close(out)
  }
}'
