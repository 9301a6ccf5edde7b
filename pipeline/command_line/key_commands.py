"""`stet keys`: makes, lists and revokes the keys of the HTTP API.

The keys lie in Redis beside the graphs. Those of a data folder can be changed while a service has it open.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.command_line.failures import Exit, fail, told
from pipeline.command_line.options import HERE, AuditLog, DataDir, Json, RedisUrl
from pipeline.command_line.output import Commands, print_json
from pipeline.command_line.terminal import clean
from query_service.caller import Scope
from state.api_keys import ApiKey

keys = typer.Typer(cls=Commands, no_args_is_help=True, help="The keys of the HTTP API.")
LONGEST_NAME = 256


@keys.command()
def create(
    tenant: Annotated[
        str, typer.Option("--tenant", envvar="STET_TENANT", help="Whose data it is for.", show_default=False)
    ],
    scope: Annotated[
        list[Scope] | None,
        typer.Option("--scope", help="What it may do; give several. Default: read.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What or who it is for, to know it by later.")] = "",
    per_minute: Annotated[
        int, typer.Option("--per-minute", min=0, max=1_000_000, help="Requests a minute at most; 0: any.")
    ] = 600,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Makes a key and shows it, once: only a hash of it is kept."""
    with told():
        from pipeline.running import utc_now
        from state.api_keys import ApiKeys
        from state.audit import audit, audit_to

        _check_names(tenant, name)
        audit_to(audit_log)
        now = utc_now()
        with _client(data_dir, redis, create=True) as client:
            key, token = ApiKeys(client).create(tenant, scope or [Scope.READ], now, name, per_minute)
        audit(now, "key_created", tenant, key=key.id, scopes=key.scopes)
        if as_json:
            print_json({**_row(key), "token": token})
            return
        print(token)
        print(f"\n{_line(key)}\nIt is not shown again. Send it as: Authorization: Bearer {token[:18]}…")


@keys.command("list")
def list_keys(
    tenant: Annotated[str | None, typer.Option("--tenant", help="Only those of this tenant.")] = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    as_json: Json = False,
) -> None:
    """All keys, revoked ones too."""
    with told():
        from state.api_keys import ApiKeys

        with _client(data_dir, redis) as client:
            found = [key for key in ApiKeys(client).listed() if tenant in (None, key.tenant)]
        if as_json:
            print_json([_row(key) for key in found])
        else:
            print("\n".join(map(_line, found)) or "there are no keys")


@keys.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="The key's id, as `list` gives it.")],
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Makes a key worthless, from the next request on."""
    with told():
        from pipeline.running import utc_now
        from state.api_keys import ApiKeys
        from state.audit import audit, audit_to

        audit_to(audit_log)
        now = utc_now()
        with _client(data_dir, redis) as client:
            key = ApiKeys(client).revoke(key_id, now)
        if key is None:
            fail(f"there is no key {key_id}: `stet keys list` names those there are", Exit.UNKNOWN)
        audit(now, "key_revoked", key.tenant, key=key.id)
        print_json(_row(key)) if as_json else print(_line(key))


@contextmanager
def _client(data_dir: Path, redis: str | None, create: bool = False) -> Iterator[Any]:
    """A client of the Redis that the keys are in: the server's, the folder's, or that of the service which
    has the folder open."""
    from state.data_folder import DataFolder, FolderLocked
    from state.embedded_redis import EmbeddedRedis, running_in
    from state.redis_client import connect

    if redis is not None:
        client = connect(redis)
    else:
        try:
            with DataFolder.open(data_dir, create=create) as folder, EmbeddedRedis(folder.redis) as server:
                yield server.client
            return
        except FolderLocked:
            found = running_in(data_dir / "redis")
            if found is None:
                raise
            client = found
    try:
        yield client
    finally:
        client.close()


def _check_names(tenant: str, name: str) -> None:
    for option, text in (("--tenant", tenant), ("--name", name)):
        if len(text) > LONGEST_NAME or not all(map(str.isprintable, text)):
            fail(f"{option} has at most {LONGEST_NAME} characters, and no control characters", Exit.USAGE)
    if not tenant.strip():
        fail("--tenant is empty", Exit.USAGE)


def _row(key: ApiKey) -> dict[str, Any]:
    """What may be shown of a key: not its digest."""
    return {
        "id": key.id,
        "tenant": key.tenant,
        "scopes": list(key.scopes),
        "name": key.name,
        "per_minute": key.per_minute,
        "created_at": key.created_at.isoformat(),
        "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
    }


def _line(key: ApiKey) -> str:
    until = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else f"since {key.created_at:%Y-%m-%d}"
    limit = f"{key.per_minute} a minute" if key.per_minute else "no limit"
    shown = (key.id, key.tenant, ",".join(key.scopes), limit, until, key.name)
    return clean("  ".join(filter(None, shown)))
