#!/bin/sh
# Installs what some tests run on, where it is absent: redis-server, promtool (in Debian's package prometheus)
# and chromium. Never fails: without them the tests that need them are skipped. Starts no service.
set -u

missing=
lacking=
command -v redis-server >/dev/null 2>&1 || { missing=redis-server; lacking="Redis 7 and Redis Cluster"; }
command -v promtool >/dev/null 2>&1 || { missing="$missing prometheus"; lacking="${lacking:+$lacking, }alert rules"; }
command -v chromium >/dev/null 2>&1 || { missing="$missing chromium"; lacking="${lacking:+$lacking, }the explorer"; }
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Absent:" $missing "(only root with apt-get installs it here): tests of $lacking will be skipped."
    exit 0
fi

# Debian asks this file before it starts a service.
policy=/usr/sbin/policy-rc.d
log=$(mktemp)
trap 'rm -f "$log"; [ -z "${ours:-}" ] || rm -f "$policy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ ! -e "$policy" ]; then
    ours=yes
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

echo "Installing for the tests, without starting a service:" $missing "..."
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } </dev/null >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "That failed: tests of $lacking will be skipped." >&2
    exit 0
fi
# Nor at the next boot.
if [ -d /run/systemd/system ]; then
    for package in $missing; do
        systemctl disable --quiet "$package" >>"$log" 2>&1 || echo "systemctl could not disable $package" >&2
    done
fi
