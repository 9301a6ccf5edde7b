"""The explorer at `/explore`: its files as they are in the package, under a policy that lets nothing else in.

The page asks the API like any client. What it is served with lets no script or style run that is not one of
these files, no other site frame it, and no text become markup.
"""

import hashlib
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Header, Response

from query_service.http_problems import ProblemError

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
FIRST = "index.html"


def explorer_routes() -> APIRouter:
    """The explorer's routes. Its files are read once, so no path of a request ever reaches the disk."""
    router = APIRouter(include_in_schema=False)
    held = _files()

    @router.get("/explore")
    def page(if_none_match: Annotated[str | None, Header()] = None) -> Response:
        return _answer(FIRST, held[FIRST], if_none_match)

    @router.get("/explore/{name}")
    def part(name: str, if_none_match: Annotated[str | None, Header()] = None) -> Response:
        if name not in held:
            raise ProblemError(404, "The explorer has no such file.")
        return _answer(name, held[name], if_none_match)

    return router


def _files() -> dict[str, bytes]:
    folder = files("query_service").joinpath("explorer")
    return {file.name: file.read_bytes() for file in folder.iterdir() if _suffix(file.name) in MEDIA_TYPES}


def _answer(name: str, content: bytes, known: str | None) -> Response:
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    headers = {**HEADERS, "ETag": tag}
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=MEDIA_TYPES[_suffix(name)], headers=headers)


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]
