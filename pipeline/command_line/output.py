"""Standard output and arguments, whatever the locale says about text."""

import io
import json
import os
import re
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from query_service.plain_faults import in_words

_SURROGATE = re.compile("[\ud800-\udfff]")


class Commands(TyperGroup):
    """All commands. Arguments are UTF-8 where the locale cannot read them; output that it cannot write is
    escaped, never an error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            # What the locale's encoding cannot read of an argument comes as lone surrogates.
            texts = [os.fsencode(a).decode() if _SURROGATE.search(a) else a for a in args]
        except UnicodeDecodeError:
            raise typer.BadParameter("an argument is not text", ctx) from None
        return super().parse_args(ctx, texts)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = in_words(error.message)
            raise


def print_json(value: Any) -> None:
    """One line of JSON, in UTF-8 whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, sort_keys=True).encode() + b"\n")
    sys.stdout.buffer.flush()
