"""The command line, `stet`: the one place that sees both the pipeline and the query service (DESIGN §7)."""

import os
from importlib.metadata import version
from typing import Annotated

import typer

from pipeline.command_line.agent_commands import mcp
from pipeline.command_line.forest_commands import context, forest
from pipeline.command_line.ingest_commands import ingest, repair_notes, replay_rejected
from pipeline.command_line.key_commands import keys
from pipeline.command_line.model_commands import redistill, waiting
from pipeline.command_line.output import Commands
from pipeline.command_line.privacy_commands import forget
from pipeline.command_line.question_commands import answer, ask, cost
from pipeline.command_line.reading_commands import export, state, subjects, why
from pipeline.command_line.retention_commands import retain
from pipeline.command_line.running_commands import serve, worker

app = typer.Typer(
    name="stet",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# Set before the encoder's libraries are imported: their bars and notes are not this command's output.
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"stet {version('stet-memory')}")
        raise typer.Exit


@app.callback()
def stet(
    told_version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Conversation memory that knows which facts still stand."""


for command in (
    ingest, replay_rejected, repair_notes, ask, answer, context, forest, state, why, export, subjects,
    cost, forget, retain, waiting, redistill, serve, worker, mcp,
):  # fmt: skip
    app.command(command.__name__.replace("_", "-"))(command)
app.add_typer(keys, name="keys")


if __name__ == "__main__":
    app()
