"""A client of the graph's Redis in production: one server or a cluster, whichever the address leads to."""

import os
import re
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError
from redis.retry import Retry

PASSWORD_VARIABLE = "STET_REDIS_PASSWORD"
_OLDEST = (6, 2)
_ANSWER = 5.0
_CONNECT = 2.0
_KEEPS_ALL = "noeviction"


class RedisUnusable(RuntimeError):
    """The Redis at an address cannot be used; the text says why and what to do."""


def connect(url: str, timeout: float = _ANSWER) -> Any:
    """A client that answers bytes, of the server or the cluster at `url` (`redis://`, `rediss://`).

    The password, where one is needed, is in STET_REDIS_PASSWORD. A call fails after `timeout` seconds without
    an answer, and is not repeated by the client: whoever calls knows what may be repeated. Raises
    RedisUnusable where the server does not answer, refuses the password, is older than 6.2, or would drop
    keys when its memory is full.
    """
    asked: dict[str, Any] = {
        "password": os.environ.get(PASSWORD_VARIABLE) or None,
        "socket_timeout": timeout,
        "socket_connect_timeout": _CONNECT,
        "socket_keepalive": True,
    }
    try:
        single = Redis.from_url(url, retry=_once(), **asked)
        told = single.info("everything")
        _check(url, told)
        if not told.get("cluster_enabled"):
            return single
        single.close()
        return RedisCluster.from_url(url, retry=_once(), **asked)
    except (ValueError, TypeError) as error:
        # What the error says may be a part of the password.
        raise RedisUnusable(f"{shown(url)} is no address of a Redis: give redis://host:6379") from error
    except (AuthenticationError, NoPermissionError) as error:
        raise RedisUnusable(
            f"Redis at {shown(url)} refuses the login: correct {PASSWORD_VARIABLE}, "
            f"or give the user more rights ({error})"
        ) from error
    except (RedisError, OSError) as error:
        raise RedisUnusable(
            f"Redis at {shown(url)} does not answer: start it, or correct the address ({error})"
        ) from error


def _once() -> Retry:
    return Retry(NoBackoff(), 0)


def shown(url: str) -> str:
    """`url` without a password that someone may have put into it, as a login or after a question mark."""
    scheme, mark, rest = url.partition("://") if "://" in url else ("", "", url)
    login, _, place = rest.rpartition("@")
    return scheme + mark + ("…" if "?" in login else place.partition("?")[0])


def _check(url: str, told: dict[str, Any]) -> None:
    version = str(told.get("redis_version", ""))
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        raise RedisUnusable(
            f"Redis at {shown(url)} is {version or 'of no known version'}; Stet needs 6.2 or newer"
        )
    policy = told.get("maxmemory_policy", _KEEPS_ALL)
    if int(told.get("maxmemory", 0)) and policy != _KEEPS_ALL:
        raise RedisUnusable(
            f"Redis at {shown(url)} drops keys when its memory is full (maxmemory-policy {policy}): "
            f"set it to {_KEEPS_ALL}, or facts would vanish"
        )
