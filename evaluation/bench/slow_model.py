"""A chat-completions server in a process of its own that takes its time.

It answers as the rules would (`evaluation.stand_in`), each reply after LATENCY seconds, and prints its port.
It ends with its standard input. `GET /` tells how many questions came.
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import PIPE, Popen
from threading import Thread

from evaluation.stand_in import distill_reply, relate_reply

LATENCY = 0.05


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    questions = 0

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        self._send(str(_Handler.questions).encode())

    def do_POST(self) -> None:
        until = time.monotonic() + LATENCY
        _Handler.questions += 1
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][1]["content"]
        is_about_pairs = content.startswith("BEGIN DATA statements")
        answer = relate_reply(content) if is_about_pairs else distill_reply(content)
        text = answer.model_dump_json()
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": len(content) // 4, "completion_tokens": len(text) // 4, "total_tokens": 0}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        reply = json.dumps({**body, "usage": usage}).encode()
        time.sleep(max(0.0, until - time.monotonic()))
        self._send(reply)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def slow_model() -> Iterator[str]:
    """Starts the server; gives its address."""
    process = Popen([sys.executable, "-m", "evaluation.bench.slow_model"], stdin=PIPE, stdout=PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def _serve() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    _serve()
