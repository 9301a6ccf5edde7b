"""What an endpoint understands: servers that call themselves compatible take unlike parts of the protocol."""

from dataclasses import dataclass, replace

from operators.llm.endpoint import Output


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a request is written. `room` is the name of the field for the most tokens of the answer."""

    output: Output = Output.SCHEMA
    temperature: bool = True
    room: str = "max_tokens"
    usage_in_stream: bool = True


_LESS = {Output.SCHEMA: Output.JSON, Output.JSON: Output.TEXT}


def first_dialect(output: Output) -> Dialect:
    """What is tried first, where the settings ask for this output."""
    return Dialect(Output.SCHEMA if output is Output.AUTO else output)


def simpler(dialect: Dialect, said: str, any_output: bool) -> Dialect | None:
    """What to try after the server refused a request with the words `said`; None where nothing is left.

    A field that the words name goes first. `any_output` is whether the way of asking for a shape may go: a
    server that does not know it says so in many ways.
    """
    if dialect.temperature and "temperature" in said:
        return replace(dialect, temperature=False)
    if dialect.usage_in_stream and ("stream_options" in said or "include_usage" in said):
        return replace(dialect, usage_in_stream=False)
    if dialect.room == "max_tokens" and "max_completion_tokens" in said:
        return replace(dialect, room="max_completion_tokens")
    if any_output and dialect.output in _LESS:
        return replace(dialect, output=_LESS[dialect.output])
    return None
