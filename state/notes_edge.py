"""The embedded note store: Qdrant Edge, the engine in this process, in a folder of its own.

The shard is one growing segment without an HNSW graph. A search runs over the owner's points through the
payload index and compares each exactly: its cost grows with the subject's notes (0.6 to 0.9 ms over 2,000,
dense), not with the store. Building graphs would buy little, since few subjects have 10,000 notes, and Edge
builds them in the caller's thread: six minutes for 100,000 notes on two busy cores. Rewriting a point reuses
its place, so updates need no vacuum.

Durability: every write is in the engine's log before the call returns, so it survives a kill of the process;
the engine does not force each write to the disk, so a power cut can lose the last moments. Segments are
flushed every `_FLUSH_EVERY` points, which bounds the log that the next opening replays.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from uuid import UUID

import numpy as np
import qdrant_edge as edge

from state.lexicon import salted, sparse, sparse_query
from state.model import Subject
from state.note_points import (
    DENSE,
    LEXICAL,
    MESSAGE,
    OWNER,
    PLACES,
    SENT_AT,
    NoteStoreError,
    best,
    latest,
    micros,
    owner_of,
    payload,
    point_id,
)
from state.notes import Hit, Note, Vector
from state.notes_compaction import rewrite, settle

_BATCH = 512
_FLUSH_EVERY = 16_384
_Answer = TypeVar("_Answer")


class EdgeNoteStore:
    """A `NoteStore` in a local folder, opened by one process at a time; its calls may come from any thread.

    Raises NoteStoreError where the folder is open elsewhere, or holds vectors of another dimension.
    """

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        self._unflushed = 0
        self._closed = False
        self._writing = threading.Lock()
        self._settled = threading.Event()
        self._settled.set()
        self._shard = self._open()

    def upsert(self, notes: Sequence[Note]) -> None:
        """Writes notes; of two with the same message the later wins. about 0.2 ms of processor time each."""
        found = latest(notes, self._dimension)
        for start in range(0, len(found), _BATCH):
            points = [_point(identity, note) for identity, note in found[start : start + _BATCH]]
            self._write(edge.UpdateOperation.upsert_points(points), len(points))

    def delete(self, subject: Subject, messages: Iterable[str]) -> None:
        """Removes notes; unknown ids are no error."""
        points: list[int | UUID | str] = [point_id(subject, message) for message in messages]
        if points:
            self._write(edge.UpdateOperation.delete_points(points), len(points))

    def forget(self, subject: Subject) -> None:
        """Removes all notes of a subject; an unknown subject is no error."""
        gone = edge.UpdateOperation.delete_points_by_filter(_admitted(subject, None))
        self._write(gone, self.count(subject))

    def compact(self) -> None:
        """Leaves no byte of what was deleted in the folder. O(all notes); calls from other threads wait."""
        with self._writing:
            if self._closed:
                raise NoteStoreError(f"the notes in {self._folder} are closed: open the store again")
            self._settled.clear()
            try:
                rewrite(self._shard, self._folder, self._create)
                self._shard = self._open()
                self._unflushed = 0
            finally:
                self._settled.set()

    def dense(
        self, subject: Subject, vector: Vector, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        """Nearest by cosine among notes sent at or before `until`, exact, best first, ties by message id."""
        nearest = edge.Query.Nearest(vector.tolist(), using=DENSE)
        return self._best(nearest, _admitted(subject, until), limit, None)

    def lexical(
        self, subject: Subject, text: str, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        """Best by the subject's own BM25, best first, ties by message id; only notes that share a term."""
        indices, values = sparse_query(text, salted(owner_of(subject)))
        if not indices:
            return []
        admitted = _admitted(subject, until)
        nearest = edge.Query.Nearest(edge.SparseVector(indices, values), using=LEXICAL)
        own_idf = edge.SearchParams(idf=edge.IdfParams(admitted))
        return [hit for hit in self._best(nearest, admitted, limit, own_idf) if hit.score > 0]

    def vectors(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Vector]:
        """Stored dense vectors by message id; unknown ids are left out."""
        asked = {point_id(subject, message): message for message in messages}
        if not asked:
            return {}
        points: list[int | UUID | str] = list(asked)
        # The ids tell the messages: the payload would only be converted for nothing.
        records = self._ask(lambda: self._shard.retrieve(points, with_payload=False, with_vector=[DENSE]))
        found: dict[str, Vector] = {}
        for record in records:
            held = record.vector  # each look at it converts the whole
            if not isinstance(held, dict):
                raise NoteStoreError(f"a point without its vectors in {self._folder}")
            found[asked[str(record.id)]] = np.asarray(held[DENSE], np.float32)
        return found

    def nearness(self, subject: Subject, vector: Vector, messages: Iterable[str]) -> Mapping[str, float]:
        """The cosine of `vector` and each message's. No vector leaves the engine: its copy costs most."""
        asked = {point_id(subject, message): message for message in messages}
        if not asked:
            return {}
        request = edge.QueryRequest(
            limit=len(asked),
            query=edge.Query.Nearest(vector.tolist(), using=DENSE),
            filter=edge.Filter(
                must=[
                    edge.FieldCondition(OWNER, edge.MatchValue(owner_of(subject))),
                    edge.HasIdCondition(set(asked)),
                ]
            ),
            with_payload=False,
        )
        found = self._ask(lambda: self._shard.query(request))
        return {asked[str(point.id)]: round(point.score, PLACES) for point in found}

    def count(self, subject: Subject | None = None) -> int:
        """How many notes are stored, in all or of one subject."""
        admitted = None if subject is None else _admitted(subject, None)
        return self._ask(lambda: self._shard.count(edge.CountRequest(exact=True, filter=admitted)))

    def close(self) -> None:
        """Flushes and releases the folder; a second call does nothing."""
        with self._writing:
            if not self._closed:
                self._closed = True
                self._shard.flush()
                self._shard.close()

    def __enter__(self) -> "EdgeNoteStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> edge.EdgeShard:
        settle(self._folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            if (self._folder / "edge_config.json").exists():
                return _indexed(edge.EdgeShard.load(str(self._folder), _config(self._dimension)))
            return self._create(self._folder)
        except Exception as error:  # Edge raises no narrower class
            raise NoteStoreError(self._refusal(str(error))) from error

    def _create(self, folder: Path) -> edge.EdgeShard:
        folder.mkdir(parents=True, exist_ok=True)
        return _indexed(edge.EdgeShard.create(str(folder), _config(self._dimension)))

    def _refusal(self, words: str) -> str:
        if "WouldBlock" in words:
            return f"the notes in {self._folder} are open in another process: stop it, or use another folder"
        if "incompatible" in words.lower():
            return (
                f"the notes in {self._folder} were made by an encoder of another dimension than "
                f"{self._dimension}: use that encoder, or ingest again into a new folder ({words})"
            )
        return f"the notes in {self._folder} cannot be opened: {words}"

    def _write(self, operation: edge.UpdateOperation, points: int) -> None:
        with self._writing:
            self._ask(lambda: self._shard.update(operation))
            self._unflushed += points
            if self._unflushed >= _FLUSH_EVERY:
                self._ask(self._shard.flush)
                self._unflushed = 0

    def _ask(self, call: Callable[[], _Answer]) -> _Answer:
        if self._closed:
            raise NoteStoreError(f"the notes in {self._folder} are closed: open the store again")
        asked = self._shard
        try:
            return call()
        except Exception as error:  # Edge raises no narrower class
            self._settled.wait()
            if self._shard is not asked and not self._closed:  # it was exchanged for its copy meanwhile
                return self._ask(call)
            raise NoteStoreError(f"the notes in {self._folder} failed: {error}") from error

    def _best(
        self, query: edge.Query, admitted: edge.Filter, limit: int, params: edge.SearchParams | None
    ) -> Sequence[Hit]:
        def fetch(asked: int) -> Iterable[Hit]:
            request = edge.QueryRequest(
                limit=asked, query=query, filter=admitted, with_payload=[MESSAGE], params=params
            )
            for point in self._ask(lambda: self._shard.query(request)):
                held = point.payload  # each look at it converts the whole
                if held is None:
                    raise NoteStoreError(f"a point without its message in {self._folder}")
                yield Hit(str(held[MESSAGE]), point.score)

        return best(fetch, limit)


def _config(dimension: int) -> edge.EdgeConfig:
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(dimension, edge.Distance.Cosine)},
        sparse_vectors={LEXICAL: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=100, full_scan_threshold=10_000, payload_m=0),
    )


def _indexed(shard: edge.EdgeShard) -> edge.EdgeShard:
    """The shard with its indexes. Of no effect where they exist; repeated, since a kill can fall between
    creating the shard and indexing it."""
    shard.update(edge.UpdateOperation.create_field_index(OWNER, edge.KeywordIndexParams(is_tenant=True)))
    whole_numbers = edge.IntegerIndexParams(lookup=False, range=True)
    shard.update(edge.UpdateOperation.create_field_index(SENT_AT, whole_numbers))
    return shard


def _point(identity: str, note: Note) -> edge.Point:
    lexical = edge.SparseVector(*sparse(note.content, salted(owner_of(note.subject))))
    return edge.Point(identity, {DENSE: note.vector.tolist(), LEXICAL: lexical}, dict(payload(note)))


def _admitted(subject: Subject, until: datetime | None) -> edge.Filter:
    """The subject's notes, sent at or before `until`. Microseconds since 1970 are exact as floats to 2255."""
    must = [edge.FieldCondition(OWNER, edge.MatchValue(owner_of(subject)))]
    if until is not None:
        must.append(edge.FieldCondition(SENT_AT, range=edge.RangeFloat(lte=float(micros(until)))))
    return edge.Filter(must=list(must))
