"""`POST /v1/messages`: the way in over HTTP (DESIGN §7)."""

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from operators.message_row import Row
from operators.parse import Rejected, parse
from query_service.http_models import Receipt, Receipts
from query_service.http_problems import ProblemError
from query_service.http_request import body_of
from query_service.intake import Accept, Unavailable
from state.audit import subject_mark
from state.model import Message, Op

MAX_MESSAGES = 1_000
MAX_BODY = 8 * 1024 * 1024
"""Bytes of one request. A thousand messages of ordinary length are well below a megabyte."""
EXAMPLE = {
    "tenant": "acme",
    "subject": "maya",
    "conversation": "order-5512",
    "id": "order-5512/7",
    "role": "user",
    "speaker": "Maya",
    "content": "Please change the delivery address to 3 Mill Lane.",
    "sent_at": "2026-03-06T17:30:05Z",
}


def message_routes(accept: Accept, tenant_of: Callable[..., str]) -> APIRouter:
    """The route over what takes messages. `tenant_of` is the dependency that names a request's tenant."""
    router = APIRouter(tags=["messages"])

    @router.post("/v1/messages", status_code=202, response_model=Receipts, openapi_extra=_body())
    async def post_messages(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> JSONResponse:
        """One message, or a list of at most 1,000. 202 once every accepted one is durable.

        Each has a receipt, in the order of the request; a bad one does not hold up the others. Where none is
        accepted the answer is 422, with the same receipts.

        Sending a message again changes nothing and gives the same receipt, however often and whenever: its
        `id` is what tells that it is the same. So a request that got no answer can simply be sent again, and
        a header Idempotency-Key is not needed; one that is sent changes nothing.
        """
        raw = await body_of(request, MAX_BODY)
        parsed = [parse(row, tenant) for row in _rows(raw)]
        request.state.audit = _audited(tenant, parsed)
        return await run_in_threadpool(_accept, accept, parsed)

    return router


def _accept(accept: Accept, parsed: list[Message | Rejected]) -> JSONResponse:
    accepted = [one for one in parsed if isinstance(one, Message)]
    if accepted:
        try:
            accept(accepted)
        except Unavailable as error:
            unsure = f"Not all messages are known to be kept: {error}. Send them again."
            raise ProblemError(503, unsure) from error
    results = [_receipt(i, one) for i, one in enumerate(parsed)]
    receipts = Receipts(accepted=len(accepted), rejected=len(parsed) - len(accepted), results=results)
    if not accepted:
        told = {"results": receipts.model_dump(mode="json")["results"]}
        raise ProblemError(422, "No message was accepted: see `results` for the reasons.", told)
    return JSONResponse(receipts.model_dump(mode="json"), 202)


def _rows(raw: bytes) -> list[bytes]:
    """The bytes of each message: of the whole body, or of each item of a list."""
    if not raw.lstrip().startswith(b"["):
        return [raw]
    try:
        items = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ProblemError(400, "The body is not JSON in UTF-8.") from error
    if not items:
        raise ProblemError(422, "The list has no message.")
    if len(items) > MAX_MESSAGES:
        raise ProblemError(413, f"The list has more than {MAX_MESSAGES} messages: send fewer at a time.")
    return [json.dumps(item).encode() for item in items]


def _receipt(index: int, one: Message | Rejected) -> Receipt:
    if isinstance(one, Rejected):
        return Receipt(index=index, id=None, accepted=False, reason=one.reason, detail=one.detail)
    return Receipt(index=index, id=one.id, accepted=True)


def _audited(tenant: str, parsed: list[Message | Rejected]) -> dict[str, object]:
    """How many messages came, and of whom messages are to be deleted."""
    deleted = {one.subject.name for one in parsed if isinstance(one, Message) and one.op is Op.DELETE}
    told: dict[str, object] = {"messages": len(parsed)}
    if deleted:
        told["deletes_of"] = sorted(subject_mark(tenant, name) for name in deleted)
    return told


def _body() -> dict[str, Any]:
    message = Row.model_json_schema(ref_template="#/components/schemas/{model}")
    message.pop("$defs", None)
    message["properties"] |= {
        "sent_at": {"type": "string", "format": "date-time"},
        "role": {"enum": ["user", "agent", "assistant", "peer", "system", "tool"]},
        "op": {"enum": ["upsert", "delete"], "default": "upsert"},
    }
    message["example"] = EXAMPLE
    many = {"type": "array", "items": message, "minItems": 1, "maxItems": MAX_MESSAGES, "example": [EXAMPLE]}
    told = {"schema": {"anyOf": [message, many]}, "example": EXAMPLE}
    return {"requestBody": {"required": True, "content": {"application/json": told}}}
