"""`stet ingest`, `stet replay-rejected` and `stet repair-notes`: the commands that take messages in."""

import os
import time
from typing import Annotated, Any

import typer

from pipeline.command_line.failures import Exit, check_input, fail, told
from pipeline.command_line.options import (
    HERE,
    DataDir,
    EncoderName,
    Json,
    KafkaBrokers,
    QdrantUrl,
    RedisUrl,
    TopicPrefix,
)
from pipeline.command_line.output import print_json
from pipeline.command_line.stopping import when_ready

RESUMES = "nothing is lost: give the same command again to finish"


def ingest(
    file: Annotated[str, typer.Argument(help="JSONL messages, plain or gzipped; - reads standard input.")],
    data_dir: DataDir = HERE,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    encoder: EncoderName = None,
    as_json: Json = False,
) -> None:
    """Takes a file of messages through the whole dataflow, to its end; with --kafka, writes it to Kafka."""
    if kafka is not None:
        with told():
            from pipeline.command_line.feeding import feed

            feed(file, kafka, topic_prefix, as_json)
        return
    with told(after_stop=RESUMES):
        from operators.llm.endpoint import endpoint_from
        from pipeline.command_line.notices import ready_to_write
        from pipeline.command_line.progress import showing
        from pipeline.embedded import Embedded
        from pipeline.ingest import append_all, message_records, process

        check_input(file)
        endpoint_from(os.environ)  # what is wrong with it shows before anything is read
        begun = time.monotonic()
        with Embedded.open(data_dir, encoder=encoder, create=True) as stet, showing(not as_json) as progress:
            ready_to_write(stet)
            appended = append_all(stet, message_records(file, progress))
            with when_ready() as stop:
                summary = process(stet, appended, progress, begun, stop)
            stop.settle()
        _tell(summary, as_json)
        if not summary.messages:
            fail(f"{file} has no message that could be read", Exit.NOTHING_READ)


def replay_rejected(
    data_dir: DataDir = HERE,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    as_json: Json = False,
) -> None:
    """Feeds the rejected records again, after what was wrong has been put right."""
    if kafka is not None:
        with told():
            from pipeline.command_line.feeding import feed_again

            feed_again(kafka, topic_prefix, as_json)
        return
    with told(after_stop=RESUMES):
        from pipeline.command_line.notices import ready_to_write
        from pipeline.command_line.progress import showing
        from pipeline.embedded import Embedded
        from pipeline.ingest import process

        begun = time.monotonic()
        with Embedded.open(data_dir) as stet, showing(not as_json) as progress:
            ready_to_write(stet)
            with when_ready() as stop:
                appended = stet.rejected.replay(stet.append)
                summary = process(stet, appended, progress, begun, stop)
            stop.settle()
        _tell(summary, as_json)


def repair_notes(
    data_dir: DataDir = HERE, redis: RedisUrl = None, qdrant: QdrantUrl = None, as_json: Json = False
) -> None:
    """Makes notes again that were lost, or that a backup lacks. No worker should run meanwhile."""
    with told(after_stop=RESUMES):
        from pipeline.command_line.opening import opened
        from pipeline.command_line.progress import showing
        from pipeline.note_repair import make_missing_notes

        with opened(data_dir, redis, qdrant) as stet, showing(not as_json) as progress:
            made = make_missing_notes(stet, lambda part: progress("subjects", part))
        if as_json:
            print_json({"made": made})
        else:
            print(f"{made:,} notes made again")


def _tell(summary: Any, as_json: bool) -> None:
    from pipeline.command_line.answers import summary_text

    if as_json:
        print_json(summary.as_json())
    else:
        print(summary_text(summary))
