#!/bin/sh
# The main job on two short support conversations, one English and one Chinese, in a folder of its own.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
export STET_DATA_DIR="$data/stet"

bold='' plain=''
[ ! -t 1 ] || bold=$(printf '\033[1m') plain=$(printf '\033[0m')

tell() { printf '\n\n%s# %s%s\n' "$bold" "$*" "$plain"; }

# Quoted where it has to be: what is shown can be typed.
run() {
    printf '\n%s$ stet' "$bold"
    for word in "$@"; do
        case $word in *[\ \?？]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '%s\n' "$plain"
    stet "$@"
}

tell "Two customers of a shop talk to it, one in English and one in Chinese."
run ingest "$here/support_english.jsonl"
run ingest "$here/support_chinese.jsonl"

tell "Maya changed her mind. What stands, what was replaced, by which words, and in which messages:"
run state maya --history

tell "A question is answered from what stands, with the paths that support it."
run ask maya "Where will the desk be delivered?"

tell "The same question as of an earlier day: then the first address stood."
run ask maya "Where will the desk be delivered?" --as-of 2026-03-05

tell "The delivery was moved, and her day off rested on the old date: so it is in doubt. Why?"
# Ids come from what was said, so they are the same everywhere; `stet state maya --ids` shows them.
run why ev-3b940be8d94c62b8b3b91943

tell "The message that moved the delivery is deleted. What was drawn from it goes, the old date stands again,
# and nothing is in doubt."
run forget maya --message order-5512/11 --yes
run state maya

tell "In Chinese: she works at home that morning for a delivery which was then moved."
run state 周晓雯 --history
run ask 周晓雯 "快递地址是哪里？"

tell "Look at it in time: . .venv/bin/activate; stet ingest examples/support_english.jsonl; stet serve
# and open http://127.0.0.1:8080/explore. README.md goes on from here."
