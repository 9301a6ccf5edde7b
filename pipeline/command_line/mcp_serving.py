"""`stet mcp`: one agent at the other end of standard input and output, and the dataflow beside it."""

import threading
from dataclasses import dataclass
from pathlib import Path

import anyio
from mcp.server.stdio import stdio_server

from pipeline.command_line.auditing import Act, audited
from pipeline.command_line.failures import Exit, fail, warn
from pipeline.command_line.notices import ready_to_write
from pipeline.command_line.serving import EmbeddedService
from pipeline.command_line.serving_servers import ServerService
from pipeline.command_line.stopping import Stop, when_ready
from pipeline.embedded import Embedded
from pipeline.running import utc_now
from pipeline.servers import Addresses, Servers
from query_service.ask import Asker
from query_service.caller import Caller, Scope
from query_service.http_app import Service
from query_service.intake import Forget
from query_service.mcp_server import Request, memory_server
from query_service.memory import Memory
from query_service.next_turn import NextTurn

_LOOK = 0.1
"""Seconds between two looks whether a signal came."""


@dataclass(frozen=True, slots=True)
class Agent:
    """Who is at the other end: whose memory it works on, what it may do, and where its calls are written."""

    tenant: str | None
    scopes: frozenset[Scope]
    audit_log: Path | None


def serve_folder(data_dir: Path, encoder: str | None, agent: Agent) -> None:
    """Serves a data folder until the input ends or a signal comes, then stops in order and returns.

    Raises at the end what broke the dataflow meanwhile. A client that ends the input and then sends a signal
    does not cut the stop short.
    """
    with when_ready() as stop, Embedded.open(data_dir, encoder=encoder, create=True) as stet:
        ready_to_write(stet)
        service = EmbeddedService(stet, agent.tenant)
        caller = Caller(_named(service), agent.scopes)
        service.start()
        try:
            with audited("call", "mcp", agent.audit_log) as act:
                _serve(service, caller, service.forget, stop, act)
        finally:
            service.stop()
        service.settle()


def serve_servers(addresses: Addresses, encoder: str | None, agent: Agent) -> None:
    """The same on servers, where workers run the dataflow."""
    with when_ready() as stop, Servers.open(addresses, encoder=encoder) as servers:
        service = ServerService(servers, agent.tenant)
        with audited("call", "mcp", agent.audit_log) as act:
            _serve(service, Caller(_named(service), agent.scopes), service.forget, stop, act)


def _named(service: Service) -> str:
    tenant = service.tenant
    if tenant is None or not tenant.strip():
        fail("name the tenant that the tools work on: --tenant", Exit.USAGE)
    return tenant


def _serve(service: Service, caller: Caller, forget: Forget, stop: Stop, act: Act) -> None:
    asker = Asker(service.reader, service.notes, service.encoder, utc_now)
    turns = NextTurn(service.reader, service.notes, service.encoder, utc_now)
    memory = Memory(service.reader, asker, turns, service.accept, utc_now, forget)
    warn(f"serving the tools of tenant {caller.tenant} on standard input and output")
    act.of(caller.tenant)
    _until_the_input_ends(memory, caller, stop, act)


def _until_the_input_ends(memory: Memory, caller: Caller, stop: Stop, act: Act) -> None:
    """Returns at the end of the input, or once a signal came. Raises what broke the server.

    It runs in a thread of its own: one that waits for input cannot be interrupted, and the process ends
    without it.
    """

    def note(_: Request, tool: str, subject: str | None) -> None:
        act.step(caller.tenant, subject, tool=tool)

    server = memory_server(memory, lambda _: caller, note)
    faults: list[BaseException] = []

    async def speak() -> None:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    def run() -> None:
        try:
            anyio.run(speak)
        except BaseException as error:  # noqa: BLE001 - it is raised where the thread is waited for
            faults.append(error)

    speaking = threading.Thread(target=run, name="mcp", daemon=True)
    speaking.start()
    while speaking.is_alive() and not stop():
        speaking.join(_LOOK)
    if faults:
        raise faults[0]
