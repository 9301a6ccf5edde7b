"""Encoders: unit vectors in order, whatever the texts; the right weights or a clear error."""

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.encoder import EncoderError, MiniLmEncoder, SentenceEncoder, encoder_named, native_bfloat16
from state.hashing_encoder import HashingEncoder
from state.notes import Encoder

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["Move my booking to Friday", "", "把预订改到周五", "The dog likes the park " * 40, "ok", "ok"]


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    return encoder_named("minilm")


class TestHashing:
    @given(st.lists(st.text(), max_size=8))
    def test_rows_are_unit_vectors_that_do_not_depend_on_their_batch(self, texts: list[str]) -> None:
        encoder = HashingEncoder(64)
        rows = encoder.encode(texts)
        assert rows.shape == (len(texts), 64)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
        for text, row in zip(texts, rows, strict=True):
            assert encoder.encode([text])[0].tobytes() == row.tobytes()

    def test_texts_with_common_words_are_nearer(self) -> None:
        asked, near, far = HashingEncoder().encode(["blue chairs", "two blue chairs", "green tables"])
        assert asked @ near > asked @ far

    def test_tokens_are_terms(self) -> None:
        assert HashingEncoder().count_tokens("the blue chairs, 5930-17") == 3


class TestMiniLm:
    def test_rows_are_unit_vectors_in_the_order_of_the_texts(self, minilm: Encoder) -> None:
        rows = minilm.encode(TEXTS)
        assert rows.shape == (len(TEXTS), minilm.dimension) == (6, 384)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
        for text, row in zip(TEXTS, rows, strict=True):
            assert minilm.encode([text])[0] @ row > 0.999
        assert rows[4].tobytes() == rows[5].tobytes()

    def test_meaning_counts(self, minilm: Encoder) -> None:
        asked, near, far = minilm.encode(["Where does she live?", "Her home is in Lisbon", "It rained a lot"])
        assert asked @ near > asked @ far

    def test_no_texts_are_no_rows(self, minilm: Encoder) -> None:
        assert minilm.encode([]).shape == (0, 384)

    def test_tokens_are_counted_past_the_models_window_without_a_warning(self, minilm: Encoder) -> None:
        minilm.encode(["a text first, since encoding turns truncation on"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert minilm.count_tokens("dog " * 3000) == 3000
        assert minilm.count_tokens("") == 0

    def test_weights_that_are_not_the_published_ones_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "model.safetensors").write_bytes(b"other weights")
        with pytest.raises(EncoderError, match="not the published all-MiniLM-L6-v2"):
            MiniLmEncoder(folder=tmp_path).encode(["a"])

    def test_missing_weights_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(EncoderError, match=r"model\.safetensors is missing"):
            MiniLmEncoder(folder=tmp_path).encode(["a"])

    def test_torch_is_not_imported_before_it_is_needed(self) -> None:
        program = (
            "import sys; from state.encoder import encoder_named; e = encoder_named();"
            "assert e.dimension == 384 and e.count_tokens('two words') == 2;"
            "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
        )
        subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


class TestNames:
    def test_hashing_may_name_its_dimension(self) -> None:
        assert encoder_named("hashing").dimension == 384
        assert encoder_named("hashing-64").dimension == 64

    def test_a_model_in_a_folder(self, minilm: Encoder, tmp_path: Path) -> None:
        assert isinstance(minilm, MiniLmEncoder)
        shutil.copytree(minilm._folder, tmp_path / "model")
        encoder = encoder_named(str(tmp_path / "model"))
        assert encoder.dimension == 384
        assert encoder.encode(["blue chairs"])[0] @ minilm.encode(["blue chairs"])[0] > 0.999
        assert encoder.count_tokens("dog " * 600) == 600

    def test_a_folder_without_a_model_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(EncoderError, match="no sentence-transformers model"):
            encoder_named(str(tmp_path))

    def test_an_unknown_precision_is_refused(self) -> None:
        with pytest.raises(ValueError, match="float32 or bfloat16"):
            SentenceEncoder("any", precision="int4")


@pytest.mark.parametrize(
    ("words", "native"),
    [
        ("flags : avx2 avx512f avx512_bf16", True),
        ("flags : amx_bf16", True),
        ("Features : asimd bf16 i8mm", True),
        ("flags : avx2 avx512f", False),
    ],
)
def test_bfloat16_is_chosen_where_the_cpu_names_it(tmp_path: Path, words: str, native: bool) -> None:
    cpu = tmp_path / "cpuinfo"
    cpu.write_text(words)
    assert native_bfloat16(cpu) is native
    assert native_bfloat16(tmp_path / "absent") is False
