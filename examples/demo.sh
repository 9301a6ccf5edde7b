#!/bin/sh
# The main job on two short support conversations, one English and one Chinese, in a folder of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
export STET_DATA_DIR="$data/stet"

say() { printf '\n\033[1m$ stet %s\033[0m\n' "$*"; stet "$@"; }

say ingest "$here/support_english.jsonl"
say ingest "$here/support_chinese.jsonl"
say state maya --history
say ask maya "Where will the desk be delivered?"
say ask maya "Where will the desk be delivered?" --as-of 2026-03-05T12:00:00Z
say state 周晓雯 --history
say ask 周晓雯 "快递地址是哪里？"
