"""Holds processes to a share of a core by a Linux control group, so that a set can be measured on a machine
that has no core for each of its processes. Needs root, as CI has."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PERIOD = 20_000
"""Microseconds; short, so that a process that has used up its share does not stand still for long."""


@contextmanager
def held_to(share: float, name: str, pids: Iterable[int]) -> Iterator[None]:
    """Holds `pids`, together, to `share` of one core. They must have ended when the block is left."""
    first = (_ROOT / "cpu").is_dir()
    group = (_ROOT / "cpu" if first else _ROOT) / name
    group.mkdir()
    try:
        quota = int(_PERIOD * share)
        if first:
            (group / "cpu.cfs_period_us").write_text(str(_PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {_PERIOD}")
        for pid in pids:
            (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        group.rmdir()
