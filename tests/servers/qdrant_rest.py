"""The REST calls that Stet makes to a Qdrant server, answered by qdrant-client's in-memory engine.

    python -m tests.servers.qdrant_rest --port 20123 [--ids-only]

For machines where no Qdrant server can be had: the production code runs with a real URL, and several
processes share one store. Bodies go through qdrant-client's own models both ways, so what the code sends and
reads is checked against the interface. It is no Qdrant: all is in memory and gone with the process,
comparisons are exact, and payload indexes, HNSW settings, `wait`, `timeout` and consistency have no effect.
`faults.py` says how to make it fail, `qdrant_ids_only.py` what `--ids-only` keeps.
"""

import argparse
import os
import threading
from typing import Annotated

import uvicorn
from fastapi import Body, FastAPI, Request, Response
from qdrant_client import QdrantClient, models
from qdrant_client.http.models import models as answers

from tests.servers.faults import Faults, failure
from tests.servers.port import HOST
from tests.servers.qdrant_ids_only import ids_only
from tests.servers.qdrant_points import answer, exact

VERSION = "1.19.0"
POINTS = "/collections/{name}/points"


def application(only_ids: bool) -> FastAPI:
    client = QdrantClient(":memory:")
    lock = threading.Lock()
    app = FastAPI(title="Qdrant's REST interface, in memory")
    Faults(app)
    _collections(app, client, lock)
    app.include_router(ids_only() if only_ids else exact(client, lock), prefix=POINTS)

    @app.exception_handler(ValueError)
    def refused(request: Request, error: ValueError) -> Response:
        """The engine's refusals, by the codes that a server gives them."""
        reason = str(error)
        code = 404 if "not found" in reason else 409 if "already exists" in reason else 400
        return failure(code, reason)

    return app


def _collections(app: FastAPI, client: QdrantClient, lock: threading.Lock) -> None:
    @app.get("/")
    def version() -> models.VersionInfo:
        """The commit names the process, so that whoever started it knows it again."""
        return models.VersionInfo(title="in-memory stand-in", version=VERSION, commit=str(os.getpid()))

    @app.get("/collections/{name}/exists")
    def exists(name: str) -> Response:
        with lock:
            found = models.CollectionExistence(exists=client.collection_exists(name))
        return answer(answers.InlineResponse2009(result=found))

    @app.get("/collections/{name}")
    def get(name: str) -> Response:
        with lock:
            found = client.get_collection(name)
        return answer(answers.InlineResponse2007(result=found))

    @app.put("/collections/{name}")
    def create(name: str, asked: Annotated[models.CreateCollection, Body()]) -> Response:
        with lock:
            done = client.create_collection(
                name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors
            )
        return answer(answers.InlineResponse2001(result=done))

    @app.delete("/collections/{name}")
    def delete(name: str) -> Response:
        with lock:
            done = client.delete_collection(name)
        return answer(answers.InlineResponse2001(result=done))

    @app.put("/collections/{name}/index")
    def index(name: str, asked: Annotated[models.CreateFieldIndex, Body()]) -> Response:
        with lock:
            done = client.create_payload_index(name, asked.field_name, asked.field_schema)
        return answer(answers.InlineResponse2008(result=done))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--ids-only", action="store_true", help="keep ids and their owners, for load tests")
    asked = parser.parse_args()
    uvicorn.run(application(asked.ids_only), host=HOST, port=asked.port, log_level="warning")


if __name__ == "__main__":
    main()
