"""A fake API server for benches/fake_cluster.sh: so many HPAs, each with a Deployment, two ReplicaSets, a Service, a disruption
budget and its share of the pods, evenly in so many namespaces; or so many HPAs that share so many of these. Objects are as large as those of a cluster: managed fields,
environment, volumes, statuses. Lists come in pieces where the client asks for that. Watches stay open; that of HPAs tells of a
status of each in every sync period of 15 s, evenly spread.

usage: list_server.py HPAS PODS NAMESPACES [TARGETS]; prints its port when it is ready.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

HPAS, PODS, NAMESPACES, TARGETS = (int(word) for word in (sys.argv[1:] + sys.argv[1:2])[:4])
CREATED = "2026-01-01T00:00:00Z"
EACH = PODS // TARGETS


def owner(kind, name):
    return [{"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": "0000", "controller": True, "blockOwnerDeletion": True}]


def metadata(index, name, **more):
    fields = {"f:metadata": {"f:labels": {".": {}, "f:app": {}, "f:team": {}}}, "f:spec": {"f:template": {"f:spec": {"f:containers": {
        'k:{"name":"main"}': {".": {}, "f:image": {}, "f:imagePullPolicy": {}, "f:resources": {".": {}, "f:requests": {".": {}, "f:cpu": {}}}}}}}}}
    return {
        "name": name, "namespace": f"team-{index % NAMESPACES:02}", "uid": f"00000000-0000-0000-0000-{index:012}", "resourceVersion": str(1000 + index),
        "creationTimestamp": CREATED, "labels": {"app": f"web-{index:05}", "team": f"team-{index % NAMESPACES:02}"},
        "managedFields": [{"manager": "kube-controller-manager", "operation": "Update", "apiVersion": "v1", "time": CREATED, "fieldsType": "FieldsV1", "fieldsV1": fields}],
        **more,
    }


def pod_spec(index):
    return {
        "containers": [{
            "name": "main", "image": f"registry.example.com/shop/web-{index:05}:1.4.2", "imagePullPolicy": "IfNotPresent",
            "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
            "env": [{"name": f"SETTING_{number}", "value": f"value of setting {number}"} for number in range(12)],
            "resources": {"requests": {"cpu": "250m", "memory": "256Mi"}, "limits": {"memory": "512Mi"}},
            "readinessProbe": {"httpGet": {"path": "/ready", "port": "http", "scheme": "HTTP"}, "periodSeconds": 5, "timeoutSeconds": 1, "successThreshold": 1, "failureThreshold": 3},
            "volumeMounts": [{"name": "token", "readOnly": True, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}],
        }],
        "volumes": [{"name": "token", "projected": {"defaultMode": 420, "sources": [{"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}}]}}],
        "restartPolicy": "Always", "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst", "serviceAccountName": "default",
        "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
    }


def is_ready(index, number):
    return index % 17 or number % 4


def condition(kind, status="True", **more):
    return {"type": kind, "status": status, "lastProbeTime": None, "lastTransitionTime": "2026-01-01T00:00:10Z", **more}


def pod(index, number):
    ready = "True" if is_ready(index, number) else "False"
    spec = pod_spec(index)
    spec["nodeName"] = f"node-{number % 50:02}"
    return {
        "metadata": metadata(index, f"web-{index:05}-5f6d7c8b9-{number:05}", ownerReferences=owner("ReplicaSet", f"web-{index:05}-5f6d7c8b9")),
        "spec": spec,
        "status": {
            "phase": "Running", "hostIP": "10.0.0.1", "podIP": "10.1.0.1", "startTime": CREATED, "qosClass": "Burstable",
            "conditions": [condition("Initialized"), condition("Ready", ready), condition("ContainersReady", ready), condition("PodScheduled")],
            "containerStatuses": [{"name": "main", "ready": ready == "True", "started": True, "restartCount": 0, "image": spec["containers"][0]["image"],
                                   "imageID": "sha256:" + "0" * 64, "containerID": "containerd://" + "0" * 64, "lastState": {}, "state": {"running": {"startedAt": "2026-01-01T00:00:08Z"}}}],
        },
    }


TARGET = 60  # percent of the CPU request


def cpu(index):
    """The usage of each pod in thousandths of a core: two of four HPAs are within the tolerance, one is at its minimum, one at its
    maximum."""
    return [148, 152, 40 + index % 50, 200 + index % 100][index % 4]


def usage(index, number):
    return {"metadata": {**metadata(index, f"web-{index:05}-5f6d7c8b9-{number:05}"), "managedFields": None}, "timestamp": "2026-01-02T00:00:00Z", "window": "15s",
            "containers": [{"name": "main", "usage": {"cpu": f"{cpu(index)}m", "memory": "100Mi"}}]}


def template(index):
    labels = {"app": f"web-{index:05}", "team": f"team-{index % NAMESPACES:02}"}
    return {"metadata": {"labels": labels}, "spec": pod_spec(index)}


def selector(index):
    return {"matchLabels": {"app": f"web-{index:05}"}}


def deployment(index):
    ready = sum(1 for number in range(EACH) if is_ready(index, number))
    return {
        "metadata": metadata(index, f"web-{index:05}"),
        "spec": {"replicas": EACH, "selector": selector(index), "template": template(index),
                 "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}},
        "status": {"replicas": EACH, "updatedReplicas": EACH, "readyReplicas": ready, "availableReplicas": ready, "observedGeneration": 1,
                   "conditions": [condition("Available"), condition("Progressing")]},
    }


def replica_set(index, revision):
    hash_of = "5f6d7c8b9" if revision == 2 else "6d5b4c7a8"
    replicas = EACH if revision == 2 else 0
    return {
        "metadata": metadata(index, f"web-{index:05}-{hash_of}", ownerReferences=owner("Deployment", f"web-{index:05}"), annotations={"deployment.kubernetes.io/revision": str(revision)}),
        "spec": {"replicas": replicas, "selector": selector(index), "template": template(index)},
        "status": {"replicas": replicas, "readyReplicas": replicas},
    }


def hpa(index):
    # As the controller writes it for these usages; now and then it read others than we do.
    read = cpu(index) + (5 if index % 50 == 4 else 0)
    within = (EACH // 2, EACH + 5, "False", "DesiredWithinRange", "the desired count is within the acceptable range")
    at_min = (EACH, EACH + 5, "True", "TooFewReplicas", "the desired replica count is less than the minimum replica count")
    at_max = (EACH // 2, EACH, "True", "TooManyReplicas", "the desired replica count is more than the maximum replica count")
    least, most, is_limited, reason, message = [within, within, at_min, at_max][index % 4]
    return {
        "metadata": metadata(index, f"web-{index:05}"),
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": f"web-{index % TARGETS:05}"},
            "minReplicas": least, "maxReplicas": most,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": TARGET}}}],
            **({"behavior": {"scaleDown": {"stabilizationWindowSeconds": 300, "selectPolicy": "Max", "policies": [{"type": "Percent", "value": 50, "periodSeconds": 60}]}}} if index // 4 % 2 else {}),
        },
        "status": {
            "lastScaleTime": "2026-01-01T12:00:00Z", "currentReplicas": EACH, "desiredReplicas": EACH,
            "currentMetrics": [{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": read * 100 // 250, "averageValue": f"{read}m"}}}],
            "conditions": [{**condition("AbleToScale"), "reason": "ReadyForNewScale", "message": "recommended size matches current size"},
                           {**condition("ScalingActive"), "reason": "ValidMetricFound", "message": "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)"},
                           {**condition("ScalingLimited", is_limited), "reason": reason, "message": message}],
        },
    }


def service(index):
    return {"metadata": metadata(index, f"web-{index:05}"), "spec": {"selector": {"app": f"web-{index:05}"}, "ports": [{"port": 80, "targetPort": "http"}]}}


def budget(index):
    return {"metadata": metadata(index, f"web-{index:05}"), "spec": {"maxUnavailable": "25%", "selector": selector(index)},
            "status": {"currentHealthy": EACH, "desiredHealthy": EACH, "disruptionsAllowed": 1, "expectedPods": EACH}}


def event(index):
    return {"metadata": metadata(index, f"web-{index:05}.1"), "type": "Normal", "reason": "SuccessfulRescale", "message": f"New size: {EACH}; reason: cpu resource utilization (percentage of request) above target",
            "involvedObject": {"kind": "HorizontalPodAutoscaler", "namespace": f"team-{index % NAMESPACES:02}", "name": f"web-{index:05}", "apiVersion": "autoscaling/v2"},
            "count": 1, "firstTimestamp": "2026-01-01T12:00:00Z", "lastTimestamp": "2026-01-01T12:00:00Z"}


PIECE = 500


def api_service(group, version):
    return {"metadata": {"name": f"{version}.{group}"}, "spec": {"group": group, "version": version, "service": {"namespace": "kube-system", "name": "metrics-server"}},
            "status": {"conditions": [{**condition("Available"), "reason": "Passed"}]}}


def pieces(items):
    """The answers to the first piece, the second and so on, and the whole."""
    items = [json.dumps(item) for item in items]

    def answer(some, begin, end):
        following = {"continue": str(end)} if end < len(some) else {}
        head = json.dumps({"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "1", **following}})[:-1]
        return (head + ', "items": [' + ",".join(some[begin:end]) + "]}").encode()

    parts = {str(begin): answer(items, begin, begin + PIECE) for begin in range(0, max(len(items), 1), PIECE)}
    return parts, lambda: answer(items, 0, len(items))


def each(make, count=TARGETS):
    return [make(index) for index in range(count)]


LISTS = {
    "/apis/autoscaling/v2/horizontalpodautoscalers": pieces(each(hpa, HPAS)),
    "/apis/apps/v1/deployments": pieces(each(deployment)),
    "/apis/apps/v1/replicasets": pieces([replica_set(index, revision) for index in range(TARGETS) for revision in (1, 2)]),
    "/apis/apiregistration.k8s.io/v1/apiservices": pieces([api_service("metrics.k8s.io", "v1beta1")]),
    "/api/v1/services": pieces(each(service)),
    "/apis/policy/v1/poddisruptionbudgets": pieces(each(budget)),
    "/api/v1/events": pieces(each(event, HPAS)),
    "/api/v1/pods": pieces([pod(index, number) for index in range(TARGETS) for number in range(EACH)]),
    "/apis/metrics.k8s.io/v1beta1/pods": pieces([usage(index, number) for index in range(TARGETS) for number in range(EACH)]),
}
WHOLE = LISTS["/apis/metrics.k8s.io/v1beta1/pods"][1]()
# As watch asks for them.
USAGES = {
    f"/apis/metrics.k8s.io/v1beta1/namespaces/team-{namespace:02}/pods": pieces(
        [usage(index, number) for index in range(namespace, TARGETS, NAMESPACES) for number in range(EACH)]
    )[1]()
    for namespace in range(NAMESPACES)
}
EMPTY = json.dumps({"kind": "List", "apiVersion": "v1", "metadata": {}, "items": []}).encode()
OTHERS = {
    "/version": json.dumps({"gitVersion": "v1.36.3", "platform": "linux/amd64"}).encode(),
    "/apis": json.dumps({"groups": []}).encode(),
}


SYNC_PERIOD = 15


def written(index, number):
    """What tells of the status of an HPA as the controller writes it for the so-manieth time."""
    changed = hpa(index)
    changed["metadata"]["resourceVersion"] = str(1_000_000 + number)
    changed["status"]["conditions"][0]["lastTransitionTime"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return json.dumps({"type": "MODIFIED", "object": changed}).encode() + b"\n"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def watch(self, path, query):
        """Tells what happens until the client has enough, or for as long as it wants."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.flush()
        end = time.monotonic() + int(query.get("timeoutSeconds", ["300"])[0])
        number = int(time.monotonic() * HPAS / SYNC_PERIOD)
        while time.monotonic() < end:
            time.sleep(0.05)
            if not path.endswith("/horizontalpodautoscalers"):
                continue
            while number < time.monotonic() * HPAS / SYNC_PERIOD:
                event = written(number % HPAS, number)
                number += 1
                self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if query.get("watch") == ["true"]:
            try:
                return self.watch(url.path, query)
            except (BrokenPipeError, ConnectionResetError):
                return None
        body = OTHERS.get(url.path, EMPTY)
        if url.path == "/apis/metrics.k8s.io/v1beta1/pods":
            body = WHOLE
        elif url.path in USAGES:
            body = USAGES[url.path]
        elif url.path in LISTS:
            body = LISTS[url.path][0].get(query.get("continue", ["0"])[0], EMPTY)
        code = 404 if "/leases/" in url.path else 200
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
