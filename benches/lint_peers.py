#!/usr/bin/env python3
"""Which linter finds which of the mistakes planted in tests/lint/planted?

usage: benches/lint_peers.py PATH_OF_KUBECTL_HPA

Runs every tool that is on PATH (kube-linter, kube-score, polaris, kubectl-hpa_status) with all its checks on each
file and prints a table in Markdown. Only checks that have to do with scaling count (SCALING below): a linter that
also looks at security is not to be blamed for it here. A check that names the planted mistake is a hit (HITS); any
other check on scaling that fires is a false finding, as is one on a file in which nothing is planted.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

PLANTED = pathlib.Path(__file__).resolve().parent.parent / "tests" / "lint" / "planted"

# Checks on scaling, by tool, and the planted mistakes that each of them names.
HITS = {
    "kube-linter": {
        "dangling-horizontalpodautoscaler": {"HPA401", "HPA402", "HPA404"},
        "hpa-minimum-three-replicas": {"HPA104", "HPA011", "HPA105"},
        "minimum-three-replicas": set(),
        "no-readiness-probe": {"HPA503"},
        "no-extensions-v1beta": set(),
        "pdb-max-unavailable": set(),
        "pdb-min-available": {"HPA418"},
        "mismatching-selector": set(),
        "unset-cpu-requirements": {"HPA202", "HPA204"},
    },
    "kube-score": {
        "horizontalpodautoscaler-has-target": {"HPA401", "HPA402", "HPA404"},
        "horizontalpodautoscaler-replicas": {"HPA104", "HPA011", "HPA105"},
        "deployment-targeted-by-hpa-does-not-have-replicas-configured": {"HPA406", "HPA108"},
        "deployment-replicas": {"HPA108"},
        "stable-version": {"HPA001"},
        "container-resources": {"HPA202", "HPA204"},
    },
    "polaris": {
        "hpaMaxAvailability": {"HPA101"},
        "hpaMinAvailability": {"HPA104", "HPA011", "HPA105"},
        "pdbMinAvailableGreaterThanHPAMinReplicas": {"HPA418"},
        "deploymentMissingReplicas": set(),
        "readinessProbeMissing": {"HPA503"},
        "cpuRequestsMissing": {"HPA202", "HPA204"},
    },
    "kubectl-hpa_status": {
        "replica-range": {"HPA101"},
        "max-replicas-zero": set(),
        "min-equals-max": set(),
        "resource-requests": {"HPA202", "HPA204"},
        "container-resource": set(),
        "behavior-scaledown": set(),
        "behavior-scaledown-empty": set(),
        "target-utilization": {"HPA209"},
        "metric-coverage": {"HPA214"},
        "stabilization-window": {"HPA004"},
        "tolerance": set(),
        "scale-to-zero": {"HPA105", "HPA011"},
        "keda-managed": set(),
        "gitops-replicas": {"HPA406"},
        "manifest-decode": {"HPA009", "HPA001"},
    },
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def decoded(text):
    """The first JSON value of a text that may have lines before and behind it."""
    start = min((text.find(one) for one in "[{" if one in text), default=-1)
    return json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else None


def kube_linter(file):
    answer = decoded(run("kube-linter", "lint", "--add-all-built-in", "--format", "json", file).stdout)
    return {report["Check"] for report in (answer or {}).get("Reports") or []}


def kube_score(file):
    command = ["kube-score", "score", "--all-default-optional", "--kubernetes-version", "v1.36"]
    answer = decoded(run(*command, "-o", "json", file).stdout)
    return {
        check["check"]["id"]
        for scored in answer or []
        for check in scored["checks"]
        if not check["skipped"] and check["grade"] < 10
    }


def polaris(file):
    answer = decoded(run("polaris", "audit", "--audit-path", file, "--format", "json").stdout)
    found = set()

    def walk(value):
        if isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, dict) and "Success" in value and "ID" in value:
            if not value["Success"]:
                found.add(value["ID"])
        elif isinstance(value, dict):
            for one in value.values():
                walk(one)

    walk((answer or {}).get("Results"))
    return found


def hpa_status(file):
    answer = decoded(run("kubectl-hpa_status", "lint", "-f", file, "-o", "json").stdout)
    found = set()

    def walk(value):
        if isinstance(value, list):
            for one in value:
                walk(one)
        elif isinstance(value, dict):
            if isinstance(value.get("rule"), str) and value.get("severity") != "info":
                found.add(value["rule"])
            for one in value.values():
                walk(one)

    walk(answer)
    return found


def own(binary):
    def lint(file):
        answer = decoded(run(binary, "lint", "-f", file, "-o", "json").stdout)
        findings = (answer or {}).get("findings") or []
        return {one["code"] for one in findings if one["severity"] in ("error", "warning")}

    return lint


def whole(text):
    """The text of a file with the documents of clean.yaml that its last line names."""
    own, _, kinds = text.partition("# and of clean.yaml: ")
    clean = (PLANTED / "clean.yaml").read_text().split("---\n")
    shared = [one for kind in kinds.split() for one in clean if f"\nkind: {kind.strip(',')}\n" in one]
    return "---\n".join([own, *shared])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tools = {"kubectl hpa lint": own(sys.argv[1])}
    for name, lint in [
        ("kube-linter", kube_linter),
        ("kube-score", kube_score),
        ("polaris", polaris),
        ("kubectl-hpa_status", hpa_status),
    ]:
        if shutil.which(name):
            tools[name] = lint
        else:
            print(f"{name} is not on PATH", file=sys.stderr)
    files = sorted(PLANTED.glob("*.yaml"))
    hits = dict.fromkeys(tools, 0)
    false = {tool: {} for tool in tools}
    rows = []
    folder = tempfile.TemporaryDirectory()
    for planted_file in files:
        file = pathlib.Path(folder.name, planted_file.name)
        file.write_text(whole(planted_file.read_text()))
        title = file.read_text().splitlines()[0].removeprefix("# planted: ")
        code = title.split(" ")[0]
        row = [title]
        for tool, lint in tools.items():
            fired = lint(str(file))
            if tool == "kubectl hpa lint":
                right = fired & {code}
                wrong = fired - right
            else:
                checks = HITS[tool]
                right = {one for one in fired & checks.keys() if code in checks[one]}
                wrong = fired & checks.keys() - right
            hits[tool] += bool(right)
            for one in wrong:
                false[tool][one] = false[tool].get(one, 0) + 1
            row.append("found" if right else "")
        rows.append(row)
    planted = sum(not row[0].startswith("nothing") for row in rows)
    print("| planted |", " | ".join(tools), "|")
    print("| --- |", " | ".join("---" for _ in tools), "|")
    for row in rows:
        print("|", " | ".join(row), "|")
    print("| **found** |", " | ".join(f"**{hits[tool]} of {planted}**" for tool in tools), "|")
    print("| **false** |", " | ".join(f"**{sum(false[tool].values())}**" for tool in tools), "|")
    print()
    for tool, checks in false.items():
        for check, number in sorted(checks.items()):
            print(f"- {tool}: false `{check}` on {number} of {len(files)} files")


main()
