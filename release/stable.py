#!/usr/bin/env python3
"""stable.py TAG: compares the outputs and flags of this checkout with those of an earlier release, as BREAKING_CHANGES.md promises.

It fails if a schema in docs/schema lacks a field that it had under the same schemaVersion, or if a command or a flag of the man
pages is gone, unless BREAKING_CHANGES.md names it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def files_of(tag, folder):
    """Path and text of each file that the release had in a folder."""
    for path in git("ls-tree", "-r", "--name-only", tag, folder).splitlines():
        yield path, git("show", f"{tag}:{path}")


def fields(schema, place=""):
    """The names of all properties of a schema, with their place in it."""
    if isinstance(schema, dict):
        for name, inner in schema.items():
            if name == "properties" and isinstance(inner, dict):
                yield from (f"{place}/{field}" for field in inner)
            yield from fields(inner, f"{place}/{name}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from fields(inner, f"{place}/{number}")


def version(schema):
    return json.dumps(schema.get("properties", {}).get("schemaVersion"))


def flags(page):
    return set(re.findall(r"--[a-z][a-z0-9-]+", page.replace("\\-", "-")))


def lost(tag):
    for path, text in files_of(tag, "docs/schema"):
        if not Path(path).exists():
            yield path, "the schema is gone"
            continue
        old, new = json.loads(text), json.loads(Path(path).read_text())
        if version(old) == version(new):
            for field in sorted(set(fields(old)) - set(fields(new))):
                yield field.rsplit("/", 1)[-1], f"{path}: {field} is gone, and schemaVersion is the same"
    for path, text in files_of(tag, "docs/man"):
        if not Path(path).exists():
            yield Path(path).stem.removeprefix("kubectl-hpa-"), f"the command of {path} is gone"
            continue
        for flag in sorted(flags(text) - flags(Path(path).read_text())):
            yield flag, f"{path}: {flag} is gone"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    told = Path("BREAKING_CHANGES.md").read_text().split("## What broke")[-1]
    wrong = [why for name, why in lost(sys.argv[1]) if f"`{name}`" not in told]
    if wrong:
        sys.exit("\n".join(["not in BREAKING_CHANGES.md:", *wrong]))


main()
