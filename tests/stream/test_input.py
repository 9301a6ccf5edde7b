"""What comes in: bad records, records again, and messages in any order (DESIGN I1, I5)."""

import gzip
import random
from collections import Counter

from operators.parse import MAX_CONTENT_BYTES
from pipeline.kafka_record import Outgoing
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, late, lines, poison, unruly


def test_of_every_kind_of_bad_input_each_record_is_put_aside_each_time_it_is_fed(stream: Stream) -> None:
    rows = conversation(stream.tenant, 4, 90)
    bad = poison(rows[0])
    sent = lines(rows).splitlines()
    for number, line in enumerate(bad.values()):
        sent.insert(20 * number, line)
    stream.feed(b"\n".join(sent) + b"\n")
    stream.feed_cut(gzip.compress(lines(conversation(stream.tenant, 4, 100)[-40:]))[:-300])
    stream.finish()
    wanted = Counter(list(bad)) + Counter({"truncated_gzip": 1})
    stream.assert_whole(wanted)
    assert Counter(r.headers["attempt"] for r in stream.rejected()) == {"1": wanted.total()}
    exact = {r.headers["reason"]: r.value for r in stream.rejected() if len(r.value) < MAX_CONTENT_BYTES}
    assert all(exact[reason] == line for reason, line in bad.items() if len(line) < MAX_CONTENT_BYTES)
    assert stream.replay_rejected() == wanted.total()
    assert stream.replay_rejected() == 0
    stream.finish()
    assert Counter(r.headers["attempt"] for r in stream.rejected()) == dict.fromkeys("12", wanted.total())
    stream.assert_whole(wanted + wanted)


def test_a_part_of_the_topic_that_is_delivered_again_changes_nothing(stream: Stream) -> None:
    stream.feed(lines(late(conversation(stream.tenant, 8, 60), seed=9)))
    stream.finish()
    once = stream.changes()
    day = stream.messages()[100:400]
    topic = stream.kafka.topics.messages
    stream.produce([Outgoing(topic, record.key, record.value) for record in day])
    stream.finish()
    stream.assert_whole({})
    assert stream.changes() == once


def test_any_order_and_revisions_of_a_message_in_several_partitions(stream: Stream) -> None:
    rows = conversation(stream.tenant, 6, 60)
    stream.feed(lines(unruly(rows, seed=10)))
    topic = stream.kafka.topics.messages
    revised = [
        {**row, "revision": revision, "content": f"Please make it {revision} kg. 改成{revision}公斤。"}
        for row in random.Random(10).sample(rows, 40)
        for revision in (7, 5, 9, 8)
    ]
    # Another producer keys otherwise, so that the revisions of one message lie anywhere.
    stream.produce([Outgoing(topic, b"%d" % n, lines([row]).rstrip()) for n, row in enumerate(revised)])
    stream.finish("--processes", "2")
    stream.assert_whole({})
    assert_told(stream)
