"""Measures `stet worker` under load, with the hashing encoder and servers of this machine.

rate       messages a second from the broker, one process and two
scaling    the same, each process held to a third of a core, so that the machine's cores set no limit
freshness  age of a message when it can be asked for, at half of the top rate
memory     resident memory over a long run of many subjects, and bytes an event in Redis
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count as counted
from itertools import islice

from evaluation.bench.dialogues import dialogues
from pipeline.kafka_feed import message_records
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import ensure_topics
from state.model import Message
from tests.load.cpu_share import held_to
from tests.load.stream import PARTITIONS, Servers, Workers, fill, servers, wait_for

TURNS = 13
_PERCENT = 100
_AT_ONCE = 400
_SHARE = 1 / 3


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    asked.add_argument("part", choices=("rate", "scaling", "freshness", "memory"), nargs="+")
    asked.add_argument("--messages", type=int, default=60_000, help="of the rate's run")
    asked.add_argument("--long", type=int, default=1_000_000, help="messages of the memory's run")
    asked.add_argument("--subjects", type=int, default=20_000, help="of the memory's run")
    asked.add_argument("--seconds", type=float, default=60.0, help="of the freshness's run")
    asked.add_argument(
        "--rate", type=float, default=0.0, help="messages a second for freshness; else measured"
    )
    given = asked.parse_args()
    top = given.rate * 2
    if "rate" in given.part:
        one, two = (_rate(given.messages, processes) for processes in (1, 2))
        print(f"one process {one:,.0f} messages/s, two {two:,.0f}: {two / one:.2f} times", flush=True)
        top = top or one
    if "scaling" in given.part:
        one, two = (_rate(given.messages // 3, processes, _SHARE) for processes in (1, 2))
        print(f"a third of a core each: one {one:,.0f} messages/s, two {two:,.0f}: {two / one:.2f} times")
    if "freshness" in given.part:
        _freshness((top or _rate(given.messages, 1)) / 2, given.seconds)
    if "memory" in given.part:
        _memory(given.long, given.subjects)


def _rate(messages: int, processes: int, share: float | None = None) -> float:
    """Between the first tenth and the last message, so that no start is in it."""
    with servers() as at, ExitStack() as held:
        subjects = messages // TURNS
        count = fill(at.kafka("rate-"), _together(subjects, TURNS))
        workers = Workers(at, "rate-", processes)
        if share is not None:
            workers.wait_ready()
            for number, pids in enumerate(workers.families()):
                held.enter_context(held_to(share, f"stet-load-{number}", pids))
        begun = wait_for(workers, count * 0.1)
        first = workers.total("stet_messages_applied_total")
        ended = wait_for(workers, count)
        assert workers.stop() == 0
        return (count - first) / (ended - begun)


def _freshness(rate: float, seconds: float) -> None:
    """Sends messages as if said now, evenly, and reads the workers' own histogram."""
    with servers() as at:
        kafka = at.kafka("fresh-")
        ensure_topics(kafka, PARTITIONS)
        workers = Workers(at, "fresh-", 1)
        workers.wait_ready()
        producer = KafkaProducer(kafka)
        begun, sent = time.monotonic(), 0
        source = _ever()
        while (now := time.monotonic() - begun) < seconds:
            due = int(now * rate) - sent
            said = [replace(m, sent_at=datetime.now(UTC)) for m in islice(source, due)]
            producer.send(message_records(said, kafka.topics.messages))
            sent += len(said)
            time.sleep(0.02)
        wait_for(workers, sent)
        told = workers.buckets("stet_freshness_seconds")
        total = told[float("inf")]
        for part in (50, 99):
            bound = min(b for b, n in told.items() if n >= total * part / _PERCENT)
            print(f"freshness at {sent / seconds:,.0f} messages/s: p{part} at most {bound} s", flush=True)
        producer.close()
        workers.stop()


def _ever() -> Iterator[Message]:
    """The rate's traffic without end: the same customers come back with new messages."""
    for turn in counted():
        for m in _together(2_000, TURNS):
            yield replace(m, id=f"{m.id}-{turn}", conversation=f"{m.conversation}-{turn}")


def _memory(messages: int, subjects: int) -> None:
    with servers() as at:
        kafka = at.kafka("long-")
        began = time.monotonic()
        count = fill(kafka, _spread(messages, subjects))
        print(
            f"{count:,} messages of {subjects:,} subjects written in {time.monotonic() - began:.0f} s",
            flush=True,
        )
        workers = Workers(at, "long-", 1)
        for tenth in range(1, 11):
            wait_for(workers, count * tenth / 10)
            print(
                f"{tenth}0 %: worker {workers.memory() / 2**20:,.0f} MiB, "
                f"redis {_redis_bytes(at) / 2**20:,.0f} MiB, "
                f"{count * tenth / 10 / (time.monotonic() - began):,.0f} messages/s so far",
                flush=True,
            )
        events = workers.total("stet_events_stated_total")
        print(f"{events:,.0f} events, {_redis_bytes(at) / events:,.0f} bytes an event in Redis", flush=True)
        workers.stop()


def _together(subjects: int, turns: int) -> Iterator[Message]:
    """Conversations that go on at the same time, some hundred at once, as real traffic has them."""
    for at in range(0, subjects, _AT_ONCE):
        group = [
            list(dialogues(1, turns, prefix=f"customer-{number}"))
            for number in range(at, min(at + _AT_ONCE, subjects))
        ]
        yield from (message for row in zip(*group, strict=True) for message in row)


def _spread(messages: int, subjects: int) -> Iterator[Message]:
    """Round after round of all subjects, each round a day later: sessions open and close."""
    rounds = max(1, messages // (subjects * TURNS))
    yield from islice(_rounds(subjects, rounds), messages)


def _rounds(subjects: int, rounds: int) -> Iterator[Message]:
    for number in range(rounds + 1):
        for m in _together(subjects, TURNS):
            sent = m.sent_at.timestamp() + number * 86_400
            yield replace(m, id=f"{m.id}-{number}", sent_at=datetime.fromtimestamp(sent, UTC))


def _redis_bytes(at: Servers) -> int:
    return int(at.redis.client().info("memory")["used_memory"])


if __name__ == "__main__":
    main()
