"""Takes all of a subject out of the graph store."""

import re
import time
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from state.graph_keys import TENANTS, SubjectKeys, home_key, waiting_key
from state.model import Subject
from state.subject_names import forget_name

_AT_ONCE = 500
_LOOKED_AT = 2_000
"""Keys of the whole server that one step of the search looks at."""
_PATTERN = re.compile(r"([\\*?\[\]])")
_REWRITTEN_EVERY = 0.02


def held_of(client: Any, subject: Subject) -> dict[str, int]:
    """What there is of a subject: messages, sessions, topics, events, edge types, answers and what waits."""
    keys = SubjectKeys(subject)
    counts = {name.decode(): int(count) for name, count in client.hgetall(keys.counts).items()}
    counts["answers"], counts["waiting"] = int(client.hlen(keys.answers)), int(client.zcard(keys.waiting))
    return counts


def forget_graph(client: Any, subject: Subject, kept: Collection[str] = ()) -> Mapping[str, int]:
    """Removes every key of the subject and every mention of it in the indexes across subjects; what there was
    of each thing, by name (`held_of`). The keys `kept` stay.

    Safe to repeat after a crash. Nothing else may write the subject meanwhile. O(keys of the server that the
    subject lies on), since a subject has no list of its keys; some 100,000 a second.
    """
    keys, counts = SubjectKeys(subject), held_of(client, subject)
    spared = {key.encode() for key in kept}
    for events in _in_groups(_fields(client, keys.event)):
        pipe = client.pipeline(transaction=False)
        for event in events:
            pipe.hdel(home_key(subject.tenant, event), event)
        pipe.execute()
    for found in _in_groups(key for key in _keys_of(client, keys) if key not in spared):
        client.unlink(*found)
    client.srem(waiting_key(subject.tenant), subject.name)
    if not forget_name(client, subject):
        client.srem(TENANTS, subject.tenant)
    return counts


def rewrite_log(client: Any) -> None:
    """Has a single server write its append-only file anew, so that what was removed is in it no more.

    Returns when that is done. Raises what Redis raises, and RuntimeError where the server could not.
    """
    # One that is under way may have been begun before the removal, by a process that was killed, say.
    while not _begins_to_rewrite(client):
        _rewritten(client)
    if _rewritten(client) != "ok":
        raise RuntimeError("Redis could not write its append-only file anew: free some space, and try again")


def _begins_to_rewrite(client: Any) -> bool:
    try:
        client.bgrewriteaof()
    except ResponseError as error:
        if "in progress" not in str(error):
            raise
        return False
    return True


def _rewritten(client: Any) -> str:
    """Waits until no rewriting is under way or about to begin; how the last one ended."""
    while True:
        told = client.info("persistence")
        if not told["aof_rewrite_in_progress"] and not told["aof_rewrite_scheduled"]:
            return str(told["aof_last_bgrewrite_status"])
        time.sleep(_REWRITTEN_EVERY)


def _fields(client: Any, key: str) -> Iterator[str]:
    for name, _ in client.hscan_iter(key, count=_LOOKED_AT):
        yield name.decode()


def _keys_of(client: Any, keys: SubjectKeys) -> Iterator[bytes]:
    """All keys of one subject. They lie in one slot, so of a cluster one node is asked."""
    at: dict[str, Any] = {}
    if isinstance(client, RedisCluster):
        at["target_nodes"] = client.get_node_from_key(keys.version)  # type: ignore[no-untyped-call]
    pattern = _PATTERN.sub(r"\\\1", keys.version.removesuffix("version")) + "*"
    yield from client.scan_iter(match=pattern, count=_LOOKED_AT, **at)


def _in_groups(found: Iterator[Any]) -> Iterator[list[Any]]:
    group: list[Any] = []
    for one in found:
        group.append(one)
        if len(group) == _AT_ONCE:
            yield group
            group = []
    if group:
        yield group
