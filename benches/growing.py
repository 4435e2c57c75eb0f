"""Prints input of a size for benches/growth.sh, made of a recorded incident of examples.

usage: growing.py pods N       a snapshot with so many pods and samples of them
       growing.py metrics N    a snapshot with ten pods and so many Pods metrics, each with a value of each pod
       growing.py hours N      a recording of so many hours, a sync every 15 s
       growing.py documents N  a file of so many HPAs, each with four findings that lint fixes
       growing.py items N      the same as items of one list
"""

import copy
import datetime
import json
import pathlib
import re
import sys

RECORDING = pathlib.Path(__file__).resolve().parent.parent / "examples" / "more-than-max.jsonl"
PERIOD = 15


def first():
    with RECORDING.open() as lines:
        return json.loads(lines.readline())


def renamed(item, number):
    item = copy.deepcopy(item)
    item["metadata"]["name"] = f"api-546f758bf6-{number:05}"
    return item


def resized(snapshot, pods):
    """The same with so many pods: every tenth is not ready, every seventh has no sample."""
    some, samples = snapshot["pods"], snapshot["podMetrics"]["items"]
    snapshot["pods"] = [renamed(some[number % len(some)], number) for number in range(pods)]
    for pod in snapshot["pods"][::10]:
        for condition in pod["status"]["conditions"]:
            if condition["type"] == "Ready":
                condition["status"] = "False"
    snapshot["podMetrics"]["items"] = [renamed(samples[number % len(samples)], number) for number in range(pods) if number % 7]
    snapshot["hpa"]["spec"]["maxReplicas"] = 2 * pods
    snapshot["scale"] = {"spec": {"replicas": pods}, "status": {"replicas": pods, "selector": "app=api"}}
    return snapshot


def metric(name):
    return {"type": "Pods", "pods": {"metric": {"name": name}, "target": {"type": "AverageValue", "averageValue": "100"}}}


def value(snapshot, name, pod, number):
    return {
        "describedObject": {"kind": "Pod", "namespace": "api", "name": pod["metadata"]["name"], "apiVersion": "/v1"},
        "metric": {"name": name, "selector": None},
        "timestamp": snapshot["time"],
        "value": f"{90_000 + 37 * number % 20_000}m",
    }


def metrics(count):
    snapshot = resized(first(), 10)
    names = [f"requests_{number}" for number in range(count)]
    snapshot["hpa"]["spec"]["metrics"] = [metric(name) for name in names]
    snapshot["customMetrics"] = [
        {"index": index, "items": [value(snapshot, name, pod, number + index) for number, pod in enumerate(snapshot["pods"])]}
        for index, name in enumerate(names)
    ]
    return snapshot


def hours(count):
    """The incident again and again, with its times moved."""
    time = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)((?:\.\d+)?Z)")
    lines = [time.split(line) for line in RECORDING.read_text().splitlines()]
    for pieces in lines:
        pieces[1::3] = [datetime.datetime.fromisoformat(text) for text in pieces[1::3]]
    for slot in range(count * 3600 // PERIOD):
        line = lines[slot % len(lines)]
        later = datetime.timedelta(seconds=PERIOD * (slot // len(lines) * len(lines)))
        moved = list(line)
        moved[1::3] = [(at + later).isoformat() for at in line[1::3]]
        print("".join(moved))


FIXABLE = """apiVersion: autoscaling/v2beta2
kind: HorizontalPodAutoscaler
metadata:
  name: NAME
  annotations:
    autoscaling.alpha.kubernetes.io/conditions: '[]'
    team: shop
spec:
  scaleTargetRef:
    apiVersion: batch/v1
    kind: Deployment
    name: NAME
  minReplicas: 4
  maxReplicas: 40
  metrics:
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: 70
  behavior:
    scaleDown:
      policies:
      - type: Pods
        value: 1
        periodSeconds: 60
      - type: Percent
        value: 50
        periodSeconds: 60
"""


def fixable(count):
    """HPAs with HPA001, HPA003, HPA310 and HPA402."""
    return [FIXABLE.replace("NAME", f"web-{number:05}") for number in range(count)]


def documents(count):
    print("---\n".join(fixable(count)), end="")


def items(count):
    print("apiVersion: v1\nkind: List\nitems:")
    for text in fixable(count):
        print("- " + text.rstrip("\n").replace("\n", "\n  "))


what, size = sys.argv[1], int(sys.argv[2])
if what in ("hours", "documents", "items"):
    {"hours": hours, "documents": documents, "items": items}[what](size)
else:
    print(json.dumps(resized(first(), size) if what == "pods" else metrics(size)))
