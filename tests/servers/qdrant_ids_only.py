"""The routes of a collection's points for load tests: which ids there are and whose, and nothing else.

Vectors and texts are thrown away as they come, so a query and a retrieve find nothing. What this measures is
the client's side and the wire; what it can check is that nothing was lost and nothing is twice.
"""

import threading
from collections import defaultdict
from typing import Annotated

import msgspec
from fastapi import APIRouter, Body, Request, Response
from qdrant_client import models
from qdrant_client.http.models import models as answers
from starlette.concurrency import run_in_threadpool

from state.note_points import OWNER
from tests.servers.qdrant_points import answer


class _Point(msgspec.Struct):
    id: str
    payload: dict[str, msgspec.Raw]


class _Points(msgspec.Struct):
    """What is read of an upsert's body; the client's own model of it would take longer than all the rest."""

    points: list[_Point]


class _Held:
    """The owners of the ids of one collection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owners: dict[str, str] = {}

    def put(self, body: bytes) -> None:
        points = msgspec.json.decode(body, type=_Points).points
        owners = {point.id: msgspec.json.decode(point.payload[OWNER], type=str) for point in points}
        with self._lock:
            self._owners.update(owners)

    def remove(self, which: models.PointIdsList | models.FilterSelector) -> None:
        with self._lock:
            if isinstance(which, models.PointIdsList):
                gone = [str(point) for point in which.points]
            else:
                gone = self._of(which.filter)
            for point in gone:
                self._owners.pop(point, None)

    def count(self, admitted: models.Filter | None) -> int:
        with self._lock:
            return len(self._owners) if admitted is None else len(self._of(admitted))

    def _of(self, admitted: models.Filter) -> list[str]:
        owner = _owner(admitted)
        return [point for point, held in self._owners.items() if held == owner]


def ids_only() -> APIRouter:
    """Routes below `/collections/{name}/points`."""
    routes = APIRouter()
    collections: defaultdict[str, _Held] = defaultdict(_Held)

    @routes.put("")
    async def upsert(name: str, request: Request) -> Response:
        body = await request.body()
        await run_in_threadpool(collections[name].put, body)
        return answer(_done())

    @routes.post("/delete")
    def delete(name: str, asked: Annotated[models.PointsSelector, Body()]) -> Response:
        collections[name].remove(asked)
        return answer(_done())

    @routes.post("")
    def retrieve(name: str) -> Response:
        return answer(answers.InlineResponse20017(result=[]))

    @routes.post("/query")
    def query(name: str) -> Response:
        return answer(answers.InlineResponse20022(result=answers.QueryResponse(points=[])))

    @routes.post("/count")
    def count(name: str, asked: Annotated[models.CountRequest, Body()]) -> Response:
        found = models.CountResult(count=collections[name].count(asked.filter))
        return answer(answers.InlineResponse20020(result=found))

    return routes


def _done() -> answers.InlineResponse2008:
    done = models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)
    return answers.InlineResponse2008(result=done)


def _owner(admitted: models.Filter) -> str:
    """The owner that a filter asks for. Raises ValueError where it asks for anything else."""
    match admitted.must:
        case [models.FieldCondition(key=key, match=models.MatchValue(value=str(owner)))] if key == OWNER:
            return owner
        case _:
            raise ValueError("with ids only, a filter can name an owner and nothing else")
