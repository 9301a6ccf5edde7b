"""What a person should know of an opened data folder although the command goes on."""

from pipeline.command_line.failures import warn
from pipeline.embedded import Embedded


def mention_cut(stet: Embedded) -> None:
    """Says so where an unfinished write was cut off the message log as it was opened."""
    if stet.log.cut_bytes:
        warn(
            f"the last {stet.log.cut_bytes} bytes of the message log were an unfinished write, never "
            f"acknowledged; they were cut off and are kept as {stet.folder.log}/*.torn-*"
        )
