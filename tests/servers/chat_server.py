"""A server that speaks the chat-completions protocol over HTTP, streaming too, and does as it is told.

    with ChatServer() as chat:
        chat.next(limited("1"), Says("not JSON"))      # what it does with the next requests
        chat.always = Says(lambda asked: …)            # and with all after them
        endpoint = f"{chat.url}#any-model"

It runs in the test's own process, so a reply may be a function of the request, and is reached from others. It
keeps every request. `refuses` names parts of the protocol that it answers 400 to, as servers do that do not
know them; `latency` is how long each reply takes.
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.servers.chat_replies import Asked, Cuts, Does, Drips, Fails, Hangs, Raw, Says, Sends

_PATH = "/v1/chat/completions"
_PIECE = 6
_BYTES_A_TOKEN = 4


class ChatServer:
    """One server, from its making to `close`."""

    def __init__(self) -> None:
        self.always: Does = Says("{}")
        self.refuses: frozenset[str] = frozenset()
        self.latency = 0.0
        self.requests: list[Asked] = []
        self.most_at_once = 0
        self.at_once = 0
        self._next: list[Does] = []
        self._next_new: list[Does] = []
        self._seen: set[str] = set()
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._http = _Server(("127.0.0.1", 0), self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL, as a client is given it."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def calls(self) -> int:
        """How many requests came."""
        return len(self.requests)

    def next(self, *does: Does) -> None:
        """What is done with the next requests, in order."""
        with self._lock:
            self._next.extend(does)

    def next_new(self, *does: Does) -> None:
        """What is done with the next requests whose content was not asked yet: not with one asked again."""
        with self._lock:
            self._next_new.extend(does)

    def forget(self) -> None:
        """Forgets the requests that came, and what was still to be done with the next ones."""
        with self._lock:
            self.requests, self._next, self.most_at_once = [], [], 0
            self._next_new, self._seen = [], set()

    def close(self) -> None:
        """Closes all connections; what hangs ends."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def take(self, asked: Asked) -> Does:
        """Keeps the request, and says what is to be done with it."""
        with self._lock:
            self.requests.append(asked)
            unknown = self._unknown(asked.body)
            if unknown:
                return Fails(400, f"Unrecognized request argument supplied: {unknown}", "unknown_parameter")
            is_new = asked.content not in self._seen
            self._seen.add(asked.content)
            if is_new and self._next_new:
                return self._next_new.pop(0)
            return self._next.pop(0) if self._next else self.always

    def enter(self) -> None:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)

    def leave(self) -> None:
        with self._lock:
            self.at_once -= 1

    def _unknown(self, body: dict[str, Any]) -> str | None:
        present = {*body, body.get("response_format", {}).get("type")}
        for name in sorted(self.refuses & present):
            hint = ": use max_completion_tokens" if name == "max_tokens" else ""
            return {"json_schema": "response_format", "json_object": "response_format"}.get(name, name) + hint
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], chat: ChatServer) -> None:
        super().__init__(address, _Handler)
        self.chat = chat

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chat = self.server.chat
        asked = Asked(body, {name.lower(): value for name, value in self.headers.items()})
        does = chat.take(asked) if self.path.partition("?")[0] == _PATH else Fails(404, "no such path")
        chat.enter()
        try:
            chat.closing.wait(chat.latency)
            self._do(does, asked)
        finally:
            chat.leave()

    def _do(self, does: Does, asked: Asked) -> None:
        if isinstance(does, Fails):
            self._fail(does)
        elif isinstance(does, Sends):
            self._whole(200, does.body)
        elif isinstance(does, Raw):
            self._raw(does)
        elif isinstance(does, Hangs):
            self.server.chat.closing.wait()
            self._cut()
        elif asked.body.get("stream"):
            self._stream(does, asked)
        elif isinstance(does, Says):
            self._whole(200, json.dumps(_completion(does, asked)).encode())
        else:
            self._part(does)

    def _fail(self, does: Fails) -> None:
        error = {"message": does.message, "type": "error", "param": None, "code": does.code}
        self._whole(does.status, json.dumps({"error": error}).encode(), does.headers)

    def _whole(self, status: int, body: bytes, headers: tuple[tuple[str, str], ...] = ()) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", "application/json"), *headers):
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _raw(self, does: Raw) -> None:
        self.wfile.write(does.begins)
        while does.again and not self.server.chat.closing.wait(does.every):
            self.wfile.write(does.again)
        self._cut()

    def _part(self, does: Cuts | Drips) -> None:
        """Promises more than comes."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        if isinstance(does, Drips):
            while not self.server.chat.closing.wait(does.every):
                self.wfile.write(b" ")
        else:
            self.wfile.write(f'{{"choices": [{{"message": {{"content": "{does.text}'.encode())
        self._cut()

    def _stream(self, does: Says | Cuts | Drips, asked: Asked) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if isinstance(does, Drips):
            while not self.server.chat.closing.wait(does.every):
                self._event(_delta("drip "))
            return self._cut()
        text = does.of(asked) if isinstance(does, Says) else does.text
        pieces = [text[i : i + _PIECE] for i in range(0, len(text), _PIECE)]
        if isinstance(does, Cuts):
            for piece in pieces[: does.pieces]:
                self._event(_delta(piece))
            return self._cut()
        for piece in pieces:
            self._event(_delta(piece))
        self._event(_delta(None, does.finish))
        if does.counts and asked.body.get("stream_options", {}).get("include_usage"):
            self._event({**_head(), "choices": [], "usage": _usage(asked, text)})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")
        return None

    def _event(self, event: dict[str, Any]) -> None:
        self._chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _cut(self) -> None:
        self.wfile.flush()
        self.close_connection = True


def _head() -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": int(time.time()), "model": "told"}


def _completion(does: Says, asked: Asked) -> dict[str, Any]:
    text = does.of(asked)
    message = {"role": "assistant", "content": text, "refusal": does.refusal}
    whole = {**_head(), "choices": [{"index": 0, "message": message, "finish_reason": does.finish}]}
    return {**whole, "usage": _usage(asked, text)} if does.counts else whole


def _delta(piece: str | None, finish: str | None = None) -> dict[str, Any]:
    delta = {} if piece is None else {"content": piece}
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_head(), "object": "chat.completion.chunk", "choices": [choice]}


def _usage(asked: Asked, text: str) -> dict[str, int]:
    read = sum(_tokens(str(message["content"])) for message in asked.body["messages"])
    return {"prompt_tokens": read, "completion_tokens": _tokens(text), "total_tokens": read + _tokens(text)}


def _tokens(text: str) -> int:
    return -(-len(text.encode()) // _BYTES_A_TOKEN)
