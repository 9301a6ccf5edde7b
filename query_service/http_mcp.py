"""`POST /mcp`: the tools over MCP's streamable HTTP.

Without sessions: each request says for itself who sends it, so no session can be taken over, and any replica
can answer. There is nothing to listen to, so GET is not there.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from query_service.caller import Caller
from query_service.http_problems import ProblemError
from query_service.mcp_server import memory_server
from query_service.memory import Memory

MAX_MCP_BODY = 1024 * 1024
"""Bytes of one request: well above a message of the longest content."""


def mcp_routes(memory: Memory, caller_of: Callable[..., Caller]) -> APIRouter:
    """The route over a memory. `caller_of` is the dependency that tells who calls."""
    # One that has run cannot run again, and an application may be started more than once.
    running: list[StreamableHTTPSessionManager] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        manager = StreamableHTTPSessionManager(
            memory_server(memory, _caller_in, _note),
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_MCP_BODY,
        )
        async with manager.run():
            running.append(manager)
            try:
                yield
            finally:
                running.remove(manager)

    router = APIRouter(tags=["agents"], lifespan=lifespan)

    @router.post("/mcp", include_in_schema=False)
    async def mcp(request: Request, caller: Annotated[Caller, Depends(caller_of)]) -> Response:
        """A message of the Model Context Protocol."""
        # A page of another site that has its own name point here sends this; agents do not.
        if "origin" in request.headers:
            raise ProblemError(403, "Requests of web pages are not taken here.")
        if not running:
            raise ProblemError(503, "The service is starting or stopping.")
        request.state.caller = caller
        return _Answered(running[-1])

    return router


def _caller_in(context: ServerRequestContext[Any, Any]) -> Caller:
    caller = _request_of(context).state.caller
    assert isinstance(caller, Caller)
    return caller


def _request_of(context: ServerRequestContext[Any, Any]) -> Request:
    request = context.request
    assert isinstance(request, Request)
    return request


def _note(context: ServerRequestContext[Any, Any], tool: str, subject: str | None) -> None:
    """Tells the audit log what was called and about whom."""
    request = _request_of(context)
    request.state.audit = {"tool": tool}
    request.state.subject = subject


class _Answered(Response):
    """Leaves the request, which is not read yet, and its answer to the protocol."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)
