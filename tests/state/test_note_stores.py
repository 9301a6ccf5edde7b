"""What every note store promises, run against both adapters; and what the embedded one says of its folder.

The Qdrant adapter runs against qdrant-client's in-memory engine, which takes the same calls, in this process
and through a URL; that URL is a real server's where STET_TEST_QDRANT names one.
"""

import math
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

from state.hashing_encoder import HashingEncoder
from state.lexicon import idf, sparse
from state.model import Subject
from state.note_points import NoteStoreError, best, owner_of, point_id
from state.notes import Hit, Note, NoteStore, Vector
from state.notes_edge import EdgeNoteStore
from state.notes_qdrant import QdrantNoteStore, connect

pytestmark = pytest.mark.filterwarnings("ignore:Payload indexes have no effect in the local Qdrant")

DIMENSION = 32
ENCODER = HashingEncoder(DIMENSION)
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ANN = Subject("shop", "ann")
BEN = Subject("shop", "ben")
ANN_ELSEWHERE = Subject("bank", "ann")
ROOT = Path(__file__).resolve().parents[2]


def note(
    message: str, content: str, subject: Subject = ANN, minute: int = 0, vector: Vector | None = None
) -> Note:
    return Note(
        subject=subject,
        message=message,
        conversation="c1",
        speaker="someone",
        sent_at=START + timedelta(minutes=minute),
        content=content,
        vector=ENCODER.encode([content])[0] if vector is None else vector,
    )


def axis(place: int, tilt: float = 0.0) -> Vector:
    """A unit vector along one axis, tilted towards the last one."""
    vector = np.zeros(DIMENSION, np.float32)
    vector[place] = math.cos(tilt)
    vector[DIMENSION - 1] += math.sin(tilt)
    return vector


def found(hits: object) -> list[str]:
    assert isinstance(hits, list)
    return [hit.message for hit in hits]


@pytest.fixture(params=["edge", "memory", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NoteStore]:
    if request.param == "edge":
        with EdgeNoteStore(tmp_path / "notes", DIMENSION) as embedded:
            yield embedded
    elif request.param == "memory":
        with QdrantNoteStore(QdrantClient(":memory:"), DIMENSION) as local:
            yield local
    else:
        url = request.getfixturevalue("qdrant_url")
        collection = request.getfixturevalue("qdrant_collection")
        with QdrantNoteStore(connect(url), DIMENSION, collection) as served:
            yield served


class TestWriting:
    def test_the_same_notes_twice_are_stored_once(self, store: NoteStore) -> None:
        notes = [note("m1", "blue chairs"), note("m2", "green tables")]
        store.upsert(notes)
        store.upsert(notes)
        assert store.count() == store.count(ANN) == 2

    def test_of_two_notes_with_one_message_the_later_wins(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs"), note("m1", "green tables")])
        assert store.lexical(ANN, "chairs", 5) == []
        assert found(store.lexical(ANN, "tables", 5)) == ["m1"]
        store.upsert([note("m1", "red lamps")])
        assert store.lexical(ANN, "tables", 5) == []
        assert found(store.lexical(ANN, "lamps", 5)) == ["m1"]
        assert store.count(ANN) == 1

    def test_a_deleted_note_is_gone_and_an_unknown_one_is_no_error(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs"), note("m2", "blue tables")])
        store.delete(ANN, ["m1", "never"])
        store.delete(ANN, [])
        assert found(store.lexical(ANN, "blue", 5)) == ["m2"]
        assert found(store.dense(ANN, ENCODER.encode(["blue chairs"])[0], 5)) == ["m2"]
        assert store.count(ANN) == 1

    def test_a_vector_of_another_dimension_is_refused_before_anything_is_written(
        self, store: NoteStore
    ) -> None:
        with pytest.raises(ValueError, match="store keeps 32 numbers"):
            store.upsert([note("m1", "blue"), note("m2", "blue", vector=np.ones(3, np.float32))])
        assert store.count() == 0

    def test_a_time_without_a_zone_is_refused(self, store: NoteStore) -> None:
        with pytest.raises(ValueError, match="zone"):
            store.dense(ANN, axis(0), 5, until=datetime(2026, 3, 1))

    def test_hundreds_of_notes_in_one_call(self, store: NoteStore) -> None:
        store.upsert([note(f"m{i}", f"order {i} shipped", minute=i) for i in range(700)])
        assert store.count(ANN) == 700
        assert found(store.lexical(ANN, "617", 3)) == ["m617"]


class TestSubjects:
    def test_one_message_id_in_three_subjects_is_three_notes(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs"), note("m1", "green chairs", BEN)])
        store.upsert([note("m1", "red chairs", ANN_ELSEWHERE)])
        assert (store.count(), store.count(ANN), store.count(BEN), store.count(ANN_ELSEWHERE)) == (3, 1, 1, 1)
        assert found(store.lexical(BEN, "green", 5)) == ["m1"]
        assert store.lexical(ANN, "green red", 5) == []
        assert len(store.dense(ANN, ENCODER.encode(["red chairs"])[0], 5)) == 1
        store.delete(ANN, ["m1"])
        assert found(store.lexical(BEN, "green", 5)) == ["m1"]
        assert store.vectors(ANN, ["m1"]) == {}
        assert list(store.vectors(BEN, ["m1"])) == ["m1"]

    def test_names_that_join_alike_do_not_meet(self, store: NoteStore) -> None:
        first, second = Subject("a/b", "c"), Subject("a", "b/c")
        store.upsert([note("m1", "blue chairs", first)])
        assert store.count(second) == 0
        assert owner_of(first) != owner_of(second)
        assert point_id(Subject("a", "b"), "c/d") != point_id(Subject("a", "b/c"), "d")

    def test_other_subjects_do_not_move_a_ranking(self, store: NoteStore) -> None:
        store.upsert(
            [note("m1", "blue chairs and lamps"), note("m2", "a blue rug"), note("m3", "two chairs")]
        )
        before = store.lexical(ANN, "blue chairs", 5)
        store.upsert([note(f"n{i}", "blue blue sky", BEN) for i in range(50)])
        assert store.lexical(ANN, "blue chairs", 5) == before

    def test_forgetting_a_subject_leaves_the_others(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs"), note("m2", "rugs"), note("m1", "blue chairs", BEN)])
        assert isinstance(store, EdgeNoteStore | QdrantNoteStore)
        store.forget(ANN)
        store.forget(Subject("shop", "nobody"))
        assert (store.count(ANN), store.count(BEN)) == (0, 1)


class TestSearching:
    def test_an_empty_store_and_an_unknown_subject_answer_nothing(self, store: NoteStore) -> None:
        for _ in range(2):
            assert list(store.dense(BEN, axis(0), 5)) == []
            assert list(store.lexical(BEN, "blue", 5)) == []
            assert store.vectors(BEN, ["m1"]) == {}
            assert store.vectors(BEN, []) == {}
            assert store.count(BEN) == 0
            store.upsert([note("m1", "blue chairs")])

    def test_a_limit_of_zero_answers_nothing(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs")])
        assert list(store.dense(ANN, axis(0), 0)) == []
        assert list(store.lexical(ANN, "blue", 0)) == []

    def test_the_nearest_come_first_with_their_cosine(self, store: NoteStore) -> None:
        store.upsert([note(f"m{i}", "x", vector=axis(0, tilt=i * 0.1)) for i in (3, 1, 2, 0)])
        hits = store.dense(ANN, axis(0), 3)
        assert found(hits) == ["m0", "m1", "m2"]
        assert [hit.score for hit in hits] == pytest.approx([math.cos(i * 0.1) for i in range(3)], abs=1e-5)

    def test_ties_go_by_message_id_even_where_the_limit_cuts_them(self, store: NoteStore) -> None:
        names = [f"m{i:03d}" for i in range(120)]
        store.upsert([note(name, "blue chairs", vector=axis(1)) for name in reversed(names)])
        assert found(store.dense(ANN, axis(1), 4)) == names[:4]
        assert found(store.lexical(ANN, "blue", 4)) == names[:4]

    def test_only_notes_that_share_a_term_are_lexical_hits(self, store: NoteStore) -> None:
        store.upsert([note("m1", "blue chairs"), note("m2", "green tables"), note("m3", "")])
        assert found(store.lexical(ANN, "chair?", 5)) == ["m1"]
        assert list(store.lexical(ANN, "purple", 5)) == []
        assert list(store.lexical(ANN, "the of", 5)) == []
        assert list(store.lexical(ANN, "", 5)) == []

    def test_lexical_scores_are_bm25_with_the_subjects_own_frequencies(self, store: NoteStore) -> None:
        texts = {
            "m1": "blue chairs, blue lamps",
            "m2": "a blue rug",
            "m3": "two chairs",
            "m4": "nothing else",
        }
        store.upsert([note(name, text) for name, text in texts.items()])
        store.upsert([note(f"n{i}", "blue chairs", BEN) for i in range(9)])
        weights = {name: dict(zip(*sparse(text), strict=True)) for name, text in texts.items()}
        (blue,), (chair,) = sparse("blue")[0], sparse("chair")[0]
        worth = {term: idf(4, sum(term in w for w in weights.values())) for term in (blue, chair)}
        expected = {
            name: sum(worth[term] * held.get(term, 0.0) for term in worth) for name, held in weights.items()
        }
        hits = store.lexical(ANN, "blue chairs", 5)
        assert {hit.message: hit.score for hit in hits} == pytest.approx(
            {name: score for name, score in expected.items() if score}, abs=1e-4
        )

    def test_what_was_sent_after_until_is_neither_found_nor_counted(self, store: NoteStore) -> None:
        store.upsert([note(f"m{i}", "blue chairs", minute=i) for i in range(4)])
        moment = START + timedelta(minutes=2)
        assert found(store.lexical(ANN, "blue", 9, until=moment)) == ["m0", "m1", "m2"]
        vector = ENCODER.encode(["blue chairs"])[0]
        assert found(store.dense(ANN, vector, 9, until=moment)) == ["m0", "m1", "m2"]
        just_before = moment - timedelta(microseconds=1)
        assert found(store.dense(ANN, vector, 9, until=just_before)) == ["m0", "m1"]
        then = store.lexical(ANN, "blue", 9, until=moment)
        store.upsert([note(f"later{i}", "blue sky", minute=60) for i in range(20)])
        assert store.lexical(ANN, "blue", 9, until=moment) == then

    def test_chinese_and_english_words_are_found(self, store: NoteStore) -> None:
        store.upsert(
            [note("m1", "我想把预订改到下周五晚上七点"), note("m2", "She was moving the bookings to Friday")]
        )
        store.upsert([note("m3", "公园里的狗"), note("m4", "my order is 5930-17")])
        assert found(store.lexical(ANN, "预订什么时候？", 5)) == ["m1"]
        assert found(store.lexical(ANN, "booking moved", 5)) == ["m2"]
        assert found(store.lexical(ANN, "去公园", 5)) == ["m3"]
        assert found(store.lexical(ANN, "５９３０-17", 5)) == ["m4"]

    def test_vectors_come_back_as_stored(self, store: NoteStore) -> None:
        stored = {f"m{i}": ENCODER.encode([f"order {i} of blue chairs"])[0] for i in range(5)}
        store.upsert([note(name, "x", vector=vector) for name, vector in stored.items()])
        read = store.vectors(ANN, [*stored, "never"])
        assert sorted(read) == sorted(stored)
        for name, vector in read.items():
            assert vector.dtype == np.float32
            np.testing.assert_allclose(vector, stored[name], atol=1e-6)

    def test_nearness_is_what_the_dense_search_scores(self, store: NoteStore) -> None:
        texts = {f"m{i}": f"order {i} of {i * 7} blue chairs" for i in range(6)}
        store.upsert([note(name, text) for name, text in texts.items()])
        question = ENCODER.encode(["blue chairs of order 3"])[0]
        scores = {hit.message: hit.score for hit in store.dense(ANN, question, 10)}
        near = store.nearness(ANN, question, [*texts, "never"])
        assert near == pytest.approx(scores, abs=2e-6)
        assert store.nearness(ANN, question, ["m3"]).keys() == {"m3"}
        assert store.nearness(BEN, question, ["m3"]) == {}
        assert store.nearness(ANN, question, []) == {}


class TestTies:
    def test_more_is_fetched_until_the_run_of_equals_is_whole(self) -> None:
        hits = [Hit(f"m{i:04d}", 0.5) for i in reversed(range(1000))]
        assert found(best(lambda n: hits[:n], 2)) == ["m0000", "m0001"]

    def test_the_last_bits_of_a_score_order_nothing(self) -> None:
        assert found(best(lambda n: [Hit("b", 0.50000001), Hit("a", 0.5)], 2)) == ["a", "b"]


_WRITER = """
import sys, time
from pathlib import Path
from tests.state.test_note_stores import DIMENSION, note
from state.notes_edge import EdgeNoteStore
store = EdgeNoteStore(Path(sys.argv[1]), DIMENSION)
store.upsert([note(f"m{i}", f"order {i} of blue chairs", minute=i) for i in range(600)])
store.delete(note("m7", "").subject, ["m7"])
print("written", flush=True)
time.sleep(600)
"""


class TestEdgeFolder:
    def test_a_closed_store_opens_again_with_all_it_held(self, tmp_path: Path) -> None:
        with EdgeNoteStore(tmp_path, DIMENSION) as first:
            first.upsert([note("m1", "blue chairs"), note("m2", "green tables", minute=5)])
        first.close()
        with EdgeNoteStore(tmp_path, DIMENSION) as again:
            assert again.count(ANN) == 2
            assert found(again.lexical(ANN, "green", 5, until=START + timedelta(minutes=5))) == ["m2"]
            again.upsert([note("m3", "red lamps")])
            assert again.count() == 3

    def test_what_was_written_survives_a_kill_of_the_process(self, tmp_path: Path) -> None:
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "written\n"
            with pytest.raises(NoteStoreError, match="open in another process"):
                EdgeNoteStore(tmp_path, DIMENSION)
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        with EdgeNoteStore(tmp_path, DIMENSION) as after:
            assert after.count(ANN) == 599
            assert found(after.lexical(ANN, "order 599", 1)) == ["m599"]
            assert after.vectors(ANN, ["m7"]) == {}

    def test_another_dimension_is_refused_with_what_to_do(self, tmp_path: Path) -> None:
        with EdgeNoteStore(tmp_path, DIMENSION) as store:
            store.upsert([note("m1", "blue chairs")])
        with pytest.raises(NoteStoreError, match="another dimension than 8"):
            EdgeNoteStore(tmp_path, 8)

    def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        store = EdgeNoteStore(tmp_path, DIMENSION)
        store.close()
        with pytest.raises(NoteStoreError, match="closed"):
            store.count()

    def test_readers_and_a_writer_in_threads(self, tmp_path: Path) -> None:
        with EdgeNoteStore(tmp_path, DIMENSION) as store, ThreadPoolExecutor(3) as pool:

            def read() -> None:
                for _ in range(40):
                    assert all(hit.message.startswith("m") for hit in store.lexical(ANN, "order blue", 5))
                    store.dense(ANN, axis(0), 5)

            readers = [pool.submit(read) for _ in range(3)]
            for start in range(0, 400, 20):
                store.upsert([note(f"m{i}", f"order {i} blue") for i in range(start, start + 20)])
            for reader in readers:
                reader.result()
            assert store.count(ANN) == 400


class TestQdrantCollection:
    def test_a_second_opening_finds_the_first_ones_notes(self) -> None:
        client = QdrantClient(":memory:")
        QdrantNoteStore(client, DIMENSION).upsert([note("m1", "blue chairs")])
        assert QdrantNoteStore(client, DIMENSION).count(ANN) == 1

    def test_another_dimension_is_refused_with_what_to_do(self) -> None:
        client = QdrantClient(":memory:")
        QdrantNoteStore(client, DIMENSION)
        with pytest.raises(NoteStoreError, match="vectors of 32 numbers, the encoder 8"):
            QdrantNoteStore(client, 8)

    def test_a_server_that_does_not_answer_is_named(self) -> None:
        with pytest.raises(NoteStoreError, match=r"127\.0\.0\.1:9 does not answer"):
            connect("http://127.0.0.1:9")
