#!/usr/bin/env bash
# Takes the pictures of the terminal that README and docs show: runs the program in a terminal and writes what is on its
# screen as SVG. A test compares them with what the program shows now (cargo test --test docs).
set -euo pipefail
cd "$(dirname "$0")/../.."
UPDATE_GENERATED=1 cargo test --locked --test docs
git status --short docs/pictures
