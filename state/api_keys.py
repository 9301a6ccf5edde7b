"""API keys in Redis, for both modes: which tenant a key is bound to, and what it may do (DESIGN §7).

    stet:keys       hash   key id → ApiKey as JSON, revoked ones too

A key is `stet_ID_SECRET`. The id is public: it is how the key is looked up, listed and revoked. Of the
secret only its SHA-256 is kept. A slow or salted hash is for passwords, which can be guessed from a list; a
secret of 256 random bits cannot, so a slow hash would only make every request slow. The prefix lets scanners
for leaked secrets know a key where they see one.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec
from redis.exceptions import RedisError

KEYS = "stet:keys"
_TOKEN = re.compile(r"stet_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_NOBODY = hashlib.sha256(b"").digest()


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key. `digest` is the hex SHA-256 of its secret, empty once it is revoked.

    `per_minute` is how many requests it may make in a minute; 0: any number.
    """

    id: str
    tenant: str
    scopes: tuple[str, ...]
    name: str
    per_minute: int
    created_at: datetime
    digest: str
    revoked_at: datetime | None = None


class ApiKeys:
    """The keys of an installation. `client` is the graph's: one server or a cluster. Every call is one
    command, but for `revoke`, which is two."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._ever: bool | None = None

    def create(
        self, tenant: str, scopes: Sequence[str], at: datetime, name: str = "", per_minute: int = 0
    ) -> tuple[ApiKey, str]:
        """Makes a key and gives its token, which cannot be had again."""
        while True:
            secret = secrets.token_urlsafe(32)
            key = ApiKey(
                id=secrets.token_hex(6),
                tenant=tenant,
                scopes=tuple(sorted(set(scopes))),
                name=name,
                per_minute=per_minute,
                created_at=at,
                digest=_digest(secret).hex(),
            )
            if self._client.hsetnx(KEYS, key.id, msgspec.json.encode(key)):
                return key, f"stet_{key.id}_{secret}"

    def listed(self) -> Sequence[ApiKey]:
        """All keys, revoked ones too, in the order in which they were made."""
        keys = (msgspec.json.decode(raw, type=ApiKey) for raw in self._client.hvals(KEYS))
        return sorted(keys, key=lambda key: (key.created_at, key.id))

    def revoke(self, identifier: str, at: datetime) -> ApiKey | None:
        """Makes a key worthless from now on; None where there is none with this id. Twice is no error."""
        key = self._of(identifier)
        if key is None or key.revoked_at is not None:
            return key
        revoked = replace(key, digest="", revoked_at=at)
        self._client.hset(KEYS, identifier, msgspec.json.encode(revoked))
        return revoked

    def any(self) -> bool:
        """Whether a key was ever made: one that is revoked counts, so that a revocation opens nothing.

        While Redis is away it is as it was when last asked, since no key can be made then.
        """
        if not self._ever:
            try:
                self._ever = bool(self._client.hlen(KEYS))
            except RedisError:
                if self._ever is None:
                    raise
        return self._ever

    def holder(self, token: str) -> ApiKey | None:
        """The key of a token; None where it is none or revoked. The time tells nothing of the secret."""
        parts = _TOKEN.fullmatch(token)
        key = self._of(parts[1]) if parts is not None else None
        known = bytes.fromhex(key.digest) if key is not None and key.digest else _NOBODY
        given = _digest(parts[2] if parts is not None else "-")
        return key if hmac.compare_digest(known, given) else None

    def _of(self, identifier: str) -> ApiKey | None:
        raw = self._client.hget(KEYS, identifier)
        return None if raw is None else msgspec.json.decode(raw, type=ApiKey)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
