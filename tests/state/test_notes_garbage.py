"""What answers in Qdrant's place is no Qdrant: the store is away then, and nothing else breaks."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from qdrant_client import QdrantClient

from state.model import Subject
from state.note_points import NoteStoreError
from state.notes_qdrant import QdrantNoteStore, connect

ANN = Subject("acme", "ann")
NEAR = np.ones(4, dtype=np.float32)
POINT = {"id": 1, "version": 1, "score": 0.5, "payload": {"other": 1}}
GARBAGE = {
    "a proxy's page": b"<html>Sign in</html>",
    "nothing": b"",
    "bytes that are no text": b"\xff\xfe\x00",
    "JSON of another service": b"[1]",
    "a point of someone else": json.dumps(
        {"result": {"points": [POINT]}, "status": "ok", "time": 0}
    ).encode(),
}
CALLS: dict[str, Callable[[QdrantNoteStore], object]] = {
    "count": lambda notes: notes.count(ANN),
    "dense": lambda notes: notes.dense(ANN, NEAR, 3),
    "lexical": lambda notes: notes.lexical(ANN, "phone number", 3),
    "nearness": lambda notes: notes.nearness(ANN, NEAR, ["m"]),
    "vectors": lambda notes: notes.vectors(ANN, ["m"]),
    "delete": lambda notes: notes.delete(ANN, ["m"]),
    "forget": lambda notes: notes.forget(ANN),
}


class Impostor(ThreadingHTTPServer):
    """Gives one answer to whatever it is asked."""

    answer = b""


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _reply(self) -> None:
        assert isinstance(self.server, Impostor)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.answer)))
        self.end_headers()
        self.wfile.write(self.server.answer)

    do_GET = do_POST = do_PUT = do_DELETE = _reply  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def impostor() -> Iterator[Impostor]:
    with Impostor(("127.0.0.1", 0), _Requests) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def url(impostor: Impostor) -> str:
    return f"http://127.0.0.1:{impostor.server_port}"


@pytest.fixture
def notes(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[QdrantNoteStore]:
    """A store that was opened while Qdrant was there."""
    monkeypatch.setattr(QdrantNoteStore, "_prepare", lambda self: None)
    with QdrantNoteStore(QdrantClient(url=url, check_compatibility=False), len(NEAR)) as store:
        yield store


@pytest.mark.parametrize("what", GARBAGE)
def test_it_is_not_taken_for_qdrant(impostor: Impostor, url: str, what: str) -> None:
    impostor.answer = GARBAGE[what]
    with pytest.raises(NoteStoreError, match="does not answer"):
        connect(url)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("what", GARBAGE)
def test_every_call_says_that_the_store_failed(
    impostor: Impostor, notes: QdrantNoteStore, what: str, call: str
) -> None:
    impostor.answer = GARBAGE[what]
    with pytest.raises(NoteStoreError):
        CALLS[call](notes)
