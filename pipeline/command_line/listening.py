"""An address to listen on, had before anything else is opened."""

import socket

from pipeline.command_line.failures import Exit, fail


def listening(host: str, port: int, option: str = "--host or --port") -> socket.socket:
    """A socket that is bound to `host` and `port`. Fails, naming the `option`, where it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        fail(f"cannot listen on {host}:{port} ({error.strerror}): choose another {option}", Exit.STORE)
    return listener
