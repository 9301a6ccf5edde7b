"""The offset in Redis never passes a record that is not done, and never goes back."""

from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from pipeline.log_progress import LogProgress, processed_in
from state.embedded_redis import EmbeddedRedis


def test_it_stops_before_the_first_record_that_is_not_done(redis: Redis) -> None:
    progress = LogProgress(redis)
    assert progress.begin(0) == 0
    progress.read(range(5))
    progress.done([3, 1])
    assert processed_in(redis) == 0
    progress.done([0])
    assert processed_in(redis) == 2
    progress.read(range(5, 7))
    progress.done([2, 4, 5, 6])
    assert processed_in(redis) == 7


@given(data=st.data())
def test_in_whatever_order_they_are_done_it_is_the_first_gap(
    redis_server: EmbeddedRedis, data: st.DataObject
) -> None:
    redis = redis_server.client
    redis.flushall()
    progress = LogProgress(redis)
    progress.begin(0)
    order = data.draw(st.permutations(range(12)))
    progress.read(range(12))
    for n, one in enumerate(order):
        progress.done([one])
        waiting = order[n + 1 :]
        assert processed_in(redis) == min(waiting, default=12)


def test_a_run_begins_at_the_smaller_offset_and_says_what_is_made_again(redis: Redis) -> None:
    told: list[str] = []
    first = LogProgress(redis)
    first.begin(0)
    first.read(range(4))
    first.done(range(4))
    assert LogProgress(redis, told.append).begin(2) == 2
    assert told == []
    assert LogProgress(redis, told.append).begin(9) == 4
    assert len(told) == 1
    assert "messages 4 to 9" in told[0]


def test_what_is_read_again_does_not_put_the_offset_back(redis: Redis) -> None:
    for _ in range(2):
        progress = LogProgress(redis)
        progress.begin(0)
        for n in range(4):
            progress.read([n])
            progress.done([n])
            assert processed_in(redis) >= n + 1
    assert processed_in(redis) == 4
