"""The encoder beside the dataflow: what it cannot take fails alone, and it ends with its data folder."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pipeline.embedded import Embedded
from pipeline.encoding import Encoding
from state.encoder import MiniLmEncoder
from state.encoder_process import EncoderProcess, EncodingFailed, encoder_beside
from state.hashing_encoder import HashingEncoder
from tests.pipeline.command import EXAMPLES, ROOT

DEADLINE = 60.0


def test_texts_that_are_unfit_fail_alone(tmp_path: Path) -> None:
    """A model that says it reads longer texts than it has places for, and a text that is no Unicode."""
    shutil.copytree(MiniLmEncoder()._folder, tmp_path / "model")
    (tmp_path / "model" / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 4000}))
    fit, long, half = "a parcel", "parcel " * 2000, "\ud83d"
    with encoder_beside(str(tmp_path / "model")) as encoder:
        found = Encoding(encoder).begin([fit, long, half]).result(DEADLINE)
        assert isinstance(found[fit], np.ndarray)
        assert isinstance(found[long], EncodingFailed)
        assert isinstance(found[half], UnicodeError)
        with pytest.raises(EncodingFailed):
            Encoding(encoder).begin([long, "longer " * 2000]).result(DEADLINE)


def test_a_vector_that_no_store_takes_is_its_texts_fault() -> None:
    class Odd(HashingEncoder):
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            rows = super().encode(texts)
            rows[[text == "odd" for text in texts]] = np.nan
            return rows

    found = Encoding(Odd(8)).begin(["odd", "even"]).result(DEADLINE)
    assert isinstance(found["odd"], ValueError)
    assert isinstance(found["even"], np.ndarray)


def test_closing_a_data_folder_ends_its_encoder(tmp_path: Path) -> None:
    with Embedded.open(tmp_path / "data", create=True) as stet:
        assert isinstance(stet.encoder, EncoderProcess)
        child = Path(f"/proc/{stet.encoder.pid}")
        assert child.exists()
    assert not child.exists()


def test_neither_ingest_nor_serve_nor_counting_imports_torch_here(tmp_path: Path) -> None:
    program = """
import sys
import pipeline.command_line.serving, query_service.http_app
from pipeline.embedded import Embedded
from pipeline.ingest import append_all, message_records, process
with Embedded.open(__import__("pathlib").Path(sys.argv[1]), create=True) as stet:
    append_all(stet, message_records(sys.argv[2], lambda *_: None))
    assert process(stet, 0, lambda *_: None, 0.0).messages == 15
    assert stet.encoder.count_tokens("two words") == 2
sys.exit("torch" in sys.modules or "transformers" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program, tmp_path / "data", EXAMPLES[0]], cwd=ROOT, check=True)
