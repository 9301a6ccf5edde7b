"""Standard output and arguments, whatever the locale says about text."""

import io
import json
import sys
from typing import Any

import typer
from typer.core import TyperGroup


class Commands(TyperGroup):
    """All commands. Arguments must be text; output in a poor encoding is escaped, never an error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for argument in args:
            # The bytes of an argument that the locale's encoding cannot read come as lone surrogates.
            if any("\ud800" <= character <= "\udfff" for character in argument):
                raise typer.BadParameter("an argument is not text in the encoding of this locale", ctx)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return super().parse_args(ctx, args)


def print_json(value: Any) -> None:
    """One line of JSON, in UTF-8 whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, sort_keys=True).encode() + b"\n")
