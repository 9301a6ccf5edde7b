"""The encoder's own process: `python -m state.encoder_child DESCRIPTOR MODEL`, started by `EncoderProcess`.

It loads the model, says so, and answers requests until the socket behind DESCRIPTOR ends; then it ends too,
whatever it is doing. So it never outlives the process that started it, however that one ends.
"""

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from queue import SimpleQueue

    from state.encoder_channel import Channel, Reply, Request
    from state.notes import Encoder

_CALLERS = 64
"""Requests that are worked on at once; each takes its turn for every mini-batch."""


def main() -> None:
    # Whoever started this process is told to stop by the same signals, and has a batch to finish with it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # Only now, since importing takes long enough for a signal to come.
    import socket
    import threading
    from queue import SimpleQueue

    from state.encoder_channel import Channel

    end = socket.socket(fileno=int(sys.argv[1]))
    end.set_inheritable(False)
    channel = Channel(end)
    requests: SimpleQueue[Request] = SimpleQueue()
    threading.Thread(target=_listen, args=(channel, requests), daemon=True).start()
    _serve(channel, requests, sys.argv[2])


def _listen(channel: "Channel", requests: "SimpleQueue[Request]") -> None:
    from state.encoder_channel import Request

    try:
        while (request := channel.receive(Request)) is not None:
            requests.put(request)
    finally:
        os._exit(0)  # at once, even amid a batch or amid loading: nobody waits for it


def _serve(channel: "Channel", requests: "SimpleQueue[Request]", model: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from state.encoder import EncoderError
    from state.encoder_channel import LOADED, Reply

    try:
        encoder = _loaded(model)
    except Exception as error:  # noqa: BLE001 - told to whoever waits for the model
        told = _told(error)
        if not isinstance(error, EncoderError):
            told = f"the model {model!r} cannot be loaded ({told})"
        channel.send(Reply(LOADED, error=told))
        return
    channel.send(Reply(LOADED, encoder.dimension))
    callers = ThreadPoolExecutor(_CALLERS)
    while True:
        callers.submit(lambda asked: channel.send(_answer(encoder, asked)), requests.get())


def _loaded(model: str) -> "Encoder":
    from state.encoder import encoder_named

    encoder = encoder_named(model)
    encoder.encode(["."])
    return encoder


def _answer(encoder: "Encoder", asked: "Request") -> "Reply":
    from state.encoder import EncoderError, SentenceEncoder
    from state.encoder_channel import Reply

    try:
        if asked.texts is not None:
            payload = encoder.encode(asked.texts).tobytes()
        elif isinstance(encoder, SentenceEncoder):
            payload = encoder.tokenizer().to_str().encode()
        else:
            raise EncoderError(f"the encoder {encoder.name!r} has no tokenizer")
    except Exception as error:  # noqa: BLE001 - told to whoever asked
        ours = isinstance(error, EncoderError | OSError)
        return Reply(asked.number, error=_told(error), unfit=not ours)
    return Reply(asked.number, encoder.dimension, payload)


def _told(error: Exception) -> str:
    """An encoder's own errors are sentences; others need their name."""
    from state.encoder import EncoderError

    return str(error) if isinstance(error, EncoderError) else f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main()
