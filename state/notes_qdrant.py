"""The note store on a Qdrant server (1.19 or newer, for BM25 statistics within a subject).

All subjects share one collection, laid out for many tenants as Qdrant advises: no global HNSW graph (m = 0),
one graph for each owner instead (payload_m = 16), and the owner index marked as the tenant's, so that an
owner's points lie together on disk. Small owners are compared exactly.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from json import JSONDecodeError
from types import TracebackType
from typing import TypeVar

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

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

COLLECTION = "stet-notes"
KEY_VARIABLE = "STET_QDRANT_API_KEY"
_OLDEST = (1, 19)
_BATCH = 256
_TIMEOUT = 30  # seconds
UNANSWERED = (ApiException, OSError, JSONDecodeError, UnicodeDecodeError)
"""What a call raises where there is no answer, or one that is none of Qdrant's: a proxy's page, say."""
_Answer = TypeVar("_Answer")


def connect(url: str, timeout: int = _TIMEOUT) -> QdrantClient:
    """A client of the server at `url`; the API key, where one is needed, is in STET_QDRANT_API_KEY.

    Raises NoteStoreError where the server does not answer, refuses the key, or is older than 1.19 (an older
    one would rank by the whole collection's statistics without a word).
    """
    key = os.environ.get(KEY_VARIABLE) or None
    client = QdrantClient(url=url, api_key=key, timeout=timeout, check_compatibility=False)
    try:
        version = client.info().version
    except UNANSWERED as error:
        raise NoteStoreError(
            f"Qdrant at {url} does not answer: start it, or correct the address or {KEY_VARIABLE} ({error})"
        ) from error
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        raise NoteStoreError(f"Qdrant at {url} is {version}; Stet needs 1.19 or newer: upgrade the server")
    return client


class QdrantNoteStore:
    """A `NoteStore` in one collection of a Qdrant server; the collection is made where it is absent.

    Raises NoteStoreError where the collection has vectors of another dimension, or a call fails. Calls may
    come from any thread and process.
    """

    def __init__(self, client: QdrantClient, dimension: int, collection: str = COLLECTION) -> None:
        self._client = client
        self._dimension = dimension
        self._collection = collection
        self._ask(self._prepare)

    def upsert(self, notes: Sequence[Note]) -> None:
        """Writes notes, applied on return; of two with the same message the later wins."""
        found = latest(notes, self._dimension)
        for start in range(0, len(found), _BATCH):
            points = [_point(identity, note) for identity, note in found[start : start + _BATCH]]
            self._ask(partial(self._client.upsert, self._collection, points, wait=True))

    def delete(self, subject: Subject, messages: Iterable[str]) -> None:
        """Removes notes; unknown ids are no error."""
        points = [point_id(subject, message) for message in messages]
        if points:
            gone = models.PointIdsList(points=list(points))
            self._ask(lambda: self._client.delete(self._collection, gone, wait=True))

    def forget(self, subject: Subject) -> None:
        """Removes all notes of a subject; an unknown subject is no error."""
        gone = models.FilterSelector(filter=_admitted(subject, None))
        self._ask(lambda: self._client.delete(self._collection, gone, wait=True))

    def dense(
        self, subject: Subject, vector: Vector, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        """Nearest by cosine among notes sent at or before `until`, best first, ties by message id."""
        return self._best(vector.tolist(), DENSE, _admitted(subject, until), limit, None)

    def lexical(
        self, subject: Subject, text: str, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        """Best by the subject's own BM25, best first, ties by message id; only notes that share a term."""
        indices, values = sparse_query(text, salted(owner_of(subject)))
        if not indices:
            return []
        admitted = _admitted(subject, until)
        own_idf = models.SearchParams(idf=models.IdfCorpusParams(corpus=admitted))
        query = models.SparseVector(indices=indices, values=values)
        return [hit for hit in self._best(query, LEXICAL, admitted, limit, own_idf) if hit.score > 0]

    def vectors(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Vector]:
        """Stored dense vectors by message id; unknown ids are left out."""
        points = [point_id(subject, message) for message in messages]
        if not points:
            return {}
        records = self._ask(
            lambda: self._client.retrieve(
                self._collection, points, with_payload=[MESSAGE], with_vectors=[DENSE]
            )
        )
        found: dict[str, Vector] = {}
        for record in records:
            held = record.payload or {}
            if MESSAGE not in held or not isinstance(record.vector, dict):
                raise NoteStoreError(f"a point without its message or vectors in {self._collection}")
            found[str(held[MESSAGE])] = np.asarray(record.vector[DENSE], np.float32)
        return found

    def nearness(self, subject: Subject, vector: Vector, messages: Iterable[str]) -> Mapping[str, float]:
        """The cosine of `vector` and each message's; unknown ids are left out."""
        asked = {point_id(subject, message): message for message in messages}
        if not asked:
            return {}
        mine = models.FieldCondition(key=OWNER, match=models.MatchValue(value=owner_of(subject)))
        answer = self._ask(
            lambda: self._client.query_points(
                self._collection,
                query=vector.tolist(),
                using=DENSE,
                query_filter=models.Filter(must=[mine, models.HasIdCondition(has_id=list(asked))]),
                limit=len(asked),
                with_payload=False,
            )
        )
        found = {str(point.id): round(point.score, PLACES) for point in answer.points}
        if not found.keys() <= asked.keys():
            raise NoteStoreError(f"a point that was not asked for in {self._collection}")
        return {asked[point]: score for point, score in found.items()}

    def count(self, subject: Subject | None = None) -> int:
        """How many notes are stored, in all or of one subject."""
        admitted = None if subject is None else _admitted(subject, None)
        answer = self._ask(lambda: self._client.count(self._collection, count_filter=admitted, exact=True))
        return answer.count

    def close(self) -> None:
        """Closes the client; what was written is the server's already."""
        self._client.close()

    def __enter__(self) -> "QdrantNoteStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _prepare(self) -> None:
        if not self._client.collection_exists(self._collection):
            try:
                self._create()
            except (ApiException, ValueError):
                # Another worker may have made it in between; whatever else was wrong shows again.
                if not self._client.collection_exists(self._collection):
                    raise
        self._check_dimension()
        # Of no effect where they exist; repeated, since a kill can fall between collection and index.
        by_owner = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
        by_time = models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=False, range=True)
        self._client.create_payload_index(self._collection, OWNER, by_owner, wait=True)
        self._client.create_payload_index(self._collection, SENT_AT, by_time, wait=True)

    def _create(self) -> None:
        self._client.create_collection(
            self._collection,
            vectors_config={
                DENSE: models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)
            },
            sparse_vectors_config={LEXICAL: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),
        )

    def _check_dimension(self) -> None:
        held = self._client.get_collection(self._collection).config.params.vectors
        params = held.get(DENSE) if isinstance(held, dict) else None
        if params is None:
            raise NoteStoreError(
                f"the Qdrant collection {self._collection} is not Stet's: choose another collection"
            )
        if params.size != self._dimension:
            raise NoteStoreError(
                f"the Qdrant collection {self._collection} has vectors of {params.size} numbers, the encoder "
                f"{self._dimension}: use the encoder it was made with, or ingest into a new collection"
            )

    def _ask(self, call: Callable[[], _Answer]) -> _Answer:
        try:
            return call()
        except UNANSWERED as error:
            raise NoteStoreError(f"Qdrant failed on the collection {self._collection}: {error}") from error

    def _best(
        self,
        query: list[float] | models.SparseVector,
        using: str,
        admitted: models.Filter,
        limit: int,
        params: models.SearchParams | None,
    ) -> Sequence[Hit]:
        def fetch(asked: int) -> Iterable[Hit]:
            answer = self._ask(
                lambda: self._client.query_points(
                    self._collection,
                    query=query,
                    using=using,
                    query_filter=admitted,
                    limit=asked,
                    search_params=params,
                    with_payload=[MESSAGE],
                )
            )
            for point in answer.points:
                held = point.payload or {}
                if MESSAGE not in held:
                    raise NoteStoreError(f"a point without its message in {self._collection}")
                yield Hit(str(held[MESSAGE]), point.score)

        return best(fetch, limit)


def _point(identity: str, note: Note) -> models.PointStruct:
    indices, values = sparse(note.content, salted(owner_of(note.subject)))
    lexical = models.SparseVector(indices=indices, values=values)
    vectors = {DENSE: note.vector.tolist(), LEXICAL: lexical}
    return models.PointStruct(id=identity, vector=vectors, payload=dict(payload(note)))


def _admitted(subject: Subject, until: datetime | None) -> models.Filter:
    """The subject's notes, sent at or before `until`. Microseconds since 1970 are exact as floats to 2255."""
    must: list[models.Condition] = [
        models.FieldCondition(key=OWNER, match=models.MatchValue(value=owner_of(subject)))
    ]
    if until is not None:
        must.append(models.FieldCondition(key=SENT_AT, range=models.Range(lte=float(micros(until)))))
    return models.Filter(must=must)
