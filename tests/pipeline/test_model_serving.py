"""`stet serve` on a data folder with a model: it asks beside what it serves."""

import signal
from collections.abc import Callable

import pytest

from tests.pipeline.command import message
from tests.pipeline.test_serving import Serving, serve
from tests.servers.chat_model import CAREFUL
from tests.servers.chat_replies import Fails
from tests.servers.chat_server import ChatServer

__all__ = ["serve"]


def test_with_a_model_it_asks_once_a_subject_is_quiet_and_goes_on_after_a_restart(
    serve: Callable[..., Serving], chat: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.always = Fails(401, "no such key")
    monkeypatch.setenv("STET_LLM", f"{chat.url}#careful")
    monkeypatch.setenv("STET_LLM_QUIET", "0.2")
    one = serve("--tenant", "acme")
    assert one.post([message(1, content="The colour of desk is now red.")]).status_code == 202
    one.wait_for(lambda: chat.calls)
    assert "red" not in one.facts("ann")
    assert one.end(signal.SIGTERM) == 0
    chat.always = CAREFUL
    two = serve("--tenant", "acme")
    assert two.post([message(2, content="The colour of sofa is now blue.")]).status_code == 202
    two.wait_for(lambda: "blue" in two.facts("ann"))
    assert 'stet_model_waiting_turns{state="parked"} 1.0' in two.get("/metrics").text
    assert two.end(signal.SIGTERM) == 0
