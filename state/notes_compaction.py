"""Writes a folder of notes anew, so that no byte of what was deleted is left in it.

The engine marks a deleted point and keeps its bytes in its segments and its log. So the points that are there
are copied into a new folder, which takes the old one's place. A crash leaves the old folder or the new one.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import qdrant_edge as edge

from state.durable import sync_directory

_PAGE = 512
_CONFIG = "edge_config.json"


def rewrite(shard: edge.EdgeShard, folder: Path, create: Callable[[Path], edge.EdgeShard]) -> None:
    """Copies the open `shard` of `folder` and closes it; the copy lies in `folder` then, closed.

    `create` makes an empty shard at a path. O(points of the whole store): some 10,000 a second. The caller
    keeps other writers away.
    """
    draft, old = _draft(folder), _old(folder)
    shutil.rmtree(draft, ignore_errors=True)
    copy = create(draft)
    try:
        _copy(shard, copy)
        copy.flush()
    finally:
        copy.close()
    shard.close()
    folder.rename(old)
    draft.rename(folder)
    sync_directory(folder.parent)
    shutil.rmtree(old)
    sync_directory(folder.parent)


def settle(folder: Path) -> None:
    """Finishes, or undoes, what a crash left of a rewriting."""
    draft, old = _draft(folder), _old(folder)
    if old.exists():
        if not (folder / _CONFIG).exists():
            shutil.rmtree(folder, ignore_errors=True)
            old.rename(folder)
            sync_directory(folder.parent)
        else:
            shutil.rmtree(old)
    shutil.rmtree(draft, ignore_errors=True)


def _copy(source: edge.EdgeShard, target: edge.EdgeShard) -> None:
    after: edge.PointId | None = None
    while True:
        page = edge.ScrollRequest(offset=after, limit=_PAGE, with_payload=True, with_vector=True)
        records, after = source.scroll(page)
        points = [edge.Point(one.id, one.vector or {}, one.payload) for one in records]
        if points:
            target.update(edge.UpdateOperation.upsert_points(points))
        if after is None:
            return


def _draft(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.new")


def _old(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.old")
