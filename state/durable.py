"""Making what is written survive a power cut: the part that Python's file objects leave out."""

import os
from pathlib import Path


def sync_directory(path: Path) -> None:
    """Makes the creation, renaming and removal of `path`'s entries durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all of `data`, however many writes it takes. Raises OSError; some may be written then."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
