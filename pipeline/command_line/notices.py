"""What a person should know of an opened data folder although the command goes on."""

from pipeline.command_line.failures import warn
from pipeline.embedded import Embedded
from pipeline.note_repair import make_missing_notes, missing_notes


def ready_to_write(stet: Embedded) -> None:
    """Opens the log, before anything is written, and makes up for notes that were lost.

    Says what was cut off or is made again. Raises what `Embedded.log` and the note store raise.
    """
    stet.told = warn
    if stet.log.cut_bytes:
        warn(
            f"the last {stet.log.cut_bytes} bytes of the message log were an unfinished write, never "
            f"acknowledged; they were cut off and are kept as {stet.folder.log}/*.torn-*"
        )
    if stet.graph.tenants() and (lost := missing_notes(stet, stet.waiting())):
        warn(f"{lost} messages have no note any more (lost, or from an older backup): they are encoded again")
        make_missing_notes(stet)


def mention_waiting(stet: Embedded) -> None:
    """Says so, once, where a reader does not see all that is in the log."""
    if stet.mentioned:
        return
    stet.mentioned = True
    if waiting := stet.waiting():
        warn(f"{waiting} messages in the log are not processed yet: run stet ingest or serve")


def mention_lost_notes(stet: Embedded) -> None:
    """Says so where a search misses messages because their notes were lost."""
    if lost := missing_notes(stet, stet.waiting()):
        warn(f"{lost} messages have no note and are not found: run stet ingest or serve to make them again")
